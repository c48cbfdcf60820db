import type { Command } from '../../launch/command.ts';
import { commandBefore, isCutOff, mostRests, wordsBehindBackslash } from '../../launch/faults/cutOff.ts';
import type { TextEdit } from '../../text/edit.ts';
import type { Place } from '../../text/span.ts';
import { knownPrefix, type Word } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';

/** Reads a file's text. */
type Read = (path: string) => string | undefined;

/** Why a command ends before its rest, and the edit that joins the two. */
interface Break {
  /** Completes “…, so Bash takes it for a command of its own”. */
  readonly cause: string;
  /** Where the cause is, if not at the beginning of the rest. */
  readonly place: Place | undefined;
  /** The title of the fix if nothing else needs fixing. */
  readonly title: string;
  readonly join: TextEdit;
  /** Comments between the two, which move above the command. */
  readonly comments: readonly string[];
  /** Its line ending. */
  readonly lineEnd: string;
}

const endsAbove = 'The command ends on the line above';
const goOn = 'Continue the command above';

/** What separates a command from its rest, between the end of the one and the beginning of the other. */
function breakBetween(command: Command, rest: Command, text: string): Break {
  const [behind] = wordsBehindBackslash(command, text);
  const { path } = command.place;
  const start = behind?.place.span.start ?? command.place.span.end;
  const end = rest.place.span.start;
  const gap = text.slice(start, end);
  const [first = '', ...others] = gap.split('\n');
  const comments = gap.split('\n').flatMap((line) => /#.*/.exec(line)?.[0].trim() ?? []);
  const lineEnd = first.endsWith('\r') ? '\r\n' : '\n';
  const lead = /^([ \t]*)\\/.exec(first)?.[1] ?? ' ';
  const join = { path, span: { start, end }, newText: `${lead}\\${lineEnd}${others.at(-1) ?? ''}` };
  const same = { join, comments, lineEnd, place: undefined, title: goOn };
  const blanks = /^[ \t]*(\\(?:[^\S\r\n]|\u200b)+)(?:\r?\n|$)/.exec(`${first}\n`)?.[1];
  const at = start + first.indexOf('\\');
  if (comments.length > 0)
    return /^[ \t]*\\[ \t]+#/.test(first)
      ? {
          ...same,
          cause: 'A comment after this backslash ends the command',
          place: { path, span: { start: at, end: start + first.trimEnd().length } },
        }
      : { ...same, cause: 'A comment ends the command above' };
  if (blanks !== undefined)
    return {
      ...same,
      cause: 'Whitespace after this backslash ends the command',
      place: { path, span: { start: at, end: at + blanks.length } },
      title: 'Remove the whitespace after the backslash',
    };
  return others.length > 1
    ? { ...same, cause: 'An empty line ends the command above' }
    : { ...same, cause: endsAbove, join: insertion(join) };
}

/** The fix that joins a command with all its rests and moves the comments between them above it. */
function joinAll(command: Command, breaks: readonly Break[], text: string): readonly Fix[] {
  const comments = breaks.flatMap((each) => each.comments);
  const joins = breaks.map(({ join }) => join);
  const [title = goOn, ...others] = new Set(breaks.map((each) => each.title));
  if (comments.length === 0) return [suggestedFix(others.length > 0 ? goOn : title, joins)];
  const above = lineAbove(command, text);
  if (above === undefined) return [];
  const { path } = command.place;
  const lineEnd = breaks[0]?.lineEnd ?? '\n';
  const newText = comments.map((one) => `${above.indent}${one}${lineEnd}`).join('');
  const moved = { path, span: { start: above.at, end: above.at }, newText };
  const isAll = breaks.every((each) => each.comments.length > 0);
  const move = `Move the comment${comments.length > 1 ? 's' : ''} above the command`;
  return [suggestedFix(isAll ? move : `${move}, and continue it on all its lines`, [moved, ...joins])];
}

/** An edit that joins two lines, reduced to what actually changes. */
function insertion({ path, span, newText }: TextEdit): TextEdit {
  const kept = newText.slice(newText.indexOf('\\') + 1).length;
  const end = span.end - kept;
  return { path, span: { start: span.start, end }, newText: newText.slice(0, newText.length - kept) };
}

/** Where comments of a command can go above it: it must begin its line, and no other command may continue there. */
function lineAbove(
  { place: { span } }: Command,
  text: string,
): { readonly at: number; readonly indent: string } | undefined {
  const at = text.lastIndexOf('\n', span.start - 1) + 1;
  const indent = text.slice(at, span.start);
  const before = text.slice(text.lastIndexOf('\n', at - 2) + 1, Math.max(0, at - 1)).trimEnd();
  if (indent.trim() !== '' || (before.endsWith('\\') && !/^\s*#/.test(before))) return undefined;
  return { at, indent };
}

/**
 * Whether the command that a line begins ends within it, so that words after it would belong to another command (`… | tee log`) or to none (`…
 * &`).
 */
function isClosed(line: string): boolean {
  const unquoted = line.replace(/"[^"]*"|'[^']*'/g, '""');
  return /[|;]|(?<![<>])&(?!>)|(?:^|[ \t])[)}][ \t]*$|^[ \t]*(?:done|esac|fi)\b/.test(unquoted);
}

/** The rest of an unknown command: it is joined to the line above it, if that can take a backslash. */
function breakAbove(
  { place: { path, span } }: Command,
  text: string,
): { readonly cause: string; readonly fixes: readonly Fix[] } {
  const lineStart = text.lastIndexOf('\n', span.start - 1) + 1;
  const above = text
    .slice(text.lastIndexOf('\n', lineStart - 2) + 1, Math.max(0, lineStart - 1))
    .replace(/\r$/, '');
  const none = { cause: endsAbove, fixes: [] };
  if (lineStart === 0 || text.slice(lineStart, span.start).trim() !== '') return none;
  if (/^\s*(?:#|$)/.test(above)) return { ...none, cause: 'No command goes on to this line' };
  // After a comment, a backslash is part of the comment.
  if (above.endsWith('\\') || /\s#/.test(above) || isClosed(above)) return none;
  // A backslash followed by blanks, which continues nothing, is moved to the end of its line.
  const blanks = /\\[ \t]+$/.exec(above)?.[0].length ?? 0;
  const end = lineStart - 1 - (text[lineStart - 2] === '\r' ? 1 : 0);
  const edit = { path, span: { start: end - blanks, end }, newText: blanks > 0 ? '\\' : ' \\' };
  return { ...none, fixes: [suggestedFix(goOn, [edit])] };
}

/** A word as the message calls it: with the expansion it comes from, if the line only shows that. */
function named(name: string, { place: { path, span } }: Word, read: Read): string {
  const written = (read(path) ?? '').slice(span.start, span.end);
  return /^"?\$\S{1,60}$/.test(written) && !written.includes(name)
    ? `${name}, the first word of ${written},`
    : name;
}

/** The rest of a command, with the command or the rest directly above it. */
interface Rest {
  readonly command: Command;
  readonly word: Word;
  readonly before: Command | undefined;
}

/** The commands that are rests of others, without duplicates. */
function restsOf(commands: readonly Command[], read: Read): readonly Rest[] {
  const seen = new Set<string>();
  return commands.flatMap((command) => {
    const [word] = command.words;
    const before = seen.size < mostRests ? commandBefore(command, commands, read) : undefined;
    if (word === undefined || (before === undefined && !isCutOff(command))) return [];
    const key = `${word.place.path}:${word.place.span.start}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ command, word, before }];
  });
}

/** The rests of each command that continues after several breaks; an unknown command has a single rest. */
function together(rests: readonly Rest[]): readonly (readonly [first: Rest, ...others: Rest[]])[] {
  const groups: [Rest, ...Rest[]][] = [];
  const groupOf = new Map<Command, [Rest, ...Rest[]]>();
  for (const rest of rests) {
    const group = rest.before === undefined ? undefined : groupOf.get(rest.before);
    if (group === undefined) {
      const own: [Rest] = [rest];
      groups.push(own);
      groupOf.set(rest.command, own);
    } else {
      group.push(rest);
      groupOf.set(rest.command, group);
    }
  }
  return groups;
}

/** The finding on the rests of one command. */
function findingOf(
  [first, ...others]: readonly [Rest, ...Rest[]],
  read: Read,
  common: CommonRules,
): Finding[] {
  const { command, word, before } = first;
  const text = read(command.place.path) ?? '';
  const breaks = [first, ...others].flatMap((rest) =>
    rest.before === undefined ? [] : [breakBetween(rest.before, rest.command, text)],
  );
  const { cause, place, fixes } =
    before === undefined || breaks[0] === undefined
      ? { ...breakAbove(command, text), place: undefined }
      : { ...breaks[0], fixes: joinAll(before, breaks, text) };
  const name = knownPrefix(word);
  const lines = others.length === 1 ? 'one more line' : `${others.length} more lines`;
  const more = others.length === 0 ? '' : `, and so it does with ${lines} below`;
  return commonFinding(
    common,
    'missing-continuation',
    place ?? word.place,
    { cause, name: named(name, word, read), more },
    {
      fixes,
      related: [...(place === undefined ? [] : [first]), ...others].map((rest) => ({
        place: rest.word.place,
        message: `${knownPrefix(rest.word)} begins ${rest === first ? 'a command' : 'another command'} here`,
      })),
    },
  );
}

/**
 * Commands whose program is an option, an override or the file for the launcher above: the rest of a command that lost its backslash. If one
 * command lost several lines, that is reported once.
 */
export function continuationFindings(
  commands: readonly Command[],
  read: Read,
  common: CommonRules,
): Finding[] {
  return together(restsOf(commands, read)).flatMap((group) => findingOf(group, read, common));
}
