import type { Place } from '../text/span.ts';
import type { Pieces } from './pieces.ts';

/** The elements of an array by index or key, in the order that an expansion gives them. */
export type Elements = ReadonlyMap<string, Pieces>;

/** A variable of the shell. Values are never changed in place: an assignment makes a new one. */
export interface Variable {
  /** `unset`: declared (exported, integer …) without a value. */
  readonly kind: 'scalar' | 'indexed' | 'associative' | 'unset';
  readonly value: Pieces;
  readonly elements: Elements;
  readonly exported: boolean;
  readonly readonly: boolean;
  readonly integer: boolean;
  readonly letters: 'lower' | 'upper' | undefined;
  readonly reference: boolean;
  /** True when a name without a value here (`export X`) may have one from outside. */
  readonly inherits: boolean;
  /** Where it got its present value: the last assignment, and the `+=` since. */
  readonly places: readonly Place[];
  /** Places of `"$@"` among the elements that is empty as written: there may be more. */
  readonly open: readonly Place[];
  /** Variables whose absence decided that this assignment happened. */
  readonly needs: readonly string[];
}

const noElements: Elements = new Map();

export const blankVariable: Variable = {
  kind: 'unset',
  value: [],
  elements: noElements,
  exported: false,
  readonly: false,
  integer: false,
  letters: undefined,
  reference: false,
  inherits: false,
  places: [],
  open: [],
  needs: [],
};

/** `$1 …`: given words, and whether the user may give more. */
export interface Positionals {
  readonly words: readonly Pieces[];
  /** True when the script's own caller decides: words beyond the given ones may come. */
  readonly open: boolean;
  /** Where an open tail came from when it was passed on (`f "$@"`). */
  readonly openPlaces: readonly Place[];
}

/** The elements of an indexed array in ascending order, whatever the order of assignment. */
export function orderedElements(variable: Variable): readonly (readonly [string, Pieces])[] {
  const entries = [...variable.elements];
  if (variable.kind !== 'indexed') return entries;
  let previous = -1;
  for (const [key] of entries) {
    const index = Number(key);
    if (index < previous) return entries.sort((a, b) => Number(a[0]) - Number(b[0]));
    previous = index;
  }
  return entries;
}

type Scope = ReadonlyMap<string, Variable | undefined>;

/** Variables in dynamic scope: a function's `local` names hide the caller's until it returns. */
export class Store {
  readonly #scopes: Scope[];
  /** Scopes that no copy shares with this store, so that they may be changed; in the order of `#scopes`. */
  #own: (Map<string, Variable | undefined> | undefined)[];
  /** Counts changes: what is derived from the variables holds until it moves. */
  version = 0;

  constructor(scopes: readonly Scope[] = [new Map()]) {
    this.#scopes = [...scopes];
    this.#own = scopes.map(() => undefined);
  }

  /** An own copy, as a subshell gets it. Scopes are copied when one of the two changes them. */
  copy(): Store {
    this.#own = this.#scopes.map(() => undefined);
    return new Store(this.#scopes);
  }

  #change(index: number): Map<string, Variable | undefined> {
    const own = this.#own[index];
    if (own !== undefined) return own;
    const made = new Map(this.#scopes[index]);
    this.#scopes[index] = made;
    this.#own[index] = made;
    return made;
  }

  /** The variable that a name means here. */
  get(name: string): Variable | undefined {
    for (let index = this.#scopes.length - 1; index >= 0; index -= 1) {
      const scope = this.#scopes[index];
      const variable = scope?.get(name);
      if (variable !== undefined || scope?.has(name) === true) return variable;
    }
    return undefined;
  }

  /** Changes the variable that a name means here: the nearest local one, else the global one. */
  set(name: string, variable: Variable | undefined): void {
    for (let index = this.#scopes.length - 1; index > 0; index -= 1) {
      if (this.#scopes[index]?.has(name) === true) {
        this.version += 1;
        this.#change(index).set(name, variable);
        return;
      }
    }
    this.setGlobal(name, variable);
  }

  /** Changes the global variable of a name (`declare -g`). */
  setGlobal(name: string, variable: Variable | undefined): void {
    this.version += 1;
    if (variable !== undefined) this.#change(0).set(name, variable);
    else if (this.#scopes[0]?.has(name) === true) this.#change(0).delete(name);
  }

  /** Makes a name local to the running function. */
  declareLocal(name: string, variable: Variable): void {
    this.version += 1;
    this.#change(this.#scopes.length - 1).set(name, variable);
  }

  /** Whether the running function has its own variable of this name. */
  isLocal(name: string): boolean {
    return this.#scopes.length > 1 && this.#scopes.at(-1)?.has(name) === true;
  }

  /** Whether a function is running. */
  get inFunction(): boolean {
    return this.#scopes.length > 1;
  }

  enter(): void {
    this.#scopes.push(new Map());
    this.#own.push(undefined);
  }

  leave(): void {
    this.version += 1;
    if (this.#scopes.length <= 1) return;
    this.#scopes.pop();
    this.#own.pop();
  }

  /** All visible variables by name. */
  visible(): Map<string, Variable> {
    const out = new Map<string, Variable>();
    for (const scope of this.#scopes) {
      for (const [name, variable] of scope) {
        if (variable === undefined) out.delete(name);
        else out.set(name, variable);
      }
    }
    return out;
  }

  /** Names whose variable is another one here than in `other`, which began as a copy of the same store. */
  differences(other: Store): ReadonlySet<string> {
    const out = new Set<string>();
    const depth = Math.max(this.#scopes.length, other.#scopes.length);
    for (let index = 0; index < depth; index += 1) {
      const mine = this.#scopes[index];
      const theirs = other.#scopes[index];
      if (mine === theirs) continue;
      for (const [name, variable] of mine ?? []) if (theirs?.get(name) !== variable) out.add(name);
      for (const name of theirs?.keys() ?? []) if (mine?.has(name) !== true) out.add(name);
    }
    return out;
  }

  /** Visible names that begin with a prefix, sorted as Bash sorts them. */
  namesWith(prefix: string): readonly string[] {
    return [...this.visible()]
      .filter(([name, variable]) => name.startsWith(prefix) && variable.kind !== 'unset')
      .map(([name]) => name)
      .sort();
  }
}
