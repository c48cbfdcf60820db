import type { Statement } from 'unbash';
import type { Shell, Status } from '../state/shell.ts';
import { indexOfNextLine } from '../text/lines.ts';
import type { Source } from '../text/source.ts';

/** What may begin a group of patterns: `@(a|b)`. */
const opening = /[?*+@!]\(/;

/** How a text ends that Bash cannot read. */
const notRead: Status = { code: 2, needs: [], presumed: false };

/** Whether Bash may have to read groups of patterns in a text: outside of `[[ ]]` and `${ }` it does so behind `shopt -s extglob` only. */
export function mayHaveGroups({ text }: Source): boolean {
  return opening.test(text);
}

/**
 * Whether Bash stops reading at a statement: on its line stands a group of patterns, which is a syntax error while `extglob` is off. Bash
 * reads whole lines and compound commands before it runs them, so that it is too late to switch it on within them.
 */
export function stopsAtGroup(
  shell: Shell,
  source: Source,
  statements: readonly Statement[],
  index: number,
): boolean {
  if (shell.switches.extglob || shell.unreadSource) return false;
  const found = statements
    .slice(index, indexOfNextLine(source, statements, index))
    .map((statement) => groupIn(statement))
    .find((group) => group !== undefined);
  if (found === undefined) return false;
  const { pos, end, text } = found;
  shell.run.report({
    kind: 'syntax',
    message: `Bash stops reading here: it takes ${text} for a pattern only behind a line with shopt -s extglob.`,
    place: source.place(pos, end),
  });
  shell.status = notRead;
  return true;
}

interface Group {
  readonly pos: number;
  readonly end: number;
  readonly text: string;
}

function isBackquoted(node: object): boolean {
  return 'text' in node && typeof node.text === 'string' && node.text.startsWith('`');
}

/** The first group of patterns in a part of a script that Bash reads as one. */
function groupIn(node: unknown): Group | undefined {
  if (typeof node !== 'object' || node === null) return undefined;
  const type = 'type' in node ? node.type : undefined;
  if (type === 'TestCommand' || type === 'ParameterExpansion') return undefined;
  if (type === 'ExtendedGlob' && 'pos' in node && 'end' in node && 'text' in node) {
    const { pos, end, text } = node;
    if (typeof pos === 'number' && typeof end === 'number' && typeof text === 'string')
      return { pos, end, text };
  }
  // These are read when they are asked for; the text between backquotes is when it runs.
  const made = [
    'parts' in node ? node.parts : undefined,
    'value' in node ? node.value : undefined,
    'script' in node && !isBackquoted(node) ? node.script : undefined,
  ];
  for (const child of [...made, ...Object.values(node)]) {
    const within = groupIn(child);
    if (within !== undefined) return within;
  }
  return undefined;
}
