import { absolutePath, kindOf } from '../conditions/fileTests.ts';
import { hole, knownText } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';

/** Programs that read standard input if they are given no file, and the number of words before the files. */
const readers: ReadonlyMap<string, number> = new Map([
  ...'cat cut head paste rev sort tac tail uniq wc'.split(' ').map((name) => [name, 0] as const),
  ...'awk egrep fgrep grep jq sed'.split(' ').map((name) => [name, 1] as const),
  ...'tee tr xargs'.split(' ').map((name) => [name, Number.POSITIVE_INFINITY] as const),
]);

/** Programs, and calls of them, that may leave part of their input to the next command. */
const leavesSome =
  /^(?:head|(?:e|f)?grep .*-(?:\w*[qmlL]|-quiet|-silent|-max-count|-files)|sed .*q|awk .*exit)/s;

/** `awk 'BEGIN { … }'` and `jq -n` read nothing. */
const readsNothing = /^(?:awk (?:-\S* )*\s*BEGIN\s*\{[^}]*\}\s*$|jq .*-\w*n|jq .*--null-input)/s;

/** Removes from a shell's input what a text program has read of it, so that the next command does not read it again. */
export function consumeInput(shell: Shell, name: string, words: readonly ShellWord[]): void {
  const { stdin } = shell;
  const leading = readers.get(name);
  if (stdin === undefined || stdin.pieces.length === 0 || leading === undefined) return;
  const texts = words.map(({ pieces }) => knownText(pieces) ?? '');
  const operands = words.slice(1).filter((_, index) => !/^-./.test(texts[index + 1] ?? ''));
  if (operands.slice(leading).some((operand) => mayBeFile(shell, operand))) return;
  const call = [name, ...texts.slice(1)].join(' ');
  if (readsNothing.test(call)) return;
  const [word] = words;
  stdin.pieces =
    leavesSome.test(call) && word !== undefined
      ? [{ ...hole('outside', `<${name}`, word.place), splits: true }]
      : [];
}

/** Whether a word may name a file rather than be the value of an option. */
function mayBeFile(shell: Shell, { pieces }: ShellWord): boolean {
  const text = knownText(pieces);
  if (text === undefined || text.includes('/')) return true;
  const path = absolutePath(shell, text);
  return /\w\.\w/.test(text) || (path !== undefined && text !== '-' && kindOf(shell, path) === 'file');
}
