/** Names of variables and positionals whose absence something rests on; each stands once. */
export type Needs = readonly string[];

const none: Needs = [];

/** Whether something is needed that the workspace lacks: a path, which ends with a slash when it is to be a directory. */
export function isPath(name: string): boolean {
  return name.startsWith('/');
}

/** The names of both, each once; one of the two itself when it holds the other. */
export function union(left: Iterable<string>, right: Iterable<string>): Needs {
  const a = Array.isArray(left) ? left : [...left];
  const b = Array.isArray(right) ? right : [...right];
  if (b.length === 0 || a === b) return a;
  if (a.length === 0) return b;
  const missing = b.filter((name) => !a.includes(name));
  return missing.length === 0 ? a : [...a, ...missing];
}

/** The names of all, each once. */
export function unionOf(all: readonly Needs[]): Needs {
  return all.reduce(union, none);
}
