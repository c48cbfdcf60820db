/** The single names in lists of names that data keeps on lines, separated by blanks. */
export function namesIn(lists: readonly string[]): readonly string[] {
  return lists.flatMap((list) => list.split(' '));
}
