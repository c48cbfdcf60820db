import { readFileSync } from 'node:fs';
import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import { isShellName, isYamlName, lintedFiles } from '../../../server/src/text/fileNames.ts';

interface Manifest {
  readonly contributes: { readonly languages: readonly { readonly extensions: readonly string[] }[] };
}

describe('names of files that are linted', () => {
  test('include all that the extension registers as shell scripts in VS Code', () => {
    const manifest: Manifest = JSON.parse(readFileSync('package.json', 'utf8'));
    const endings = manifest.contributes.languages.flatMap(({ extensions }) => extensions);
    expect(endings.filter((ending) => !isShellName(`job${ending}`))).toEqual([]);
    expect(endings).toContain('.slurm');
  });

  const matches = picomatch(lintedFiles);

  test.each([
    ['run.sh', true, false],
    ['a/b/run.slrm', true, false],
    ['a/train.job', true, false],
    ['a/train.pbs', true, false],
    ['a/train.lsf', true, false],
    ['a/config.yaml', false, true],
    ['config.yml', false, true],
    ['a/job.yaml-template', false, true],
    ['job.yml.template', false, true],
    ['a/job.yaml.j2', false, true],
    ['job.yaml.example', false, false],
    ['job.template', false, false],
    ['run.sh.j2', false, false],
    ['train.py', false, false],
    ['sh', false, false],
    ['run.sh.orig', false, false],
  ])('are found by one pattern, and indicate their type: %s', (name, isShell, isYaml) => {
    expect(isShellName(name)).toBe(isShell);
    expect(isYamlName(name)).toBe(isYaml);
    expect(matches(name)).toBe(isShell || isYaml);
  });
});
