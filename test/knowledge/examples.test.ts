import { describe, expect, it } from 'vitest';
import { improves } from '../../server/src/autofix.ts';
import type { FrameworkId } from '../../server/src/frameworks/framework.ts';
import type { FileReport } from '../../server/src/linter.ts';
import { substituteData } from '../../server/src/rules/compileConstraint.ts';
import {
  type ConstraintEntry,
  constraintSchema,
  type ExampleEntry,
} from '../../server/src/rules/constraintFile.ts';
import type { Finding, Fix } from '../../server/src/rules/finding.ts';
import { applyEdits } from '../../server/src/text/edit.ts';
import { exampleFiles } from '../support/exampleFiles.ts';
import { loadKnowledge, testLinter } from '../support/knowledge.ts';
import { memoryHost } from '../support/memoryHost.ts';

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

interface Linted {
  readonly files: { readonly [path: string]: string };
  readonly report: FileReport;
  lint(files: { readonly [path: string]: string }): FileReport;
}

const script = '/repository/run.sh';

function lintExample(framework: FrameworkId, example: ExampleEntry): Linted {
  const base = knowledge.frameworks.get(framework)?.base;
  if (base === undefined) throw new Error(`no base.yaml for ${framework}`);
  const made = exampleFiles(base, example);
  const files = {
    [script]: made.script,
    ...(made.yaml === undefined ? {} : { [`/repository/${made.yaml.name}`]: made.yaml.text }),
  };
  const lint = (all: { readonly [path: string]: string }): FileReport =>
    testLinter(knowledge, memoryHost(all), made.machine).lint(script, all[script] ?? '');
  return { files, report: lint(files), lint };
}

function listOf(example: ConstraintEntry['bad']): ExampleEntry[] {
  return Array.isArray(example) ? example : [example];
}

function withFix(
  files: { readonly [path: string]: string },
  fix: Fix,
): { [path: string]: string } | undefined {
  const out = { ...files };
  for (const path of new Set(fix.edits.map((edit) => edit.path))) {
    const after = applyEdits(
      files[path] ?? '',
      fix.edits.filter((edit) => edit.path === path),
    );
    if (after === undefined) return undefined;
    out[path] = after;
  }
  return out;
}

const describeFinding = ({ rule, message }: Finding): string => `${rule}: ${message}`;

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
          for (const example of listOf(entry.bad)) {
            const { report, files, lint } = lintExample(framework, example);
            expect(
              report.findings.map((finding) => finding.rule),
              `bad: ${JSON.stringify(example)}`,
            ).toContain(rule);
            const finding = report.findings.find((item) => item.rule === rule);
            const fix = finding?.fixes[0];
            if (finding === undefined || fix === undefined) continue;
            const after = withFix(files, fix);
            expect(after, `the edits of "${fix.title}" fit the text`).toBeDefined();
            if (after === undefined) continue;
            const fixed = lint(after);
            expect(
              improves(report, fixed, [finding]),
              `"${fix.title}" of ${JSON.stringify(example)} leaves ${fixed.findings.map(describeFinding).join('; ')}\n${Object.values(after).join('\n')}`,
            ).toBe(true);
          }
          for (const example of listOf(entry.good)) {
            const { report } = lintExample(framework, example);
            expect(report.runs.length, `good is recognised: ${JSON.stringify(example)}`).toBeGreaterThan(0);
            expect(
              report.findings.map((finding) => finding.rule),
              `good: ${JSON.stringify(example)}`,
            ).not.toContain(rule);
          }
        });
      }
    it('accepts its base launch', () => {
      const { report } = lintExample(framework, '');
      expect(report.runs.map((run) => run.framework)).toContain(framework);
      expect(report.findings.filter(({ severity }) => severity !== 'info').map(describeFinding)).toEqual([]);
    });
  });
}
