import type { ParameterExpansionPart, Word as WordNode } from 'unbash';
import type { Place } from '../text/span.ts';
import { expandParts, partsOf } from './expand.ts';
import { append } from './lists.ts';
import { inBraces } from './literal.ts';
import { hole, nothing, type Pieces } from './pieces.ts';
import { type Reading, seenThrough } from './read.ts';
import type { Shell } from './shell.ts';
import type { Source } from './source.ts';
import type { Item } from './split.ts';

/** One `${…}` while it is expanded. */
export interface Expansion {
  readonly shell: Shell;
  readonly source: Source;
  readonly part: ParameterExpansionPart;
  readonly quoted: boolean;
  readonly place: Place;
  /** What has come of the word up to here. */
  readonly out: Item[];
}

/** Appends what a plain parameter holds. */
export function appendScalar(
  shell: Shell,
  name: string,
  reading: Reading,
  quoted: boolean,
  place: Place,
  out: Item[],
): void {
  if (!shell.run.meter.spend(reading.pieces.length >> 2)) {
    append(out, [hole('too-complex', `$${name}`, place)], quoted);
    return;
  }
  const pieces = seenThrough(shell, name, reading, place);
  refer(shell, name, reading, pieces, place);
  append(out, pieces, quoted);
}

/** Remembers what an expansion gave, for hovers. */
export function refer(shell: Shell, name: string, reading: Reading, pieces: Pieces, place: Place): void {
  shell.run.refer(place, () => ({
    kind: 'expansion',
    name,
    place,
    word: { pieces, place },
    assignments: reading.variable?.places ?? [],
  }));
}

/** Appends a hole for the whole expansion; its reason is that of the value which is not known. */
export function appendUnknown({ part, place, quoted, out }: Expansion, pieces: Pieces = nothing): void {
  const first = pieces.find((piece) => piece.kind === 'hole');
  const reason = first?.kind === 'hole' ? first.reason : 'too-complex';
  append(out, [hole(reason, part.text, place)], quoted);
}

/** Expands the word behind an operator such as `:-` into the word around it. */
export function expandOperand({ shell, source, quoted, out }: Expansion, operand: WordNode): void {
  if (operand.text === '') return;
  if (quoted) expandParts(shell, source, partsOf(operand), inBraces, out);
  else expandParts(shell, source, partsOf(operand), { quoted: false, splits: true, tilde: 'start' }, out);
}
