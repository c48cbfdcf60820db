import type { Place } from '../../text/span.ts';
import type { HoleShape } from '../../value/word.ts';
import { startAgain } from '../files/fileEffects.ts';
import { madeOfDirectory } from '../state/elsewhere.ts';
import { isPath } from '../state/needs.ts';
import {
  firstHole,
  hole,
  isUncounted,
  knownText,
  made,
  madeAt,
  nothing,
  type Pieces,
  type ShellHole,
  through,
} from '../state/pieces.ts';
import type { Shell, Status } from '../state/shell.ts';
import { blankVariable, type Variable } from '../state/store.ts';
import { argumentOf, countOf, isGivenArgument, isOfScript } from './arguments.ts';
import { demand } from './demand.ts';
import { slurmVariable } from './slurmVariables.ts';

/** The result of reading a parameter. */
export interface Reading {
  readonly set: boolean;
  readonly pieces: Pieces;
  /** Absent names that leave it unset; empty if that is certain. */
  readonly needs: readonly string[];
  readonly variable: Variable | undefined;
  /** Whether it may also be unset. */
  readonly perhapsUnset?: boolean;
}

/** Variables set by every login or by Bash itself, with the shape of their text. */
const everywhere: ReadonlyMap<string, HoleShape> = new Map([
  ['HOME', 'any'],
  ['USER', 'any'],
  ['LOGNAME', 'any'],
  ['PATH', 'any'],
  ['SHELL', 'any'],
  ['LANG', 'any'],
  ['TERM', 'any'],
  ['HOSTNAME', 'host'],
  ['UID', 'integer'],
  ['EUID', 'integer'],
  ['PPID', 'integer'],
  ['SHLVL', 'integer'],
  ['COLUMNS', 'integer'],
  ['LINES', 'integer'],
  ['BASH', 'any'],
  ['BASH_VERSION', 'any'],
  ['BASH_VERSINFO', 'integer'],
  ['OSTYPE', 'any'],
  ['HOSTTYPE', 'any'],
  ['MACHTYPE', 'any'],
  ['BASHOPTS', 'any'],
  ['SHELLOPTS', 'any'],
  ['BASH_ARGV0', 'any'],
  ['BASH_SUBSHELL', 'integer'],
  ['DIRSTACK', 'any'],
  ['GROUPS', 'integer'],
]);

/** Variables with a different value each time. */
const changing: ReadonlyMap<string, HoleShape> = new Map([
  ['RANDOM', 'integer'],
  ['SRANDOM', 'integer'],
  ['SECONDS', 'integer'],
  ['EPOCHSECONDS', 'integer'],
  ['EPOCHREALTIME', 'unique'],
  ['BASHPID', 'integer'],
  ['BASH_COMMAND', 'any'],
  ['BASH_LINENO', 'integer'],
  ['LINENO', 'integer'],
]);

/** Variables that Bash itself gives a known value. */
const own: ReadonlyMap<string, string> = new Map([
  ['IFS', ' \t\n'],
  ['OPTIND', '1'],
  ['OPTERR', '1'],
  ['PS4', '+ '],
]);

/** Follows namerefs (`declare -n`) to the target name. */
export function targetName(shell: Shell, name: string): string {
  let current = name;
  for (let hops = 0; hops < 8; hops += 1) {
    const variable = shell.store.get(current);
    if (variable?.reference !== true) return current;
    const text = knownText(variable.value);
    if (text === undefined || !/^[A-Za-z_]\w*$/.test(text)) return current;
    current = text;
  }
  return current;
}

/** Variables that no script can assign: `UID=$(id -u)` is refused. */
const ownReadonly: ReadonlySet<string> = new Set(['EUID', 'PPID', 'UID']);

/** Whether Bash itself makes a variable readonly. */
export function isOwnReadonly(name: string): boolean {
  return ownReadonly.has(name);
}

