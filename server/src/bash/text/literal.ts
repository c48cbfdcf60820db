import type { Place } from '../../text/span.ts';
import { hole, type Pieces, type ShellHole } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import { readScalar } from '../words/read.ts';
import type { Item } from '../words/split.ts';
import { runsBetweenMarks, type Source, textPieces } from './source.ts';

/** How the characters of a literal are read, that is, which backslashes are removed. */
type Quoting = 'none' | 'double' | 'heredoc' | 'raw';

/** The context in which parts are expanded. */
export interface Surroundings {
  /** Within double quotes. */
  readonly quoted: boolean;
  /** Whether literal text may be split, too, as in the operand of an unquoted `${x:-a b}`. */
  readonly splits: boolean;
  /**
   * Where `~` expands to the home directory: at the start; in an assignment also after `:`; in a word that may be an assignment (`x=~`), at the
   * start or, after its `=`, as in an assignment.
   */
  readonly tilde: 'no' | 'start' | 'assignment' | 'word';
  /** In the operand of a quoted `"${x:-…}"`, where `\}` is a brace. */
  readonly braces?: boolean;
  /** In quotes within such an operand: a backslash is removed before any character. */
  readonly unescapes?: boolean;
}

/** Within double quotes. */
export const inQuotes: Surroundings = { quoted: true, splits: false, tilde: 'no' };

/** Expands literal characters: removes quoting backslashes, and keeps the origin of each character. */
export function literal(
  shell: Shell,
  source: Source,
  text: string,
  pos: number,
  quoting: Quoting,
  around: Surroundings,
  out: Item[],
  within: { readonly first: boolean; readonly last: boolean } = { first: false, last: false },
): void {
  const add = (from: number, to: number, quoted: boolean): void => {
    if (from >= to) return;
    const written = text.slice(from, to);
    if (source.hasHoles) marked(source, written, pos + from, quoted, around.splits, out);
    else
      for (const piece of textPieces(source, written, pos + from))
        out.push({ kind: 'piece', piece, quoted, splits: around.splits });
  };
  const { quoted } = around;
  let from = 0;
  if (around.tilde !== 'no' && text.includes('~'))
    from = tildes(shell, source, text, pos, around, out, within, add);
  if (quoting === 'raw' || !text.includes('\\')) {
    add(from, text.length, quoted);
    return;
  }
  for (let at = from; at < text.length; at += 1) {
    if (text.charAt(at) !== '\\') continue;
    const next = text.charAt(at + 1);
    if (!goes(next, quoting, around)) {
      if (quoting !== 'none' && next !== '') at += 1;
      continue;
    }
    add(from, at, quoted);
    const unknown = source.hasHoles ? source.holeAt(next) : undefined;
    if (unknown !== undefined) {
      // It quotes the first character of something unknown.
      const label = `\\${unknown.label}`;
      const piece: ShellHole = {
        ...hole('too-complex', label, source.place(pos + at, pos + at + 2)),
        splits: true,
      };
      out.push({ kind: 'piece', piece, quoted: false, splits: true, many: true });
    } else if (next !== '\n') {
      const origin = { ...source.origin(pos + at, pos + at + 2), verbatim: false };
      out.push({ kind: 'piece', piece: { kind: 'text', text: next, origin }, quoted: true, splits: false });
    }
    from = at + 2;
    at += 1;
  }
  add(from, text.length, quoted);
}

/** Whether a backslash before a character is removed because it quotes it. */
function goes(next: string, quoting: Quoting, { braces }: Surroundings): boolean {
  if (quoting === 'none') return next !== '';
  if (next === '$' || next === '`' || next === '\\' || next === '\n') return true;
  return quoting === 'double' && (next === '"' || (next === '}' && braces === true));
}

/** Characters some of which stand for holes. */
function marked(
  source: Source,
  written: string,
  pos: number,
  quoted: boolean,
  splits: boolean,
  out: Item[],
): void {
  let at = pos;
  const runs = runsBetweenMarks(written);
  runs.forEach((run, index) => {
    const found = run.length === 1 ? source.holeAt(run) : undefined;
    if (found === undefined) {
      const next = quoted ? source.holeAt(runs[index + 1] ?? '') : undefined;
      const text = next?.apart === true ? run.replace(/ $/, '') : run;
      for (const piece of textPieces(source, text, at)) out.push({ kind: 'piece', piece, quoted, splits });
    } else {
      const origin = source.origin(at, at + 1);
      // Within quotes the blank before a separate hole belongs to it: it would be missing, too.
      const label = `${quoted && found.apart === true ? ' ' : ''}${found.label.trimStart()}`;
      out.push({ kind: 'piece', piece: { ...found, label, origin }, quoted, splits: !quoted });
    }
    at += run.length;
  });
}

/** The context of the operand of a quoted `"${x:-…}"`. */
export const inBraces: Surroundings = { ...inQuotes, braces: true };

/** The context of quoted text in such an operand. */
export const inBracesQuotes: Surroundings = { ...inBraces, unescapes: true };

/** The start of something that looks like an assignment, and is expanded like one. */
const assigning = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

/** Where `~` is expanded after the first part of a word. */
export function tildeBehind(first: string | undefined, tilde: Surroundings['tilde']): Surroundings['tilde'] {
  if (tilde === 'word') return first !== undefined && assigning.test(first) ? 'assignment' : 'no';
  return tilde === 'start' ? 'no' : tilde;
}

/** Expands `~` at the start (and after `:` in assignments); returns the number of characters processed. */
function tildes(
  shell: Shell,
  source: Source,
  text: string,
  pos: number,
  around: Surroundings,
  out: Item[],
  within: { readonly first: boolean; readonly last: boolean },
  add: (from: number, to: number, quoted: boolean) => void,
): number {
  let done = 0;
  const behind = around.tilde === 'word' && within.first ? (assigning.exec(text)?.[0].length ?? 0) : 0;
  const pattern = around.tilde === 'assignment' || behind > 0 ? /(^|:)~([^/:\\]*)/g : /(^)~([^/:\\]*)/g;
  for (const match of text.slice(behind).matchAll(pattern)) {
    const at = behind + match.index + (match[1] ?? '').length;
    const end = behind + match.index + match[0].length;
    if (at === 0 && !within.first) continue;
    // `~$x` is no home directory: the name must end within the literal.
    if (end === text.length && !within.last) continue;
    // Nor if a character of it is quoted: `~\'`.
    if (text.charAt(end) === '\\') continue;
    const user = match[2] ?? '';
    if (user !== '' && !/^[\w+-]*$/.test(user)) continue;
    add(done, at, around.quoted);
    const place = source.place(pos + at, pos + end);
    for (const piece of home(shell, user, place))
      out.push({ kind: 'piece', piece, quoted: true, splits: false });
    done = end;
  }
  return done;
}

function home(shell: Shell, user: string, place: Place): Pieces {
  if (user === '') {
    const { set, pieces, perhapsUnset } = readScalar(shell, 'HOME', place);
    // If HOME is unset, Bash asks the system.
    return set && perhapsUnset !== true ? pieces : [hole('environment', '~', place, { nonEmpty: true })];
  }
  if (user === '+') return readScalar(shell, 'PWD', place).pieces;
  return [hole('environment', `~${user}`, place, { nonEmpty: true })];
}
