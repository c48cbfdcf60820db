import type { Assignment } from 'unbash';
import data from '../../../../schemas/common/bash.json';
import { namesIn } from '../../text/names.ts';
import { Elements } from '../state/elements.ts';
import type { Flow, Shell } from '../state/shell.ts';
import { blankVariable, type Variable } from '../state/store.ts';
import type { Source } from '../text/source.ts';
import { elementsAsText } from '../words/listAsText.ts';
import { isReadonly } from '../words/read.ts';
import { appendedTo, assignNode, setScalar } from './assign.ts';
import type { PlacedAssignment } from './keywordArguments.ts';
import { endedHere } from './traps.ts';

/** Assigns a variable before a command (`A=1 f`), where a list is only a text. */
function assignBefore(shell: Shell, source: Source, node: Assignment): void {
  const { value } = node;
  if (value.type !== 'ArrayValue') {
    assignNode(shell, source, node);
    return;
  }
  const place = source.place(node.pos, node.end);
  const text = elementsAsText(shell, source, value, place);
  const joined = node.append === true ? appendedTo(shell, node.name, text, place) : text;
  setScalar(shell, node.name, joined, [place]);
}

/** A variable as a command gets it: a scalar hides a whole array, and is passed to programs. */
function asText({ index }: Assignment, variable: Variable): Variable {
  if (variable.kind === 'scalar' || index !== undefined) return variable;
  const value = variable.elements.get('0');
  return value === undefined ? variable : { ...variable, kind: 'scalar', value, elements: Elements.none };
}

/** Builtins before which assignments remain under `set -o posix`. */
const special: ReadonlySet<string> = new Set(namesIn(data.specialBuiltins));

/** Whether variables assigned before a command remain set after it. */
export function isSpecial({ switches, functions }: Shell, name: string | undefined): boolean {
  return switches.posix && name !== undefined && special.has(name) && !functions.has(name);
}

/** Assigns variables before a command after which they remain set, for programs as well. */
function assignForGood(shell: Shell, assignments: readonly PlacedAssignment[]): void {
  for (const { assignment, source } of assignments) {
    shell.expanding(() => assignNode(shell, source, assignment));
    const variable = shell.store.get(assignment.name);
    if (variable !== undefined) shell.store.set(assignment.name, { ...variable, exported: true });
  }
}

/**
 * Assignments before a command hold while it runs, in a scope of their own, from which `unset` removes them.
 *
 * @param command its name, if known
 */
export function withAssignments(
  shell: Shell,
  assignments: readonly PlacedAssignment[],
  command: string | undefined,
  body: () => Flow,
): Flow {
  if (assignments.length === 0) return body();
  if (isSpecial(shell, command)) {
    assignForGood(shell, assignments);
    return shell.refused === undefined ? body() : shell.giveUp(shell.refused);
  }
  const { store } = shell;
  const temporary = temporaryFor(shell, command);
  const given = new Map<string, Variable>();
  store.enter(true);
  for (const { assignment, source } of assignments) {
    const { name } = assignment;
    // A command runs without the assignment to a readonly variable.
    if (isReadonly(shell, name)) continue;
    // A temporary variable has none of the attributes of the variable that it hides, but its value may be made from that one's.
    const hidden = store.get(name) ?? { ...blankVariable, inherits: true };
    const isSum = assignment.append === true && hidden.integer;
    store.setTemporary(name, { ...hidden, integer: isSum, letters: undefined });
    shell.expanding(() => assignBefore(shell, source, assignment));
    const variable = store.get(name);
    if (variable === undefined) continue;
    const text = asText(assignment, variable);
    const own = { ...text, integer: false, exported: true, perhapsExported: false, temporary };
    store.setTemporary(name, own);
    if (setsOutside(shell, command)) given.set(name, own);
  }
  // A command does not run if a number assigned before it is invalid.
  const flow =
    shell.refused === 'expansion' || shell.refused === 'unset' ? shell.giveUp(shell.refused) : body();
  // Traps at an exit here still see what was assigned before the command.
  const ended = endedHere(shell, flow, false);
  const changed = [...given].map(([name, own]) => [name, own, store.get(name)] as const);
  store.leave();
  for (const [name, own, now] of changed)
    if (now !== undefined && now !== own)
      store.set(name, { ...now, exported: store.get(name)?.exported ?? false, temporary: undefined });
  return ended;
}

/** What becomes of variables assigned before a command if it exports them or makes them readonly. */
function temporaryFor({ functions }: Shell, command: string | undefined): Variable['temporary'] {
  if (command === undefined) return undefined;
  if (functions.has(command)) return 'for-call';
  return textRunners.has(command) ? 'for-text' : undefined;
}

/** Builtins that run a text with what is assigned before them. */
const textRunners: ReadonlySet<string> = new Set(namesIn(data.textRunners));

/** Builtins that set a variable assigned before them outside as well. */
const outsideSetters: ReadonlySet<string> = new Set(namesIn(data.outsideSetters));

function setsOutside({ functions }: Shell, command: string | undefined): boolean {
  return command !== undefined && outsideSetters.has(command) && !functions.has(command);
}
