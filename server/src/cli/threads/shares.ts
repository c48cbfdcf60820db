/** Number of files that a thread takes at a time. */
const batch = 4;

/**
 * Items that are divided among several threads. Some threads take from the front and some from the back: if similar items are next to each
 * other, each thread mostly gets one kind and only warms up for that.
 */
export interface Shares {
  /** Numbers of taken items: in total, from the front, from the back. Shared between threads. */
  readonly taken: SharedArrayBuffer;
  readonly count: number;
}

/** Shares of `count` items, none of which is taken yet. */
export function sharesOf(count: number): Shares {
  return { taken: new SharedArrayBuffer(12), count };
}

/** The positions that a thread takes from one end, batch by batch, until none is left. */
export function* takenFrom(end: 'front' | 'back', { taken, count }: Shares): Generator<number> {
  const counters = new Int32Array(taken);
  for (;;) {
    const reserved = Atomics.add(counters, 0, batch);
    const size = Math.min(batch, count - reserved);
    if (size <= 0) return;
    const from = Atomics.add(counters, end === 'front' ? 1 : 2, size);
    for (let at = from; at < from + size; at++) yield end === 'front' ? at : count - 1 - at;
  }
}
