import type { Run } from '../../frameworks/framework.ts';
import type { Command } from '../../launch/command.ts';
import { type JsonFault, jsonFault } from '../../launch/faults/jsonFault.ts';
import {
  environmentsTakenForFiles,
  stoppingAnotherShell,
  submittedEnvironments,
} from '../../launch/wrappers/rayJob.ts';
import { knownParts, type RuntimeFaults, runtimeFaults } from '../../launch/wrappers/runtimeEnvironment.ts';
import { refusedText } from '../../text/refused.ts';
import type { Place } from '../../text/span.ts';
import { closest } from '../../text/spelling.ts';
import { display, textOf, type Word, writtenAt } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';

/** What a finding needs of a run's submission. */
interface Submission {
  readonly word: Word;
  readonly run: Run;
  readonly common: CommonRules;
  readonly read: (path: string) => string | undefined;
}

/** Runtime environments that Ray refuses before the job starts or does not take as intended, and words that its shell does not. */
export function submissionFindings(run: Run, common: CommonRules, read: Submission['read']): Finding[] {
  if (run.launch === undefined) return [];
  return [
    ...fileFindings(run, run.launch.command, common, read),
    ...jsonFindings(run, run.launch.command, common, read),
    ...shellFindings(run, run.launch.command, common),
  ];
}

/** The first word that stops the shell of older releases. */
function shellFindings({ framework }: Run, command: Command, common: CommonRules): Finding[] {
  const [first] = stoppingAnotherShell(command);
  if (first === undefined) return [];
  const values = { word: display(first.word), character: first.character };
  return commonFinding(common, 'word-for-another-shell', writtenAt(first.word), values, {
    framework,
    certainty: 'likely',
  });
}

const fileOption = '--runtime-env';

/** JSON where Ray opens a file. */
function fileFindings(
  { framework }: Run,
  command: Command,
  common: CommonRules,
  read: Submission['read'],
): Finding[] {
  return environmentsTakenForFiles(command).flatMap(({ option, value }) => {
    const { path, span } = writtenAt(option);
    const place = { path, span: { start: span.start, end: span.start + fileOption.length } };
    const isWritten = read(path)?.slice(place.span.start, place.span.end) === fileOption;
    const fixes = isWritten ? [fix('Write --runtime-env-json', place, '--runtime-env-json')] : [];
    return commonFinding(
      common,
      'json-for-a-file',
      isWritten ? place : option.place,
      {},
      {
        framework,
        settings: [fileOption],
        related: option === value ? [] : [{ place: value.place, message: 'the JSON' }],
        fixes,
      },
    );
  });
}

function jsonFindings(run: Run, command: Command, common: CommonRules, read: Submission['read']): Finding[] {
  return submittedEnvironments(command).flatMap((word) => {
    const submission = { word, run, common, read };
    const fault = jsonFault(word);
    if (fault === undefined) return contentFindings(submission);
    const { place, reason, line, comma } = fault;
    const lost = losesQuotes(fault, read) ? lostQuotes : '';
    const values = { reason: `${reason}${lost}`, line: String(line) };
    const more = { ...about(place, submission), fixes: punctuation(comma, submission) };
    return commonFinding(common, 'invalid-runtime-environment', place, values, more);
  });
}

const lostQuotes = '; Bash takes those around it for its own, which single quotes around the whole prevent';

/** Whether a name in the JSON is written in double quotes that end the quotes around the whole. */
function losesQuotes({ place: { path, span }, isBareName }: JsonFault, read: Submission['read']): boolean {
  return isBareName && read(path)?.[span.start - 1] === '"';
}

