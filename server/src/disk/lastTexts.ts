/** Maximum number of characters of cached texts: enough for what a repository's files have in common and what one lint reads repeatedly. */
const usual = 1_000_000;

/**
 * Makes a function that reads texts and caches the most recently used.
 * @param read the text of a path; undefined, which is cached as well, if there is none
 * @param most maximum number of characters in all; the text read last is kept however long it is
 */
export function keepingLast(
  read: (path: string) => string | undefined,
  most: number = usual,
): (path: string) => string | undefined {
  // The most recently used is at the end.
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
