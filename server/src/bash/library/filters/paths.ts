import { basename, dirname, isAbsolute, normalizePath, relativePath } from '../paths.ts';
import { type Filter, joinLines, success } from './filter.ts';
import { has, lastValue, parseOptions } from './options.ts';

/** `dirname PATH…`. */
export const dirnameCommand: Filter = (args) => {
  const options = parseOptions(args, { flags: '', valued: '' });
  return options && options.operands.length > 0
    ? success(joinLines(options.operands.map(dirname)))
    : undefined;
};

/** `basename PATH [SUFFIX]`, `-a`, `-s SUFFIX`. */
export const basenameCommand: Filter = (args) => {
  const options = parseOptions(args, { flags: 'a', valued: 's', long: { multiple: 'a', suffix: 's' } });
  if (options === undefined || options.operands.length === 0) return undefined;
  const [first = '', second, ...more] = options.operands;
  if (has(options, 'a') || has(options, 's')) {
    return success(joinLines(options.operands.map((path) => basename(path, lastValue(options, 's')))));
  }
  return more.length > 0 || options.operands.includes('')
    ? undefined
    : success(`${basename(first, second)}\n`);
};

/**
 * `realpath -ms PATH…` and `--relative-to` on absolute paths. Without `-s` a symbolic link could lead elsewhere: the caller decides whether its
 * files have any, and may add `-s`.
 */
export const realpath: Filter = (args) => {
  const options = parseOptions(args, {
    flags: 'mse',
    valued: 'R',
    long: { 'canonicalize-missing': 'm', strip: 's', 'no-symlinks': 's', 'relative-to': 'R' },
  });
  if (options === undefined || !has(options, 's') || !has(options, 'm') || has(options, 'e'))
    return undefined;
  const base = lastValue(options, 'R');
  const paths = base === undefined ? options.operands : [...options.operands, base];
  if (options.operands.length === 0 || !paths.every(isAbsolute)) return undefined;
  return success(
    joinLines(
      options.operands.map((path) => (base === undefined ? normalizePath(path) : relativePath(base, path))),
    ),
  );
};
