/** Index of the last of ascending offsets that is not above `offset`, or 0 when all are; O(log n). */
export function lastAtMost(ascending: readonly number[], offset: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((ascending[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Length of the common prefix of two texts. */
export function commonLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let same = 0;
  // Comparing stretches is much faster than comparing characters.
  for (const stretch of [4096, 64, 1])
    while (same < most && a.slice(same, same + stretch) === b.slice(same, same + stretch)) same += stretch;
  return Math.min(same, most);
}

/** Length of the common suffix of two texts, not counting a common prefix of `from` characters. */
export function commonEnd(a: string, b: string, from: number): number {
  const most = Math.min(a.length, b.length) - from;
  let same = 0;
  const isSame = (stretch: number): boolean =>
    a.slice(a.length - same - stretch, a.length - same) ===
    b.slice(b.length - same - stretch, b.length - same);
  for (const stretch of [4096, 64, 1]) while (same + stretch <= most && isSame(stretch)) same += stretch;
  return same;
}
