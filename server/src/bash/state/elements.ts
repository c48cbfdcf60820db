import { isUncounted, type Pieces } from './pieces.ts';

/**
 * The elements of an array by index or key. Never changed in place: what changes it gives a new one. Arrays that only grow share
 * what they have in common, so that `A+=(…)` on every line of a script costs what it adds.
 */
export class Elements implements Iterable<readonly [string, Pieces]> {
  static readonly none = new Elements([], 0, undefined, Number.POSITIVE_INFINITY);

  /** Elements 0 up to `#length`, when there is no gap; versions of an array share it. */
  readonly #dense: Pieces[];
  readonly #length: number;
  /** All elements, ascending where they have indices, when there is a gap or they have names. */
  readonly #sparse: ReadonlyMap<string, Pieces> | undefined;
  /** The index of the first element that may be no element or several: those behind it may have other indices. */
  readonly certainBelow: number;

  private constructor(
    dense: Pieces[],
    length: number,
    sparse: ReadonlyMap<string, Pieces> | undefined,
    certainBelow: number,
  ) {
    this.#dense = dense;
    this.#length = length;
    this.#sparse = sparse;
    this.certainBelow = certainBelow;
  }

  /** Elements 0, 1, 2 … */
  static list(values: readonly Pieces[]): Elements {
    return Elements.none.appended(values);
  }

  get size(): number {
    return this.#sparse?.size ?? this.#length;
  }

  get(key: string): Pieces | undefined {
    if (this.#sparse !== undefined) return this.#sparse.get(key);
    const index = indexOf(key);
    return index !== undefined && index < this.#length ? this.#dense[index] : undefined;
  }

  /** The index behind the last one; only for arrays with indices. */
  get next(): number {
    if (this.#sparse === undefined) return this.#length;
    let last = -1;
    for (const key of this.#sparse.keys()) last = Math.max(last, Number(key));
    return last + 1;
  }

  /** Whether it is certain that a key has the element that stands there; in doubt about one name all names are in doubt. */
  isCertain(key: string): boolean {
    return this.certainBelow === Number.POSITIVE_INFINITY || Number(key) < this.certainBelow;
  }

  *keys(): IterableIterator<string> {
    if (this.#sparse !== undefined) yield* this.#sparse.keys();
    else for (let index = 0; index < this.#length; index += 1) yield String(index);
  }

  *[Symbol.iterator](): IterableIterator<readonly [string, Pieces]> {
    if (this.#sparse !== undefined) yield* this.#sparse;
    else
      for (let index = 0; index < this.#length; index += 1) yield [String(index), this.#dense[index] ?? []];
  }

  /** The values in order. */
  values(): readonly Pieces[] {
    return this.#sparse === undefined ? this.#dense.slice(0, this.#length) : [...this.#sparse.values()];
  }

  /** With more elements behind the last index. */
  appended(values: readonly Pieces[]): Elements {
    if (values.length === 0) return this;
    const start = this.next;
    let { certainBelow } = this;
    const uncounted = values.findIndex(isUncounted);
    if (uncounted >= 0) certainBelow = Math.min(certainBelow, start + uncounted);
    if (this.#sparse !== undefined) {
      const sparse = new Map(this.#sparse);
      for (const [offset, value] of values.entries()) sparse.set(String(start + offset), value);
      return new Elements([], 0, sparse, certainBelow);
    }
    // Another version may have grown already: then this one goes on with a copy.
    const dense = this.#dense.length === this.#length ? this.#dense : this.#dense.slice(0, this.#length);
    for (const value of values) dense.push(value);
    return new Elements(dense, this.#length + values.length, undefined, certainBelow);
  }

  /** With one element changed or added; `indexed` keeps the order of the indices. */
  with(key: string, value: Pieces, indexed: boolean): Elements {
    const certainBelow = isUncounted(value) ? Math.min(this.certainBelow, Number(key)) : this.certainBelow;
    if (this.#sparse === undefined && indexed) {
      if (indexOf(key) === this.#length) return this.appended([value]);
      if (this.get(key) !== undefined) {
        const dense = this.#dense.slice(0, this.#length);
        dense[Number(key)] = value;
        return new Elements(dense, dense.length, undefined, certainBelow);
      }
    }
    const sparse = new Map(this);
    const inOrder = !indexed || sparse.has(key) || Number(key) >= this.next;
    sparse.set(key, value);
    const sorted = inOrder ? sparse : new Map([...sparse].sort((a, b) => Number(a[0]) - Number(b[0])));
    return new Elements([], 0, sorted, certainBelow);
  }

  without(key: string): Elements {
    if (this.get(key) === undefined) return this;
    const sparse = new Map(this);
    sparse.delete(key);
    return new Elements([], 0, sparse, this.certainBelow);
  }

  /** True when both are certainly the same without a look at the values. */
  shares(other: Elements): boolean {
    if (this === other) return true;
    return this.#sparse === other.#sparse && this.#dense === other.#dense && this.#length === other.#length;
  }
}

/** The index that a key is written as; undefined for names. */
function indexOf(key: string): number | undefined {
  const index = Number(key);
  return Number.isInteger(index) && String(index) === key ? index : undefined;
}
