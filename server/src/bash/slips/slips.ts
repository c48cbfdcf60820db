import type { Word as WordNode } from 'unbash';
import type { Slip, SlipKind } from '../../launch/command.ts';
import type { Word } from '../../value/word.ts';
import { knownText, made, type Pieces, through } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import type { Variable } from '../state/store.ts';
import type { Source } from '../text/source.ts';
import { nestedSplits } from './nestedSplits.ts';

/** Expansions of an array that lose its elements, each capturing the array's name. */
const arraySlips: readonly (readonly [SlipKind, RegExp])[] = [
  ['first-element', /^"?\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})"?$/],
  ['no-braces', /^"?\$([A-Za-z_]\w*)\[[@*]\]"?$/],
  ['no-dollar', /^"?\{([A-Za-z_]\w*)\[[@*]\]\}"?$/],
  ['comma', /^"?\$\{([A-Za-z_]\w*)\[[@*]\]\}(?:"?,|,")$/],
];

/** An unquoted expansion as a word, or as the value of an option. */
const bareValue = /^(--?[A-Za-z][\w-]*=)?\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})$/;

/** How lists of options and of overrides begin. */
const optionLike = /^--?[A-Za-z]|^(?:\+{0,2}|~)[A-Za-z_][\w.-]*=/;

/**
 * The slips in the words of a command.
 *
 * @param ends for each node, the number of words that it and those before it expand to
 */
export function slipsOf(
  shell: Shell,
  source: Source,
  nodes: readonly WordNode[],
  ends: readonly number[],
  words: readonly ShellWord[],
): readonly Slip[] {
  const slips: Slip[] = [];
  nodes.forEach((node, index) => {
    if (index === 0 || !/^"?(?:--?[\w-]+=)?(?:\$|\{[A-Za-z_]\w*\[)/.test(node.text)) return;
    const range = { from: ends[index - 1] ?? 0, to: ends[index] ?? 0 };
    const slip = arraySlip(shell, source, node, range) ?? splitSlip(shell, source, node, range, words);
    if (slip !== undefined) slips.push(slip);
    else if (range.to - range.from > 2) slips.push(...nestedSplits(source, range.from, range.to, words));
  });
  return slips;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The name of the variable at the start of a word. */
const firstName = /^"?\$?\{?([A-Za-z_]\w*)/;

function arraySlip(shell: Shell, source: Source, node: WordNode, range: Range): Slip | undefined {
  const [, first] = firstName.exec(node.text) ?? [];
  // Nearly all words expand something else.
  if (first === undefined || shell.store.get(first)?.kind !== 'indexed') return undefined;
  for (const [kind, pattern] of arraySlips) {
    const [, plain, braced] = pattern.exec(node.text) ?? [];
    const name = plain ?? braced;
    if (name === undefined) continue;
    const variable = shell.store.get(name);
    if (variable === undefined || !isOptionList(variable, kind)) return undefined;
    const place = source.place(node.pos, node.end);
    const meant = variable.elements.values().map((value): Word => ({ pieces: through(value, place), place }));
    return {
      kind,
      name,
      ...range,
      meant,
      open: variable.open,
      place,
      correction: source.origin(node.pos, node.end).verbatim
        ? correctionOf(node.text, kind, name)
        : undefined,
    };
  }
  return undefined;
}

/** Whether an array holds a program's options, and the expansion passes only the first one or corrupts one. */
function isOptionList({ kind, elements }: Variable, slip: SlipKind): boolean {
  if (kind !== 'indexed' || elements.size < (slip === 'first-element' ? 2 : 1)) return false;
  const [first] = elements.values();
  const [start] = first ?? [];
  return start?.kind === 'text' && optionLike.test(start.text);
}

/** The expansion as it should be written, with its existing quotes. */
function correctionOf(written: string, kind: SlipKind, name: string): string {
  const isBare = !written.includes('"') && kind !== 'first-element';
  return isBare ? `\${${name}[@]}` : `"\${${name}[@]}"`;
}

/** A value with blanks that becomes several words, none of them an option: the preceding option takes the first. */
function splitSlip(
  shell: Shell,
  source: Source,
  node: WordNode,
  { from, to }: Range,
  words: readonly ShellWord[],
): Slip | undefined {
  if (to - from < 2) return undefined;
  const [, option = '', plain, braced] = bareValue.exec(node.text) ?? [];
  const name = plain ?? braced;
  const variable = name === undefined ? undefined : shell.store.get(name);
  if (name === undefined || variable?.kind !== 'scalar') return undefined;
  const before = knownText(words[from - 1]?.pieces ?? []);
  if (option === '' && (before === undefined || !/^--?[A-Za-z][\w-]*$/.test(before))) return undefined;
  const isOption = ({ pieces }: ShellWord): boolean => knownText(pieces)?.startsWith('-') === true;
  if (words.slice(from + 1, to).some(isOption)) return undefined;
  const place = source.place(node.pos, node.end);
  const start = node.pos + option.length;
  const written = node.text.slice(option.length);
  const value: Pieces = through(variable.value, place);
  return {
    kind: 'split',
    name,
    from,
    to,
    meant: [{ pieces: [...made(option, place), ...value], place }],
    open: [],
    place: source.place(start, node.end),
    correction: source.origin(start, node.end).verbatim ? `"${written}"` : undefined,
  };
}