/** A variable that Bash itself makes readonly, in its initial state; undefined for others. */
export function ownVariable(name: string, place: Place): Variable | undefined {
  if (!isOwnReadonly(name)) return undefined;
  const value = [hole('environment', `$${name}`, place, { shape: 'integer', nonEmpty: true })];
  return { ...blankVariable, kind: 'scalar', value, readonly: true, places: [place] };
}

/** Whether Bash refuses to assign a variable. */
export function isReadonly(shell: Shell, name: string): boolean {
  const target = targetName(shell, name);
  return shell.store.get(target)?.readonly ?? isOwnReadonly(target);
}

/** Reads a scalar parameter: a variable, a positional or a special parameter. */
export function readScalar(shell: Shell, name: string, place: Place): Reading {
  if (/^\d+$/.test(name)) return readPositional(shell, Number(name), place);
  if (name === 'FUNCNAME' && !isInFunction(shell))
    return { set: false, pieces: nothing, needs: [], variable: undefined };
  const special = readSpecial(shell, name, place);
  if (special !== undefined) return { set: true, pieces: special, needs: [], variable: undefined };
  const target = targetName(shell, name);
  const variable = shell.store.get(target);
  // It refers to an element, or to something unknown.
  if (variable?.reference === true && variable.value.length > 0)
    return { set: true, pieces: [hole('too-complex', `$${name}`, place)], needs: [], variable: undefined };
  if (variable !== undefined && (variable.kind !== 'unset' || !variable.inherits)) {
    touch(shell, variable.needs);
    if (variable.kind === 'unset') return { set: false, pieces: nothing, needs: [], variable };
    if (variable.kind === 'indexed' && !variable.elements.isCertain('0'))
      return uncertain(variable.elements.values(), `$${target}`, place, variable);
    const value =
      variable.kind === 'scalar' ? scalarValue(target, variable, place) : variable.elements.get('0');
    if (value === undefined) return { set: false, pieces: nothing, needs: [], variable };
    if (value.length === 0 || variable.awaited) {
      if (shell.run.given.has(`=${target}`))
        return {
          set: true,
          pieces: [hole('environment', `$${target}`, place, { nonEmpty: true })],
          needs: [],
          variable,
        };
      shell.touched?.add(`=${target}`);
    }
    return { set: true, pieces: value, needs: [], variable, perhapsUnset: variable.perhapsUnset };
  }
  return readOutside(shell, target, place);
}

/** The value of a scalar variable; one that a user's option fills is a hole that is empty without it. */
export function scalarValue(name: string, { value, awaited }: Variable, place: Place): Pieces {
  if (!awaited || value.length > 0) return value;
  return [hole('positional', `$${name}`, place, { assumed: '', needs: [`=${name}`] })];
}

/** Records the needs of a value that a condition reads. */
export function touch(shell: Shell, needs: readonly string[]): void {
  if (shell.touched !== undefined) for (const name of needs) shell.touched.add(name);
}

/** A variable that the script does not set: its value in the profile, else what is known about it. */
function readOutside(shell: Shell, name: string, place: Place): Reading {
  const { run } = shell;
  const set = (pieces: Pieces): Reading => ({ set: true, pieces, needs: [], variable: undefined });
  const declared = run.shared.options.machine.variables;
  if (Object.hasOwn(declared, name)) return set(made(declared[name] ?? '', place));
  const label = `$${name}`;
  const value = own.get(name);
  if (value !== undefined) return set(made(value, place));
  const shape = everywhere.get(name);
  if (shape !== undefined) return set([hole('environment', label, place, { shape, nonEmpty: true })]);
  const change = changing.get(name);
  if (change !== undefined) {
    const anew = [hole('random', label, place, { shape: change, nonEmpty: true })];
    startAgain(shell, anew);
    return set(anew);
  }
  const slurm = slurmVariable(shell, name, place);
  if (slurm !== undefined) return set([slurm]);
  if (run.given.has(name)) return set([hole('environment', label, place, { nonEmpty: true })]);
  return { set: false, pieces: nothing, needs: [name], variable: undefined };
}

