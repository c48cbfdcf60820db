import type { Place } from '../../text/span.ts';
import { isAssumed } from '../conditions/fileTests.ts';
import { isKnownPath } from '../files/fileKey.ts';
import { isContentReplaced } from '../files/replacedFolders.ts';
import { normalizePath, resolvePath } from '../library/paths.ts';
import { compilePattern, hasPatternCharacters, type PatternPart } from '../library/pattern.ts';
import { isDirectoryGuessed } from '../state/elsewhere.ts';
import { displayed, hole, made, type Pieces } from '../state/pieces.ts';
import { mayHaveMadeFiles } from '../state/programsRun.ts';
import type { FileMade } from '../state/runState.ts';
import type { Shell } from '../state/shell.ts';
import { type Field, piecesOf } from './split.ts';

/**
 * The file names that a field matches if it is a pattern. Undefined if the field stays as it is: it is not a pattern, or nothing in the
 * workspace matches it.
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
  if (!hasPatternCharacters(parts, shell.switches.extglob))
    // What has a meaning only under `shopt -s extglob` counts as a pattern without it too, and then matches no name but its own.
    return hasPatternCharacters(parts, true) ? withoutMatch(shell) : undefined;
  // Brackets around a slash are not a pattern: `data=['/data/train']`.
  if (!segmentsOf(parts, shell.switches.extglob).some(({ isPattern }) => isPattern)) return undefined;
  const isList = isListExpression(parts) || isListOfSetting(parts);
  // With unknown parts they need not be patterns, so they may stay.
  if (isList && !hasHole) return withoutMatch(shell);
  if (isList && !shell.switches.nullglob && !shell.switches.failglob) return undefined;
  const label = displayed(piecesOf(field));
  const facts = shell.switches.nullglob ? { mayBeNone: true } : {};
  const unknown = (): readonly Pieces[] => [[{ ...hole('outside', label, place, facts), splits: true }]];
  if (hasHole || (shell.store.get('GLOBIGNORE')?.value.length ?? 0) > 0) return unknown();
  const matches = expandPath(shell, parts);
  if (matches === undefined) return unknown();
  if (matches.length > 0) return matches.map((path) => made(path, place));
  return mayBeMade(shell, parts) ? unknown() : withoutMatch(shell);
}

/** The result for a pattern without matches: it stays, is omitted, or Bash abandons the command. */
function withoutMatch(shell: Shell): readonly Pieces[] | undefined {
  const { failglob, nullglob, errexit } = shell.switches;
  if (failglob) shell.refused ??= errexit ? 'unset' : 'expansion';
  return nullglob ? [] : undefined;
}

