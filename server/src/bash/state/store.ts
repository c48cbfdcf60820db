import type { OpenPlace } from '../../launch/command.ts';
import type { Place } from '../../text/span.ts';
import { inBashOrder } from '../library/hashOrder.ts';
import { Elements } from './elements.ts';
import { LayeredMap } from './layeredMap.ts';
import type { Pieces } from './pieces.ts';
import { changedMap, firstFacts, type ShellFacts, type Trap, type TrapEvent } from './shellFacts.ts';

/** A shell variable. Values are immutable: an assignment makes a new one. */
export interface Variable {
  /** `unset`: declared (exported, integer …) without a value. */
  readonly kind: 'scalar' | 'indexed' | 'associative' | 'unset';
  readonly value: Pieces;
  readonly elements: Elements;
  readonly exported: boolean;
  /** Set if only one of two joined paths exports it: whether programs get it is unknown. */
  readonly perhapsExported?: boolean | undefined;
  readonly readonly: boolean;
  readonly integer: boolean;
  /** The case conversion of its values; `unsure` if it is unknown whether they are converted, or made numbers. */
  readonly letters: 'lower' | 'upper' | 'capital' | 'unsure' | undefined;
  readonly reference: boolean;
  /** Whether a name without a value here (`export X`) may have one from outside. */
  readonly inherits: boolean;
  /** Where it got its current value: the last assignment, and each `+=` since. */
  readonly places: readonly Place[];
  /** Places among the elements of a `"$@"` that is empty as written: there may be more elements. */
  readonly open: readonly OpenPlace[];
  /** Variables whose absence decided that this assignment happened. */
  readonly needs: readonly string[];
  /** Whether it may also be unset: one of two joined paths leaves it so. */
  readonly perhapsUnset: boolean;
  /** Whether it is empty only until the user gives an option that fills it. */
  readonly awaited: boolean;
  /**
   * Set if it is assigned before the call of a function (`X=1 f`), in the scope of the call, or the function's own after `local X`; or before a
   * text that the shell runs (`X=1 eval …`).
   */
  readonly temporary?: 'for-call' | 'own' | 'for-text' | undefined;
  /** Whether such a variable was exported or made readonly: it survives the function, in the scope that this one hides, and so on outwards. */
  readonly outlasts?: boolean | undefined;
}

/** A variable about which nothing was declared. */
export const blankVariable: Variable = {
  kind: 'unset',
  value: [],
  elements: Elements.none,
  exported: false,
  readonly: false,
  integer: false,
  letters: undefined,
  reference: false,
  inherits: false,
  places: [],
  open: [],
  needs: [],
  perhapsUnset: false,
  awaited: false,
};

/** Whether a variable is at most declared and was never assigned, not even an empty list as by `A=()`. */
export function isBare({ kind, places, elements }: Variable): boolean {
  return kind === 'unset' || (kind !== 'scalar' && places.length === 0 && elements.size === 0);
}

/** `$1 …`: given words, and whether the user may give more. */
export interface Positionals {
  readonly words: readonly Pieces[];
  /** Whether the script's own caller decides: more words may follow the given ones. */
  readonly open: boolean;
  /** Where an open tail came from if it was passed on (`f "$@"`). */
  readonly openPlaces: readonly OpenPlace[];
  /** Whether unknown words have been shifted away. */
  readonly shifted?: boolean;
  /**
   * How many of the caller's words have been shifted away, minus those inserted before them (`f x "$@"`); undefined if there are neither, or if
   * that is unknown.
   */
  readonly offset?: number | undefined;
  /** Whether they were set by `set`. */
  readonly isSet?: boolean;
  /** Whether they are the script's own arguments, or continue with them, however many are shifted away. */
  readonly isOwn?: boolean;
}

/** The elements of an array in the order in which an expansion yields them. */
export function orderedElements({ kind, elements }: Variable): readonly (readonly [string, Pieces])[] {
  return kind === 'associative' ? inBashOrder([...elements]) : [...elements];
}

type Variables = LayeredMap<Variable | undefined>;

/** Variables that hide those of the scopes before it. */
interface Scope {
  readonly variables: Variables;
  /** Whether it holds variables assigned before a command (`X=1 f`), which do not belong to the function that the command calls. */
  readonly isTemporary: boolean;
}

/** What a path knows about values and questions, by key. */
type Knowledge = LayeredMap<readonly string[]>;

/** Variables in dynamic scope: a function's `local` names, and variables assigned before a command, hide the surrounding ones until it ends. */
export class Store {
  readonly #scopes: Scope[];
  #known: Knowledge;
  #facts = firstFacts;
  /** Counts changes: what is derived from the variables is valid until this changes. */
  version = 0;

