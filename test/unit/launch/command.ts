import { type Command, plainCommand } from '../../../server/src/launch/command.ts';
import type { Piece, Word } from '../../../server/src/value/word.ts';
import { display } from '../../../server/src/value/word.ts';

const path = '/w/run.sh';

function pieceAt(kind: 'text' | 'hole', text: string, start: number, quoted: boolean): Piece {
  const place = { path, span: { start, end: start + text.length } };
  const origin = { place, via: [], verbatim: true };
  if (kind === 'text') return { kind, text, origin };
  return { kind, reason: 'environment', label: text, shape: 'any', splits: !quoted, origin };
}

/** Splits a line into words the way a shell would: quotes group, `$NAME` is unknown (and may vanish when unquoted). */
export function words(line: string): readonly Word[] {
  const out: Word[] = [];
  const token = /'([^']*)'|"([^"]*)"|\$\w+|[^\s'"$]+|\s+/g;
  let pieces: Piece[] = [];
  let start = 0;
  const flush = (end: number): void => {
    if (pieces.length > 0) out.push({ pieces, place: { path, span: { start, end } } });
    pieces = [];
  };
  for (const match of line.matchAll(token)) {
    const text = match[0];
    if (/^\s/.test(text)) {
      flush(match.index);
      continue;
    }
    if (pieces.length === 0) start = match.index;
    if (text.startsWith("'")) pieces.push(pieceAt('text', match[1] ?? '', match.index + 1, true));
    else if (text.startsWith('"'))
      for (const part of (match[2] ?? '').matchAll(/\$\w+|[^$]+/g))
        pieces.push(
          pieceAt(part[0].startsWith('$') ? 'hole' : 'text', part[0], match.index + 1 + part.index, true),
        );
    else pieces.push(pieceAt(text.startsWith('$') ? 'hole' : 'text', text, match.index, false));
  }
  flush(line.length);
  return out;
}

/** A command as the readers produce it. */
export function command(
  line: string,
  rest: {
    readonly env?: { readonly [name: string]: string };
    readonly via?: readonly Command[];
    readonly directives?: string;
  } = {},
): Command {
  const env = new Map<string, Word>();
  for (const [name, text] of Object.entries(rest.env ?? {})) {
    const word = words(text)[0];
    if (word !== undefined) env.set(name, word);
  }
  return plainCommand({
    words: words(line),
    env,
    cwd: '/w',
    place: { path, span: { start: 0, end: line.length } },
    via: rest.via ?? [],
    directives: words(rest.directives ?? ''),
  });
}

/** Words for comparing: known text, and holes as their labels. */
export function texts(list: readonly Word[]): readonly string[] {
  return list.map(display);
}
