import type { Launch } from '../launch/launch.ts';
import { textOf, type Word } from '../value/word.ts';
import type { BindingProblem, Run } from './framework.ts';

/** A word that stands for omitted ones in a text for people: `...`, `…`, `...args...`. */
const ellipsis = /^(?:\.{3,}|…)(?:[\w ]+(?:\.{3,}|…))?$/;

/** Rules about words that the program does not accept. */
const rulesAboutOddWords: ReadonlySet<string> = new Set([
  'unknown-option',
  'unexpected-value',
  'ignored-word',
  'invalid-override',
]);

/**
 * Binds a launch that may have an ellipsis for omitted words. If the program rejects the ellipsis, anything missing may be among the omitted
 * words and is not reported.
 */
export function boundWithLeftOut(launch: Launch, bind: (launch: Launch) => Run): Run {
  const signs = launch.args.filter(isSign);
  const withLeftOut = (run: Run): Run => ({ ...run, problems: run.problems.map(asLeftOut) });
  if (signs.length === 0) return bind(launch);
  const opened = withLeftOut(bind({ ...launch, open: [...launch.open, ...signs.map(({ place }) => place)] }));
  const isRefused = opened.problems.some(({ rule, severity }) => rule === 'left-out' && severity === 'error');
  return isRefused ? opened : withLeftOut(bind(launch));
}

function isSign(word: Word): boolean {
  const text = textOf(word);
  return text !== undefined && ellipsis.test(text);
}

/** Replaces the problem of an odd word by one that says the word stands for omitted ones. */
function asLeftOut(problem: BindingProblem): BindingProblem {
  const { value, name = '' } = problem.values;
  const written = problem.rule === 'unexpected-value' ? value : name;
  if (written === undefined || !rulesAboutOddWords.has(problem.rule) || !ellipsis.test(written))
    return problem;
  const outcome = problem.severity === 'error' ? 'refuses' : 'ignores';
  const { place, severity, setting, isUncertain } = problem;
  return {
    rule: 'left-out',
    place,
    values: { written, outcome },
    setting,
    replacement: undefined,
    severity,
    related: [],
    ...(isUncertain && { isUncertain }),
  };
}
