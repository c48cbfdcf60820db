import type { Expression } from '../expression/compiled.ts';
import { isNode } from '../expression/tree.ts';
import { remembering } from '../value/remember.ts';
import type { BindingProblem, Run, Scope } from './framework.ts';
import type { Knowledge } from './knowledge.ts';

/** An option and the only values that a rule accepts for it. */
interface Choice {
  readonly name: string;
  readonly values: readonly string[];
}

/** A run without the rules that reject a value which the workspace's sources name: there are more choices there. */
export function withChoicesOf(run: Run, knowledge: Knowledge, texts: readonly string[]): Run {
  const scopes = run.scopes.map((scope): Scope => {
    if (scope.set !== knowledge.framework) return scope;
    const isAdded = (choice: Choice): boolean => {
      const value = scope.lookup(choice.name)?.value;
      const chosen = value?.kind === 'known' && typeof value.data === 'string' ? value.data : undefined;
      return chosen !== undefined && texts.some((text) => addsChoice(text, chosen, choice, knowledge));
    };
    const { isReplaced } = scope;
    return {
      ...scope,
      isReplaced: (constraint) =>
        isReplaced?.(constraint) === true || choicesIn(constraint.when).some(isAdded),
    };
  });
  return { ...run, scopes };
}

/** Whether a source names the value for this option. If it is also a value of another option, it counts only near other values of this one. */
function addsChoice(text: string, chosen: string, choice: Choice, knowledge: Knowledge): boolean {
  if (!quotes(text, chosen)) return false;
  const others = allChoices(knowledge).filter(
    ({ name, values }) => name !== choice.name && values.includes(chosen),
  );
  if (others.length === 0) return true;
  const ofOthers = others.flatMap(({ values }) => values).filter((value) => value !== chosen);
  const names = (values: readonly string[], block: string): boolean =>
    values.some((value) => quotes(block, value));
  return text
    .split(/^(?=class |def |@)/m)
    .some((block) => quotes(block, chosen) && (names(choice.values, block) || !names(ofOthers, block)));
}

/**
 * Whether a source that declares flags names the value as a choice of this flag. If it is also a choice of another flag, it counts only in the
 * call that declares this one, provided the choices are listed there.
 */
export function offersChoice(
  text: string,
  { name = '', value = '' }: BindingProblem['values'],
  { options }: Knowledge,
): boolean {
  if (!quotes(text, value)) return false;
  const isOfOthers = options.some(
    ({ flags, choices }) => choices?.includes(value) === true && flags?.includes(name) === false,
  );
  if (!isOfOthers) return true;
  const calls = text
    .split(/\b(?:add_argument|reset_arg)\(/)
    .filter((call) => quotes(call, name) && /\bchoices\s*=\s*[[(][^*\])]*[\])]\s*[,)]/.test(call));
  return calls.length === 0 || calls.some((call) => quotes(call, value));
}

/**
 * A problem with the choices that a source lists for the flag instead of the known ones.
 *
 * @param text a source that declares flags
 */
export function withChoicesListed(problem: BindingProblem, text: string): BindingProblem {
  const { rule, values, replacement } = problem;
  const listed = rule === 'invalid-choice' ? choicesListed(text, values.name ?? '') : [];
  if (listed.length === 0) return problem;
  const isThere = replacement !== undefined && listed.includes(replacement);
  return {
    ...problem,
    values: { ...values, choices: listed.join(', ') },
    replacement: isThere ? replacement : undefined,
  };
}

/** The choices of a flag that a source lists; empty if it lists none, or if any of them is not a plain string. */
function choicesListed(text: string, flag: string): readonly string[] {
  const call = text.split(/\b(?:add_argument|reset_arg)\(/).find((part) => quotes(part.slice(0, 120), flag));
  const written = call === undefined ? undefined : /\bchoices\s*=\s*[[(]([^\])]*)[\])]/.exec(call)?.[1];
  const items = (written ?? '').split(',').flatMap((item) => item.trim() || []);
  const plain = items.flatMap((item) => /^(["'])([\w.-]+)\1$/.exec(item)?.[2] ?? []);
  return plain.length === items.length ? plain : [];
}

function quotes(text: string, value: string): boolean {
  return text.includes(`"${value}"`) || text.includes(`'${value}'`);
}

const allChoices = remembering(({ constraints }: Knowledge) =>
  constraints.flatMap(({ when }) => choicesIn(when)),
);

/** The `not (name in [a, b])` parts of an expression. */
function choicesIn(expression: Expression): readonly Choice[] {
  if (!isNode(expression)) return [];
  if (expression[0] === 'o' && expression[1] === 'and')
    return [...choicesIn(expression[2]), ...choicesIn(expression[3])];
  if (expression[0] !== 'u' || expression[1] !== 'not' || !isNode(expression[2])) return [];
  const inner = expression[2];
  if (inner[0] !== 'o' || inner[1] !== 'in') return [];
  const [, , name, list] = inner;
  if (!isNode(name) || name[0] !== 'n' || !isNode(list) || list[0] !== 'l') return [];
  const [, ...items] = list;
  return [{ name: name[1], values: items.filter((item) => typeof item === 'string') }];
}
