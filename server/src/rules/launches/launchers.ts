import type { Run } from '../../frameworks/framework.ts';
import type { LauncherFault } from '../../launch/faults/launcherFault.ts';
import type { MeetingFault } from '../../launch/faults/meetingFault.ts';
import type { NoAddress } from '../../launch/faults/meetingPoint.ts';
import type { ExtraFault } from '../../launch/faults/uvProject.ts';
import { refusedText } from '../../text/refused.ts';
import type { Span } from '../../text/span.ts';
import { closest } from '../../text/spelling.ts';
import { display, textOf, type Word, writtenAt } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';
import { exclusiveFinding } from './exclusiveOptions.ts';
import { isWritten, type Read, withoutWords } from './withoutWords.ts';

type FaultOf<Kind extends LauncherFault['kind']> = Extract<LauncherFault, { kind: Kind }>;

interface BoundFaults {
  readonly faults: readonly LauncherFault[];
  readonly runs: readonly Run[];
}

/**
 * What a command's launchers refuse, with the runs as they were meant: words before the program count as options of the program if it has one
 * of them, otherwise as options that the launcher does not have.
 *
 * @param bind the runs of the command as it would be without the faults
 */
export function firstBorneOut(
  faults: readonly LauncherFault[],
  bind: (faults: readonly LauncherFault[]) => readonly Run[],
): BoundFaults {
  const moved = faults.flatMap((fault) => (fault.kind === 'before-program' ? fault.words : []));
  if (moved.length > 0) {
    // Without these options the launcher takes another word for the program.
    const remaining = faults.filter(
      (fault) =>
        fault.kind !== 'behind-program' && !(fault.kind === 'unknown-option' && moved.includes(fault.word)),
    );
    const runs = bind(remaining);
    if (runs.some((run) => hasOneOf(run, moved))) return { faults: remaining, runs };
  }
  const others = faults.filter(({ kind }) => kind !== 'before-program');
  return { faults: others, runs: bind(others) };
}

function hasOneOf({ settings }: Run, words: readonly Word[]): boolean {
  return settings.some(({ syntax }) => syntax.kind === 'flag' && words.includes(syntax.keyWord));
}

/** Findings on how the launchers of a command are called. */
export function launcherFindings(
  faults: readonly LauncherFault[],
  read: Read,
  common: CommonRules,
): Finding[] {
  return faults.flatMap((fault) => findingsOf(fault, read, common));
}

function findingsOf(fault: LauncherFault, read: Read, common: CommonRules): Finding[] {
  switch (fault.kind) {
    case 'unknown-option':
      return unknownOption(fault, common);
    case 'invalid-value':
      return invalidValue(fault, common);
    case 'exclusive-option':
      return exclusiveFinding(fault, read, common);
    case 'needed-option':
      return neededOption(fault, read, common);
    case 'no-separator':
      return noSeparator(fault, read, common);
    case 'missing-value':
      return missingValue(fault, common);
    case 'options-ended':
      return optionsEnded(fault, read, common);
    case 'behind-program':
    case 'before-program':
      return onWrongSide(fault, read, common);
    case 'no-address':
      return noAddress(fault, read, common);
    case 'meeting':
      return meetingFinding(fault, read, common);
    case 'misspelt-module':
    case 'misspelt-program':
      return misspelt(fault, read, common);
    case 'unknown-extra':
    case 'conflicting-extra':
      return extraFinding(fault, read, common);
    case 'module-as-file':
      return moduleAsFile(fault, read, common);
    case 'file-as-module':
      return fileAsModule(fault, read, common);
  }
}

function invalidValue({ word, name, expected }: FaultOf<'invalid-value'>, common: CommonRules): Finding[] {
  const values = { name, expected, value: refusedText(display(word)) };
  return commonFinding(common, 'invalid-value', writtenAt(word), values);
}

