import { markOf, type Repeated } from '../../server/src/expression/repeated.ts';

/**
 * Texts in which consecutive ones that differ only in some words, as an entry with `each` produces, are written once: a third of the knowledge
 * about AReaL and SkyRL.
 * @param idOf what texts that may be similar have in common
 * @param textOf the text of an item
 */
export function folded<Thing>(
  things: readonly Thing[],
  idOf: (thing: Thing) => string,
  textOf: (thing: Thing) => string,
): readonly (Thing | Repeated)[] {
  const runs: { readonly id: string; readonly tokens: (readonly string[])[]; readonly of: Thing[] }[] = [];
  for (const thing of things) {
    const id = idOf(thing);
    const tokens = textOf(thing).match(/\w+|\W+/g) ?? [];
    const last = runs.at(-1);
    if (last !== undefined && last.id === id && last.tokens[0]?.length === tokens.length) {
      last.tokens.push(tokens);
      last.of.push(thing);
    } else runs.push({ id, tokens: [tokens], of: [thing] });
  }
  return runs.flatMap(({ tokens, of }): readonly (Thing | Repeated)[] => {
    const repeated = foldedRun(tokens);
    return repeated === undefined ? of : [repeated];
  });
}

/** Texts of the same form, split into words and the text between them; undefined if they differ in more than words. */
function foldedRun(texts: readonly (readonly string[])[]): Repeated | undefined {
  const [first, ...others] = texts;
  if (first === undefined || others.length === 0) return undefined;
  const columns = new Map<string, { readonly index: number; readonly words: readonly string[] }>();
  const repeated: string[] = [];
  for (const [at, token] of first.entries()) {
    const words = texts.map((text) => text[at] ?? '');
    if (words.every((word) => word === token)) {
      repeated.push(token);
      continue;
    }
    if (!words.every((word) => /^\w+$/.test(word))) return undefined;
    const key = words.join(' ');
    const column = columns.get(key) ?? { index: columns.size, words };
    columns.set(key, column);
    repeated.push(markOf(column.index));
  }
  return {
    repeated: repeated.join(''),
    words: texts.map((_, row) => [...columns.values()].map(({ words }) => words[row] ?? '')),
  };
}
