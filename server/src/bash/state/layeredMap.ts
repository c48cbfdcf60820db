/** Marks a removed name. */
const gone = Symbol('gone');

type Change<V> = { readonly value: V } | typeof gone;
type Layer<V> = ReadonlyMap<string, Change<V>>;

/** The top layer of a copy until it is changed, which most never are. */
const nothing: Layer<never> = new Map();

/**
 * A map with cheap copies: what copies share is never changed again, and later changes go to layers above it. Each layer is less than half as
 * large as the one below it, so that there are few and entries are seldom copied.
 */
export class LayeredMap<V> {
  #layers: readonly Layer<V>[];
  #top: Layer<V> = nothing;
  /** The top layer in mutable form, once there are changes. */
  #own: Map<string, Change<V>> | undefined;

  private constructor(layers: readonly Layer<V>[]) {
    this.#layers = layers;
  }

  static empty<V>(): LayeredMap<V> {
    return new LayeredMap<V>([]);
  }

  /** An independent copy. */
  copy(): LayeredMap<V> {
    this.#settle();
    return new LayeredMap<V>(this.#layers);
  }

  /** The entry of a name; undefined when there is none. */
  entry(name: string): { readonly value: V } | undefined {
    let found = this.#top.get(name);
    for (let index = this.#layers.length - 1; found === undefined && index >= 0; index -= 1)
      found = this.#layers[index]?.get(name);
    return found === gone ? undefined : found;
  }

  set(name: string, value: V): void {
    this.#changes().set(name, { value });
  }

  delete(name: string): void {
    this.#changes().set(name, gone);
  }

  #changes(): Map<string, Change<V>> {
    if (this.#own === undefined) {
      this.#own = new Map();
      this.#top = this.#own;
    }
    return this.#own;
  }

  /** Passes every entry to `tell`, with `undefined` for a removed name; for a changed one the newest value comes last. */
  forEach(tell: (name: string, value: V | undefined) => void): void {
    const reportEntry = (change: Change<V>, name: string): void =>
      tell(name, change === gone ? undefined : change.value);
    for (const layer of this.#layers) layer.forEach(reportEntry);
    this.#top.forEach(reportEntry);
  }

  /** Names whose entries may differ from those in `other`, which was copied from the same map. */
  changed(other: LayeredMap<V>): ReadonlySet<string> {
    let same = 0;
    while (same < this.#layers.length && this.#layers[same] === other.#layers[same]) same += 1;
    const names = new Set<string>();
    for (const map of [this, other])
      for (const layer of [...map.#layers.slice(same), map.#top])
        for (const name of layer.keys()) names.add(name);
    return names;
  }

  /** Moves the newest changes to a layer that copies can share. */
  #settle(): void {
    if (this.#top.size === 0) return;
    const layers = [...this.#layers];
    let top = this.#top;
    for (
      let below = layers.at(-1);
      below !== undefined && below.size <= 2 * top.size;
      below = layers.at(-1)
    ) {
      layers.pop();
      const joined = new Map(below);
      for (const [name, change] of top) joined.set(name, change);
      top = joined;
    }
    layers.push(top);
    this.#layers = layers;
    this.#top = nothing;
    this.#own = undefined;
  }
}