function neededOption(
  { word, names, alone }: FaultOf<'needed-option'>,
  read: Read,
  common: CommonRules,
): Finding[] {
  const details = { fixes: withOption(word, alone, read) };
  return commonFinding(common, 'required-option', writtenAt(word), { name: names }, details);
}

function missingValue({ word, launcher, taken }: FaultOf<'missing-value'>, common: CommonRules): Finding[] {
  const detail = taken === undefined ? '' : `: ${launcher} reads ${display(taken)} as one`;
  return commonFinding(common, 'missing-value', writtenAt(word), { name: display(word), detail });
}

function optionsEnded({ word, name }: FaultOf<'options-ended'>, read: Read, common: CommonRules): Finding[] {
  const details = { fixes: withoutWords(`Remove ${display(word)}`, [word], read) };
  return commonFinding(common, 'options-ended', word.place, { name }, details);
}

function noAddress(fault: FaultOf<'no-address'>, read: Read, common: CommonRules): Finding[] {
  const { word, nodes, launcher } = fault;
  const details = { certainty: 'likely', fixes: withAddress(fault, read) } as const;
  return commonFinding(common, 'nodes-without-address', writtenAt(word), { nodes, launcher }, details);
}

/** A misspelt name of what is started. */
function misspelt(
  fault: FaultOf<'misspelt-module'> | FaultOf<'misspelt-program'>,
  read: Read,
  common: CommonRules,
): Finding[] {
  const { kind, word, meant } = fault;
  if (kind === 'misspelt-program') {
    const details = { certainty: 'likely', fixes: corrected(word, fault.part, read) } as const;
    return commonFinding(common, kind, word.place, { written: fault.written, meant }, details);
  }
  const { module } = fault;
  if (isAbove(word.place.path, `${module.replaceAll('.', '/')}.py`, read)) return [];
  const details = { certainty: 'likely', fixes: corrected(word, meant, read) } as const;
  return commonFinding(common, kind, word.place, { module, meant }, details);
}

function fileAsModule(
  { file, option }: FaultOf<'file-as-module'>,
  read: Read,
  common: CommonRules,
): Finding[] {
  const fixes = option === undefined ? [] : withoutWords(`Remove ${display(option)}`, [option], read);
  return commonFinding(common, 'file-as-module', file.place, { file: display(file) }, { fixes });
}

function moduleAsFile(
  { word, launcher, expected }: FaultOf<'module-as-file'>,
  read: Read,
  common: CommonRules,
): Finding[] {
  const fixes = writtenBefore(word, '-m ', 'Write -m before the module', read);
  const values = { module: display(word), launcher, expected };
  return commonFinding(common, 'module-as-file', word.place, values, { fixes });
}

/** A submission that takes the program's options for its own. */
function noSeparator(
  { program, name, word }: FaultOf<'no-separator'>,
  read: Read,
  common: CommonRules,
): Finding[] {
  const values = { program: display(program), name };
  return commonFinding(common, 'submission-without-separator', program.place, values, {
    related: [{ place: word.place, message: `${name} is here` }],
    fixes: writtenBefore(program, '-- ', 'Write -- before the program', read),
  });
}

/** Options of the launcher after the program, or options of the program before it. */
function onWrongSide(
  { kind, words, program, launcher, isApart }: FaultOf<'behind-program' | 'before-program'>,
  read: Read,
  common: CommonRules,
): Finding[] {
  const [first] = words;
  if (first === undefined) return [];
  const isBehind = kind === 'behind-program';
  const rule = isBehind ? 'launcher-option-behind-program' : 'program-option-before-program';
  const move = isBehind ? beforeProgram : behindProgram;
  const values = { name: display(first).replace(/=.*/s, ''), program: display(program), launcher };
  return commonFinding(common, rule, writtenAt(first), values, {
    fixes: isApart ? move(words, program, read) : [],
  });
}

/** Whether a file exists in the folder of a path or in one above it. */
function isAbove(path: string, file: string, read: Read): boolean {
  const folders = path.split('/').slice(0, -1);
  return folders.some((_, at) => read([...folders.slice(0, at + 1), file].join('/')) !== undefined);
}

