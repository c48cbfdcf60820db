import type { CommandArgument, Command as CommandNode } from 'unbash';
import { declarations } from '../builtins/declare.ts';
import { builtins } from '../builtins/table.ts';
import type { Shell } from '../state/shell.ts';
import type { Source } from '../text/source.ts';
import { noteUnquotedOptions } from './assignmentSlips.ts';

const variableName = /^[A-Za-z_]\w*$/;
const assignmentOrName = /^[A-Za-z_]\w*(?:\[[^\]]*\])?(?:\+?=|$)/;

/** Reports an intended assignment with blanks around its equals sign: `TP = 2`, `export TP = 2`, `TP= 2`. */
export function noteBlanksAroundEquals(shell: Shell, source: Source, node: CommandNode): void {
  const { name, args } = node;
  const [first, second] = args;
  // Nearly every command returns here: this runs for each evaluated one.
  if (name === undefined || (first === undefined && node.prefix.length === 0)) return;
  if (node.prefix.length > 0 && noteUnquotedOptions(shell, source, node)) return;
  if (second !== undefined && declarations.has(name.text)) {
    noteDeclared(shell, source, name.text, args);
    return;
  }
  if (
    first?.text.startsWith('=') === true &&
    name.parts === undefined &&
    isVariable(shell, source, name.value)
  ) {
    const value = first.text === '=' ? second : undefined;
    const rest = first.text === '=' ? args.slice(2) : args.slice(1);
    const written = `${name.value}=${first.text.slice(1)}`;
    report(shell, source, {
      explanation: `Bash runs ${name.value} as a program and assigns nothing`,
      start: name.pos,
      // If more words follow, the end of the value is unclear.
      end: rest.length > 0 ? undefined : (value ?? first).end,
      meant: value === undefined ? written : `${written}${value.text}`,
    });
    return;
  }
  if (first !== undefined) return;
  const last = node.prefix.at(-1);
  const isEmpty = last?.type === 'Assignment' && last.value.type === 'Word' && last.value.text === '';
  if (isEmpty && /^\d+(?:\.\d+)?$/.test(name.value))
    report(shell, source, {
      explanation: `Bash runs ${name.value} as a program and assigns nothing`,
      start: last.pos,
      end: name.end,
      meant: `${last.text}${name.text}`,
    });
}

/** `export TP = 2`: Bash takes the equals sign and the value for names, and refuses them. */
function noteDeclared(shell: Shell, source: Source, command: string, args: readonly CommandArgument[]): void {
  const at = args.findIndex(({ text }, index) => {
    const before = args[index - 1]?.text ?? '';
    if (text.startsWith('=')) return variableName.test(before);
    return /^[A-Za-z_]\w*=$/.test(before) && /^[\w./]/.test(text) && !assignmentOrName.test(text);
  });
  const found = args[at];
  const name = args[at - 1];
  if (found === undefined || name === undefined) return;
  const value = found.text === '=' ? args[at + 1] : undefined;
  const meant = `${name.text}${found.text}${value?.text ?? ''}`;
  report(shell, source, {
    explanation: `${command} refuses ${found.text} for a name and assigns nothing`,
    start: name.pos,
    end: (value ?? found).end,
    meant,
  });
}

/** Whether a command's name is that of a variable: it is written like no program, or the script uses it as a variable. */
function isVariable(shell: Shell, source: Source, name: string): boolean {
  if (!variableName.test(name) || builtins.has(name) || shell.functions.has(name)) return false;
  return /^[A-Z_][A-Z\d_]*$/.test(name) || new RegExp(`\\$\\{?${name}\\b`).test(source.text);
}

/** A faulty assignment. */
interface Written {
  /** How Bash interprets it. */
  readonly explanation: string;
  readonly start: number;
  /** Its end, if the assignment can be fixed. */
  readonly end: number | undefined;
  readonly meant: string;
}

function report(shell: Shell, source: Source, { explanation, start, end, meant }: Written): void {
  const place = source.place(start, end ?? start + 1);
  const canMend = end !== undefined && source.origin(start, end).verbatim;
  shell.run.report({
    kind: 'blank-around-equals',
    message: `An assignment has no spaces around its equals sign: ${explanation}.`,
    place,
    correction: canMend ? { place, text: meant, meant } : undefined,
  });
}
