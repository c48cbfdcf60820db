import type { FrameworkId } from '../../server/src/frameworks/framework.ts';
import type { FileReport } from '../../server/src/linter.ts';
import type { ExampleEntry } from '../../server/src/rules/constraintFile.ts';
import type { Fix } from '../../server/src/rules/finding.ts';
import { applyEdits } from '../../server/src/text/edit.ts';
import { exampleFiles } from './exampleFiles.ts';
import { type TestKnowledge, testLinter } from './knowledge.ts';
import { memoryHost } from './memoryHost.ts';

/** Texts by absolute path. */
export type Files = { readonly [path: string]: string };

/** The script of every example. */
export const exampleScript = '/repository/run.sh';

/** An example of a rule, what is reported about it, and a linter that has its machine. */
export interface LintedExample {
  readonly files: Files;
  readonly report: FileReport;
  lint(files: Files): FileReport;
}

/**
 * Lints an example of a rule.
 *
 * @param layOut writes its script in another way
 */
export function lintedExample(
  knowledge: TestKnowledge,
  framework: FrameworkId,
  example: ExampleEntry,
  layOut = (script: string): string => script,
): LintedExample {
  const base = knowledge.frameworks.get(framework)?.base;
  if (base === undefined) throw new Error(`no base.yaml for ${framework}`);
  const made = exampleFiles(base, example);
  const files: Files = {
    [exampleScript]: layOut(made.script),
    ...(made.yaml === undefined ? {} : { [`/repository/${made.yaml.name}`]: made.yaml.text }),
  };
  const lint = (all: Files): FileReport =>
    testLinter(knowledge, memoryHost(all), made.machine).lint(exampleScript, all[exampleScript] ?? '');
  return { files, report: lint(files), lint };
}

/** The files after a fix; undefined if its edits do not fit. */
export function withFix(files: Files, fix: Fix): Files | undefined {
  const out: { [path: string]: string } = { ...files };
  for (const path of new Set(fix.edits.map((edit) => edit.path))) {
    const edits = fix.edits.filter((edit) => edit.path === path);
    const after = applyEdits(files[path] ?? '', edits);
    if (after === undefined) return undefined;
    out[path] = after;
  }
  return out;
}
