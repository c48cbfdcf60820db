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
