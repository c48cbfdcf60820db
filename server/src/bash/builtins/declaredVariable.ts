import { Elements } from '../state/elements.ts';
import type { Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { blankVariable, type Variable } from '../state/store.ts';

/** The state of a declaration while it is carried out. */
export interface Declaration {
  /** Its builtin. */
  readonly command: string;
  /** The letters that its options have set so far, minus those taken back. */
  readonly on: Set<string>;
  readonly off: Set<string>;
  /** The words after an option that queries names instead of declaring them. */
  readonly named: ShellWord[];
}

/** The kind of array that a declaration makes of its names. */
export function listKindOf({ on }: Pick<Declaration, 'on'>): 'associative' | 'indexed' | undefined {
  return on.has('A') ? 'associative' : on.has('a') ? 'indexed' : undefined;
}

/** Whether a declaration makes a variable outlast the command before which it was assigned. */
export function isToOutlast(
  { store }: Shell,
  name: string,
  { temporary }: Variable,
  { command, on }: Declaration,
): boolean {
  if (temporary === undefined || !(on.has('x') || on.has('r'))) return false;
  if (temporary !== 'for-text' || store.isMadeInFunction(name)) return true;
  return !store.inFunction && command !== 'export' && command !== 'readonly';
}

/** The initial state of a local variable: one assigned before the call of its function becomes its own, one assigned further out provides the value. */
export function localFrom(assigned: Variable | undefined, outer: Variable): Variable {
  if (assigned !== undefined) return { ...assigned, temporary: 'own' };
  return outer.temporary === undefined ? blankVariable : copyOf(outer);
}

/** What `local -I` begins with: the value and the attributes of the variable that it hides. */
export function copyOf(outer: Variable): Variable {
  return { ...outer, temporary: undefined, outlasts: undefined };
}

/** The letter case that flags ask for; undefined if they ask for more than one. */
export function formOf(on: ReadonlySet<string>): Variable['letters'] {
  const forms = (['lower', 'upper', 'capital'] as const).filter((form) => on.has(form.charAt(0)));
  return forms.length === 1 ? forms[0] : undefined;
}

export function isFormOff(off: ReadonlySet<string>): boolean {
  return off.has('l') || off.has('u') || off.has('c');
}

/** A variable as `-a` or `-A` makes it: an existing value becomes the first element, but that of a local variable is lost. */
export function asList(variable: Variable, on: Declaration['on'], isLocal: boolean): Variable {
  const kind = listKindOf({ on });
  if (kind === 'associative' && variable.kind === 'unset') return { ...variable, kind };
  if (kind === undefined || variable.kind !== 'scalar') return variable;
  return {
    ...variable,
    kind,
    value: [],
    elements: isLocal ? Elements.none : Elements.list([variable.value]),
  };
}
