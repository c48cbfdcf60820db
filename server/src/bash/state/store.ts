import type { OpenPlace } from '../../launch/command.ts';
import type { Place } from '../../text/span.ts';
import { inBashOrder } from '../library/hashOrder.ts';
import { Elements } from './elements.ts';
import { LayeredMap } from './layeredMap.ts';
import type { Pieces } from './pieces.ts';
import { changedMap, firstFacts, type ShellFacts, type Trap, type TrapEvent } from './shellFacts.ts';

/** A variable of the shell. Values are never changed in place: an assignment makes a new one. */
export interface Variable {
  /** `unset`: declared (exported, integer …) without a value. */
  readonly kind: 'scalar' | 'indexed' | 'associative' | 'unset';
  readonly value: Pieces;
  readonly elements: Elements;
  readonly exported: boolean;
  /** Set where only one of two joined paths exports it: whether programs get it is not known. */
  readonly perhapsExported?: boolean | undefined;
  readonly readonly: boolean;
  readonly integer: boolean;
  /** What becomes of the letters of its values; `unsure` where it is not known whether that, or a number, is made of them. */
  readonly letters: 'lower' | 'upper' | 'capital' | 'unsure' | undefined;
  readonly reference: boolean;
  /** True when a name without a value here (`export X`) may have one from outside. */
  readonly inherits: boolean;
  /** Where it got its present value: the last assignment, and the `+=` since. */
  readonly places: readonly Place[];
  /** Places of `"$@"` among the elements that is empty as written: there may be more. */
  readonly open: readonly OpenPlace[];
  /** Variables whose absence decided that this assignment happened. */
  readonly needs: readonly string[];
  /** True when it may as well not be set: one of two joined paths leaves it so. */
  readonly perhapsUnset: boolean;
  /** True when it is empty as long as the user gives no option that fills it. */
  readonly awaited: boolean;
  /** What a function is lent by the command that calls it (`X=1 f`): in the scope of the call, or the function's own after `local X`. */
  readonly lent?: 'to-call' | 'own' | undefined;
  /** Such a variable that was exported or made readonly: it stays behind the function, in what that one hides, and so on outwards. */
  readonly outlasts?: boolean | undefined;
}

/** A name that nothing was said of. */
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

/** Whether a variable is at most declared, and given nothing: not even the empty list of `A=()`. */
export function isBare({ kind, places, elements }: Variable): boolean {
  return kind === 'unset' || (kind !== 'scalar' && places.length === 0 && elements.size === 0);
}

/** `$1 …`: given words, and whether the user may give more. */
export interface Positionals {
  readonly words: readonly Pieces[];
  /** True when the script's own caller decides: words beyond the given ones may come. */
  readonly open: boolean;
  /** Where an open tail came from when it was passed on (`f "$@"`). */
  readonly openPlaces: readonly OpenPlace[];
  /** True when words that are not known have been shifted away. */
  readonly shifted?: boolean;
  /**
   * How many of the caller's words have been shifted away, less those that stand before them (`f x "$@"`); left out where there are none of
   * either, or where that is not known.
   */
  readonly offset?: number | undefined;
  /** True when `set` gave them. */
  readonly isSet?: boolean;
  /** True when they are those that the script itself was started with, or go on with these, however many are shifted away. */
  readonly isOwn?: boolean;
}

/** The elements of an array in the order that an expansion gives them. */
export function orderedElements({ kind, elements }: Variable): readonly (readonly [string, Pieces])[] {
  return kind === 'associative' ? inBashOrder([...elements]) : [...elements];
}

type Scope = LayeredMap<Variable | undefined>;

/** What stands behind a variable that a command is lent which is no function (`X=1 eval …`). */
export interface Hidden {
  readonly variable: Variable | undefined;
  /** How many scopes there are where the command stands. */
  readonly depth: number;
  /** The same of a command around it that is lent a variable of this name as well. */
  readonly outer: Hidden | undefined;
}

/** What a path knows of a value or of a question, by what it tells and of which of them. */
type Knowledge = LayeredMap<readonly string[]>;

/** Variables in dynamic scope: a function's `local` names hide the caller's until it returns. */
export class Store {
  readonly #scopes: Scope[];
  #known: Knowledge;
  #hidden: ReadonlyMap<string, Hidden> = new Map();
  #facts = firstFacts;
  /** Counts changes: what is derived from the variables holds until it moves. */
  version = 0;