/** The fix for a missing or surplus comma, if the character that shows it is written in the JSON itself: verbatim, or after a backslash. */
function punctuation(comma: JsonFault['comma'], { word, read }: Submission): readonly Fix[] {
  const [piece] = comma?.character.pieces ?? [];
  if (comma === undefined || piece?.kind !== 'text') return [];
  if (piece.origin.via.length !== (word.pieces[0]?.origin.via.length ?? 0)) return [];
  const { path, span } = piece.origin.place;
  const written = read(path)?.slice(span.start, span.end);
  if (written !== piece.text && written !== `\\${piece.text}`) return [];
  return comma.is === 'extra'
    ? [fix('Take the comma out', { path, span }, '')]
    : [fix('Put the comma in', { path, span: { start: span.end, end: span.end } }, ',')];
}

/** What all findings about a runtime environment have in common. */
function about(place: Place, { word, run }: Submission): Partial<Finding> {
  const isElsewhere =
    place.path !== word.place.path ||
    place.span.end <= word.place.span.start ||
    place.span.start >= word.place.span.end;
  return {
    framework: run.framework,
    settings: ['--runtime-env-json'],
    related: isElsewhere ? [{ place: word.place, message: 'the job is submitted with it here' }] : [],
  };
}

function contentFindings(submission: Submission): Finding[] {
  const { common, word } = submission;
  const { notText, parts, others, beside } = runtimeFaults(word);
  const numbers = notText.flatMap(({ name, value }) => {
    const place = writtenAt(value);
    const fixes = quoting(value, submission);
    const values = { name, value: textOf(value) ?? '' };
    return commonFinding(common, 'runtime-variable-no-text', place, values, {
      ...about(place, submission),
      fixes,
    });
  });
  const names = parts.flatMap((part) => {
    const name = textOf(part);
    if (name === undefined || knownParts.includes(name) || name.startsWith('_')) return [];
    const meant = closest(name, knownParts, 2);
    // Others may belong to a plugin.
    if (meant === undefined || parts.some((other) => textOf(other) === meant)) return [];
    const place = writtenAt(part);
    const fixes = isWritten(part, submission) ? [fix(`Write ${meant}`, place, meant)] : [];
    return commonFinding(
      common,
      'unknown-runtime-part',
      place,
      { name, meant },
      { ...about(place, submission), fixes },
    );
  });
  const kinds = others.flatMap(({ name, value, expected }) => {
    const values = { name, expected, value: refusedText(textOf(value) ?? '') };
    return commonFinding(
      common,
      'invalid-value',
      writtenAt(value),
      values,
      about(writtenAt(value), submission),
    );
  });
  return [...numbers, ...names, ...kinds, ...besideFindings(beside, submission)];
}

/** Two ways to install packages, only one of which Ray takes. */
function besideFindings(beside: RuntimeFaults['beside'], submission: Submission): Finding[] {
  if (beside === undefined) return [];
  const { part, name, other } = beside;
  const place = writtenAt(part);
  return commonFinding(
    submission.common,
    'exclusive-options',
    place,
    { name, other },
    about(place, submission),
  );
}

/** Whether the characters of a word are in the JSON itself, not in a variable used there. */
function isWritten({ pieces, place }: Word, { word, read }: Submission): boolean {
  const [piece] = pieces;
  if (piece?.kind !== 'text' || pieces.length !== 1 || !piece.origin.verbatim) return false;
  const { path, span } = piece.origin.place;
  const [around] = word.pieces;
  return (
    place === word.place &&
    piece.origin.via.length === (around?.origin.via.length ?? 0) &&
    read(path)?.slice(span.start, span.end) === piece.text
  );
}

/** The fix that quotes a value, in the style of the text: `\"` if the text is in double quotes itself. */
function quoting(value: Word, submission: Submission): readonly Fix[] {
  if (!isWritten(value, submission)) return [];
  const place = writtenAt(value);
  const before = submission.read(place.path)?.slice(0, place.span.start).trimEnd() ?? '';
  const quote = /\\"\s*:$/.test(before) ? '\\"' : '"';
  const text = `${quote}${textOf(value) ?? ''}${quote}`;
  return [fix(`Write ${text}`, place, text)];
}

function fix(title: string, { path, span }: Place, newText: string): Fix {
  return suggestedFix(title, [{ path, span, newText }]);
}
