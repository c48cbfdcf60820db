import type { CompiledConstraint } from '../../server/src/expression/compiled.ts';
import { markOf, type RepeatedConstraint } from '../../server/src/expression/repeated.ts';

/**
 * Constraints with those written once that follow each other and are alike but for some words, as an entry with `each` makes them: a third of
 * what is known of AReaL and SkyRL.
 */
export function folded(
  constraints: readonly CompiledConstraint[],
): readonly (CompiledConstraint | RepeatedConstraint)[] {
  const runs: {
    readonly id: string;
    readonly tokens: (readonly string[])[];
    readonly of: CompiledConstraint[];
  }[] = [];
  for (const constraint of constraints) {
    const tokens = JSON.stringify(constraint).match(/\w+|\W+/g) ?? [];
    const last = runs.at(-1);
    if (last !== undefined && last.id === constraint.id && last.tokens[0]?.length === tokens.length) {
      last.tokens.push(tokens);
      last.of.push(constraint);
    } else runs.push({ id: constraint.id, tokens: [tokens], of: [constraint] });
  }
  return runs.flatMap(({ tokens, of }): readonly (CompiledConstraint | RepeatedConstraint)[] => {
    const repeated = foldedRun(tokens);
    return repeated === undefined ? of : [repeated];
  });
}

/** Texts of one form, cut into words and what stands between them; undefined where they differ in more than words. */
function foldedRun(texts: readonly (readonly string[])[]): RepeatedConstraint | undefined {
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
