/** Rising positions as a text, `0 4 2` for 0, 4 and 6: each as its distance from the one before, in base 36. */
export function textOfPositions(positions: readonly number[]): string {
  return positions.map((position, at) => (position - (positions[at - 1] ?? 0)).toString(36)).join(' ');
}

/** The positions that `textOfPositions` wrote. */
export function positionsIn(text: string): number[] {
  if (text === '') return [];
  let position = 0;
  return text.split(' ').map((distance) => {
    position += Number.parseInt(distance, 36);
    return position;
  });
}