  constructor(scopes: readonly Scope[] = [LayeredMap.empty()], known: Knowledge = LayeredMap.empty()) {
    this.#scopes = [...scopes];
    this.#known = known;
  }

  /** An own copy, as a subshell gets it. */
  copy(): Store {
    const copy = new Store(
      this.#scopes.map((scope) => scope.copy()),
      this.#known.copy(),
    );
    copy.#hidden = this.#hidden;
    copy.#facts = this.#facts;
    return copy;
  }

  /** What the shell keeps beside its variables. */
  get facts(): ShellFacts {
    return this.#facts;
  }

  /** Changes some of what the shell keeps beside its variables. */
  keep(changes: Partial<ShellFacts>): void {
    this.version += 1;
    this.#facts = { ...this.#facts, ...changes };
  }

  /** The commands that the shell was told for an event. */
  trap(event: TrapEvent): Trap | undefined {
    return this.#facts.traps.get(event);
  }

  /** Tells the shell commands for an event, or takes them back. */
  setTrap(event: TrapEvent, trap: Trap | undefined): void {
    const traps = changedMap(this.#facts.traps, event, trap);
    if (traps !== this.#facts.traps) this.keep({ traps });
  }

  /** The texts that answers have told under a key. */
  known(key: string): readonly string[] | undefined {
    return this.#known.entry(key)?.value;
  }

  /** Remembers the texts that an answer tells; the store of another shell knows nothing of it. */
  know(key: string, texts: readonly string[]): void {
    this.#known.set(key, texts);
  }

  /** Takes over what the store of another shell knows: that holds in the shells that it starts as well. */
  inheritKnown(outer: Store): void {
    this.#known = outer.#known.copy();
  }

  /** Keeps of what is known only what a store knows as well that began as a copy of the same one. */
  joinKnown(other: Store): void {
    for (const key of this.#known.changed(other.#known)) {
      const [mine, theirs] = [this.known(key), other.known(key)];
      if (mine !== undefined && !(theirs !== undefined && areSame(mine, theirs))) this.#known.delete(key);
    }
  }

  /** The variable that a name means here. */
  get(name: string): Variable | undefined {
    for (let index = this.#scopes.length - 1; index >= 0; index -= 1) {
      const entry = this.#scopes[index]?.entry(name);
      if (entry !== undefined) return entry.value;
    }
    return undefined;
  }

  /** Changes the variable that a name means here: the nearest local one, else the global one. */
  set(name: string, variable: Variable | undefined): void {
    for (let index = this.#scopes.length - 1; index > 0; index -= 1) {
      const scope = this.#scopes[index];
      if (scope?.entry(name) !== undefined) {
        this.version += 1;
        scope.set(name, variable);
        return;
      }
    }
    this.setGlobal(name, variable);
  }

  /** Whether a command that is no function is lent variables. */
  get isLending(): boolean {
    return this.#hidden.size > 0;
  }

  /** Lends a command that is no function a variable. @returns what to take it back by */
  lend(name: string, variable: Variable, of: Variable | undefined): Hidden {
    const hidden = { variable: of, depth: this.#scopes.length, outer: this.#hidden.get(name) };
    this.#hidden = new Map(this.#hidden).set(name, hidden);
    this.set(name, variable);
    return hidden;
  }

  /** Takes back what a command was lent, unless it has given that away itself (`unset`). */
  takeBack(name: string, lent: Hidden): void {
    if (this.#hidden.get(name) === lent) this.#uncover(name, lent);
  }

  #uncover(name: string, { variable, outer }: Hidden): void {
    const others = new Map(this.#hidden);
    if (outer === undefined) others.delete(name);
    else others.set(name, outer);
    this.#hidden = others;
    this.set(name, variable);
  }

  /**
   * Takes a variable's value away (`unset`): one that a caller declared local, or that the command is lent, goes altogether, and shows what
   * it hid.
   */
  unset(name: string): void {
    const hidden = this.#hidden.get(name);
    if (
      hidden !== undefined &&
      !this.#scopes.slice(hidden.depth).some((scope) => scope.entry(name) !== undefined)
    ) {
      this.#uncover(name, hidden);
      return;
    }
    for (let index = this.#scopes.length - 2; index > 0; index -= 1) {
      if (this.isLocal(name)) break;
      const scope = this.#scopes[index];
      if (scope?.entry(name) === undefined) continue;
      this.version += 1;
      scope.delete(name);
      return;
    }
    const variable = this.get(name);
    const staysExported = variable?.lent === 'own' && variable.exported;
    this.set(name, staysExported ? { ...blankVariable, exported: true } : { ...blankVariable });
  }

  /** Changes the global variable of a name (`declare -g`). */
  setGlobal(name: string, variable: Variable | undefined): void {
    this.version += 1;
    if (variable !== undefined) this.#scopes[0]?.set(name, variable);
    else this.#scopes[0]?.delete(name);
  }

  /** Runs something for which there are none but the global variables (`declare -g`). */
  globally<T>(body: () => T): T {
    const local = this.#scopes.splice(1);
    const result = body();
    this.#scopes.push(...local);
    return result;
  }

  /** Makes a name local to the running function. */
  declareLocal(name: string, variable: Variable): void {
    this.version += 1;
    this.#scopes.at(-1)?.set(name, variable);
  }

  /** Whether the running function has its own variable of this name. */
  isLocal(name: string): boolean {
    return this.#scopes.length > 1 && this.#scopes.at(-1)?.entry(name) !== undefined;
  }

  /** Whether a name means a global variable here: no running function has its own. */
  isGlobal(name: string): boolean {
    return !this.#scopes.some((scope, index) => index > 0 && scope.entry(name) !== undefined);
  }

  /** Whether a function is running. */
  get inFunction(): boolean {
    return this.#scopes.length > 1;
  }

  /** Begins the scope of a function, or before that the one of the variables that its call is lent (`X=1 f`). */
  enter(): void {
    this.#scopes.push(LayeredMap.empty());
  }

  /** Takes out of the caller's scope what stands there of a name: what a function is lent becomes its own with `local`. */
  takeOfCaller(name: string): Variable | undefined {
    const scope = this.#scopes.length > 2 ? this.#scopes.at(-2) : undefined;
    const variable = scope?.entry(name)?.value;
    if (variable?.lent !== 'to-call') return undefined;
    this.version += 1;
    scope?.delete(name);
    return variable;
  }

  leave(): void {
    this.version += 1;
    const scope = this.#scopes.length > 1 ? this.#scopes.pop() : undefined;
    const outlasts = this.#scopes.length > 1;
    scope?.forEach((name, variable) => {
      if (variable?.outlasts === true)
        this.#scopes.at(-1)?.set(name, { ...variable, exported: true, lent: undefined, outlasts });
    });
  }

  /** All visible variables by name. */
  visible(): Map<string, Variable> {
    const told = new Map<string, Variable | undefined>();
    for (const scope of this.#scopes)
      scope.forEach((name, variable) => {
        told.set(name, variable);
      });
    return present(told);
  }

  /** What programs get: of a name the nearest variable that has a value and is exported, also where a local one without a value hides it. */
  passed(): Map<string, Variable> {
    const told = new Map<string, Variable | undefined>();
    for (const scope of this.#scopes) {
      // Of the scope itself the newest counts.
      const own = scope === this.#scopes[0] ? told : new Map<string, Variable | undefined>();
      scope.forEach((name, variable) => {
        own.set(name, variable?.exported === true && variable.kind === 'scalar' ? variable : undefined);
      });
      if (own !== told)
        for (const [name, variable] of own) if (variable !== undefined) told.set(name, variable);
    }
    return present(told);
  }

  /** Names whose variable is another one here than in `other`, which began as a copy of the same store. */
  differences(other: Store): ReadonlySet<string> {
    const out = new Set<string>();
    const depth = Math.max(this.#scopes.length, other.#scopes.length);
    for (let index = 0; index < depth; index += 1) {
      const mine: Scope = this.#scopes[index] ?? LayeredMap.empty();
      const theirs: Scope = other.#scopes[index] ?? LayeredMap.empty();
      for (const name of mine.changed(theirs)) {
        const [a, b] = [mine.entry(name), theirs.entry(name)];
        if (a?.value !== b?.value || (a === undefined) !== (b === undefined)) out.add(name);
      }
    }
    return out;
  }

  /** Visible names that begin with a prefix, sorted as Bash sorts them. */
  namesWith(prefix: string): readonly string[] {
    return [...this.visible()]
      .filter(([name, variable]) => name.startsWith(prefix) && !isBare(variable))
      .map(([name]) => name)
      .sort();
  }
}

/** What is there, in the order in which the names were first told, however a map is layered: a copy of the same map gives the same. */
function present(told: ReadonlyMap<string, Variable | undefined>): Map<string, Variable> {
  const out = new Map<string, Variable>();
  for (const [name, variable] of told) if (variable !== undefined) out.set(name, variable);
  return out;
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((text, index) => text === b[index]));
}
