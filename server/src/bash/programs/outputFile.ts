import { knownText, made, nothing, sliceText } from '../state/pieces.ts';
import type { ShellWord } from '../state/shellWord.ts';

/** A program's words without the one that names its output file, and that name. */
export interface Redirected {
  readonly words: readonly ShellWord[];
  readonly file: ShellWord;
}

/** `sort -o FILE`, `uniq FILE FILE`: undefined for any other command. */
export function writingToFile(name: string, words: readonly ShellWord[]): Redirected | undefined {
  if (name === 'uniq') return secondOperand(words);
  return name === 'sort' ? withoutOutputOption(words) : undefined;
}

/** `uniq [-c] FROM TO`. */
function secondOperand(words: readonly ShellWord[]): Redirected | undefined {
  const operands = words.slice(1).filter(({ pieces }) => !/^-[cdiuz]+$/.test(knownText(pieces) ?? ''));
  const [from, file, ...others] = operands;
  if (from === undefined || file === undefined || others.length > 0) return undefined;
  if (operands.some(({ pieces }) => knownText(pieces)?.startsWith('-') === true)) return undefined;
  return { words: words.filter((word) => word !== file), file };
}

/** `sort -o FILE`, `sort -uo FILE`, `sort --output=FILE`. */
function withoutOutputOption(words: readonly ShellWord[]): Redirected | undefined {
  for (const [at, { pieces, place }] of words.entries()) {
    const [first, ...rest] = pieces;
    if (at === 0 || first?.kind !== 'text') continue;
    if (knownText(pieces) === '--') return undefined;
    const [option, letters = ''] = /^(?:-([bdfghiMnRrVsuz]*)o|--output(?:=|$))/.exec(first.text) ?? [];
    if (option === undefined) continue;
    const isApart = rest.length === 0 && option === first.text && !option.endsWith('=');
    const start = option === first.text ? nothing : [sliceText(first, option.length, first.text.length)];
    const joined = { pieces: [...start, ...rest], place };
    const file = isApart ? words[at + 1] : joined;
    if (file === undefined) return undefined;
    const others = letters === '' ? [] : [{ pieces: made(`-${letters}`, place), place }];
    return { words: [...words.slice(0, at), ...others, ...words.slice(at + (isApart ? 2 : 1))], file };
  }
  return undefined;
}
