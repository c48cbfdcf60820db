import { distance } from 'fastest-levenshtein';
import type { Command } from '../launch/command.ts';
import { variablesFromOutside } from '../launch/wrappers/outsideVariables.ts';
import { withoutComments } from '../text/comments.ts';
import type { Place } from '../text/span.ts';
import { isSwapped } from '../text/spelling.ts';
import type { HolePiece } from '../value/word.ts';
import { commonFinding } from './commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from './finding.ts';
import type { CommonRules } from './rule.ts';

/** The length of a name from which on one character more or less counts as a slip: `TP`, `PP` and `CP` are three names. */
const shortestName = 4;

/** The texts in which the names of a launch are looked up. */
export interface NamedTexts {
  readonly common: CommonRules;
  readonly read: (path: string) => string | undefined;
  /** The script and the files that it reads. */
  readonly paths: readonly string[];
}

/** Variables that launches use but nothing assigns, if they resemble an assigned one; and variables that are run as a program: `$(NAME)`. */
export function nameFindings(commands: readonly Command[], { common, read, paths }: NamedTexts): Finding[] {
  const found = new Map<string, Map<number, Place>>();
  for (const command of commands)
    for (const { label, origin } of holesOf(command)) {
      const [named, variable] = namedHole.exec(label) ?? [];
      if (named === undefined) continue;
      if (variable !== undefined && (command.doubtful !== undefined || variablesFromOutside.test(variable)))
        continue;
      const places = found.get(label) ?? new Map<number, Place>();
      found.set(label, places.set(origin.place.span.start, origin.place));
    }
  if (found.size === 0) return [];
  const texts = paths.flatMap((path) => {
    const text = read(path);
    return text === undefined ? [] : [{ text, code: withoutComments(text) }];
  });
  const assigned = assignedIn(texts.map(({ text }) => text));
  const mayAssignAny = texts.some(({ code }) => assignsAny.test(code));
  return [...found].flatMap(([label, at]) => {
    const [, variable, program] = namedHole.exec(label) ?? [];
    const places = [...at.values()];
    if (program !== undefined)
      return assigned.has(program)
        ? places.flatMap((place) => runVariable(program, place, read, common))
        : [];
    const meant =
      variable === undefined || mayAssignAny ? undefined : nearlyMissed(variable, assigned, texts);
    return variable === undefined || meant === undefined
      ? []
      : unassigned(variable, meant, places, read, common);
  });
}

/** A variable without a value, or a program named like a variable. */
const namedHole = /^\$(?:\{?([A-Za-z_]\w*)\}?|\(([A-Z][A-Z\d_]*)\))$/;

/** The holes of a command's words that may be unset variables or programs. */
function holesOf(command: Command): readonly HolePiece[] {
  const found: HolePiece[] = [];
  for (const { words } of [command, ...command.via])
    for (const { pieces } of words)
      for (const piece of pieces)
        if (piece.kind === 'hole' && (piece.reason === 'environment' || piece.label.startsWith('$(')))
          found.push(piece);
  return found;
}

/** What comes before an assigned name: the start of a line or command, or one of these words. */
const beforeName = String.raw`(?:^|[;&|({]|\b(?:then|do|else|export|declare|local|readonly|typeset)\b)`;

/** The names that texts assign, anywhere in them. */
export function assignedIn(texts: readonly string[]): ReadonlySet<string> {
  const patterns = [
    // Not on a continued line: there `seed=1` is an override. The lookbehind reaches far back, so it is only tried where an assignment may
    // begin.
    new RegExp(String.raw`(?=${beforeName})(?<!\\\r?\n[ \t]*)${beforeName}[ \t]*([A-Za-z_]\w*)\+?=`, 'gm'),
    /\$\{([A-Za-z_]\w*):?=/g,
    /\bfor[ \t]+([A-Za-z_]\w*)[ \t]+in\b/g,
  ];
  const reading = /\bread((?:[ \t]+-?\w+)+)/g;
  return new Set(
    texts.flatMap((text) => {
      const code = withoutComments(text);
      const read = [...code.matchAll(reading)].flatMap(
        ([, words = '']) => words.match(/(?<![\w-])[A-Za-z_]\w*/g) ?? [],
      );
      return [
        ...patterns.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name = '']) => name)),
        ...read,
      ];
    }),
  );
}