function readPositional(shell: Shell, index: number, place: Place): Reading {
  if (index === 0) return { set: true, pieces: shell.name, needs: [], variable: undefined };
  const { positionals } = shell;
  const counted = countedOf(positionals.words);
  if (index > counted && counted < positionals.words.length)
    return uncertain(positionals.words, `$${index}`, place);
  const word = positionals.words[index - 1];
  if (word !== undefined)
    return { set: true, pieces: madeWhereRead(word, place), needs: [], variable: undefined };
  if (!positionals.open) return { set: false, pieces: nothing, needs: [], variable: undefined };
  const { offset } = positionals;
  // After `shift` it is a different word of the caller's.
  const name = String(index + (offset ?? 0));
  const { run } = shell;
  const declared = isOfScript(positionals) ? run.shared.options.machine.variables[name] : undefined;
  if (declared !== undefined)
    return { set: true, pieces: made(declared, place), needs: [], variable: undefined };
  if (run.given.has(name)) {
    const facts = { nonEmpty: true, oneWord: true, of: argumentOf(shell, name) };
    const pieces = [hole('positional', `$${name}`, place, facts)];
    return { set: true, pieces, needs: [], variable: undefined };
  }
  if (isGivenArgument(shell, Number(name), place)) {
    const pieces = [hole('positional', `$${name}`, place, { oneWord: true, of: argumentOf(shell, name) })];
    return { set: true, pieces, needs: [], variable: undefined };
  }
  return { set: false, pieces: nothing, needs: [name], variable: undefined };
}

/** A positional parameter, with the place where it is read if it has none: those from the machine profile are in no script. */
export function madeWhereRead(word: Pieces, place: Place): Pieces {
  const stands = ({ origin }: Pieces[number]): boolean => origin.place.span.end > origin.place.span.start;
  if (word.every(stands)) return word;
  return word.map((piece) => (stands(piece) ? piece : { ...piece, origin: madeAt(place) }));
}

/** Number of values at the start whose positions are certain: those after one that may be absent or several are not. */
export function countedOf(values: readonly Pieces[]): number {
  const first = values.findIndex(isUncounted);
  return first < 0 ? values.length : first;
}

/** An element after one that may be absent or several: which one it is, and whether it exists, is unknown. */
export function uncertain(
  values: readonly Pieces[],
  label: string,
  place: Place,
  variable?: Variable,
  of?: string,
): Reading {
  const reason = firstHole(values.find(isUncounted) ?? [])?.reason ?? 'too-complex';
  return {
    set: true,
    pieces: [hole(reason, label, place, { blanks: true, of })],
    needs: [],
    variable,
    perhapsUnset: true,
  };
}

/** Whether a function is running, possibly sourcing a file. */
export function isInFunction({ frames }: Shell): boolean {
  return frames.some(({ functionName }) => functionName !== undefined);
}

/** An identity for the number of the script's process, the same wherever it is read; a script that it starts has another number. */
function processOf({ via }: Shell): string | undefined {
  return via.length === 0 ? '$$' : undefined;
}

