import { distance } from 'fastest-levenshtein';
import libraries from '../../../../schemas/common/library-variables.json';
import type { Launch } from '../../launch/launch.ts';
import { withoutComments } from '../../text/comments.ts';
import type { Span } from '../../text/span.ts';
import { isSwapped } from '../../text/spelling.ts';
import { textOf } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';
import type { TriedScript } from '../scripts/beforeLaunch.ts';

const known: ReadonlySet<string> = new Set(libraries.names);

/** The length of a name from which on one wrong letter counts as a slip. */
const shortestName = 8;

/**
 * What is wrong with the variables that a script sets for its launches: names that nobody reads, values that are not passed on, words that are
 * not numbers, and assignments in the syntax of other shells.
 *
 * @param texts the script and the files that it reads
 */
export function environmentFindings(
  script: TriedScript,
  launches: readonly Launch[],
  texts: readonly string[],
  common: CommonRules,
): Finding[] {
  if (launches.length === 0) return [];
  const report: Report = (id, span, values, fixes, more = {}) =>
    commonFinding(common, id, script.toPlace(span), values, { certainty: 'likely', fixes, ...more });
  const code = withoutComments(script.text);
  return [
    ...handedOn(script, code, launches, report),
    ...kept(script, code, launches, texts, report),
    ...foreign(script, code, texts, report),
  ];
}

type Report = (
  id: string,
  span: Span,
  values: { readonly [name: string]: string },
  fixes: readonly Fix[],
  more?: { readonly severity?: Finding['severity'] },
) => Finding[];