/** What assigns variables whose names are only computed when the script runs: `export "$KEY"="$VALUE"`, `export $(xargs < .env)`. */
const assignsAny =
  /\b(?:export|declare|typeset)(?:[ \t]+-\w+)*[ \t]+["']?(?:\$|`)|\beval[ \t]+["']?(?:export[ \t]+)?\$\{?\w+\}?=|\bprintf[ \t]+-v[ \t]+["']?\$/;

/** A text, and the same text with its comments blanked out. */
interface CommentedText {
  readonly text: string;
  readonly code: string;
}

/** The assigned variable that was meant by one that texts only ever expand; undefined if there are several candidates, or the user sets it. */
function nearlyMissed(
  name: string,
  assigned: ReadonlySet<string>,
  texts: readonly CommentedText[],
): string | undefined {
  if (assigned.has(name)) return undefined;
  const near = [...assigned].filter((other) => isNear(name, other));
  const [meant] = near;
  if (meant === undefined || near.length > 1) return undefined;
  const isIdle = !texts.some(({ code }) => isUsed(code, meant));
  return texts.every(({ text }) => onlyExpands(text, name, meant, isIdle)) ? meant : undefined;
}

function isNear(name: string, other: string): boolean {
  if (name === `${other}_`) return true;
  // An all-capitals name may come from outside.
  if (/[a-z]/.test(name) && name.toLowerCase() === other.toLowerCase()) return true;
  if (Math.min(name.length, other.length) < shortestName) return false;
  // `GPU0` and `GPU1` are different variables.
  const lettersOf = (text: string): string => text.replace(/\d/g, '');
  if (lettersOf(name) === lettersOf(other)) return false;
  return distance(name, other) === 1 || isSwapped(name, other);
}

/**
 * Whether a text mentions a variable only to expand it: one that comments mention or that has a default is for the user to set, and one that
 * the other variable is made from gave it its name.
 *
 * @param isIdle whether the other one is never used, so that it does not matter what comments say
 */
function onlyExpands(text: string, name: string, other: string, isIdle: boolean): boolean {
  for (const { index } of text.matchAll(new RegExp(`\\b${name}\\b`, 'g'))) {
    const isPlain =
      text[index - 1] === '$' || (text.slice(index - 2, index) === '${' && text[index + name.length] === '}');
    const lineStart = text.lastIndexOf('\n', index) + 1;
    const before = text.slice(lineStart, index);
    if (/(?:^|\s)#/.test(before)) {
      if (!isIdle) return false;
    } else if (!isPlain || new RegExp(`\\b${other}\\+?=`).test(before)) return false;
  }
  return true;
}

/** Whether a text without comments expands a variable or passes it to programs. */
function isUsed(code: string, name: string): boolean {
  const use = new RegExp(`\\$\\{?[#!]?${name}\\b(?!:?=)|\\bexport\\b[^\\n]*\\b${name}\\b`);
  return use.test(code);
}

type Read = NamedTexts['read'];

function unassigned(
  name: string,
  meant: string,
  places: readonly Place[],
  read: Read,
  common: CommonRules,
): Finding[] {
  const edits = places.flatMap(({ path, span }) => {
    const start = (read(path)?.startsWith('${', span.start) === true ? 2 : 1) + span.start;
    return editOf({ path, span: { start, end: start + name.length } }, name, meant, read);
  });
  const [place] = places;
  if (place === undefined) return [];
  return commonFinding(
    common,
    'unassigned-variable',
    place,
    { name, meant },
    {
      certainty: 'likely',
      related: places.slice(1).map((other) => ({ place: other, message: `${name} is used here too` })),
      fixes: edits.length === places.length ? [suggestedFix(`Use ${meant}`, edits)] : [],
    },
  );
}

/** `$(NAME)`. */
function runVariable(name: string, place: Place, read: Read, common: CommonRules): Finding[] {
  const edits = editOf(place, `$(${name})`, `\${${name}}`, read);
  const fixes = edits.length > 0 ? [suggestedFix(`Write \${${name}}`, edits)] : [];
  return commonFinding(common, 'variable-as-command', place, { name }, { fixes });
}

/** An edit that replaces a text; none if that text is not actually there. */
function editOf({ path, span }: Place, written: string, newText: string, read: Read): Fix['edits'] {
  return read(path)?.slice(span.start, span.end) === written ? [{ path, span, newText }] : [];
}
