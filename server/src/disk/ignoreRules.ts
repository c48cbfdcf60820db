import ignore, { type Ignore } from 'ignore';

/** What patterns say of a path relative to their folder; that of a folder ends with `/`. */
export interface IgnoreRules {
  test(path: string): { readonly ignored: boolean; readonly unignored: boolean };
}

/** The longest run of characters in a pattern that stand for themselves: every path that it matches holds them, in whatever case. */
function longestName(pattern: string): string {
  const plain = pattern.replace(/\\./g, '/').replace(/\[.*$/, '').toLowerCase();
  return (plain.match(/[\w.-]+/g) ?? []).reduce(
    (longest, run) => (run.length > longest.length ? run : longest),
    '',
  );
}

/**
 * Patterns in the syntax of `.gitignore`. The library makes a regular expression of each that it tries, which takes longer than linting
 * a short script: so it gets those alone whose names the path holds, mostly none.
 *
 * @param foldsCase whether letters of either case are the same, as they are for Git where the disk finds files so
 */
export function ignoreRules(patterns: readonly string[], foldsCase: boolean): IgnoreRules {
  const named = patterns.map((pattern) => ({ pattern, name: longestName(pattern) }));
  const rulesOf = new Map<string, Ignore>();
  return {
    test: (path) => {
      const folded = path.toLowerCase();
      const possible = named.filter(({ name }) => folded.includes(name)).map(({ pattern }) => pattern);
      if (possible.length === 0) return { ignored: false, unignored: false };
      const key = possible.join('\n');
      const rules =
        rulesOf.get(key) ?? ignore({ allowRelativePaths: true, ignorecase: foldsCase }).add(possible);
      rulesOf.set(key, rules);
      return rules.test(path);
    },
  };
}
