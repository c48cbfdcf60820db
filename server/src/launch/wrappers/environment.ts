import type { Environment } from '../../bash/options.ts';
import type { Place } from '../../text/span.ts';
import { textOf, type Word } from '../../value/word.ts';
import type { Command } from '../command.ts';
import { cut, unitsOf } from '../pieces.ts';
import type { Chain, Step } from './chain.ts';
import { assignmentOf, type OptionUse } from './options.ts';
import { mayHoldVariables, runtimeVariables } from './runtimeEnvironment.ts';
import type { EnvironmentRule } from './wrapper.ts';

/**
 * The environment that the program behind all wrappers sees, as far as the texts set it.
 * @param chains the chains of `command.via` (outermost last, as there)
 */
export function environmentOf(command: Command, chain: Chain, chains: readonly Chain[]): Environment {
  let outerShell: Environment = new Map();
  let passed: Environment = new Map();
  for (let index = command.via.length - 1; index >= 0; index--) {
    const outer = command.via[index];
    const outerChain = chains[index];
    if (outer === undefined || outerChain === undefined) continue;
    passed = throughSteps(received(outer.env, outerShell, passed), outerChain.steps);
    outerShell = outer.env;
  }
  const own = command.via.length === 0 ? command.env : received(command.env, outerShell, passed);
  return throughSteps(own, chain.steps);
}

/**
 * What an inner shell's command receives: the inner shell's own settings win, but what it only inherited from the outer shell is replaced by
 * what the wrappers in between made of it.
 */
function received(inner: Environment, outerShell: Environment, passed: Environment): Environment {
  const env = new Map(passed);
  for (const [name, word] of inner) {
    const inherited = outerShell.get(name);
    if (inherited === undefined || !sameWord(inherited, word)) env.set(name, word);
  }
  return env;
}

function sameWord(a: Word, b: Word): boolean {
  if (a === b) return true;
  const text = textOf(a);
  return (
    text !== undefined &&
    text === textOf(b) &&
    a.place.path === b.place.path &&
    a.place.span.start === b.place.span.start
  );
}

/** What wrappers make of an environment, outermost first; the same map if they change nothing. */
export function throughSteps(env: Environment, steps: readonly Step[]): Environment {
  let current = env;
  for (const step of steps) current = throughStep(current, step);
  return current;
}

function throughStep(env: Environment, step: Step): Environment {
  const rule = step.wrapper.environment;
  const assignments = step.assignments;
  if (rule === undefined && assignments.length === 0) return env;
  const isolated =
    (isGiven(rule?.isolated ?? false, step.options) && !isGiven(rule?.keep ?? [], step.options)) ||
    isElsewhere(step);
  const slurm = rule?.slurmExport === true ? slurmExport(step) : undefined;
  const cleared = isolated || slurm?.inherits === false;
  const next = new Map(cleared ? [] : env);
  for (const prefix of rule?.prefixes ?? [])
    for (const [name, value] of env) if (name.startsWith(prefix)) next.set(name.slice(prefix.length), value);
  if (rule !== undefined) for (const use of step.options) applyOption(use, rule, env, next);
  for (const word of slurm?.assignments ?? []) assign(word, env, next);
  for (const word of assignments) assign(word, env, next);
  return next;
}

/** Applies an option of the wrapper to the variables of the program. */
function applyOption(
  { name: option, value, second }: OptionUse,
  rule: EnvironmentRule,
  outer: Environment,
  inner: Map<string, Word>,
): void {
  const name = value === undefined ? undefined : textOf(value);
  if (rule.unset.includes(option)) inner.delete(name ?? '');
  if (value === undefined) return;
  if (rule.set.includes(option)) assign(value, outer, inner);
  if (rule.list.includes(option)) for (const part of splitAtCommas(value)) assign(part, outer, inner);
  if (rule.pairs.includes(option) && second !== undefined && name !== undefined) inner.set(name, second);
  if (option === rule.runtimeEnvironment)
    for (const [variable, one] of runtimeVariables(value)) inner.set(variable, one);
}

/** Applies `NAME=value`; a bare name passes the outer variable on. */
function assign(word: Word, outer: Environment, inner: Map<string, Word>): void {
  const assignment = assignmentOf(word);
  if (assignment !== undefined) {
    inner.set(assignment.name, assignment.value);
    return;
  }
  const name = textOf(word) ?? '';
  const passed = outer.get(name);
  if (passed !== undefined) inner.set(name, passed);
}

