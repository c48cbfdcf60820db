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
  return run.written.size === 0 ? found.sort() : withOwn(shell, segments, found);
}

/** The paths that match with those that the script itself made on the way; undefined where it is not known whether one does. */
function withOwn(
  shell: Shell,
  segments: readonly Segment[],
  found: readonly string[],
): readonly string[] | undefined {
  const { run, cwd, switches } = shell;
  const all = new Set(found);
  const written = new Map(run.written);
  // What was taken away or replaced is perhaps not there.
  for (const path of found) if (written.get(resolvePath(cwd ?? '/', path)) === 'unsure') return undefined;
  const options = { extglob: switches.extglob, ignoreCase: switches.nocaseglob };
  const matches = ({ parts, text, isPattern }: Segment, name: string): boolean =>
    isPattern ? compilePattern(parts, options).matches(name) : text === name;
  const isOfFolders = segments.at(-1)?.text === '';
  const asked = isOfFolders ? segments.slice(0, -1) : segments;
  const absolute = asked[0]?.text === '';
  const folder = absolute ? [''] : cwd?.split('/');
  const below = asked.filter(({ text }, index) => text !== '.' && (index > 0 || !absolute));
  const last = below.at(-1);
  if (last === undefined) return undefined;
  for (const [path, made] of written) {
    // What a process writes is no file.
    if (path.startsWith('\0<(')) continue;
    const names = path.split('/');
    if (!matches(last, names.at(-1) ?? '')) continue;
    if (folder === undefined || !isKnownPath(path) || below.some(({ text }) => text === '..'))
      return undefined;
    const own = names.slice(folder.length);
    if (own.length !== below.length || folder.some((name, index) => name !== names[index])) continue;
    if (!below.every((segment, index) => matches(segment, own[index] ?? ''))) continue;
    if (made === 'unsure') return undefined;
    if (below.some((segment, index) => isHidden(segment, own[index] ?? '', switches.dotglob))) continue;
    if (isOfFolders && typeof made !== 'string') continue;
    const parts = [...own];
    all.add(
      asked
        .map(({ text }, index) => (text === '.' || (absolute && index === 0) ? text : parts.shift()))
        .join('/') + (isOfFolders ? '/' : ''),
    );
  }
  return [...all].sort();
}

/** Whether a pattern passes a name over because of the point that it begins with. */
function isHidden({ text, isPattern }: Segment, name: string, dotglob: boolean): boolean {
  return isPattern && name.startsWith('.') && !dotglob && !text.startsWith('.');
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
