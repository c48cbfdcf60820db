import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  basename,
  dirname,
  normalizePath,
  relativePath,
  resolvePath,
} from '../../../../server/src/bash/library/paths.ts';
import { runReal } from './real.ts';

const name = fc.constantFrom('a', 'b.sh', '.', '..', '', 'c d', '.x');
const relative = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'));
const paths = fc
  .sample(
    fc.tuple(fc.constantFrom('', '/', '/'), relative).map((parts) => parts.join('')),
    { numRuns: 400, seed: 41 },
  )
  .filter(Boolean);
const absolute = paths.map((path) => (path.startsWith('/') ? path : `/nowhere/${path}`));

function answers(program: string, args: readonly string[]): readonly string[] {
  return runReal(program, args).output.split('\0').slice(0, -1);
}

describe('paths', () => {
  test('dirname and basename agree with the tools', () => {
    expect(paths.map(dirname)).toEqual(answers('dirname', ['-z', '--', ...paths]));
    expect(paths.map((path) => basename(path))).toEqual(answers('basename', ['-az', '--', ...paths]));
    expect(paths.map((path) => basename(path, '.sh'))).toEqual(
      answers('basename', ['-z', '-s', '.sh', '--', ...paths]),
    );
  });

  test('normalized paths agree with realpath', () => {
    expect(absolute.map(normalizePath)).toEqual(answers('realpath', ['-msz', '--', ...absolute]));
    const base = '/nowhere/a/c d';
    expect(absolute.map((path) => relativePath(base, path))).toEqual(
      answers('realpath', ['-msz', `--relative-to=${base}`, '--', ...absolute]),
    );
  });

  test('a relative path is resolved against its base', () => {
    expect(resolvePath('/w/scripts/low', '../models/x.sh')).toBe('/w/scripts/models/x.sh');
    expect(resolvePath('/w', '/abs/./p/')).toBe('/abs/p');
    expect(normalizePath('a/../../b')).toBe('../b');
    expect(normalizePath('./')).toBe('.');
  });
});
