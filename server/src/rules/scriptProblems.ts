import { normalizePath } from '../bash/library/paths.ts';
import type { BashProblem, Correction, ProblemKind } from '../bash/options.ts';
import type { Host } from '../value/host.ts';
import { commonFinding } from './commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from './finding.ts';
import type { CommonRules } from './rule.ts';

/**
 * The rule of each kind of problem. A flag that would swallow its neighbour if the script were started without an argument is not a finding:
 * nobody starts the script that way. A refused expansion is one only if it stops a launch (refusedExpansions.ts).
 */
const ruleOfKind: { readonly [kind in ProblemKind]: string | undefined } = {
  syntax: 'shell-syntax',
  'conflict-marker': 'conflict-marker',
  'refused-expansion': undefined,
  'missing-file': 'missing-source',
  'missing-script': 'missing-source',
  'swallowed-flag': undefined,
  'unassigned-array': 'unassigned-array',
  'blank-around-equals': 'blank-around-equals',
  'missing-bracket': 'missing-bracket',
  'unquoted-options': 'unquoted-options',
  'array-as-text': 'array-as-text',
};

/** Findings on the text of a shell script. Paths within the workspace are shown from its root, so that they read the same on every machine. */
export function bashFindings(
  problems: readonly BashProblem[],
  common: CommonRules,
  rootOf: Host['rootOf'],
): Finding[] {
  return problems.flatMap((problem) => {
    const rule = ruleOfKind[problem.kind];
    if (rule === undefined) return [];
    // A relative path, or one made from `pwd`, is resolved in the working directory of whoever starts the script.
    const doubtful =
      rule === 'missing-source' && (problem.isPresumed === true || !problem.message.startsWith('/'));
    const weight = doubtful ? doubtfulWeight(problem) : weightOf(problem);
    const root = `${rootOf(problem.place.path) ?? ''}/`;
    const inRoot = (path: string): string => (path.startsWith(root) ? path.slice(root.length) : path);
    const reason = problem.message.replace(/^\/.*?(?= is )/, (path) => inRoot(normalizePath(path)));
    const { correction } = problem;
    const fixes = correction === undefined ? [] : [corrected(correction, inRoot(correction.meant))];
    return commonFinding(common, rule, problem.place, { reason }, { ...weight, fixes });
  });
}

/** The weight of a missing file that may be looked for elsewhere: nobody has a file named like a placeholder. */
function doubtfulWeight({ isToFillIn }: BashProblem): Partial<Finding> {
  return { severity: isToFillIn === true ? 'warning' : 'info', certainty: 'likely' };
}

/** The weight of a script's problem, if its rule does not decide that. */
function weightOf({ severity, lacksFolder }: BashProblem): Partial<Finding> {
  if (severity === undefined) return {};
  return lacksFolder === true && severity === 'error'
    ? { severity: 'warning', certainty: 'likely' }
    : { severity };
}

function corrected({ place: { path, span }, text }: Correction, shown: string): Fix {
  return suggestedFix(`Use ${shown}`, [{ path, span, newText: text }]);
}
