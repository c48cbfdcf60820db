/** Encodes ascending positions as text, `0 4 2` for 0, 4 and 6: each as its distance from the previous one, in base 36. */
export function textOfPositions(positions: readonly number[]): string {
  return positions.map((position, at) => (position - (positions[at - 1] ?? 0)).toString(36)).join(' ');
}

/** The positions in a text from `textOfPositions`. */
export function positionsIn(text: string): number[] {
  if (text === '') return [];
  let position = 0;
  return text.split(' ').map((distance) => {
    position += Number.parseInt(distance, 36);
    return position;
  });
}
