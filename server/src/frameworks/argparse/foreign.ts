import type { BindingProblem } from '../framework.ts';
import { suggestSpelling } from '../suggest.ts';

/** The first problem of each flag that nobody knows and that nearly misses none, by the flag. */
export function foreignFlags(problems: readonly BindingProblem[]): ReadonlyMap<string, BindingProblem> {
  const out = new Map<string, BindingProblem>();
  for (const problem of problems) {
    const { name = '', meant = '' } = problem.values;
    if (problem.rule !== 'unknown-option' || problem.isJoined === true || out.has(name)) continue;
    // A name with blanks is no name: an option and its value are one word there; nor is one that ends in a dash. That a longer one begins like
    // it makes no near miss.
    if (/^--\S*[^\s-]$/.test(name) && (meant === '' || meant.startsWith(`${name}-`))) out.set(name, problem);
  }
  return out;
}

/**
 * Problems in which many flags that nobody knows are told once, as what they are: those of a fork, which may take more choices as well.
 * @param least how many such flags are told once
 */
export function foreignOnce(problems: readonly BindingProblem[], least: number): readonly BindingProblem[] {
  const foreign = foreignFlags(problems);
  const [first, ...others] = foreign.values();
  if (first === undefined || foreign.size < least) return problems;
  const hint = ` Nor are ${others.length} more of this launch: it seems to start a fork. List them under extra_options in .oomlint.yaml.`;
  const once: BindingProblem = {
    ...first,
    values: { ...first.values, hint },
    replacement: undefined,
    removal: undefined,
    severity: 'info',
    related: others.map(({ place, values: { name = '' } }) => ({ place, message: `${name} neither` })),
  };
  return problems.flatMap((problem) => {
    if (problem === first) return [once];
    if (problem.rule === 'invalid-choice' && !isMiswrittenChoice(problem))
      return [{ ...problem, instead: undefined, replacement: undefined, severity: 'info' }];
    return problem.rule === 'unknown-option' && foreign.has(problem.values.name ?? '') ? [] : [problem];
  });
}

/** Whether the value outside the choices is one of them in another spelling. One that only goes on behind it may be a choice of the fork's own. */
function isMiswrittenChoice({ replacement, values: { value = '' } }: BindingProblem): boolean {
  return replacement !== undefined && suggestSpelling(value, [replacement]) !== undefined;
}