  constructor(scopes: readonly Scope[] = [emptyScope(false)], known: Knowledge = LayeredMap.empty()) {
    this.#scopes = [...scopes];
    this.#known = known;
  }

  /** An independent copy, as for a subshell. */
  copy(): Store {
    const copy = new Store(
      this.#scopes.map(({ variables, isTemporary }) => ({ variables: variables.copy(), isTemporary })),
      this.#known.copy(),
    );
    copy.#facts = this.#facts;
    return copy;
  }

  /** What the shell holds besides its variables. */
  get facts(): ShellFacts {
    return this.#facts;
  }

  /** Changes some of what the shell holds besides its variables. */
  keep(changes: Partial<ShellFacts>): void {
    this.version += 1;
    this.#facts = { ...this.#facts, ...changes };
  }

  /** The trap for an event. */
  trap(event: TrapEvent): Trap | undefined {
    return this.#facts.traps.get(event);
  }

  /** Sets or removes the trap for an event. */
  setTrap(event: TrapEvent, trap: Trap | undefined): void {
    const traps = changedMap(this.#facts.traps, event, trap);
    if (traps !== this.#facts.traps) this.keep({ traps });
  }

  /** The texts that answers have stored under a key. */
  known(key: string): readonly string[] | undefined {
    return this.#known.entry(key)?.value;
  }

  /** Stores the texts that an answer gives; the store of another shell does not see them. */
  know(key: string, texts: readonly string[]): void {
    this.#known.set(key, texts);
  }

  /** Takes over what another shell's store knows: that also holds in the shells that it starts. */
  inheritKnown(outer: Store): void {
    this.#known = outer.#known.copy();
  }

  /** Keeps only knowledge shared with another store that started as a copy of the same one. */
  joinKnown(other: Store): void {
    for (const key of this.#known.changed(other.#known)) {
      const [mine, theirs] = [this.known(key), other.known(key)];
      if (mine !== undefined && !(theirs !== undefined && areSame(mine, theirs))) this.#known.delete(key);
    }
  }

  /** The variable that a name refers to here. */
  get(name: string): Variable | undefined {
    for (let index = this.#scopes.length - 1; index >= 0; index -= 1) {
      const entry = this.#scopes[index]?.variables.entry(name);
      if (entry !== undefined) return entry.value;
    }
    return undefined;
  }

  /** Changes the variable that a name refers to here: the nearest local one, else the global one. */
  set(name: string, variable: Variable | undefined): void {
    for (let index = this.#scopes.length - 1; index > 0; index -= 1) {
      const variables = this.#scopes[index]?.variables;
      if (variables?.entry(name) !== undefined) {
        this.version += 1;
        variables.set(name, variable);
        return;
      }
    }
    this.setGlobal(name, variable);
  }

  /** Whether variables were assigned before a running command. */
  get hasTemporary(): boolean {
    return this.#scopes.some(({ isTemporary }) => isTemporary);
  }

  /** Sets a variable for the command of the innermost scope. */
  setTemporary(name: string, variable: Variable): void {
    this.version += 1;
    this.#scopes.at(-1)?.variables.set(name, variable);
  }

  /**
   * Removes a variable's value (`unset`): one that a caller declared local, or that was assigned before a command, disappears entirely and reveals what
   * it hid.
   */
  unset(name: string): void {
    const own = this.#own;
    for (let index = this.#scopes.length - 1; index > 0; index -= 1) {
      const variables = this.#scopes[index]?.variables;
      if (variables?.entry(name) === undefined) continue;
      if (index === own) break;
      this.version += 1;
      variables.delete(name);
      return;
    }
    const variable = this.get(name);
    const staysExported = variable?.temporary === 'own' && variable.exported;
    this.set(name, staysExported ? { ...blankVariable, exported: true } : { ...blankVariable });
  }

  /** Changes the global variable of a name (`declare -g`). */
  setGlobal(name: string, variable: Variable | undefined): void {
    this.version += 1;
    const variables = this.#scopes[0]?.variables;
    if (variable !== undefined) variables?.set(name, variable);
    else variables?.delete(name);
  }

  /** Runs something that sees only global variables (`declare -g`). */
  globally<T>(body: () => T): T {
    const local = this.#scopes.splice(1);
    const result = body();
    this.#scopes.push(...local);
    return result;
  }

  /** The index of the running function's scope; 0 if none runs. */
  get #own(): number {
    return this.#scopes.findLastIndex(({ isTemporary }, index) => index === 0 || !isTemporary);
  }

  /** Makes a name local to the running function. */
  declareLocal(name: string, variable: Variable): void {
    this.version += 1;
    this.#scopes[this.#own]?.variables.set(name, variable);
  }

  /**
   * Whether the running function has its own variable of this name. A variable assigned before a text that it runs counts as such: the text's `local`
   * is about that one.
   */
  isLocal(name: string): boolean {
    const own = this.#own;
    if (own === 0) return false;
    return (
      this.#scopes[own]?.variables.entry(name) !== undefined ||
      this.#scopes.some(
        ({ variables }, index) => index > own && variables.entry(name)?.value?.temporary === 'for-text',
      )
    );
  }

