import ignore, { type Ignore } from 'ignore';

/** What patterns say about a path relative to their folder; paths of folders end with `/`. */
export interface IgnoreRules {
  test(path: string): { readonly ignored: boolean; readonly unignored: boolean };
}

/** The longest run of literal characters in a pattern: every path that it matches contains them, ignoring case. */
function longestName(pattern: string): string {
  const plain = pattern.replace(/\\./g, '/').replace(/\[.*$/, '').toLowerCase();
  return (plain.match(/[\w.-]+/g) ?? []).reduce(
    (longest, run) => (run.length > longest.length ? run : longest),
    '',
  );
}

/**
 * Patterns in the syntax of `.gitignore`. The library compiles each pattern that it tries to a regular expression, which takes longer than
 * linting a short script: so it only gets those whose literal characters occur in the path, mostly none.
 *
 * @param foldsCase whether to ignore case, as Git does on disks that find files that way
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