function unknownOption(
  { word, name, meant, launcher }: FaultOf<'unknown-option'>,
  common: CommonRules,
): Finding[] {
  const origin = word.pieces[0]?.origin;
  const place = origin?.place ?? word.place;
  const span = { start: place.span.start, end: place.span.start + name.length };
  const isWhole = origin?.verbatim === true && place.span.end - place.span.start >= name.length;
  const program = launcher.replace(/^-m /, '');
  return commonFinding(
    common,
    'unknown-option',
    place,
    { name, hint: ` ${program} does not know it.${meant === undefined ? '' : ` Did you mean ${meant}?`}` },
    {
      // A newer release may have it.
      severity: meant === undefined ? 'warning' : 'error',
      certainty: meant === undefined ? 'likely' : 'certain',
      settings: [name],
      fixes:
        meant === undefined || !isWhole
          ? []
          : fixOf(`Write ${meant}`, place.path, [{ span, newText: meant }]),
    },
  );
}

/** Why the nodes of a job do not find each other. */
function meetingFinding(
  { rule, launcher, word, nodes, isPast }: MeetingFault,
  read: Read,
  common: CommonRules,
): Finding[] {
  const place = writtenAt(word);
  const values = { launcher, value: display(word), nodes: String(nodes), last: String(nodes - 1) };
  const isCertain = !isPast && (rule === 'rank-beyond-nodes' || rule === 'standalone-on-nodes');
  return commonFinding(common, rule, place, values, {
    ...(isPast ? { severity: 'warning' } : {}),
    certainty: isCertain ? 'certain' : 'likely',
    fixes: rule === 'standalone-on-nodes' ? withoutWords(`Remove ${display(word)}`, [word], read) : [],
  });
}

/** What uv says about an extra to install, with the lines of the project on which that is based. */
function extraFinding(fault: ExtraFault, read: Read, common: CommonRules): Finding[] {
  const { word, name, project } = fault;
  const origin = word.pieces[0]?.origin;
  const place = writtenAt(word);
  const table = fault.kind === 'unknown-extra' ? 'optional-dependencies' : 'conflicts';
  const at = new RegExp(`^[ \\t]*\\[?(?:project\\.|tool\\.uv\\.)?${table}\\b`, 'm').exec(read(project) ?? '');
  const start = at?.index ?? 0;
  const span = { start, end: start + (at?.[0].length ?? 0) };
  const related = [{ place: { path: project, span }, message: 'the project that uv finds' }];
  if (fault.kind === 'conflicting-extra') {
    const values = { name, other: fault.other };
    return commonFinding(common, fault.kind, place, values, { related });
  }
  const meant = closest(name, fault.extras, 2);
  const isWhole = origin?.verbatim === true && word.pieces.length === 1;
  const values = {
    name: display(word),
    extras: fault.extras.length === 0 ? 'none' : fault.extras.join(', '),
  };
  return commonFinding(common, fault.kind, place, values, {
    certainty: 'likely',
    related,
    fixes:
      meant === undefined || !isWhole
        ? []
        : fixOf(`Write ${meant}`, place.path, [{ span: place.span, newText: meant }]),
  });
}

/** A fix that replaces a word with another text, if the word is verbatim in the text. */
function corrected(word: Word, newText: string, read: Read): readonly Fix[] {
  const { path, span } = word.place;
  return isWritten(word, read) ? fixOf(`Write ${newText}`, path, [{ span, newText }]) : [];
}

