import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import { isShellName, isYamlName, lintedFiles } from '../../../server/src/text/fileNames.ts';

describe('names of files that are linted', () => {
  const matches = picomatch(lintedFiles);

  test.each([
    ['run.sh', true, false],
    ['a/b/run.slrm', true, false],
    ['a/train.job', true, false],
    ['a/train.pbs', true, false],
    ['a/train.lsf', true, false],
    ['a/config.yaml', false, true],
    ['config.yml', false, true],
    ['train.py', false, false],
    ['sh', false, false],
    ['run.sh.orig', false, false],
  ])('are found by one pattern, and tell what they are: %s', (name, isShell, isYaml) => {
    expect(isShellName(name)).toBe(isShell);
    expect(isYamlName(name)).toBe(isYaml);
    expect(matches(name)).toBe(isShell || isYaml);
  });
});
