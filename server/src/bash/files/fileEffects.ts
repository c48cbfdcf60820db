import { absolutePath, kindOf } from '../conditions/fileTests.ts';
import { runPure } from '../library/commands.ts';
import { compilePattern } from '../library/pattern.ts';
import { sedAround } from '../programs/sedAround.ts';
import { withParents } from '../slips/absentOperand.ts';
import { displayed, hole, knownText, made, nothing, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { fileKey, isKnownPath } from './fileKey.ts';
import { fileText } from './redirections.ts';

/** Applies a program's effects on files that later commands of the script may test; returns true if the program does nothing else. */
export function fileEffect(shell: Shell, name: string, words: readonly ShellWord[]): boolean {
  const { written } = shell.run;
  switch (name) {
    case 'mkdir':
      for (const key of operandKeys(shell, words)) if (isKnownPath(key)) makeFolder(shell, key);
      for (const path of foldersPassed(shell, words)) makeFolder(shell, path);
      return false;
    case 'touch':
      for (const key of operandKeys(shell, words))
        if (fileText(shell, key) === undefined && !isFolder(shell, key)) written.set(key, nothing);
      return false;
    case 'rm': {
      const isDeep = words.some(({ pieces }) => deep.test(knownText(pieces) ?? ''));
      for (const key of operandKeys(shell, words)) if (isDeep || !isFolder(shell, key)) takeAway(shell, key);
      for (const word of words.slice(1)) takeAwayMatching(shell, word, isDeep);
      return false;
    }
    case 'cp':
    case 'mv':
    case 'ln':
      copy(shell, name, words);
      return false;
    default:
      if (!editsInPlace(name, words)) return false;
      for (const word of words.slice(1)) edit(shell, name, words, word);
      return true;
  }
}

function operandKeys(shell: Shell, words: readonly ShellWord[]): readonly string[] {
  return words.slice(1).flatMap(({ pieces }) => {
    return knownText(pieces)?.startsWith('-') === true ? [] : [fileKey(shell, pieces)];
  });
}

/** The folders that `mkdir -p` makes because paths lead through them and out again: `a` in `a/../b`. */
function foldersPassed(shell: Shell, words: readonly ShellWord[]): readonly string[] {
  if (!words.some(({ pieces }) => withParents.test(knownText(pieces) ?? ''))) return [];
  return words.slice(1).flatMap(({ pieces }) => {
    const text = knownText(pieces) ?? '';
    return [...text.matchAll(/[^/]\/+\.\.(?=\/|$)/g)].flatMap(({ index }) => {
      return absolutePath(shell, text.slice(0, index + 1)) ?? [];
    });
  });
}

/** `-r`, `-Rf`, `--recursive`, `-a`: including a folder's content. */
const deep = /^(?:-[a-zA-Z]*[rRa][a-zA-Z]*|--recursive|--archive)$/;

function isFolder(shell: Shell, key: string): boolean {
  return isKnownPath(key) && kindOf(shell, key) === 'directory';
}

function makeFolder(shell: Shell, path: string): void {
  const { written } = shell.run;
  const parts = path.split('/');
  for (let length = parts.length; length > 1; length -= 1) {
    const folder = parts.slice(0, length).join('/');
    const before = written.get(folder);
    if (before !== undefined && before !== 'unsure') break;
    written.set(folder, before === undefined ? 'directory' : 'unlisted');
  }
}

/** Something new is made up for names, which is only known by where (`$(mktemp)`, `$RANDOM`): what was named with it before has another name. */
export function startAgain(shell: Shell, made: Pieces): void {
  const { written } = shell.run;
  if (written.size === 0) return;
  const key = fileKey(shell, made);
  for (const path of written.keys()) if (path.includes(key)) written.delete(path);
}

/** Removes a path and everything below it. */
function takeAway(shell: Shell, key: string): void {
  const { written, shared } = shell.run;
  written.delete(key);
  for (const path of written.keys()) if (path.startsWith(`${key}/`)) written.delete(path);
  if (!isKnownPath(key)) return;
  const kind = shared.options.host.kind(key);
  if (kind === 'file' || kind === 'directory') written.set(key, 'unsure');
}

/** `rm logs/*`: which files match is unknown, so those that the script created under matching names may be gone. */
function takeAwayMatching(shell: Shell, { pieces }: ShellWord, isDeep: boolean): void {
  const [only] = pieces;
  if (pieces.length !== 1 || only?.kind !== 'hole' || !only.splits || !/[*?[]/.test(only.label)) return;
  const { written } = shell.run;
  const text = only.label.startsWith('/') ? only.label : `${shell.cwd}/${only.label}`;
  const pattern = compilePattern([{ text, quoted: false }], { extglob: true });
  for (const [path, made] of written)
    if ((isDeep || (made !== 'directory' && made !== 'unlisted')) && pattern.matches(path))
      written.set(path, 'unsure');
}

/** `cp FROM… TO`, `mv FROM… TO`, `ln -s FROM… TO`. */
function copy(shell: Shell, name: string, words: readonly ShellWord[]): void {
  const keys = operandKeys(shell, words);
  const to = keys.at(-1)?.replace(/(?<=.)\/+$/, '');
  const sources = keys.slice(0, -1);
  if (to === undefined) return;
  if (name === 'mv') for (const word of words.slice(1, -1)) takeAwayMatching(shell, word, true);
  const isInto = sources.length > 1 || isFolder(shell, to) || endsWithSlash(words.at(-1));
  const isDeep = name === 'mv' || words.some(({ pieces }) => deep.test(knownText(pieces) ?? ''));
  for (const from of sources) {
    const target = isInto ? `${to}/${from.slice(from.lastIndexOf('/') + 1)}` : to;
    copyOne(shell, from, target, name === 'ln' ? 'link' : isDeep ? 'tree' : 'file', words);
    if (name === 'mv') takeAway(shell, from);
  }
}

function endsWithSlash(word: ShellWord | undefined): boolean {
  const last = word?.pieces.at(-1);
  return last?.kind === 'text' && last.text.endsWith('/');
}

/** The result of copying one path: the text of a file, a folder with what the script itself put into it, or something unknown. */
function copyOne(
  shell: Shell,
  from: string,
  target: string,
  kind: 'link' | 'tree' | 'file',
  words: readonly ShellWord[],
): void {
  const { written, links } = shell.run;
  if (kind === 'link') links.add(target);
  const place = words[0]?.place ?? { path: from, span: { start: 0, end: 0 } };
  const text = fileText(shell, from);
  if (text !== undefined) written.set(target, text);
  else if (isFolder(shell, from) && kind !== 'file') {
    const below = [...written].filter(([path]) => path.startsWith(`${from}/`));
    written.set(target, written.get(from) === 'directory' ? 'directory' : 'unlisted');
    for (const [path, made] of below) written.set(`${target}${path.slice(from.length)}`, made);
  } else if (kind !== 'file') written.set(target, 'unsure');
  else if (!isFolder(shell, from))
    written.set(target, [hole('outside', displayed(words.at(-1)?.pieces ?? []), place)]);
}

/** Programs that change the files which they name. */
const editors: ReadonlySet<string> = new Set(['patch', 'dos2unix', 'ed', 'ex', 'crudini']);

/** `-i`, `-Ei`, `-i.bak`, `--in-place`: letters before the i are options of their own. */
const sedSwitch = /^(?:(-[nrEsuz]*)i.*|--in-place(?:=.*)?)$/;

/** The switches that make programs change the files they read. */
const switches: { readonly [name: string]: RegExp } = {
  sed: sedSwitch,
  gsed: sedSwitch,
  perl: /^-[pnlaws0]*i/,
  ruby: /^-[pnlaws0]*i/,
  yq: /^(?:-[a-zA-Z]*i[a-zA-Z]*|--in-?place)$/,
};

function editsInPlace(name: string, words: readonly ShellWord[]): boolean {
  if (editors.has(name)) return true;
  const switched = Object.hasOwn(switches, name) ? switches[name] : undefined;
  return switched !== undefined && words.some(({ pieces }) => switched.test(knownText(pieces) ?? ''));
}

/** Changes the file that an operand names, if any: as `sed` does if that can be computed, else to something unknown. */
function edit(shell: Shell, name: string, words: readonly ShellWord[], operand: ShellWord): void {
  const key = fileKey(shell, operand.pieces);
  if (knownText(operand.pieces)?.startsWith('-') === true) return;
  const { written } = shell.run;
  if (isKnownPath(key) ? kindOf(shell, key) !== 'file' : !written.has(key)) return;
  const old = fileText(shell, key);
  const suffix = backupSuffix(words);
  if (suffix !== '')
    written.set(`${key}${suffix}`, old ?? [hole('outside', displayed(operand.pieces), operand.place)]);
  const after = name.endsWith('sed') && old !== undefined ? sedOf(shell, words, operand, old) : undefined;
  // Unchanged text keeps its origin.
  if (after === old && old !== undefined) return;
  const { place } = operand;
  written.set(key, after ?? [{ ...hole('outside', displayed(operand.pieces), place), splits: true }]);
}

/** The suffix for the backup of a file (`sed -i.bak`, `perl -pi.orig`); empty if no backup is kept. */
function backupSuffix(words: readonly ShellWord[]): string {
  for (const { pieces } of words.slice(1)) {
    const match = /^(?:-[a-zA-Z0-9]*?i|--in-place=)(\.[\w.-]+)$/.exec(knownText(pieces) ?? '');
    if (match?.[1] !== undefined) return match[1];
  }
  return '';
}

/** What `sed -i` makes of a file's text: the same as without `-i` on its input. */
function sedOf(
  shell: Shell,
  words: readonly ShellWord[],
  operand: ShellWord,
  before: Pieces,
): Pieces | undefined {
  const args: Pieces[] = [];
  for (const word of words.slice(1)) {
    const text = knownText(word.pieces);
    // Other files are edited separately.
    if (word === operand || (text !== undefined && isOtherFile(shell, word))) continue;
    const flags = text?.replace(sedSwitch, '$1');
    if (flags === undefined) args.push(word.pieces);
    else if (flags !== '' && flags !== '-') args.push(made(flags, word.place));
  }
  const read = (): undefined => undefined;
  const texts = args.flatMap((arg) => knownText(arg) ?? []);
  const text = knownText(before);
  if (text === undefined || texts.length < args.length)
    return sedAround(shell, { args, input: before, read, place: operand.place });
  const output = runPure('sed', texts, text, { read })?.output;
  return output === undefined ? undefined : output === text ? before : made(output, operand.place);
}

function isOtherFile(shell: Shell, { pieces }: ShellWord): boolean {
  const text = knownText(pieces);
  const path = text === undefined || text.startsWith('-') ? undefined : absolutePath(shell, text);
  return path !== undefined && kindOf(shell, path) === 'file';
}