/** `NAME=value`, and what may come before it on a line if Bash takes it for an assignment: other assignments, or `export`. */
const assignment = /(?<!\w)([A-Z][A-Z0-9_]+)=(["']?)([^\s"';&|]*)\2/g;
const beforeAssignment = /^[ \t]*(?:export[ \t]+)?(?:[A-Za-z_]\w*=\S*[ \t]+)*$/;

/** Misspelt names, and words instead of numbers, if a launch receives the variable. */
function handedOn(
  script: TriedScript,
  code: string,
  launches: readonly Launch[],
  report: Report,
): readonly Finding[] {
  return [...code.matchAll(assignment)].flatMap(({ 1: name = '', 2: quote = '', 3: value = '', index }) => {
    const word = launches.flatMap(({ env }) => env.get(name) ?? [])[0];
    const before = code.slice(code.lastIndexOf('\n', index - 1) + 1, index);
    if (word === undefined || !beforeAssignment.test(before)) return [];
    const span = { start: index, end: index + name.length };
    const meant = misspelt(name);
    // A library of the user's own may have a variable with nearly the same name as the one that is set.
    if (meant !== undefined)
      return launches.some(({ env }) => env.has(name) && env.has(meant))
        ? []
        : report(
            'unread-variable',
            span,
            { name, meant },
            replaced(script, span, meant),
            ofOutput.test(meant) ? { severity: 'info' } : {},
          );
    const read = value === textOf(word) ? readAsNumber(name, value) : undefined;
    if (read === undefined) return [];
    const start = span.end + 1 + quote.length;
    const at = { start, end: start + value.length };
    const fixes = read.meant === undefined ? [] : replaced(script, at, read.meant);
    return report('number-of-a-library', at, { name, value, taken: read.taken }, fixes);
  });
}

/** Variables that are read as a whole number; tools/knowledge/commonFiles.ts says what each field means. */
interface NumberVariables {
  readonly names: RegExp;
  readonly switch?: { readonly taken: string; readonly otherwise: string; readonly yes: string };
  readonly units?: string;
}

const numbers: readonly NumberVariables[] = libraries.numbers.map((one) => ({
  ...one,
  names: new RegExp(one.names),
}));

/** What a library makes of a value that is not a number, and the number that was meant. */
interface ReadNumber {
  readonly taken: string;
  readonly meant: string | undefined;
}

/** Undefined for a value that is a number or is taken as it was meant. */
function readAsNumber(name: string, value: string): ReadNumber | undefined {
  const variables = numbers.find(({ names }) => names.test(name));
  if (variables?.switch !== undefined) return readAsSwitch(variables.switch, value);
  return variables?.units === undefined ? undefined : readAsSize(variables.units, value);
}

function readAsSwitch(
  { taken, otherwise, yes }: NonNullable<NumberVariables['switch']>,
  value: string,
): ReadNumber | undefined {
  if (new RegExp(taken, 'i').test(value)) return undefined;
  return { taken: otherwise, meant: new RegExp(yes, 'i').test(value) ? '1' : undefined };
}

function readAsSize(units: string, value: string): ReadNumber | undefined {
  const [, taken, unit = ''] = new RegExp(`^(\\d+)([${units}])i?b?$`, 'i').exec(value) ?? [];
  if (taken === undefined) return undefined;
  return { taken, meant: String(Number(taken) * 1024 ** (units.indexOf(unit.toLowerCase()) + 1)) };
}

const otherLibraries = new RegExp(libraries.otherLibraries.names);
const ofOutput = new RegExp(libraries.ofOutput.names);

/** Known misspellings that differ in more than one letter. */
const slips: ReadonlyMap<string, string> = new Map(libraries.slips.map(({ name, meant }) => [name, meant]));

/** The variable that a name misses by one letter, by two swapped letters, or by a known misspelling. */
function misspelt(name: string): string | undefined {
  if (known.has(name) || name.length < shortestName) return undefined;
  const usual = slips.get(name);
  if (usual !== undefined) return usual;
  const [own = ''] = otherLibraries.exec(name) ?? [];
  const near = libraries.names.filter(
    (other) =>
      other.startsWith(own) &&
      Math.abs(other.length - name.length) <= 1 &&
      (distance(name, other) === 1 || isSwapped(name, other)),
  );
  // `…_0` and `…_1`, or `…_V2` and `…_V3`, are different variables.
  const [meant, ...others] = near.filter((other) => other.replace(/\d/g, '') !== name.replace(/\d/g, ''));
  return others.length === 0 ? meant : undefined;
}

/** A command of only assignments: on one line, or on several continued with a backslash. */
const assignmentsAlone =
  /^([ \t]*)([A-Z_]\w*=(?:[^\s"'$`();&|\\]|\$\w|\$\{\w+\})*|[A-Z_]\w*="(?:[^"$`\\\n]|\$\w|\$\{\w+\})*"|[A-Z_]\w*='[^'\n]*')[ \t]*(\\\r?)?$/;

/** Variables of libraries that a command assigns and that nothing exports or mentions; the first one of each command. */
function kept(
  script: TriedScript,
  code: string,
  launches: readonly Launch[],
  texts: readonly string[],
  report: Report,
): readonly Finding[] {
  if (texts.some((text) => /\bset[ \t]+(?:-\w*a|-o[ \t]+allexport)/.test(text))) return [];
  const isLost = (name: string): boolean => {
    if (!known.has(name) || launches.some(({ env }) => env.has(name))) return false;
    const named = new RegExp(`(?<!\\w)${name}(?!\\w)`, 'g');
    return texts.reduce((count, text) => count + [...text.matchAll(named)].length, 0) <= 1;
  };
  return assignmentCommands(code).flatMap(([first, ...others]) => {
    const lost = [first, ...others].find((one) => one !== undefined && isLost(one.name));
    if (first === undefined || lost === undefined) return [];
    const span = { start: lost.start, end: lost.start + lost.name.length };
    return report('unexported-variable', span, { name: lost.name }, inserted(script, first.start, 'export '));
  });
}

/** A variable that is assigned, and where its name begins. */
interface Assigned {
  readonly name: string;
  readonly start: number;
}

/** The commands of a text that consist only of assignments, one per line: before a program, assignments would be for that program. */
function assignmentCommands(code: string): readonly (readonly Assigned[])[] {
  const commands: Assigned[][] = [];
  let open: Assigned[] | undefined = [];
  let start = 0;
  for (const line of code.split('\n')) {
    const [, blanks = '', written = '', goesOn] = assignmentsAlone.exec(line) ?? [];
    if (written === '') open = undefined;
    else open?.push({ name: written.slice(0, written.indexOf('=')), start: start + blanks.length });
    start += line.length + 1;
    if (goesOn !== undefined || /\\\r?$/.test(line)) continue;
    if (open !== undefined && open.length > 0) commands.push(open);
    open = [];
  }
  return commands;
}

/** `export NAME value`, `set` or `env` before `NAME=value`, and `setenv NAME value`, each alone on a line. */
const foreignForm =
  /^(?<blanks>[ \t]*)(?:export[ \t]+(?<name>[A-Za-z_]\w*)[ \t]+(?<value>[^\s=;&|-][^\s=;&|]*)|(?<command>set|env)[ \t]+(?<pair>[A-Z_][A-Z0-9_]*=[^\s;&|]*)|setenv[ \t]+(?<variable>[A-Za-z_]\w*)[ \t]+(?<text>[^\s;&|]+))[ \t]*$/gm;

/** Assignments in foreign syntax: without an equals sign, with `set`, `setenv`, or `env` without a command. */
function foreign(
  script: TriedScript,
  code: string,
  texts: readonly string[],
  report: Report,
): readonly Finding[] {
  return [...code.matchAll(foreignForm)].flatMap(({ 0: whole, index, groups = {} }) => {
    const meant = meantAssignment(groups, texts);
    if (meant === undefined) return [];
    const start = index + (groups.blanks ?? '').length;
    const span = { start, end: index + whole.trimEnd().length };
    const { reason, assignment } = meant;
    return report('no-assignment', span, { reason }, replaced(script, span, `export ${assignment}`));
  });
}

/** Why a line assigns nothing, and what it should assign; undefined if it may be meant as written. */
function meantAssignment(
  {
    name,
    value = '',
    command,
    pair = '',
    variable = '',
    text = '',
  }: { readonly [group: string]: string | undefined },
  texts: readonly string[],
): { readonly reason: string; readonly assignment: string } | undefined {
  if (name !== undefined) {
    const isName = /^[A-Za-z_]\w*$/.test(value);
    if (isAssigned(name, texts) || (isName && (isAssigned(value, texts) || /^[A-Z]/.test(value))))
      return undefined;
    const reason = `export marks ${name} and ${value} here and assigns nothing: the equals sign is missing.`;
    return { reason, assignment: `${name}=${value}` };
  }
  if (command === undefined) {
    const reason = `setenv is of another shell: Bash finds no such command, and ${variable} is not set.`;
    return { reason, assignment: `${variable}=${text}` };
  }
  const reason =
    command === 'set'
      ? `set makes ${pair} the first argument of the script and assigns nothing.`
      : `env sets ${pair} for a command after it, and there is none.`;
  return { reason, assignment: pair };
}

function isAssigned(name: string, texts: readonly string[]): boolean {
  const assigning = new RegExp(`(?<![\\w$])${name}\\+?=|\\b(?:read|for)[ \\t][^\\n]*\\b${name}\\b`);
  return texts.some((text) => assigning.test(text));
}

function replaced({ toPlace }: TriedScript, at: Span, newText: string): readonly Fix[] {
  const { path, span } = toPlace(at);
  return [suggestedFix(`Write ${newText}`, [{ path, span, newText }])];
}

function inserted({ toPlace }: TriedScript, at: number, newText: string): readonly Fix[] {
  const { path, span } = toPlace({ start: at, end: at });
  const title = `Write ${newText.trim()}`;
  return [suggestedFix(title, [{ path, span, newText }])];
}
