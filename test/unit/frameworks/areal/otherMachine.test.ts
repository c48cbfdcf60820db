import { describe, expect, it } from 'vitest';
import { loadKnowledge, testLinter } from '../../../support/knowledge.ts';
import { memoryHost } from '../../../support/memoryHost.ts';
import { base, script } from './arealRun.ts';

const knowledge = loadKnowledge();

/** What is found and assumed if a script in the workspace starts a command. */
function started(command: string, more: { readonly [path: string]: string } = {}) {
  const text = `${command}\n`;
  const files = {
    '/repository/examples/math/train.py': script,
    '/repository/examples/math/config.yaml': base,
    ...more,
    '/repository/scripts/run.sh': text,
  };
  const { runs, findings } = testLinter(knowledge, memoryHost(files)).lint(
    '/repository/scripts/run.sh',
    text,
  );
  return {
    documents: runs.flatMap(({ documents }) => documents.map(({ path }) => path)),
    assumed: runs.flatMap(({ launch }) => launch?.assumptions.map((each) => each.text) ?? []),
    found: findings.map(({ rule, severity }) => `${severity} ${rule}`),
  };
}

const config = '/repository/examples/math/config.yaml';

describe('an AReaL launch with paths from another machine', () => {
  it('is read with the workspace files at the same trailing path', () => {
    const command = 'python3 /root/AReaL/examples/math/train.py --config /storage/a/math/config.yaml';
    const { documents, assumed } = started(
      command.replace('/storage/a/math', '/storage/AReaL/examples/math'),
    );
    expect(documents).toEqual([config]);
    expect(assumed).toEqual([
      '/root/AReaL/examples/math/train.py is the one of the workspace',
      '/storage/AReaL/examples/math/config.yaml is the one of the workspace',
    ]);
  });

  it('only gets warnings, no errors', () => {
    const words = '--config examples/math/config.yaml no.such=1';
    expect(started(`cd /repository\npython3 examples/math/train.py ${words}`).found).toContain(
      'error unknown-option',
    );
    const { found } = started(`python3 /root/AReaL/examples/math/train.py ${words}`);
    expect(found).toContain('warning unknown-option');
  });

  it('does not use a file that only shares its name, or one of several candidates', () => {
    const far = 'python3 /root/AReaL/examples/math/train.py --config /storage/config.yaml';
    expect(started(far).documents).toEqual([]);
    const two = { '/repository/scripts/examples/math/config.yaml': base };
    const command = 'python3 /a/examples/math/train.py --config /a/examples/math/config.yaml';
    expect(started(command).documents).toEqual([config]);
    expect(started(command, two).documents).toEqual([]);
  });
});
