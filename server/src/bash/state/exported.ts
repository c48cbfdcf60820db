import type { Place } from '../../text/span.ts';
import type { Word } from '../../value/word.ts';
import type { Environment } from '../options.ts';
import { scalarValue } from '../words/read.ts';
import { hole, made } from './pieces.ts';
import type { Shell } from './shell.ts';
import { blankVariable, type Variable } from './store.ts';

/** The environment variable that holds an exported function. Its text, as printed by Bash, is unknown. */
function functionKey(name: string): string {
  return `BASH_FUNC_${name}%%`;
}

/** The exported variables set by the script, and the exported functions. */
export function environmentOf(shell: Shell): ReadonlyMap<string, Word> {
  const { store, functions, environment } = shell;
  const isSame =
    environment?.store === store &&
    environment.version === store.version &&
    environment.functions === functions;
  if (isSame) return environment.env;
  const out = new Map<string, Word>();
  for (const [name, variable] of shell.store.passed()) {
    const place = variable.places.at(-1);
    if (place === undefined) continue;
    const given = variable.value.length === 0 && shell.run.given.has(`=${name}`);
    const pieces = given
      ? [hole('environment', `$${name}`, place, { nonEmpty: true })]
      : scalarValue(name, asPassed(name, variable, place), place);
    out.set(name, { pieces, place });
  }
  for (const [name, { exported, node, source }] of functions) {
    if (!exported) continue;
    const place = source.place(node.pos, node.end);
    out.set(functionKey(name), {
      pieces: [hole('command-output', `${name}()`, place, { nonEmpty: true })],
      place,
    });
  }
  shell.environment = { store, version: store.version, functions, env: out };
  return out;
}

/**
 * Passes the variables and functions that a shell exports to a child shell.
 *
 * @param through how the command that starts the child shell changes the environment
 * @param isElsewhere whether what starts there has variables of its own
 */
export function inheritExported(
  shell: Shell,
  child: Shell,
  through: (outer: Environment) => Environment,
  isElsewhere: boolean,
): void {
  const outer = environmentOf(shell);
  const inner = through(outer);
  const given = shell.run.shared.options.machine.variables;
  const passed = shell.store.passed();
  // What the user sets, which the child shell reads unless it is withheld.
  const fromOutside = Object.keys(given).filter(
    (name) => /^[A-Za-z_]/.test(name) && shell.store.get(name) === undefined,
  );
  for (const [name, seen] of shell.store.visible()) {
    const variable = passed.get(name) ?? seen;
    const isInherited = variable.kind === 'unset' && variable.inherits;
    // A variable of the script may be exported by the user.
    if (isInherited || inner !== outer || Object.hasOwn(given, name)) fromOutside.push(name);
    // Arrays are not exported.
    const isPassed =
      name !== 'IFS' && variable.exported && (variable.kind === 'scalar' || variable.kind === 'unset');
    if (isPassed && inner.get(name) === outer.get(name))
      child.store.setGlobal(name, asPassed(name, variable, variable.places.at(-1)));
    else if (isTakenAway(variable) || (!variable.exported && Object.hasOwn(given, name)))
      child.store.setGlobal(name, blankVariable);
  }
  for (const name of notPassed(fromOutside, outer, through, isElsewhere))
    child.store.setGlobal(name, blankVariable);
  for (const [name, definition] of shell.functions)
    if (definition.exported && inner.has(functionKey(name)))
      child.define(name, { ...definition, file: made('environment', definition.source.place(0, 0)) });
  const separators = inner.get('IFS');
  // Each shell starts with its own IFS, exported if the outer one was.
  if (separators !== undefined) {
    const { place } = separators;
    const value = made(' \t\n', place);
    child.store.setGlobal('IFS', {
      ...blankVariable,
      kind: 'scalar',
      value,
      exported: true,
      places: [place],
    });
  }
  if (inner === outer) return;
  for (const [name, word] of inner) {
    if (word === outer.get(name) || name === 'IFS') continue;
    const { pieces, place } = word;
    child.store.setGlobal(name, {
      ...blankVariable,
      kind: 'scalar',
      value: pieces,
      exported: true,
      places: [place],
    });
  }
}

/** A variable as passed to programs: its text alone, which may be missing if only one of two joined paths exports it. */
function asPassed(name: string, variable: Variable, place: Place | undefined): Variable {
  const plain: Variable = { ...variable, readonly: false, integer: false, letters: undefined };
  if (variable.perhapsExported !== true || place === undefined) return plain;
  const value = [hole('branch', `$${name}`, place)];
  return { ...plain, kind: 'scalar', value, perhapsUnset: true, perhapsExported: false };
}

/** Whether the script has removed a variable, so that nothing it starts has it (`unset NAME`). */
function isTakenAway({ kind, exported, inherits }: Variable): boolean {
  return kind === 'unset' && !exported && !inherits;
}

/** Represents, among the variables, one that a command does not mention. */
const other = ' other';

/** Those of the given variables that a command withholds from what it starts, by name (`env -u NAME`). */
function notPassed(
  names: readonly string[],
  outer: Environment,
  through: (outer: Environment) => Environment,
  isElsewhere: boolean,
): readonly string[] {
  if (names.length === 0) return [];
  const word: Word = { pieces: [], place: { path: '', span: { start: 0, end: 0 } } };
  const inner = through(new Map([...outer, ...[...names, other].map((name) => [name, word] as const)]));
  // A container has variables of its own, which may be those that the user means.
  return inner.has(other) || !isElsewhere ? names.filter((name) => !inner.has(name)) : [];
}
