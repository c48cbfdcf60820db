import type { WordPart } from 'unbash';

/**
 * The parts of an operand within double quotes as Bash reads names in it. It removes inner quotes, and inserts the text of `$'…'`, before it
 * looks for names, which therefore continue after them: `"${A:-"$DIR"log}"` is the value of `$DIRlog`.
 */
export function namesThroughQuotes(parts: readonly WordPart[]): readonly WordPart[] {
  if (!parts.some(({ type }) => type === 'DoubleQuoted' || type === 'AnsiCQuoted')) return parts;
  const leaves = parts.flatMap((part): readonly WordPart[] =>
    part.type === 'DoubleQuoted' ? part.parts : [part],
  );
  const added = new Map<WordPart, string>();
  const taken = new Map<WordPart, number>();
  for (const [at, part] of leaves.entries()) {
    if (part.type !== 'SimpleExpansion' || !/^\$[A-Za-z_]\w*$/.test(part.text)) continue;
    const rest = nameBehind(leaves, at, taken);
    if (rest !== '') added.set(part, rest);
  }
  if (added.size === 0) return parts;
  const renewed = <P extends WordPart>(part: P): readonly P[] => {
    const count = taken.get(part) ?? 0;
    if (part.type === 'AnsiCQuoted')
      return [count === 0 ? part : { ...part, value: part.value.slice(count) }];
    const text = part.text.slice(count) + (added.get(part) ?? '');
    if (count > 0 && text === '') return [];
    return [text === part.text ? part : { ...part, pos: part.pos + count, text }];
  };
  return parts.flatMap((part): readonly WordPart[] =>
    part.type === 'DoubleQuoted' ? [{ ...part, parts: part.parts.flatMap(renewed) }] : renewed(part),
  );
}

/** The characters that continue a name after a part; `taken` receives how many of them come from each of the next parts. */
function nameBehind(leaves: readonly WordPart[], from: number, taken: Map<WordPart, number>): string {
  let name = '';
  for (let at = from + 1; ; at += 1) {
    const part = leaves[at];
    const text = part?.type === 'Literal' ? part.text : part?.type === 'AnsiCQuoted' ? part.value : '';
    const [more = ''] = /^\w+/.exec(text) ?? [];
    if (part === undefined || more === '') return name;
    name += more;
    taken.set(part, more.length);
    if (more.length < text.length) return name;
  }
}