/** A fix that moves words before the program, if they come from one expansion or directly follow each other in the text of the launch. */
function beforeProgram(words: readonly Word[], program: Word, read: Read): readonly Fix[] {
  const { path, span } = program.place;
  const text = read(path) ?? '';
  const starts = words.map((word) => word.place.span.start);
  const ends = words.map((word) => word.place.span.end);
  const moved = { start: Math.min(...starts), end: Math.max(...ends) };
  const isHere = words.every((word) => word.place.path === path) && moved.start > span.end;
  const isOne = new Set(starts).size === 1;
  const isRow = words.every(
    (word, at) =>
      isWritten(word, read) && (at === 0 || /^[ \t]+$/.test(text.slice(ends[at - 1] ?? 0, starts[at] ?? 0))),
  );
  if (!isHere || !isWritten(program, read) || !(isOne || isRow)) return [];
  const blanks = /(?<![ \t])[ \t]*$/.exec(text.slice(span.end, moved.start))?.[0].length ?? 0;
  return fixOf(`Move them before ${display(program)}`, path, [
    { span: { start: span.start, end: span.start }, newText: `${text.slice(moved.start, moved.end)} ` },
    { span: { start: moved.start - blanks, end: moved.end }, newText: '' },
  ]);
}

/** What may come between two words of one command. */
const gap = /^(?:[ \t]|\\\r?\n)+/;

/** A fix that moves words after the program, together with their lines, if nothing else is between them. */
function behindProgram(words: readonly Word[], program: Word, read: Read): readonly Fix[] {
  const { path, span } = program.place;
  const text = read(path) ?? '';
  const [first, ...others] = words.map(({ place }) => place);
  if (first === undefined || first.path !== path || !isWritten(program, read)) return [];
  let { end } = first.span;
  for (const other of others) {
    const isRow = other.path === path && gap.exec(text.slice(end, other.span.start))?.[0].length;
    if (other.span.end !== end && isRow !== other.span.start - end) return [];
    end = other.span.end;
  }
  const moved = { start: first.span.start, end };
  const behind = gap.exec(text.slice(end, span.start))?.[0] ?? '';
  if (end >= span.start || behind === '') return [];
  return fixOf(`Move them after ${display(program)}`, path, [
    { span: { start: moved.start, end: end + behind.length }, newText: '' },
    { span: { start: span.end, end: span.end }, newText: behind + text.slice(moved.start, moved.end) },
  ]);
}

/** Inserts a text before a word that is verbatim in the text. */
function writtenBefore(word: Word, newText: string, title: string, read: Read): readonly Fix[] {
  const { path, span } = word.place;
  const before = { start: span.start, end: span.start };
  return isWritten(word, read) ? fixOf(title, path, [{ span: before, newText }]) : [];
}

/** Adds the option that a command needs, if no command of the text has it: next to one that has it, this one may need another. */
function withOption(word: Word, option: string, read: Read): readonly Fix[] {
  const { path, span } = word.place;
  const text = read(path) ?? '';
  const isOnlyOne = !new RegExp(`(?<![\\w-])${option}(?![\\w-])`).test(text);
  if (!isOnlyOne || text.slice(span.start, span.end) !== textOf(word)) return [];
  const end = { start: span.end, end: span.end };
  return fixOf(`Add ${option}`, path, [{ span: end, newText: ` ${option}` }]);
}

/** An address to fill in, inserted before the number of nodes if that is a word of its own or part of a text of several words. */
function withAddress({ word, example }: NoAddress, read: Read): readonly Fix[] {
  const origin = word.pieces[0]?.origin;
  if (origin?.verbatim !== true) return [];
  const { path, span } = origin.place;
  const text = read(path) ?? '';
  const before = text.charAt(span.start - 1);
  if (/["']/.test(before) && !/\s/.test(text.charAt(span.end))) return [];
  const edit = { path, span: { start: span.start, end: span.start }, newText: `${example} ` };
  return [{ title: `Give an address: ${example}`, safety: 'example', cost: undefined, edits: [edit] }];
}

function fixOf(
  title: string,
  path: string,
  edits: readonly { readonly span: Span; readonly newText: string }[],
): readonly Fix[] {
  return [
    suggestedFix(
      title,
      edits.map((edit) => ({ path, ...edit })),
    ),
  ];
}
