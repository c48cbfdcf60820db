import { isUncounted, type Pieces } from './pieces.ts';

/**
 * The elements of an array by index or key. Immutable: changes return a new instance. Arrays that only grow share storage, so that `A+=(…)` on
 * every line of a script costs only what it adds.
 */
export class Elements implements Iterable<readonly [string, Pieces]> {
  static readonly none = new Elements([], 0, undefined, Number.POSITIVE_INFINITY);

  /** Elements 0 up to `#length` if there are no gaps; shared by versions of an array. */
  readonly #dense: Pieces[];
  readonly #length: number;
  /** All elements if there are gaps or string keys; in ascending order if they have indices. */
  readonly #sparse: ReadonlyMap<string, Pieces> | undefined;
  /** The index of the first element that may be absent or several: those after it may have other indices. */
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

  /** The index after the last one; only for indexed arrays. */
  get next(): number {
    if (this.#sparse === undefined) return this.#length;
    let last = -1;
    for (const key of this.#sparse.keys()) last = Math.max(last, Number(key));
    return last + 1;
  }

  /** Whether a key certainly has the stored element; if one string key is in doubt, all are. */
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

  /** With more elements after the last index. */
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
    // If another version has already grown, this one continues with a copy.
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

  /** True if both are certainly equal without comparing values. */
  shares(other: Elements): boolean {
    if (this === other) return true;
    return this.#sparse === other.#sparse && this.#dense === other.#dense && this.#length === other.#length;
  }
}

/** The index that a key denotes; undefined for string keys. */
function indexOf(key: string): number | undefined {
  const index = Number(key);
  return Number.isInteger(index) && String(index) === key ? index : undefined;
}
