import type { Run } from '../frameworks/framework.ts';
import { isReadable, type YamlDocument, type YamlProblem } from '../yaml/document.ts';
import { commonFinding } from './commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from './finding.ts';
import type { CommonRules } from './rule.ts';

/**
 * Findings on the text of a YAML file, which a loader in Python or another language reads. A loader stops at the first syntax error, and later
 * ones mostly result from it.
 */
export function yamlFindings(
  { path, problems }: YamlDocument,
  common: CommonRules,
  loader: 'pyyaml' | 'other',
): Finding[] {
  const first = problems
    .filter(({ isSyntax }) => isSyntax === true)
    .reduce<YamlProblem | undefined>(
      (least, problem) => (least === undefined || problem.span.start < least.span.start ? problem : least),
      undefined,
    );
  return problems.flatMap((problem) =>
    (problem.isSyntax === true && problem !== first) || (problem.isPythons === true && loader !== 'pyyaml')
      ? []
      : commonFinding(
          common,
          problem.isConflict === true ? 'conflict-marker' : 'yaml-syntax',
          { path, span: problem.span },
          { reason: problem.message.replace(/\.$/, '') },
          { severity: problem.severity, fixes: mendOf(problem, path) },
        ),
  );
}

/** Whether only the first of several findings of this rule is reported in a file. */
export function isFirstOnly({ rule }: Finding): boolean {
  return rule === 'yaml-syntax';
}

function mendOf({ mend }: YamlProblem, path: string): readonly Fix[] {
  if (mend === undefined) return [];
  const edits = mend.edits.map((edit) => ({ ...edit, path }));
  return [suggestedFix(mend.title, edits)];
}

/** Whether no loader can read a file that configures a run. */
export function isUnloadable({ documents, hasSideFilesOnly }: Run): boolean {
  return hasSideFilesOnly !== true && !documents.every(isReadable);
}

/** Whether what was made of such a file is a guess, since it is unclear which lines are faulty. */
export function isUnreadable(run: Run): boolean {
  return (
    isUnloadable(run) &&
    run.documents.some((document) => !isReadable(document) && document.unread.length === 0)
  );
}

/** The findings outside the lines that no reader accepts. */
export function outsideUnreadLines(findings: readonly Finding[], { documents }: Run): readonly Finding[] {
  const unread = documents.flatMap((document) =>
    document.unread.map((span) => ({ path: document.path, ...span })),
  );
  if (unread.length === 0) return findings;
  return findings.filter(
    ({ place: { path, span } }) =>
      !unread.some((line) => line.path === path && line.start <= span.start && span.start <= line.end),
  );
}
