/**
 * What something depends on, each once: names of absent variables and positional parameters, absent paths, numbers that a job's directives ask
 * for.
 */
export type Needs = readonly string[];

const none: Needs = [];

/** Whether a need is something that the workspace lacks: a path, which ends with a slash if it must be a directory. */
export function isPath(name: string): boolean {
  return name.startsWith('/');
}

/** The need for a variable to be the number that the job's own directives ask for: `SLURM_NNODES=2`. */
export function numberAsked(name: string, count: string): string {
  return `${name}=${count}`;
}

/** The variable and the number of `numberAsked`; undefined for anything else. */
export function askedNumber(need: string): { readonly name: string; readonly count: string } | undefined {
  const [, name, count] = /^(\w+)=(\d+)$/.exec(need) ?? [];
  return name === undefined || count === undefined ? undefined : { name, count };
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

/** A needed name as people write it: `$1`, `$#`, `X`. */
export function spoken(name: string): string {
  const bare = bareName(name);
  return /^(\d+|[#@*])$/.test(bare) ? `$${bare}` : bare;
}

/** The variable's own name: an empty assignment that the user is to fill in is stored as `=NAME`. */
export function bareName(name: string): string {
  return name.startsWith('=') ? name.slice(1) : name;
}
