/** Characters of texts that are kept: what a repository's files have in common, and what one lint asks for again and again. */
const usual = 1_000_000;

/**
 * Makes a function that reads texts and keeps those that were asked for last.
 * @param read the text of a path; undefined, which is kept as well, where there is none
 * @param most characters that are kept in all; the text that was asked for last is kept however long it is
 */
export function keepingLast(
  read: (path: string) => string | undefined,
  most: number = usual,
): (path: string) => string | undefined {
  // The one that was asked for last stands at the end.
  const kept = new Map<string, string | undefined>();
  let length = 0;
  return (path) => {
    const isKept = kept.has(path);
    const text = isKept ? kept.get(path) : read(path);
    if (isKept) kept.delete(path);
    else length += text?.length ?? 0;
    kept.set(path, text);
    for (const [first, old] of kept) {
      if (length <= most || first === path) break;
      kept.delete(first);
      length -= old?.length ?? 0;
    }
    return text;
  };
}
