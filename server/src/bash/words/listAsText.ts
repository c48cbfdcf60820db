import { type ArrayValue, parse, type Word as WordNode } from 'unbash';
import type { Place } from '../../text/span.ts';
import { made, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import { type Source, shiftedSource } from '../text/source.ts';
import { expandValue } from './expand.ts';

/**
 * The value of `NAME=(a "b c"),`: Bash joins the words in parentheses with blanks and expands the whole like the text of a scalar assignment,
 * without splitting. Undefined if the text cannot be taken apart.
 */
export function expandListAsText(shell: Shell, source: Source, { pos, text }: WordNode): Pieces | undefined {
  const close = /\)[^()]+$/.exec(text)?.index;
  if (close === undefined) return undefined;
  const list = assigned(source, pos, text.slice(0, close + 1));
  const behind = assigned(source, pos + close + 1, text.slice(close + 1));
  if (list?.value.type !== 'ArrayValue' || behind?.value.type !== 'Word') return undefined;
  const place = source.place(pos, pos + text.length);
  return [
    ...elementsAsText(shell, list.source, list.value, place),
    ...expandValue(shell, behind.source, behind.value),
  ];
}

/** A list where only a text can be, as in the environment of a command: its words joined with blanks, in parentheses. */
export function elementsAsText(shell: Shell, source: Source, { elements }: ArrayValue, place: Place): Pieces {
  const pieces: Pieces[number][] = [...made('(', place)];
  elements.forEach((element, index) => {
    if (index > 0) pieces.push(...made(' ', place));
    pieces.push(...expandValue(shell, source, element));
  });
  return [...pieces, ...made(')', place)];
}

/** A part of a source, parsed as the value of an assignment. */
function assigned(source: Source, pos: number, part: string) {
  const prefix = 'x=';
  const text = prefix + part;
  const script = parse(text);
  const [statement, ...others] = script.commands;
  const command = statement?.command;
  if (command?.type !== 'Command' || others.length > 0 || (script.errors ?? []).length > 0) return undefined;
  const [assignment] = command.prefix;
  if (command.name !== undefined || assignment?.type !== 'Assignment') return undefined;
  return { value: assignment.value, source: shiftedSource(source, script, text, pos - prefix.length) };
}
