import type { BashProblem } from '../../bash/options.ts';
import { placeToFillIn } from '../../bash/text/placeToFillIn.ts';
import { isSyntaxError, meantTexts } from '../../bash/text/syntax.ts';
import type { Command } from '../../launch/command.ts';
import { namesProgram } from '../../launch/mayLaunch.ts';
import { applyEdits } from '../../text/edit.ts';
import { lineStart } from '../../text/lines.ts';
import { overlap, type Place, type Span } from '../../text/span.ts';
import type { Host } from '../../value/host.ts';
import { writtenAt } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import type { Finding } from '../finding.ts';
import type { CommonRules } from '../rule.ts';
import { bashFindings } from '../scriptProblems.ts';

/** A script in whose place other texts can be tried: a file, or a text within one. */
export interface TriedScript {
  /** The file. */
  readonly path: string;
  readonly text: string;
  /** Whether it is a file of its own. */
  readonly isFile: boolean;
  /** Maps a span of the text to its place in the file, and back. */
  readonly toPlace: (span: Span) => Place;
  readonly toSpan: (place: Place) => Span;
  /** Commands with which another text in its place would start programs that we check. */
  readonly oursIn: (text: string) => readonly Command[];
}

/** What stops Bash before the launch, in a script that starts no program that we check. */
export function beforeLaunch(
  problems: readonly BashProblem[],
  script: TriedScript,
  common: CommonRules,
  rootOf: Host['rootOf'],
): readonly Finding[] {
  const found = syntaxBeforeLaunch(problems, script, common, rootOf);
  if (found.length > 0) return found;
  const slips = slipsBeforeLaunch(problems, script, common, rootOf);
  if (slips.length > 0) return slips;
  const toFillIn = placeholderFindings(problems, script, common);
  const first = firstSyntaxError(problems, script.path);
  // Bash does not read past the first error.
  const isBefore = toFillIn.some(
    ({ place }) => first !== undefined && first.place.span.end <= place.span.start,
  );
  return isBefore && first !== undefined ? bashFindings([first], common, rootOf) : toFillIn;
}

function firstSyntaxError(problems: readonly BashProblem[], path: string): BashProblem | undefined {
  return problems.find((problem) => isSyntaxError(problem) && problem.place.path === path);
}

/**
 * Failed assignments (`export A = 1`), if `set -e` ends the script at them and it would start a program that we check if they were written as
 * meant.
 */
function slipsBeforeLaunch(
  problems: readonly BashProblem[],
  { path, text, toSpan, oursIn }: TriedScript,
  common: CommonRules,
  rootOf: Host['rootOf'],
): readonly Finding[] {
  const slips = problems.filter(
    ({ kind, correction }) =>
      (kind === 'blank-around-equals' || kind === 'unquoted-options') && correction?.place.path === path,
  );
  const edits = slips.flatMap(({ correction }) =>
    correction === undefined ? [] : [{ path, span: toSpan(correction.place), newText: correction.text }],
  );
  const meant = edits.length === 0 ? undefined : applyEdits(text, edits);
  return meant !== undefined && oursIn(meant).length > 0 ? bashFindings(slips, common, rootOf) : [];
}

/**
 * The first syntax error of a script that starts no program that we check, although it was written to: Bash refuses the script before it
 * reaches the launch. Nothing else is reported about launches that never start.
 */
function syntaxBeforeLaunch(
  problems: readonly BashProblem[],
  script: TriedScript,
  common: CommonRules,
  rootOf: Host['rootOf'],
): readonly Finding[] {
  const { path, text, oursIn } = script;
  const first = firstSyntaxError(problems, path);
  if (first === undefined) return [];
  // The parser skips some lines along with everything after them.
  const isOurs = oursIn(text).length > 0 || meansOurs(text, oursIn) || isWithinBlock(first, script);
  return isOurs ? bashFindings([first], common, rootOf) : [];
}

/** The start of a block that a keyword or bracket of its own ends. */
const opener = /^(?:[{(]|(?:if|for|while|until|select|case)\b)/;

/**
 * Whether a script would start a program that we check if that were not in a block whose end is missing: a function, a branch that is not
 * taken.
 */
function isWithinBlock({ place }: BashProblem, { text, oursIn, toSpan }: TriedScript): boolean {
  const { start } = toSpan(place);
  if (!opener.test(text.slice(start, start + 8))) return false;
  const from = lineStart(text, start);
  const line = text.slice(from).split('\n', 1)[0] ?? '';
  const without = text.slice(0, from) + ' '.repeat(line.length) + text.slice(from + line.length);
  return oursIn(without).length > 0 || meansOurs(without, oursIn);
}

/** Whether one of the texts that a script may have been meant to be would start a program that we check. */
function meansOurs(text: string, oursIn: TriedScript['oursIn']): boolean {
  for (const meant of meantTexts(text)) if (oursIn(meant).length > 0) return true;
  return false;
}

/** The lines of a multi-line command, judging by backslashes. */
function commandAt(text: string, index: number): string {
  let start = text.lastIndexOf('\n', index) + 1;
  while (text.charAt(start - 2) === '\\') start = text.lastIndexOf('\n', start - 2) + 1;
  let end = text.indexOf('\n', index);
  while (end > 0 && text.charAt(end - 1) === '\\') end = text.indexOf('\n', end + 1);
  return text.slice(start, end < 0 ? text.length : end);
}

/**
 * Whether the lines of a command may start a program that we check, or be passed to one; printed text and comments do not count.
 *
 * @param isRead whether text may be read as a command elsewhere
 */
function mayStartProgram(command: string, isRead: boolean): boolean {
  return !/^\s*(?:#|echo\b|printf\b)/.test(command) && (isRead || namesProgram(command));
}

/** A placeholder, also at the end of a quoted text. */
const anyToFillIn = /(?<=[\s="'])<[A-Za-z][^<>|&;\n"'`$()]*>(?=[\s"'\\])/g;

/**
 * A placeholder that keeps a script from starting any program that we check: Bash takes `<options> train.py` for a file to read from and one to
 * write to, so no syntax error reports it.
 */
function placeholderFindings(
  problems: readonly BashProblem[],
  { path, text, oursIn, toPlace }: TriedScript,
  common: CommonRules,
): readonly Finding[] {
  const placeOf = ({ 0: written, index }: RegExpExecArray): Place =>
    toPlace({ start: index, end: index + written.length });
  const isIn = (places: readonly Place[]) => (one: RegExpExecArray) =>
    places.some((place) => place.path === path && overlap(place.span, placeOf(one).span));
  // A variable's contents may be read as a command later.
  const isRead = problems.some(({ kind }) => kind === 'missing-file');
  const all = [...text.matchAll(placeToFillIn)].filter(({ index }) =>
    mayStartProgram(commandAt(text, index), isRead),
  );
  if (all.length === 0) return [];
  const filled = (fill: string): string =>
    text.replace(anyToFillIn, (written) => fill.repeat(written.length));
  // Values are filled in, and options are left out.
  for (const meant of [filled('x'), filled(' ')]) {
    const places = oursIn(meant).flatMap(({ place, words }) => [place, ...words.map(writtenAt)]);
    const within = all.find(isIn(places));
    if (within === undefined) continue;
    const [written, name = '', target = ''] = within;
    const values = { written, file: name.replace(/\s.*/s, ''), target };
    return commonFinding(common, 'placeholder', placeOf(within), values);
  }
  return [];
}
