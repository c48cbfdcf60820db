import type { Command as CommandNode } from 'unbash';
import type { Pieces, ShellPiece } from './pieces.ts';
import type { Shell } from './shell.ts';
import { type Source, sourceOfPieces } from './source.ts';
import { blankVariable } from './store.ts';

/** Where the text of an alias stands: a name that no variable has. */
const nameOf = (alias: string): string => ` alias ${alias}`;

/** Gives an alias its text, or takes it away. */
export function setAlias(shell: Shell, alias: string, text: Pieces | undefined): void {
  const value = text === undefined ? undefined : ({ ...blankVariable, kind: 'scalar', value: text } as const);
  shell.store.setGlobal(nameOf(alias), value);
}

/**
 * A command with the text of an alias in the place of its name; undefined when none stands for it. Only an alias counts that was defined on
 * an earlier line: Bash puts its text in when it reads the command.
 */
export function withoutAlias(shell: Shell, source: Source, node: CommandNode): Source | undefined {
  const { name } = node;
  if (name === undefined || name.parts !== undefined || name.text !== name.value) return undefined;
  if (name.value === shell.alias) return undefined;
  const text = shell.store.get(nameOf(name.value))?.value;
  if (text === undefined) return undefined;
  const place = source.place(node.pos, node.end);
  const written = text[0]?.origin.place;
  // The text of another alias is read when that is met.
  if (written?.path === place.path && shell.alias === undefined) {
    const distance = place.span.start - written.span.end;
    if (distance < 0) return undefined;
    const from = node.pos - distance;
    if (from >= 0 && !source.text.slice(from, node.pos).includes('\n')) return undefined;
  }
  const rest = (start: number, end: number): readonly ShellPiece[] =>
    end > start
      ? [{ kind: 'text', text: source.text.slice(start, end), origin: source.origin(start, end) }]
      : [];
  return sourceOfPieces([...rest(node.pos, name.pos), ...text, ...rest(name.end, node.end)], place);
}
