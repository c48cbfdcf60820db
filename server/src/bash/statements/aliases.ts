import type { Command as CommandNode } from 'unbash';
import type { Place } from '../../text/span.ts';
import type { Pieces, ShellPiece } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import { type Source, sourceOfPieces } from '../text/source.ts';

/** Sets an alias's text at a place, or removes the alias. */
export function setAlias(shell: Shell, alias: string, text: Pieces | undefined, place: Place): void {
  const { store } = shell;
  const aliases = store.facts.aliases.copy();
  const latest = aliases.entry(alias)?.value;
  const before = latest && { text: latest.text, place: latest.place };
  aliases.set(alias, { text, place, before });
  store.keep({ aliases });
}

/** The text of an alias, whatever line it is used on; undefined if there is none. */
export function aliasOf(shell: Shell, alias: string): Pieces | undefined {
  return shell.store.facts.aliases.entry(alias)?.value.text;
}

/** The names of all aliases. */
export function aliasNames({ store }: Shell): readonly string[] {
  const names = new Set<string>();
  store.facts.aliases.forEach((name, alias) => {
    if (alias?.text === undefined) names.delete(name);
    else names.add(name);
  });
  return [...names];
}

/**
 * The text of an alias for a command. A change on the command's line or after it has no effect yet: Bash expands aliases when it reads a line.
 */
function textOf(shell: Shell, alias: string, source: Source, node: CommandNode): Pieces | undefined {
  const { path, span } = source.place(node.pos, node.end);
  const latest = shell.store.facts.aliases.entry(alias)?.value;
  for (const given of [latest, latest?.before]) {
    const set = given?.place;
    const distance = set?.path === path ? span.start - set.span.end : undefined;
    // The text of another alias is read when that is met.
    const isFollowing = distance === undefined || shell.alias !== undefined;
    if (isFollowing || isOnLaterLine(source, node.pos - distance, node.pos)) return given?.text;
  }
  return undefined;
}

/** Whether Bash reads the statement at a position, with everything in it, on a later line than the one where something else ends. */
function isOnLaterLine({ text, script }: Source, end: number, position: number): boolean {
  const { pos } = script.commands.findLast((statement) => statement.pos <= position) ?? { pos: position };
  return end <= pos && (end < 0 || text.slice(end, pos).includes('\n'));
}

/** A command with its name replaced by the alias text; undefined if there is no such alias. */
export function withoutAlias(shell: Shell, source: Source, node: CommandNode): Source | undefined {
  const { name } = node;
  if (name === undefined || name.parts !== undefined || name.text !== name.value) return undefined;
  if (name.value === shell.alias) return undefined;
  const text = textOf(shell, name.value, source, node);
  if (text === undefined) return undefined;
  const place = source.place(node.pos, node.end);
  const rest = (start: number, end: number): readonly ShellPiece[] =>
    end > start
      ? [{ kind: 'text', text: source.text.slice(start, end), origin: source.origin(start, end) }]
      : [];
  const pieces: ShellPiece[] = [...rest(node.pos, name.pos), ...text];
  let { end } = name;
  // If the text of an alias ends with a blank, the next word may be an alias, too.
  for (const word of node.suffix) {
    const last = pieces.at(-1);
    const goesOn = last?.kind === 'text' && /[ \t]$/.test(last.text) && word.pos >= end;
    if (!goesOn || word.type !== 'Word' || word.parts !== undefined || word.text !== word.value) break;
    const next = textOf(shell, word.value, source, node);
    if (next === undefined) break;
    pieces.push(...rest(end, word.pos), ...next);
    end = word.end;
  }
  return sourceOfPieces([...pieces, ...rest(end, node.end)], place);
}
