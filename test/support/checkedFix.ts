import { expect } from 'vitest';
import type { FileReport } from '../../server/src/linter.ts';
import type { Finding, Fix } from '../../server/src/rules/finding.ts';
import { exampleScript, type Files, type LintedExample, withFix } from './lintedExample.ts';

/** The files after a fix, and what is reported about them. */
export interface Fixed {
  readonly files: Files;
  readonly report: FileReport;
}

/**
 * Expects of a fix of an example that its edits fit, that it keeps comments and all lines that it does not edit, that its finding is gone, and
 * that it causes no error.
 *
 * @param what names the fix in failures
 */
export function checkedFix(example: LintedExample, finding: Finding, fix: Fix, what: string): Fixed {
  const { files, report: before, lint } = example;
  const after = withFix(files, fix);
  if (after === undefined) throw new Error(`${what}: the edits do not fit`);
  for (const [file, content] of Object.entries(after)) {
    const kept = untouched(files[file] ?? '', fix, file);
    const now = new Set(content.split('\n'));
    expect(
      kept.filter((line) => !now.has(line)),
      `${what}: untouched lines`,
    ).toEqual([]);
    const comments = commentsIn(files[file] ?? '');
    if (file === exampleScript) expect(commentsIn(content), `${what}: comments`).toEqual(comments);
  }
  const report = lint(after);
  const same = (item: Finding): boolean => item.rule === finding.rule && item.message === finding.message;
  expect(report.runs.length, `${what}: still recognised`).toBeGreaterThanOrEqual(before.runs.length);
  expect(report.findings.filter(same).length, `${what}: gone\n${after[exampleScript] ?? ''}`).toBeLessThan(
    before.findings.filter(same).length,
  );
  const messages = errorsOf(report).map(({ message }) => message);
  expect(messages.length, `${what}: no new error, but ${messages.join('; ')}`).toBeLessThanOrEqual(
    errorsOf(before).length,
  );
  return { files: after, report };
}

function errorsOf({ findings }: FileReport): readonly Finding[] {
  return findings.filter(({ severity }) => severity === 'error');
}

/** The numbered comments of a text, in order: none may get lost. */
function commentsIn(text: string): string[] {
  return text.split('\n').flatMap((line) => /(?:^|\s)(# (?:about|value) \d+)/.exec(line)?.[1] ?? []);
}

/** The lines that a fix's edits do not touch. */
function untouched(text: string, fix: Fix, file: string): string[] {
  let at = 0;
  return text.split('\n').filter((line) => {
    const start = at;
    at += line.length + 1;
    return !fix.edits.some(
      (edit) => edit.path === file && edit.span.start <= start + line.length && edit.span.end >= start,
    );
  });
}