  /** Whether a name refers to a global variable here: no running function has its own. */
  isGlobal(name: string): boolean {
    return !this.#scopes.some(({ variables }, index) => index > 0 && variables.entry(name) !== undefined);
  }

  /** Whether the innermost variable of a name was made while a function ran. */
  isMadeInFunction(name: string): boolean {
    const own = this.#scopes.findLastIndex(({ variables }) => variables.entry(name) !== undefined);
    return this.#scopes.some(({ isTemporary }, index) => index > 0 && index <= own && !isTemporary);
  }

  /** Whether a function is running. */
  get inFunction(): boolean {
    return this.#own > 0;
  }

  /** Begins the scope of a function, or of variables assigned before a command. */
  enter(isTemporary: boolean): void {
    this.#scopes.push(emptyScope(isTemporary));
  }

  /**
   * Removes and returns the variable of a name that was assigned before the call of the running function: with `local` it becomes the function's own.
   */
  takeOfCaller(name: string): Variable | undefined {
    const scope = this.#scopes[this.#own - 1];
    const variable = scope?.isTemporary === true ? scope.variables.entry(name)?.value : undefined;
    if (variable?.temporary !== 'for-call') return undefined;
    this.version += 1;
    scope?.variables.delete(name);
    return variable;
  }

  /** Ends the innermost scope. */
  leave(): void {
    this.version += 1;
    const scope = this.#scopes.length > 1 ? this.#scopes.pop() : undefined;
    const outlasts = this.#scopes.length > 1;
    scope?.variables.forEach((name, variable) => {
      if (variable?.outlasts === true)
        this.#scopes
          .at(-1)
          ?.variables.set(name, { ...variable, exported: true, temporary: undefined, outlasts });
    });
  }

  /** All visible variables by name. */
  visible(): Map<string, Variable> {
    const nearest = new Map<string, Variable | undefined>();
    for (const { variables } of this.#scopes)
      variables.forEach((name, variable) => {
        nearest.set(name, variable);
      });
    return present(nearest);
  }

  /** What programs get: for each name the nearest exported variable with a value, even if it is hidden by a local one without a value. */
  passed(): Map<string, Variable> {
    const nearest = new Map<string, Variable | undefined>();
    for (const [index, { variables }] of this.#scopes.entries()) {
      // Within one scope, the newest entry counts.
      const own = index === 0 ? nearest : new Map<string, Variable | undefined>();
      variables.forEach((name, variable) => {
        own.set(name, variable?.exported === true && variable.kind === 'scalar' ? variable : undefined);
      });
      if (own !== nearest)
        for (const [name, variable] of own) if (variable !== undefined) nearest.set(name, variable);
    }
    return present(nearest);
  }

  /** Names whose variable differs from that in `other`, which started as a copy of the same store. */
  differences(other: Store): ReadonlySet<string> {
    const out = new Set<string>();
    const depth = Math.max(this.#scopes.length, other.#scopes.length);
    for (let index = 0; index < depth; index += 1) {
      const mine: Variables = this.#scopes[index]?.variables ?? LayeredMap.empty();
      const theirs: Variables = other.#scopes[index]?.variables ?? LayeredMap.empty();
      for (const name of mine.changed(theirs)) {
        const [a, b] = [mine.entry(name), theirs.entry(name)];
        if (a?.value !== b?.value || (a === undefined) !== (b === undefined)) out.add(name);
      }
    }
    return out;
  }

  /** Visible names with a prefix, sorted as in Bash. */
  namesWith(prefix: string): readonly string[] {
    return [...this.visible()]
      .filter(([name, variable]) => name.startsWith(prefix) && !isBare(variable))
      .map(([name]) => name)
      .sort();
  }
}

function emptyScope(isTemporary: boolean): Scope {
  return { variables: LayeredMap.empty(), isTemporary };
}

/**
 * The existing variables, in the order in which the names first appeared, however a map is layered: a copy of the same map gives the same
 * order.
 */
function present(variables: ReadonlyMap<string, Variable | undefined>): Map<string, Variable> {
  const out = new Map<string, Variable>();
  for (const [name, variable] of variables) if (variable !== undefined) out.set(name, variable);
  return out;
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((text, index) => text === b[index]));
}
