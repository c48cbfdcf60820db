import type { Statement } from 'unbash';
import { failure, type Shell, type Status } from '../state/shell.ts';
import { indexOfNextLine } from '../text/lines.ts';
import type { Source } from '../text/source.ts';

/** What may begin an extglob pattern: `@(a|b)`. */
const opening = /[?*+@!]\(/;

/** The status of a text that Bash cannot parse. */
const notRead: Status = { code: 2, needs: [], presumed: false };

/** Whether a text may contain extglob patterns: outside of `[[ ]]` and `${ }` Bash only parses them after `shopt -s extglob`. */
export function mayHaveGroups({ text }: Source): boolean {
  return opening.test(text);
}

/**
 * What Bash does at a statement with an extglob pattern on its line, which is a syntax error while `extglob` is off: it stops reading, or if
 * the pattern is in a list (`A=(!(x))`) abandons the command up to the end of that line. Bash reads whole lines and compound commands before it
 * runs them, so it is too late to switch `extglob` on within them.
 */
export function atGroup(
  shell: Shell,
  source: Source,
  statements: readonly Statement[],
  index: number,
): 'stops' | 'gives up' | undefined {
  if (shell.switches.extglob || shell.unreadSource) return undefined;
  const line = statements.slice(index, indexOfNextLine(source, statements, index));
  const found = line.map((statement) => groupIn(statement)).find((group) => group !== undefined);
  if (found === undefined) return undefined;
  const { pos, end, text, isInList } = found;
  // It abandons everything up to the end of this line: what follows then ends nothing (`)`, `fi`).
  const isBehind = source.text.slice(pos, line.at(-1)?.end).includes('\n');
  const goesOn = isInList && !isBehind && !shell.switches.errexit;
  const isAlone = !source.text.slice(line[0]?.pos, pos).includes('\n');
  const effect = goesOn
    ? `gives up ${isAlone ? 'this line' : 'the command up to this line'}`
    : 'stops reading here';
  shell.run.report({
    kind: 'syntax',
    message: `Bash ${effect}: it reads ${text} as a pattern only after a line with shopt -s extglob.`,
    place: source.place(pos, end),
  });
  shell.status = goesOn ? failure : notRead;
  return goesOn ? 'gives up' : 'stops';
}

interface Group {
  readonly pos: number;
  readonly end: number;
  readonly text: string;
  /** Whether it is within the parentheses of a list. */
  readonly isInList: boolean;
}

function isBackquoted(node: object): boolean {
  return 'text' in node && typeof node.text === 'string' && node.text.startsWith('`');
}

/** The first extglob pattern in a part of a script that Bash parses as one. */
function groupIn(node: unknown, isInList = false): Group | undefined {
  if (typeof node !== 'object' || node === null) return undefined;
  const type = 'type' in node ? node.type : undefined;
  if (type === 'TestCommand' || type === 'ParameterExpansion') return undefined;
  if (type === 'ExtendedGlob' && 'pos' in node && 'end' in node && 'text' in node) {
    const { pos, end, text } = node;
    if (typeof pos === 'number' && typeof end === 'number' && typeof text === 'string')
      return { pos, end, text, isInList };
  }
  // These are parsed on demand; text between backquotes only when it runs.
  const made = [
    'parts' in node ? node.parts : undefined,
    'value' in node ? node.value : undefined,
    'elements' in node ? node.elements : undefined,
    'script' in node && !isBackquoted(node) ? node.script : undefined,
  ];
  for (const child of [...made, ...Object.values(node)]) {
    const within = groupIn(child, isInList || type === 'ArrayValue');
    if (within !== undefined) return within;
  }
  return undefined;
}
