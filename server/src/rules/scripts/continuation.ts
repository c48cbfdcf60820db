import type { Command } from '../../launch/command.ts';
import { commandBefore, isCutOff, mostRests, wordsBehindBackslash } from '../../launch/faults/cutOff.ts';
import type { Place } from '../../text/span.ts';
import { knownPrefix, type Word } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';

/** Why a command ends before its rest, and what mends that. */
interface Break {
  /** Completes “…, so Bash takes it for a command of its own”. */
  readonly cause: string;
  /** Where the cause stands, when that is not where the rest begins. */
  readonly place: Place | undefined;
  readonly fixes: readonly Fix[];
}

const endsAbove = 'The command ends on the line above';

/** What separates a command from its rest: from the end of the one to the beginning of the other. */
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
  const joined = { path, span: { start, end }, newText: `${lead}\\${lineEnd}${others.at(-1) ?? ''}` };
  const blanks = /^[ \t]*(\\(?:[^\S\r\n]|\u200b)+)(?:\r?\n|$)/.exec(`${first}\n`)?.[1];
  if (comments.length > 0) {
    const above = lineAbove(command, text);
    const moved =
      above === undefined ? '' : comments.map((one) => `${above.indent}${one}${lineEnd}`).join('');
    const many = comments.length > 1 ? 's' : '';
    const edits = [{ path, span: { start: above?.at ?? 0, end: above?.at ?? 0 }, newText: moved }, joined];
    const isEscaped = /^[ \t]*\\[ \t]+#/.test(first);
    const at = start + first.indexOf('\\');
    return {
      cause: isEscaped
        ? 'A comment behind this backslash ends the command'
        : 'A comment ends the command above',
      place: isEscaped ? { path, span: { start: at, end: start + first.trimEnd().length } } : undefined,
      fixes: above === undefined ? [] : [suggestedFix(`Move the comment${many} above the command`, edits)],
    };
  }
  if (blanks !== undefined) {
    const at = start + first.indexOf('\\');
    return {
      cause: 'A blank behind this backslash ends the command',
      place: { path, span: { start: at, end: at + blanks.length } },
      fixes: [suggestedFix('Remove the blanks behind the backslash', [joined])],
    };
  }
  if (others.length > 1)
    return {
      cause: 'An empty line ends the command above',
      place: undefined,
      fixes: [suggestedFix('Continue the command above', [joined])],
    };
  return {
    cause: endsAbove,
    place: undefined,
    fixes: [suggestedFix('Continue the command above', [insertion(joined)])],
  };
}

/** An edit that joins two lines, without what it would leave as it is. */
function insertion({ path, span, newText }: Fix['edits'][number]): Fix['edits'][number] {
  const kept = newText.slice(newText.indexOf('\\') + 1).length;
  const end = span.end - kept;
  return { path, span: { start: span.start, end }, newText: newText.slice(0, newText.length - kept) };
}

/** Where comments of a command can stand above it: it begins its line, and no other command goes on there. */
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

/** The rest of a command that is not known: it is joined to the line above it, where that can take a backslash. */
function breakAbove({ place: { path, span } }: Command, text: string): Break {
  const lineStart = text.lastIndexOf('\n', span.start - 1) + 1;
  const above = text
    .slice(text.lastIndexOf('\n', lineStart - 2) + 1, Math.max(0, lineStart - 1))
    .replace(/\r$/, '');
  const none = { cause: endsAbove, place: undefined, fixes: [] };
  if (lineStart === 0 || text.slice(lineStart, span.start).trim() !== '') return none;
  if (/^\s*(?:#|$)/.test(above)) return { ...none, cause: 'No command goes on to this line' };
  // Behind a comment a backslash is part of the comment.
  if (above.endsWith('\\') || /\s#/.test(above)) return none;
  // A backslash with blanks behind it, where it continues nothing, is put at the end of its line.
  const blanks = /\\[ \t]+$/.exec(above)?.[0].length ?? 0;
  const end = lineStart - 1 - (text[lineStart - 2] === '\r' ? 1 : 0);
  const edit = { path, span: { start: end - blanks, end }, newText: blanks > 0 ? '\\' : ' \\' };
  return {
    ...none,
    fixes: [suggestedFix('Continue the command above', [edit])],
  };
}

/** A word as the message calls it: with the expansion that it comes from, where the line shows that alone. */
function named(
  name: string,
  { place: { path, span } }: Word,
  read: (path: string) => string | undefined,
): string {
  const written = (read(path) ?? '').slice(span.start, span.end);
  return /^"?\$\S{1,60}$/.test(written) && !written.includes(name)
    ? `${name}, the first word of ${written},`
    : name;
}

/** Commands whose program is an option, an override or the file for the launcher above: the rest of a command whose backslash was lost. */
export function continuationFindings(
  commands: readonly Command[],
  read: (path: string) => string | undefined,
  common: CommonRules,
): Finding[] {
  const seen = new Set<string>();
  return commands.flatMap((rest) => {
    const [word] = rest.words;
    const before = seen.size < mostRests ? commandBefore(rest, commands, read) : undefined;
    if (word === undefined || (before === undefined && !isCutOff(rest))) return [];
    const key = `${word.place.path}:${word.place.span.start}`;
    if (seen.has(key)) return [];
    seen.add(key);
    const text = read(rest.place.path) ?? '';
    const { cause, place, fixes } =
      before === undefined ? breakAbove(rest, text) : breakBetween(before, rest, text);
    const name = knownPrefix(word);
    return commonFinding(
      common,
      'missing-continuation',
      place ?? word.place,
      { cause, name: named(name, word, read) },
      {
        fixes,
        related: place === undefined ? [] : [{ place: word.place, message: `${name} begins a command here` }],
      },
    );
  });
}
