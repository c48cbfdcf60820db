import type { Place } from '../../text/span.ts';
import { basename, dirname } from '../library/paths.ts';
import { quoteForReuse } from '../library/quote.ts';
import { hole, isUncounted, knownText, made, type Pieces, sliceText } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';

/** Maximum number of its commands that are recorded. */
const mostRuns = 64;

/** Options with a value, and those without, that do not affect what GNU parallel starts. */
const valued =
  /^(?:-[jPS]|--(?:jobs|max-procs|sshlogin|slf|sshloginfile|delay|joblog|results|tmpdir|timeout|retries|memfree|load|halt|halt-on-error|nice|workdir|wd|env|tagstring|termseq))$/;
const plain =
  /^(?:-[ktuv]+|-[jP]\S+|--(?:keep-order|ungroup|group|verbose|line-buffer|linebuffer|lb|bar|progress|eta|tag|will-cite|no-notice|resume|resume-failed|shuf))$/;

/** Replacement strings that are computed, or that depend on the machine. */
const other = /\{(?:[=%+]|\d+ )/;

/** One list of values, and whether it is linked to the previous one. */
interface Input {
  readonly linked: boolean;
  readonly values: readonly Pieces[];
}

/** The shell texts that `parallel` starts, one for each combination of its values; undefined for uncommon options or values. */
export function textsOfParallel(
  shell: Shell,
  words: readonly ShellWord[],
  place: Place,
): readonly Pieces[] | undefined {
  const texts = words.map(({ pieces }) => knownText(pieces));
  let at = 1;
  let linked = false;
  for (; texts[at]?.startsWith('-') === true; at += 1) {
    const option = texts[at] ?? '';
    if (option === '--dry-run' || option === '--dryrun') return [];
    if (option === '--link' || option === '--xapply') linked = true;
    else if (valued.test(option)) at += 1;
    else if (!plain.test(option) && !valued.test(option.replace(/=.*$/s, ''))) return undefined;
  }
  const isMark = (text: string | undefined): boolean => text !== undefined && /^:{3,4}\+?$/.test(text);
  const end = texts.findIndex((text, index) => index >= at && isMark(text));
  const template = words.slice(at, end < 0 ? words.length : end);
  if (template.some(({ pieces }) => pieces.some((piece) => piece.kind === 'text' && other.test(piece.text))))
    return undefined;
  const inputs: { linked: boolean; values: Pieces[] }[] = [];
  for (const [index, word] of end < 0 ? [] : words.slice(end).entries()) {
    const text = texts[end + index];
    if (!isMark(text)) inputs.at(-1)?.values.push(word.pieces);
    else if (text?.startsWith('::::') === true) return undefined;
    else inputs.push({ linked: text === ':::+' || (linked && index > 0), values: [] });
  }
  if (end < 0) inputs.push({ linked: false, values: [...linesOf(shell, place)] });
  return combined(inputs, linked).map((values, index) => textOf(template, values, index + 1, place));
}

/** The lines of the input, or a hole if they are unknown. */
function linesOf(shell: Shell, place: Place): readonly Pieces[] {
  const text = shell.stdin === undefined ? undefined : knownText(shell.stdin.pieces);
  if (text === undefined) return [[{ ...hole('command-output', '{}', place), splits: true }]];
  const lines = text.replace(/\n$/, '').split('\n');
  return text === '' ? [] : lines.map((line) => made(line, place));
}

/** All combinations of the lists' values, the last list varying fastest; linked lists advance together. */
function combined(inputs: readonly Input[], cycles: boolean): readonly (readonly Pieces[])[] {
  const groups: (readonly Pieces[])[][] = [];
  for (const { linked, values } of inputs) {
    const before = linked ? groups.pop() : undefined;
    if (before === undefined) {
      groups.push(values.map((value) => [value]));
      continue;
    }
    const count = (cycles ? Math.max : Math.min)(before.length, values.length);
    const rows =
      before.length === 0 || values.length === 0 ? [] : Array.from({ length: count }, (_, row) => row);
    groups.push(
      rows.map((row) => [...(before[row % before.length] ?? []), values[row % values.length] ?? []]),
    );
  }
  return groups
    .reduce<readonly (readonly Pieces[])[]>(
      (rows, group) => rows.flatMap((row) => group.map((values) => [...row, ...values])).slice(0, mostRuns),
      [[]],
    )
    .filter((row) => row.length > 0);
}

/** `{}`, `{2}`, `{.}`, `{1/}`, `{//}`, `{#}`. */
const mark = /\{(#|(\d*)(|\.|\/|\/\/|\/\.))\}/g;

/** The text of one command: the words with the marks replaced by the values, or followed by them. */
function textOf(
  template: readonly ShellWord[],
  values: readonly Pieces[],
  number: number,
  place: Place,
): Pieces {
  const blank = made(' ', place);
  const all = (part: string): Pieces =>
    values.flatMap((value, index) => [...(index > 0 ? blank : []), ...quoted(shortened(value, part), place)]);
  // Without a command, the values themselves are commands.
  if (template.length === 0) return values.flatMap((value, index) => [...(index > 0 ? blank : []), ...value]);
  let marked = false;
  const text = template.flatMap(({ pieces }, index): Pieces => {
    const out = index > 0 ? [...blank] : [];
    for (const piece of pieces) {
      let from = 0;
      if (piece.kind === 'hole') {
        out.push(piece);
        continue;
      }
      for (const match of piece.text.matchAll(mark)) {
        const [whole, inner, position = '', part = ''] = match;
        if (match.index > from) out.push(sliceText(piece, from, match.index));
        from = match.index + whole.length;
        marked ||= inner !== '#';
        const value = values[Number(position) - 1];
        if (inner === '#') out.push(...made(String(number), place));
        else if (position === '') out.push(...all(part));
        else if (value !== undefined) out.push(...quoted(shortened(value, part), place));
      }
      if (from < piece.text.length) out.push(sliceText(piece, from, piece.text.length));
    }
    return out;
  });
  return marked ? text : [...text, ...blank, ...all('')];
}

/** A value without the part that a mark removes: `.` the extension, `/` the folder, `//` all but the folder. */
function shortened(value: Pieces, part: string): Pieces {
  const text = knownText(value);
  const [first] = value;
  if (part === '' || first === undefined) return value;
  if (text === undefined)
    return [{ ...hole('too-complex', `{${part}}`, first.origin.place), splits: isUncounted(value) }];
  const name = part === '//' ? dirname(text) : part.startsWith('/') ? basename(text) : text;
  return made(part.endsWith('.') ? name.replace(/\.[^/.]*$/, '') : name, first.origin.place);
}

/** A value as a single word of shell text. */
function quoted(value: Pieces, place: Place): Pieces {
  const text = knownText(value);
  if (text !== undefined) return harmless.test(text) ? value : made(quoteForReuse(text) ?? text, place);
  const isPlain = value.every((piece) => piece.kind === 'hole' || harmless.test(piece.text));
  return isUncounted(value) || !isPlain ? value : [...made('"', place), ...value, ...made('"', place)];
}

/** Text that needs no quoting. */
const harmless = /^[\w@%+=:,./-]+$/;
