import type { Place } from '../../text/span.ts';
import { isAssumed } from '../conditions/fileTests.ts';
import { isKnownPath } from '../files/fileKey.ts';
import { isContentReplaced } from '../files/replacedFolders.ts';
import { normalizePath, resolvePath } from '../library/paths.ts';
import { compilePattern, hasPatternCharacters, type PatternPart } from '../library/pattern.ts';
import { displayed, hole, made, type Pieces } from '../state/pieces.ts';
import { mayHaveMadeFiles } from '../state/programsRun.ts';
import type { Shell } from '../state/shell.ts';
import { type Field, piecesOf } from './split.ts';

/**
 * The file names that a field stands for when it is a pattern. Undefined when the field stays as it is:
 * it is no pattern, or nothing in the workspace matches it.
 */
export function globField(shell: Shell, field: Field, place: Place): readonly Pieces[] | undefined {
  if (
    !field.parts.some(
      ({ piece, quoted }) => !quoted && piece.kind === 'text' && /[*?[]|[+@!]\(/.test(piece.text),
    )
  )
    return undefined;
  const parts: PatternPart[] = [];
  let hasHole = false;
  for (const { piece, quoted } of field.parts) {
    if (piece.kind === 'hole') hasHole = true;
    else parts.push({ text: piece.text, quoted });
  }
  if (!hasPatternCharacters(parts, shell.switches.extglob)) return undefined;
  // Brackets around a slash are none: `data=['/data/train']`.
  if (!segmentsOf(parts, shell.switches.extglob).some(({ isPattern }) => isPattern)) return undefined;
  if (isListExpression(parts) || isListOfSetting(parts)) return withoutMatch(shell);
  const label = displayed(piecesOf(field));
  const unknown = (): readonly Pieces[] => [[{ ...hole('outside', label, place), splits: true }]];
  if (hasHole) return unknown();
  const matches = expandPath(shell, parts);
  if (matches === undefined) return unknown();
  if (matches.length > 0) return matches.map((path) => made(path, place));
  return mayBeMade(shell, parts) ? unknown() : withoutMatch(shell);
}

/** What a pattern becomes that nothing matches: it stays, is left out, or Bash gives up the command. */
function withoutMatch(shell: Shell): readonly Pieces[] | undefined {
  const { failglob, nullglob, errexit } = shell.switches;
  if (failglob) shell.refused ??= errexit ? 'unset' : 'expansion';
  return nullglob ? [] : undefined;
}

/** `[0]*4+[1]*44`: a Python list in words of options. That a file has this name can be left out of account. */
function isListExpression(parts: readonly PatternPart[]): boolean {
  const text = parts.map((part) => part.text).join('');
  return /^["']?(?:--[\w-]+=)?[([]*\[[\d,. ]*\][\d[\]()*+,. ]*["']?$/.test(text);
}

/** `model.window_size=[512,0]`: a list for a setting. No file begins with the name of one. */
function isListOfSetting(parts: readonly PatternPart[]): boolean {
  const text = parts.map((part) => part.text).join('');
  const isOfFiles = parts.some((part) => !part.quoted && /[*?]|[+@!]\(/.test(part.text));
  return !isOfFiles && /^[-+~]*[A-Za-z_][\w.\-/@]*=[^[]*\[.*\]$/s.test(text);
}

/**
 * Whether a program that ran before may have made what a pattern of files in a folder asks for. None makes files of the name of an option's
 * value, and a pattern without a folder is in most cases one for the program.
 */
function mayBeMade(shell: Shell, parts: readonly PatternPart[]): boolean {
  const text = parts.map((part) => part.text).join('');
  const isOfFiles = parts.some((part) => !part.quoted && /[*?]/.test(part.text));
  return isOfFiles && text.includes('/') && !text.includes('=') && mayHaveMadeFiles(shell.run);
}

interface Segment {
  readonly parts: readonly PatternPart[];
  readonly text: string;
  readonly isPattern: boolean;
}

/** The paths that match, sorted; undefined when a directory cannot be listed. */
function expandPath(shell: Shell, parts: readonly PatternPart[]): readonly string[] | undefined {
  const { run, cwd, switches } = shell;
  const { host } = run.shared.options;
  const segments = segmentsOf(parts, switches.extglob);
  const absolute = segments[0]?.text === '' && segments.length > 1;
  if (!absolute && cwd === undefined) return undefined;
  let found: string[] = [absolute ? '/' : ''];
  for (const [at, segment] of segments.entries()) {
    if (absolute && at === 0) continue;
    const next: string[] = [];
    for (const base of found) {
      const directory = resolvePath(cwd ?? '/', base === '' ? '.' : base);
      if (isContentReplaced(run, directory)) return undefined;
      const joined = (name: string): string =>
        base === '' || base.endsWith('/') ? base + name : `${base}/${name}`;
      if (!segment.isPattern) {
        if (segment.text === '') {
          const kind = base.endsWith('/') ? 'directory' : host.kind(directory);
          if (kind === 'unknown') return undefined;
          if (kind === 'directory') next.push(base.endsWith('/') ? base : `${base}/`);
          continue;
        }
        const path = normalizePath(`${directory}/${segment.text}`);
        if (isAssumed(shell, path)) return undefined;
        const within = host.kind(directory);
        if (within === 'absent' || within === 'file') continue;
        const kind = host.kind(path);
        // Folders above the workspace are not known; what is asked of below them is.
        if (kind === 'unknown' && at === segments.length - 1) return undefined;
        if (kind !== 'absent') next.push(joined(segment.text));
        continue;
      }
      const kind = host.kind(directory);
      if (isAssumed(shell, directory)) return undefined;
      if (kind === 'absent' || kind === 'file') continue;
      const names = host.list(directory);
      if (names === undefined) return undefined;
      if (!run.meter.spend(names.length >> 3)) return undefined;
      const pattern = compilePattern(segment.parts, {
        extglob: switches.extglob,
        ignoreCase: switches.nocaseglob,
      });
      const dots = switches.dotglob || segment.text.startsWith('.');
      for (const name of names) {
        if (name.startsWith('.') && !dots) continue;
        if (pattern.matches(name)) next.push(joined(name));
      }
      if (switches.globstar && segment.text === '**') return undefined;
    }
    found = next;
    if (found.length > run.meter.budget.words) return undefined;
  }
  // A listing of the workspace lacks what the script itself makes on the way.
  if (run.written.size > 0 && madeByScript(shell, segments)) return undefined;
  return found.sort();
}

/** Whether the script itself made something that may match. */
function madeByScript(shell: Shell, segments: readonly Segment[]): boolean {
  const given = segments.at(-1)?.text === '' ? segments.slice(0, -1) : segments;
  const last = given.at(-1);
  if (last === undefined) return false;
  const options = { extglob: shell.switches.extglob, ignoreCase: shell.switches.nocaseglob };
  const matches = ({ parts, text, isPattern }: Segment, name: string): boolean =>
    isPattern ? compilePattern(parts, options).matches(name) : text === name;
  const isPlain = given.every(({ text }) => text !== '.' && text !== '..');
  const folder = given[0]?.text === '' ? [] : shell.cwd?.split('/');
  return [...shell.run.written.keys()].some((path) => {
    // What a process writes is no file.
    if (path.startsWith('\0<(')) return false;
    const names = path.split('/');
    if (!matches(last, names.at(-1) ?? '')) return false;
    if (!isPlain || folder === undefined || !isKnownPath(path)) return true;
    if (names.length !== folder.length + given.length) return false;
    return (
      folder.every((name, index) => name === names[index]) &&
      given.every((segment, index) => matches(segment, names[folder.length + index] ?? ''))
    );
  });
}

function segmentsOf(parts: readonly PatternPart[], extglob: boolean): readonly Segment[] {
  const out: PatternPart[][] = [[]];
  for (const part of parts) {
    part.text.split('/').forEach((text, index) => {
      if (index > 0) out.push([]);
      if (text !== '') out.at(-1)?.push({ text, quoted: part.quoted });
    });
  }
  return out.map((segment) => ({
    parts: segment,
    text: segment.map((part) => part.text).join(''),
    isPattern: hasPatternCharacters(segment, extglob),
  }));
}