/** `$#`, `$?`, `$$`, `$!`, `$-`, `$_`, PWD and what Bash stores about the running functions. */
function readSpecial(shell: Shell, name: string, place: Place): Pieces | undefined {
  switch (name) {
    case '#':
      return positionalCount(shell, place);
    case '?':
      touch(shell, shell.status.needs.filter(isPath));
      return statusText(shell.status, '$?', place);
    case '$':
      return [hole('random', '$$', place, { shape: 'integer', nonEmpty: true, of: processOf(shell) })];
    case '!': {
      const { lastJob } = shell.store.facts;
      if (lastJob !== undefined) return [{ ...lastJob, origin: madeAt(place) }];
      return [hole('random', '$!', place, { shape: 'integer', nonEmpty: true })];
    }
    case '-':
      return [hole('environment', '$-', place, { nonEmpty: true })];
    case '_':
      return [hole('environment', '$_', place)];
    case 'PWD':
      if (shell.store.get('PWD') !== undefined) return undefined;
      return shell.cwd === undefined
        ? [hole('outside', '$PWD', place, { nonEmpty: true })]
        : madeOfDirectory(shell, shell.cwd, place);
    case 'OLDPWD':
      return shell.store.get('OLDPWD') === undefined ? shell.store.facts.formerDirectory : undefined;
    case 'BASH_SOURCE':
      return shell.frames.at(-1)?.path ?? nothing;
    case 'FUNCNAME':
      return made(shell.frames.at(-1)?.functionName ?? 'source', place);
    // An assigned value is counted up, used as a seed, or not kept.
    case 'LINENO':
    case 'RANDOM':
    case 'SRANDOM':
    case 'SECONDS':
    case 'EPOCHSECONDS':
    case 'EPOCHREALTIME':
    case 'BASHPID':
      return shell.store.get(name)?.kind === 'scalar'
        ? [hole('random', `$${name}`, place, { shape: changing.get(name) ?? 'any', nonEmpty: true })]
        : undefined;
    default:
      return undefined;
  }
}

function positionalCount(shell: Shell, place: Place): Pieces {
  const { words, open, offset = 0 } = shell.positionals;
  const count = String(words.length);
  const facts = { shape: 'integer', nonEmpty: true, of: countOf(shell) } as const;
  if (words.some(isUncounted)) return [hole('positional', '$#', place, { shape: 'integer', nonEmpty: true })];
  if (!open) return made(count, place);
  const next = String(offset + words.length + 1);
  if (shell.run.given.has('#') || shell.run.given.has(next)) return [hole('positional', '$#', place, facts)];
  // What has been shifted away was given: there are no more than these if the next one is missing.
  return [hole('positional', '$#', place, { ...facts, assumed: count, needs: [offset > 0 ? next : '#'] })];
}

/** A status as in `$?`. */
export function statusText({ code, fork, needs, presumed }: Status, label: string, place: Place): Pieces {
  const facts = { shape: 'integer', nonEmpty: true } as const;
  if (fork !== undefined) return [hole('command-output', label, place, { ...facts, question: fork })];
  const text = String(code);
  if (!presumed && needs.every(isPath)) return made(text, place);
  return [hole('command-output', label, place, { ...facts, assumed: text, needs })];
}

/** A value after an expansion at `place`; an unset one is a hole that Bash leaves empty. */
export function seenThrough(shell: Shell, name: string, reading: Reading, place: Place): Pieces {
  if (reading.set) return through(reading.pieces, place);
  if (reading.needs.length === 0) {
    shell.refuseUnset(name, place);
    return nothing;
  }
  if (!shell.switches.nounset) return [absentValue(shell, name, reading, place)];
  for (const need of reading.needs) demand(shell, need, place);
  const positional = /^\d+$/.test(name);
  const reason = positional ? 'positional' : 'environment';
  const of = positional ? argumentOf(shell, reading.needs[0]) : undefined;
  return [hole(reason, labelOf(name, reading), place, { nonEmpty: true, oneWord: positional, of })];
}

/** A parameter as users write it: after `shift` a positional is a different word of the caller's. */
export function labelOf(name: string, { needs: [need] }: Reading): string {
  return need !== undefined && /^\d+$/.test(name) && /^\d+$/.test(need) ? `$${need}` : `$${name}`;
}

/** What the environment or the caller may provide for a parameter that the script does not set; empty, as the script is written. */
export function absentValue(shell: Shell, name: string, reading: Reading, place: Place): ShellHole {
  const { needs } = reading;
  const positional = /^\d+$/.test(name);
  const reason = positional ? 'positional' : 'environment';
  const of = positional ? argumentOf(shell, needs[0]) : undefined;
  return hole(reason, labelOf(name, reading), place, { assumed: '', needs, oneWord: positional, of });
}
