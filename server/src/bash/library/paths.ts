/** `dirname PATH`. */
export function dirname(path: string): string {
  const trimmed = trimSlashes(path);
  if (trimmed === '/') return '/';
  const slash = trimmed.lastIndexOf('/');
  if (slash < 0) return '.';
  return trimSlashes(trimmed.slice(0, slash + 1));
}

/** `basename PATH [SUFFIX]`. */
export function basename(path: string, suffix = ''): string {
  const trimmed = trimSlashes(path);
  if (trimmed === '/') return '/';
  const name = trimmed.slice(trimmed.lastIndexOf('/') + 1);
  return suffix !== '' && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

/** Whether the path is absolute. */
export function isAbsolute(path: string): boolean {
  return path.startsWith('/');
}

/**
 * `path` resolved against the directory `base`: an absolute path without `.`, `..`, doubled or trailing slashes (the result of `cd` and
 * `realpath -ms`).
 */
export function resolvePath(base: string, path: string): string {
  return normalizePath(isAbsolute(path) ? path : `${base}/${path}`);
}

/** The path without `.`, `name/..`, doubled or trailing slashes. Symbolic links are not resolved. */
export function normalizePath(path: string): string {
  const absolute = isAbsolute(path);
  const out: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') out.push(name);
    else if (out.length > 0 && out.at(-1) !== '..') out.pop();
    else if (!absolute) out.push('..');
  }
  const joined = out.join('/');
  if (absolute) return `/${joined}`;
  return joined === '' ? '.' : joined;
}

/** The relative path from the directory `from` to `to`, both absolute (`realpath -ms --relative-to`). */
export function relativePath(from: string, to: string): string {
  const [start, end] = [from, to].map((path) => normalizePath(path).split('/').filter(Boolean));
  if (start === undefined || end === undefined) return to;
  let common = 0;
  while (common < start.length && common < end.length && start[common] === end[common]) common++;
  const way = [...start.slice(common).map(() => '..'), ...end.slice(common)].join('/');
  return way === '' ? '.' : way;
}

function trimSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}
