import { hole, type Pieces, sliceText } from '../state/pieces.ts';

/** What a shell changes within double quotes: a parameter, with braces nested at most one level deep, a backquoted command, or an escape. */
const changed = /\\[\\$`]|`[^`]*`|\$(?:\{(?:[^{}]|\{[^{}]*\})*\}|[A-Za-z_]\w*|[\d@*#?$!-])/g;

/**
 * A text for a shell that another shell may expand first, as if it were within double quotes. Whatever may then have another value is unknown:
 * variables that the text itself names to set them, special ones, and what is in single quotes or escaped there.
 */
export function perhapsExpanded(text: Pieces): Pieces {
  const whole = text.map((piece) => (piece.kind === 'text' ? piece.text : ' ')).join('');
  const named = new Set(Array.from(whole.matchAll(/(?<![\w${#!])[A-Za-z_]\w*/g), ([name]) => name));
  let isQuoted = false;
  return text.flatMap((piece): Pieces => {
    if (piece.kind === 'hole') return [piece];
    const out: Pieces[number][] = [];
    let done = 0;
    for (const match of piece.text.matchAll(changed)) {
      const [found] = match;
      for (const char of piece.text.slice(done, match.index)) if (char === "'") isQuoted = !isQuoted;
      if (match.index > done) out.push(sliceText(piece, done, match.index));
      const end = match.index + found.length;
      const place = sliceText(piece, match.index, end).origin.place;
      out.push(
        isQuoted || isOfText(found, named)
          ? { ...hole('version', found, place), splits: !isQuoted }
          : sliceText(piece, match.index, end),
      );
      done = end;
    }
    for (const char of piece.text.slice(done)) if (char === "'") isQuoted = !isQuoted;
    if (done < piece.text.length) out.push(sliceText(piece, done, piece.text.length));
    return out;
  });
}

/** Whether an expansion differs inside the text from outside it. */
function isOfText(found: string, named: ReadonlySet<string>): boolean {
  const [, name] = /^\$\{?[#!]?([A-Za-z_]\w*)/.exec(found) ?? [];
  return name === undefined ? !found.startsWith('`') : named.has(name);
}
