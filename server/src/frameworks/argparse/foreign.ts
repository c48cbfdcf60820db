import type { BindingProblem } from '../framework.ts';
import { suggestSpelling } from '../suggest.ts';

/** The first problem of each unknown flag that resembles no known one, by flag. */
export function foreignFlags(problems: readonly BindingProblem[]): ReadonlyMap<string, BindingProblem> {
  const out = new Map<string, BindingProblem>();
  for (const problem of problems) {
    const { name = '', meant = '' } = problem.values;
    if (problem.rule !== 'unknown-option' || problem.isJoined === true || out.has(name)) continue;
    // Skip names with blanks, where an option and its value form one word, and names that end in a dash. Being a prefix of a longer flag is not
    // a resemblance.
    if (/^--\S*[^\s-]$/.test(name) && (meant === '' || meant.startsWith(`${name}-`))) out.set(name, problem);
  }
  return out;
}

/**
 * Merges the problems of many unknown flags into one: they belong to a fork, which may accept more choices as well.
 * @param least the number of such flags from which they are merged
 */
export function foreignOnce(problems: readonly BindingProblem[], least: number): readonly BindingProblem[] {
  const foreign = foreignFlags(problems);
  const [first, ...rest] = foreign.values();
  if (first === undefined || foreign.size < least) return problems;
  const relatives = problems.filter((problem) => !rest.includes(problem) && isRelative(problem, foreign));
  const others = [...rest, ...relatives];
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
    if (relatives.includes(problem)) return [];
    return problem.rule === 'unknown-option' && foreign.has(problem.values.name ?? '') ? [] : [problem];
  });
}

/**
 * Whether an unknown flag that only lacks words of a known one is the fork's own, too, as it begins like others of the fork: beside
 * `--moe-num-experts`, `--moe-capacity-factor` hardly stands for `--moe-expert-capacity-factor`.
 */
function isRelative(
  { rule, values: { name = '', meant = '' } }: BindingProblem,
  foreign: ReadonlyMap<string, BindingProblem>,
): boolean {
  if (rule !== 'unknown-option' || foreign.has(name)) return false;
  const words = name.split('-');
  if (!lacksWords(words, meant.split('-'))) return false;
  // `--moe-`: the two dashes make two empty words.
  const beginning = `${words.slice(0, 3).join('-')}-`;
  return [...foreign.keys()].some((flag) => flag.startsWith(beginning));
}

/** Whether some words are others of which at least one is left out. */
function lacksWords(words: readonly string[], whole: readonly string[]): boolean {
  let found = 0;
  for (const word of whole) if (word === words[found]) found += 1;
  return found === words.length && found < whole.length;
}

/** Whether an invalid choice is a misspelling of a valid one. One that merely extends a valid choice may be the fork's own. */
function isMiswrittenChoice({ replacement, values: { value = '' } }: BindingProblem): boolean {
  return replacement !== undefined && suggestSpelling(value, [replacement]) !== undefined;
}
