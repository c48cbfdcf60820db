import { type CompletionItem, CompletionItemKind, type Range } from 'vscode-languageserver-types';
import { allocatorVariables, knownSettings } from '../../frameworks/allocator.ts';
import type { EnvironmentFacts } from '../../frameworks/environment.ts';
import { environmentKeys } from '../../yaml/jobKeys.ts';
import { type Offer, plainItems } from './completionItems.ts';

/** Makes the range from some characters before the cursor to the cursor. */
type Back = (back: number) => Range;

const allocatorString = new RegExp(
  `(?:${allocatorVariables.join('|')})\\\\?["']?\\s*[=:]\\s*\\\\?["']?((?:[^,"'\\s\\\\]*,)*)(?:(\\w+):)?([\\w.]*)$`,
);

/** Settings inside PyTorch's allocator string and their values; undefined elsewhere. `before` is the line up to the cursor. */
export function allocatorItems(before: string, range: Back): CompletionItem[] | undefined {
  const found = allocatorString.exec(before);
  if (found === null) return undefined;
  const [, earlier = '', key, word = ''] = found;
  if (key !== undefined)
    return plainItems(
      (knownSettings.get(key)?.values ?? []).map((label) => ({ label })),
      CompletionItemKind.EnumMember,
      range(word.length),
    );
  const given = new Set(earlier.split(',').map((item) => item.split(':')[0] ?? ''));
  return plainItems(
    [...knownSettings].flatMap(([label, { describe }]) =>
      describe === undefined || given.has(label) ? [] : [{ label, text: describe, suffix: ':' }],
    ),
    CompletionItemKind.Value,
    range(word.length),
  );
}

function names({ variables }: EnvironmentFacts, isGiven: (name: string) => boolean, suffix: string): Offer[] {
  return variables.flatMap(({ name, describe }) =>
    isGiven(name) ? [] : [{ label: name, text: describe, suffix }],
  );
}

/** The usual values of a variable after its `=` or `:`; undefined elsewhere. */
function valueItems(before: string, facts: EnvironmentFacts, range: Back): CompletionItem[] | undefined {
  const [, name, word = ''] =
    /(?:^|[\s{,"'])([A-Z][A-Z0-9_]+)\\?["']?\s*[=:]\s*\\?["']?([\w:]*)$/.exec(before) ?? [];
  const values = facts.variables.find((one) => one.name === name)?.values;
  if (values === undefined) return undefined;
  return plainItems(
    values.map((label) => ({ label })),
    CompletionItemKind.EnumMember,
    range(word.length),
  );
}

/** Names of environment variables where a shell script assigns one or where an object of variables names one; undefined elsewhere. */
export function environmentItems(
  before: string,
  text: string,
  facts: EnvironmentFacts,
  range: Back,
): CompletionItem[] | undefined {
  const assigned =
    /(?:^|[;&|]|\b(?:export|env|declare -x|then|do))\s*((?:[A-Z]\w*=\S*\s+)*)([A-Z][A-Z0-9_]*)$/.exec(before);
  const quoted =
    /[{,]\s*\\?["']([A-Z][A-Z0-9_]*)$/.exec(before) ?? /^\s*\\?["']([A-Z][A-Z0-9_]*)$/.exec(before);
  const word = assigned?.[2] ?? quoted?.[1];
  if (word === undefined) return valueItems(before, facts, range);
  const isGiven = (name: string): boolean => new RegExp(`\\b${name}(?:=|\\\\?["']?\\s*:)`).test(text);
  const suffix = assigned === null ? '' : '=';
  return plainItems(names(facts, isGiven, suffix), CompletionItemKind.Variable, range(word.length));
}

/** Names and values of environment variables below a YAML key that contains some; undefined elsewhere. */
export function yamlEnvironmentItems(
  at: {
    readonly parents: readonly string[];
    readonly key: string | undefined;
    readonly word: string;
    readonly siblings: readonly string[];
  },
  facts: EnvironmentFacts,
  range: Back,
): CompletionItem[] | undefined {
  if (!environmentKeys.has(at.parents.at(-1) ?? '')) return undefined;
  if (at.key === undefined)
    return plainItems(
      names(facts, (name) => at.siblings.includes(name), ': '),
      CompletionItemKind.Variable,
      range(at.word.length),
    );
  const values = facts.variables.find(({ name }) => name === at.key)?.values ?? [];
  return plainItems(
    values.map((label) => ({ label: `"${label}"` })),
    CompletionItemKind.EnumMember,
    range(at.word.length),
  );
}
