import { describe, expect, it } from 'vitest';
import type { Knowledge } from '../../../server/src/frameworks/knowledge.ts';
import { loadKnowledge, type TestKnowledge, testLinter } from '../../support/knowledge.ts';
import { memoryHost } from '../../support/memoryHost.ts';
import { ruleExamples } from '../../support/ruleExamples.ts';

const knowledge = loadKnowledge();

/** The knowledge, with every constraint evaluated in every scope. */
function evaluatedInFull(): TestKnowledge {
  const whole = new Map<string, Knowledge>();
  return {
    ...knowledge,
    knowledgeOf: (id) => {
      const known = whole.get(id);
      if (known !== undefined) return known;
      const base = knowledge.knowledgeOf(id);
      const constraints = base.constraints.map(({ restsOn: _, ...constraint }) => constraint);
      const made = { ...base, constraints };
      whole.set(id, made);
      return made;
    },
  };
}

describe('skipping constraints that cannot hold', () => {
  it('knows that most constraints need a setting', () => {
    for (const [id, { knowledge: each }] of knowledge.frameworks) {
      const bound = each.constraints.filter(({ restsOn }) => restsOn !== undefined);
      expect(bound.length / each.constraints.length, id).toBeGreaterThan(0.5);
    }
  });

  it('finds what a full evaluation finds in every bad example', () => {
    const full = evaluatedInFull();
    let findings = 0;
    for (const { rule, script, files, machine } of ruleExamples(knowledge)) {
      const reported = (from: TestKnowledge): string[] =>
        testLinter(from, memoryHost(files), machine)
          .lint(script, files[script] ?? '')
          .findings.map((finding) => `${finding.rule} ${finding.severity} ${finding.message}`);
      const found = reported(knowledge);
      findings += found.length;
      expect(found, rule).toEqual(reported(full));
    }
    expect(findings).toBeGreaterThan(500);
  });
});