/** `[0]*4+[1]*44`: a Python list in option words. That a file has this name can be ignored. */
function isListExpression(parts: readonly PatternPart[]): boolean {
  const text = parts.map((part) => part.text).join('');
  return /^["']?(?:--[\w-]+=)?[([]*\[[\d,. ]*\][\d[\]()*+,. ]*["']?$/.test(text);
}

/** `model.window_size=[512,0]`: a list as the value of a setting. No file name begins with the name of a setting. */
function isListOfSetting(parts: readonly PatternPart[]): boolean {
  const text = parts.map((part) => part.text).join('');
  const isOfFiles = parts.some((part) => !part.quoted && /[*?]|[+@!]\(/.test(part.text));
  return !isOfFiles && /^[-+~]*[A-Za-z_][\w.\-/@]*=[^[]*\[.*\]$/s.test(text);
}

/**
 * Whether an earlier program may have created what a file pattern in a folder looks for. No program creates files named like the value of an
 * option, and a pattern without a folder is usually meant for the program.
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

/** The matching paths, sorted; undefined if a directory cannot be listed. */
function expandPath(shell: Shell, parts: readonly PatternPart[]): readonly string[] | undefined {
  const { run, cwd, switches } = shell;
  const { host } = run.shared.options;
  const segments = segmentsOf(parts, switches.extglob);
  const absolute = segments[0]?.text === '' && segments.length > 1;
  if (!absolute && (cwd === undefined || isDirectoryGuessed(shell))) return undefined;
  // Recursive search of folders is not supported.
  if (switches.globstar && segments.some(({ text }) => text === '**')) return undefined;
  const folder = absolute ? '/' : (cwd ?? '/');
  const firstPattern = segments.findIndex(({ isPattern }) => isPattern);
  let found: string[] = [''];
  for (const [at, segment] of segments.entries()) {
    if (absolute && at === 0) continue;
    const next: string[] = [];
    // As many slashes are kept as were written, except that there is one after a pattern's match.
    if (!segment.isPattern && segment.text === '' && at < segments.length - 1) {
      if (at < firstPattern) found = found.map((base) => `${base}/`);
      continue;
    }
    for (const base of found) {
      const directory = resolvePath(folder, base === '' ? '.' : base);
      if (isContentReplaced(run, directory)) return undefined;
      const joined = (name: string): string => (at === 0 ? name : `${base}/${name}`);
      if (!segment.isPattern) {
        if (segment.text === '') {
          const kind = host.kind(directory);
          if (kind === 'unknown') return undefined;
          if (kind === 'directory') next.push(joined(''));
          continue;
        }
        const path = normalizePath(`${directory}/${segment.text}`);
        if (isAssumed(shell, path)) return undefined;
        const within = host.kind(directory);
        if (within === 'absent' || within === 'file') continue;
        const kind = host.kind(path);
        // Folders above the workspace are unknown; what is looked up below them is known.
        if (kind === 'unknown' && at === segments.length - 1) return undefined;
        if (kind !== 'absent') next.push(joined(segment.text));
        continue;
      }
      const kind = host.kind(directory);
      if (isAssumed(shell, directory)) return undefined;
      if (kind === 'absent' || kind === 'file') continue;
      const names = host.list(directory);
      if (names === undefined) return undefined;
      // Searching a folder takes as long as several commands.
      if (!run.meter.spend(4 + (names.length >> 3))) return undefined;
      const pattern = compilePattern(segment.parts, {
        extglob: switches.extglob,
        ignoreCase: switches.nocaseglob,
      });
      const dots = switches.dotglob || segment.text.startsWith('.');
      for (const name of names) {
        if (name.startsWith('.') && !dots) continue;
        if (pattern.matches(name)) next.push(joined(name));
      }
    }
    found = next;
    if (found.length > run.meter.budget.words) return undefined;
  }
  return run.written.size === 0 ? found.sort() : withOwn(shell, segments, found);
}

/** The matching paths, including those that the script itself created; undefined if it is unknown whether one of those matches. */
function withOwn(
  shell: Shell,
  segments: readonly Segment[],
  found: readonly string[],
): readonly string[] | undefined {
  const { written } = shell.run;
  // What was removed or replaced may not exist.
  if (found.some((path) => written.get(resolvePath(shell.cwd ?? '/', path)) === 'unsure')) return undefined;
  const asked = askedOf(shell, segments);
  const all = new Set(found);
  for (const [path, made] of written) {
    const match = ownMatch(asked, path, made);
    if (match === 'perhaps') return undefined;
    if (match !== undefined) all.add(match.path);
  }
  return [...all].sort();
}

/** What a pattern matches among the script's own files. */
interface Asked {
  /** As they are written. */
  readonly segments: readonly Segment[];
  /** The folder that they are relative to; undefined if unknown. */
  readonly folder: readonly string[] | undefined;
  /** For each name below that folder: whether it matches, and whether it is skipped although it matches, because of a leading dot. */
  readonly below: readonly {
    readonly matches: (name: string) => boolean;
    readonly hides: (name: string) => boolean;
  }[];
  readonly isOfFolders: boolean;
}

function askedOf({ cwd, switches }: Shell, all: readonly Segment[]): Asked {
  const isOfFolders = all.at(-1)?.text === '';
  const firstPattern = all.findIndex(({ isPattern }) => isPattern);
  const segments = (isOfFolders ? all.slice(0, -1) : all).filter(
    ({ text }, at) => text !== '' || at < firstPattern,
  );
  const absolute = segments[0]?.text === '';
  const options = { extglob: switches.extglob, ignoreCase: switches.nocaseglob };
  const below = segments.flatMap(({ parts, text, isPattern }) => {
    if (text === '.' || text === '') return [];
    const pattern = isPattern ? compilePattern(parts, options) : undefined;
    const hidesDots = isPattern && !switches.dotglob && !text.startsWith('.');
    return {
      matches: (name: string): boolean => pattern?.matches(name) ?? text === name,
      hides: (name: string): boolean => hidesDots && name.startsWith('.'),
    };
  });
  const isPlain = segments.every(({ text }) => text !== '..');
  const from = absolute ? [''] : cwd?.split('/');
  return { segments, folder: isPlain ? from : undefined, below, isOfFolders };
}

/** The path under which a pattern finds one of the script's own files; undefined if it does not match. */
function ownMatch(
  { segments, folder, below, isOfFolders }: Asked,
  path: string,
  made: FileMade,
): { readonly path: string } | 'perhaps' | undefined {
  // The output of a process is not a file.
  if (path.startsWith('\0<(')) return undefined;
  const names = path.split('/');
  if (below.at(-1)?.matches(names.at(-1) ?? '') === false) return undefined;
  if (folder === undefined || !isKnownPath(path)) return 'perhaps';
  const own = names.slice(folder.length);
  if (own.length !== below.length || folder.some((name, index) => name !== names[index])) return undefined;
  if (!below.every(({ matches }, index) => matches(own[index] ?? ''))) return undefined;
  if (made === 'unsure') return 'perhaps';
  if (below.some(({ hides }, index) => hides(own[index] ?? ''))) return undefined;
  if (isOfFolders && typeof made !== 'string') return undefined;
  const rest = own.values();
  const written = segments.map(({ text }) => (text === '.' || text === '' ? text : rest.next().value));
  return { path: written.join('/') + (isOfFolders ? '/' : '') };
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
