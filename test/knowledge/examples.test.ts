import { describe, expect, it } from 'vitest';
import { improves } from '../../server/src/autofix.ts';
import type { FrameworkId } from '../../server/src/frameworks/framework.ts';
import { substituteData } from '../../server/src/rules/compileConstraint.ts';
import {
  type ConstraintEntry,
  constraintSchema,
  type ExampleEntry,
} from '../../server/src/rules/constraintFile.ts';
import { checkedFix } from '../support/checkedFix.ts';
import { areSame, keptPromises, promisesOf } from '../support/fixPromises.ts';
import { loadKnowledge } from '../support/knowledge.ts';
import { lintedExample } from '../support/lintedExample.ts';

const knowledge = loadKnowledge();

/** The entry, once for each value of its `each`. */
function variants(entry: ConstraintEntry): ConstraintEntry[] {
  let out = [entry];
  for (const [variable, values] of Object.entries(entry.each ?? {}))
    out = out.flatMap((so) =>
      values.map((value) => constraintSchema.parse(substituteData(so, new Map([[variable, value]])))),
    );
  return out;
}

/** How many values that fixes promise are known after the fix, by framework. */
const known = new Map<FrameworkId, number>();

/** Expects that a bad example is reported, and that each of the rule's fixes works. */
function checkBad(framework: FrameworkId, rule: string, example: ExampleEntry): void {
  const what = JSON.stringify(example);
  const linted = lintedExample(knowledge, framework, example);
  const { report } = linted;
  const findings = report.findings.filter((finding) => finding.rule === rule);
  expect(findings.length, `bad is reported: ${what}`).toBeGreaterThan(0);
  // `~section` deletes what a fix writes into the section.
  const promises = what.includes("'~") ? [] : promisesOf(knowledge, linted, rule);
  for (const finding of findings)
    for (const fix of finding.fixes) {
      const fixed = checkedFix(linted, finding, fix, `"${fix.title}" of ${what}`);
      if (finding === findings[0] && fix === finding.fixes[0])
        expect(improves(report, fixed.report, [finding]), `"${fix.title}" improves ${what}`).toBe(true);
      for (const promise of promises.filter((each) => areSame(each.fix, fix))) {
        const kept = keptPromises(promise, fixed.report.runs);
        expect(kept.broken, what).toEqual([]);
        known.set(framework, (known.get(framework) ?? 0) + kept.known);
      }
    }
}

/** Expects that a good example is recognised and not reported. */
function checkGood(framework: FrameworkId, rule: string, example: ExampleEntry): void {
  const { report } = lintedExample(knowledge, framework, example);
  expect(report.runs.length, `good is recognised: ${JSON.stringify(example)}`).toBeGreaterThan(0);
  expect(
    report.findings.map((finding) => finding.rule),
    `good: ${JSON.stringify(example)}`,
  ).not.toContain(rule);
}

describe('schemas', () => {
  it('have no problems', () => {
    expect(knowledge.problems).toEqual([]);
  });
});

for (const [framework, { entries }] of knowledge.frameworks) {
  describe(framework, () => {
    for (const { entry: written } of entries)
      for (const entry of variants(written)) {
        const rule = `${framework}/${entry.id}`;
        const role =
          entry.id === written.id && written.each !== undefined ? ` (${entry.message.slice(0, 40)})` : '';
        it(`${entry.id}${role}`, () => {
          for (const example of [entry.bad].flat()) checkBad(framework, rule, example);
          for (const example of [entry.good].flat()) checkGood(framework, rule, example);
        });
      }
    it('accepts its base launch', () => {
      const { report } = lintedExample(knowledge, framework, '');
      expect(report.runs.map((run) => run.framework)).toContain(framework);
      const reported = report.findings.filter(({ severity }) => severity !== 'info');
      expect(reported.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
    });
    it('has fixes whose values are known afterwards', () => {
      expect(known.get(framework)).toBeGreaterThan(0);
    });
  });
}