/**
 * Where wrappers get files of variables, which are not read here, or a text of variables that is computed when the script runs; empty if they
 * only run the program in an image or a login, which may set some of its own. Undefined if the program has no variables but the visible ones.
 */
export function unseenVariables(steps: readonly Step[]): readonly Place[] | undefined {
  const files = steps.flatMap(({ wrapper, options, unread }) => [
    ...options.flatMap(({ name, word, value }) => {
      const isFile = wrapper.environment?.files.includes(name) === true;
      const isJson = name === wrapper.environment?.runtimeEnvironment;
      const isUnread = isFile || (isJson && value !== undefined && mayHoldVariables(value));
      return isUnread ? [(value ?? word).place] : [];
    }),
    // `env $(cat FILE) python train.py`
    ...(wrapper.assignments === true ? unread.map(({ word }) => word.place) : []),
  ]);
  if (files.length > 0) return files;
  const inImage = steps.some(
    (step) => isGiven(step.wrapper.environment?.image ?? false, step.options) || isElsewhere(step),
  );
  return inImage ? [] : undefined;
}

/**
 * Whether the program starts in a different folder than the wrapper: that of a login, an image or another machine. A wrapper that only adds
 * variables (`doppler run`) stays in its folder.
 */
export function leavesFolder({ wrapper: { environment }, options }: Step): boolean {
  if (environment === undefined) return false;
  const { image, isolated } = environment;
  const hidesOuter = isolated === true || (typeof isolated !== 'boolean' && isolated.length > 0);
  return image === true ? hidesOuter : isGiven(image, options);
}

/**
 * Whether the program certainly runs on a cluster that is not on this machine. An address in a variable may be that of a cluster that the
 * script itself starts, with its own environment.
 */
function isElsewhere({ wrapper: { environment }, options }: Step): boolean {
  if (environment?.address === undefined) return false;
  const value = options.findLast(({ name }) => name === environment.address)?.value;
  const isWritten = value?.pieces.every(({ origin }) => origin.via.length === 0) === true;
  const address = value === undefined || !isWritten ? undefined : textOf(value);
  const host = /^(?:\w+:\/\/)?(\[[^\]]*\]|[^:/]*)/.exec(address ?? '')?.[1] ?? '';
  return !/^(?:auto|local|localhost|127\..*|0\.0\.0\.0|\[::1?\]|)$/.test(host);
}

function isGiven(when: boolean | readonly string[], options: readonly OptionUse[]): boolean {
  if (typeof when === 'boolean') return when;
  return options.some(({ name }) => when.some((each) => each === name || isAmong(each, name)));
}

/** Whether a one-letter option is one of several in a word: `-E` in `-EH`. */
function isAmong(option: string, written: string): boolean {
  return option.length === 2 && /^-[A-Za-z]{2,}$/.test(written) && written.includes(option.charAt(1));
}

/** Slurm's `--export`: without `ALL` only the named variables reach the program; the option's absence means `ALL`. */
function slurmExport(step: Step): { readonly inherits: boolean; readonly assignments: readonly Word[] } {
  const value = step.options.findLast((use) => use.name === '--export')?.value;
  if (value === undefined) return { inherits: true, assignments: [] };
  const parts = splitAtCommas(value);
  const texts = parts.map((part) => textOf(part));
  const inherits =
    texts.includes('ALL') || texts.some((text, index) => text === undefined && isBareHole(parts[index]));
  return { inherits, assignments: parts };
}

function isBareHole(word: Word | undefined): boolean {
  return word !== undefined && assignmentOf(word) === undefined;
}

/** The comma-separated parts of a word; commas within quotes are no longer visible and split as Slurm would split them. */
function splitAtCommas(word: Word): readonly Word[] {
  const parts: Word[] = [];
  let from = 0;
  const units = unitsOf(word);
  for (let at = 0; at <= units.length; at++) {
    const unit = units[at];
    if (unit !== undefined && !(unit.kind === 'character' && unit.character === ',')) continue;
    parts.push(cut(word, from, at));
    from = at + 1;
  }
  return parts;
}
