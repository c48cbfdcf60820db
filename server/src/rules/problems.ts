import { normalizePath } from '../bash/library/paths.ts';
import type { BashProblem, Correction, ProblemKind } from '../bash/options.ts';
import type { BindingProblem, Run, Setting } from '../frameworks/framework.ts';
import type { Host } from '../value/host.ts';
import type { YamlDocument } from '../yaml/document.ts';
import type { FixPlanner } from './check.ts';
import { commonFinding } from './commonFinding.ts';
import { isDoubtful } from './doubt.ts';
import type { Finding, Fix } from './finding.ts';
import type { CommonRules } from './rule.ts';

/** Findings of how options are written, noticed while they were bound. */
export function bindingFindings(run: Run, common: CommonRules, planFix: FixPlanner): Finding[] {
  const isOtherVersion = run.scopes.some(
    ({ set, ceiling }) => set === run.framework && ceiling !== undefined,
  );
  return run.problems.flatMap((problem) => {
    const isUnsure = restsOnDoubt(problem, run);
    const findings = commonFinding(common, problem.rule, problem.place, problem.values, {
      severity: isUnsure && problem.severity === 'error' ? 'warning' : problem.severity,
      certainty: isOtherVersion || isUnsure ? 'likely' : 'certain',
      framework: run.framework,
      related: problem.related,
      settings: problem.setting === undefined ? nameOf(problem) : [problem.setting.written],
      fixes: replacementOf(problem),
      tags: tagsOf(problem.rule),
    });
    const { removal } = problem;
    // Another version may well have what this one has not.
    return removal === undefined || isOtherVersion || problem.replacement !== undefined
      ? findings
      : findings.map((finding) => withRemoval(finding, removal, run, planFix));
  });
}

/** Whether what a problem is about may have been set anew: at its place, or where the value that is used there comes from. */
function restsOnDoubt({ place, setting }: BindingProblem, run: Run): boolean {
  const { path, span } = place;
  const used = run.settings.filter(
    ({ valuePlace }) => valuePlace?.path === path && valuePlace.span.start === span.start,
  );
  return [setting, ...used].some((one) => isDoubtful(place, one, run));
}

function nameOf(problem: BindingProblem): string[] {
  const name = problem.values.name;
  return name === undefined ? [] : [name];
}

function replacementOf(problem: BindingProblem): Finding['fixes'] {
  if (problem.replacement === undefined) return [];
  const { path, span } = problem.place;
  return [
    {
      title: `Write ${problem.replacement}`,
      safety: 'suggested',
      cost: undefined,
      edits: [{ path, span, newText: problem.replacement }],
    },
  ];
}

/** A finding that taking a setting away mends. Planned when somebody asks, as all fixes that are more than a word. */
function withRemoval(finding: Finding, removal: Setting, run: Run, planFix: FixPlanner): Finding {
  const [scope] = run.scopes;
  if (scope === undefined) return finding;
  let planned: readonly Fix[] | undefined;
  return {
    ...finding,
    get fixes() {
      const fix = (): Fix | undefined =>
        planFix(
          {
            title: `Remove ${removal.written}`,
            set: new Map(),
            unset: [],
            env: new Map(),
            remove: [removal],
            cost: undefined,
            safety: 'suggested',
          },
          run,
          scope,
        );
      planned ??= [fix()].filter((one) => one !== undefined);
      return planned;
    },
  };
}

function tagsOf(rule: string): Finding['tags'] {
  if (rule === 'ignored-option' || rule === 'duplicate-option') return ['unnecessary'];
  return rule === 'deprecated-option' || rule === 'renamed-option' ? ['deprecated'] : [];
}

/**
 * The rule of each kind of problem. A flag that would swallow its neighbour if the script were started without an argument is no
 * finding: nobody starts the script that way.
 */
const ruleOfKind: { readonly [kind in ProblemKind]: string | undefined } = {
  syntax: 'shell-syntax',
  'missing-file': 'missing-source',
  'missing-script': 'missing-source',
  'swallowed-flag': undefined,
  'unassigned-array': 'unassigned-array',
};

/** What is found of a run's words without that an option is deprecated where a constraint finds that it is refused as soon as it is read. */
export function withoutOutdone(
  fromBinding: readonly Finding[],
  fromConstraints: readonly Finding[],
): readonly Finding[] {
  if (!fromBinding.some(({ rule }) => rule === 'deprecated-option')) return fromBinding;
  const at = ({ place: { path, span } }: Finding): string => `${path} ${span.start}`;
  const isRefused = ({ severity, phase }: Finding): boolean => severity === 'error' && phase === 'parse';
  const refused = new Set(fromConstraints.filter(isRefused).map(at));
  return fromBinding.filter((finding) => finding.rule !== 'deprecated-option' || !refused.has(at(finding)));
}

/** Findings of a shell script as a text. Paths within the workspace are shown from its top, so that they read the same on every machine. */
export function bashFindings(
  problems: readonly BashProblem[],
  common: CommonRules,
  rootOf: Host['rootOf'],
): Finding[] {
  return problems.flatMap((problem) => {
    const rule = ruleOfKind[problem.kind];
    if (rule === undefined) return [];
    // A relative path is looked up in the working directory of whoever starts the script.
    const doubtful = rule === 'missing-source' && !problem.message.startsWith('/');
    const weight: Partial<Finding> = doubtful
      ? { severity: 'info', certainty: 'likely' }
      : problem.kind === 'missing-script'
        ? // The script goes on without it, unless `set -e` ends it.
          { severity: 'warning' }
        : {};
    const root = `${rootOf(problem.place.path) ?? ''}/`;
    const inRoot = (path: string): string => (path.startsWith(root) ? path.slice(root.length) : path);
    const reason = problem.message.replace(/^\/.*?(?= is )/, (path) => inRoot(normalizePath(path)));
    const { correction } = problem;
    const fixes = correction === undefined ? [] : [corrected(correction, inRoot(correction.meant))];
    return commonFinding(common, rule, problem.place, { reason }, { ...weight, fixes });
  });
}

function corrected({ place: { path, span }, text }: Correction, shown: string): Fix {
  return {
    title: `Use ${shown}`,
    safety: 'suggested',
    cost: undefined,
    edits: [{ path, span, newText: text }],
  };
}

/** Findings of a YAML file as a text. */
export function yamlFindings(document: YamlDocument, common: CommonRules): Finding[] {
  return document.problems.flatMap((problem) =>
    commonFinding(
      common,
      'yaml-syntax',
      { path: document.path, span: problem.span },
      { reason: problem.message },
      { severity: problem.severity },
    ),
  );
}
