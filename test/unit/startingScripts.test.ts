import { describe, expect, test } from 'vitest';
import { scriptsNaming } from '../../server/src/startingScripts.ts';
import { loadKnowledge, testLinter } from '../support/knowledge.ts';
import { memoryHost } from '../support/memoryHost.ts';
import { base, script } from './frameworks/areal/arealRun.ts';

const knowledge = loadKnowledge();
const path = '/repository/configs/wrong.yaml';
const wrong = `${base}\ntotal_train_epochs: many\n`;
const start = 'python3 train.py --config configs/wrong.yaml scheduler.type=local';

/** What is reported about an invalid number of epochs if scripts of the workspace start with the file. */
function reported(scripts: { readonly [path: string]: string }): readonly string[] {
  const files = { '/repository/train.py': script, [path]: wrong, ...scripts };
  const { findings, sources } = testLinter(knowledge, memoryHost(files)).lint(path, wrong);
  const found = findings.filter(({ rule }) => rule === 'invalid-value');
  return [...found.map(({ severity, certainty }) => `${certainty} ${severity}`), ...sources];
}

describe('a standalone configuration', () => {
  test('has an error if no script starts with it', () => {
    expect(reported({})).toEqual(['certain error']);
    expect(reported({ '/repository/run.sh': '# configs/wrong.yaml\necho wrong.yaml\n' })).toEqual([
      'certain error',
    ]);
  });

  test('only has a warning if every script that starts with it sets or deletes the key', () => {
    const setting = { '/repository/run.sh': `${start} total_train_epochs=2\n` };
    expect(reported(setting)).toEqual(['likely warning', '/repository/run.sh']);
    const deleting = { '/repository/scripts/run.sh': `${start} ~total_train_epochs\n` };
    expect(reported({ ...setting, ...deleting })).toEqual([
      'likely warning',
      '/repository/run.sh',
      '/repository/scripts/run.sh',
    ]);
  });

  test('only has a warning if every script that starts with it needs an earlier release', () => {
    const earlier = `${base.replace(/^actor:/m, 'actor:\n  group_size: 4')}\n`;
    const rules = (scripts: { readonly [path: string]: string }): readonly string[] => {
      const files = { '/repository/train.py': script, [path]: earlier, ...scripts };
      const { findings } = testLinter(knowledge, memoryHost(files)).lint(path, earlier);
      return findings.flatMap(({ rule, severity }) => (rule === 'renamed-option' ? [severity] : []));
    };
    expect(rules({})).toEqual(['error']);
    const launcher = 'python3 -m areal.launcher.local train.py --config configs/wrong.yaml';
    expect(rules({ '/repository/run.sh': `${launcher}\n` })).toEqual(['warning']);
  });

  test('has an error if one of them leaves the key as it is', () => {
    const setting = { '/repository/a.sh': `${start} total_train_epochs=2\n` };
    const leaving = { '/repository/b.sh': `${start} seed=2\n` };
    expect(reported({ ...setting, ...leaving })[0]).toBe('certain error');
    const onePath = `if [ -n "$LONG" ]; then\n  ${start} total_train_epochs=2\nelse\n  ${start}\nfi\n`;
    expect(reported({ '/repository/a.sh': onePath })[0]).toBe('certain error');
  });
});

test('scripts that name a file are searched for around it, up to the root', () => {
  const naming = 'x wrong.yaml';
  const files = {
    [path]: wrong,
    '/repository/configs/a.sh': naming,
    '/repository/scripts/b.slurm': naming,
    '/repository/scripts/c.sh': 'x other.yaml',
    '/repository/scripts/far/d.sh': naming,
    '/repository/e.py': naming,
  };
  expect(scriptsNaming(path, memoryHost(files)).map((each) => each.path)).toEqual([
    '/repository/configs/a.sh',
    '/repository/scripts/b.slurm',
  ]);
  expect(scriptsNaming('/elsewhere/wrong.yaml', memoryHost(files))).toEqual([]);
});
