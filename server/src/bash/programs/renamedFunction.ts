import { knownText, type Pieces } from '../state/pieces.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { commandLine } from './partlyKnown.ts';

/**
 * A `sed` script that replaces one name by another: on every line, on the first one, or at the beginning of a line. Bash prints a blank between
 * the name and `()`.
 */
const renaming = /^(1? *)s([/|#,])(\^?)(\w+)( \(\)| )?\2(\w+)\5\2$/;

/**
 * `declare -f train | sed '1s/train/base_train/'`: the function by its other name. Undefined for anything else, also if the name that is
 * replaced may be in the body of the function.
 */
export function renamedFunction(
  name: string,
  words: readonly ShellWord[],
  input: Pieces | undefined,
): Pieces | undefined {
  const [first, ...rest] = input ?? [];
  if (name !== 'sed' || first?.kind !== 'hole' || first.defines?.size !== 1) return undefined;
  const args = words.slice(1).map(({ pieces }) => knownText(pieces));
  const [, address, , start, before = '', parentheses, after = ''] =
    args.length === 1 ? (renaming.exec(args[0] ?? '') ?? []) : [];
  const [[defined, definition] = []] = [...first.defines];
  if (before === '' || defined === undefined || definition === undefined) return undefined;
  const isWhole = start === '^' || parentheses !== undefined ? defined === before : defined.includes(before);
  if (!isWhole && !(start === '^' && defined.startsWith(before))) return undefined;
  const { source, node } = definition;
  const text = source.text.slice(node.pos, node.end);
  if (address === '' && start === '' && text.split(before + (parentheses ?? '')).length > 2) return undefined;
  const defines = new Map([[defined.replace(before, after), definition]]);
  return [{ ...first, label: `${first.label} | sed ${args[0] ?? ''}`, defines }, ...rest];
}

/** Commands that print all but the first line. */
const allButFirst: ReadonlySet<string> = new Set([
  'tail -n +2',
  'tail -n+2',
  'tail +2',
  'sed 1d',
  'sed -n 2,$p',
]);

/** `declare -f train | tail -n +2`: a function without the line with its name, to define it under another (`eval "copy() $(…)"`). */
export function bodyOfFunction(
  name: string,
  words: readonly ShellWord[],
  input: Pieces | undefined,
): Pieces | undefined {
  const [first, ...rest] = input ?? [];
  if (first?.kind !== 'hole' || first.defines?.size !== 1 || knownText(rest) !== '\n') return undefined;
  const line = commandLine(name, words);
  const [definition] = first.defines.values();
  if (definition === undefined || !allButFirst.has(line)) return undefined;
  const { source, node } = definition;
  const text = source.text.slice(node.body.pos, node.end);
  // A here-document may begin on the last line of the function and follow it.
  const isApart = source.hasHoles || text.slice(text.lastIndexOf('\n') + 1).includes('<<');
  if (isApart) return undefined;
  const body: Pieces = [{ kind: 'text', text, origin: source.origin(node.body.pos, node.end) }];
  const { defines: _, ...hole } = first;
  return [{ ...hole, label: `${first.label} | ${line}`, body }, ...rest];
}
