import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readKnowledge } from '../../tools/knowledge/read.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const options = (framework: string, name: string): string =>
  JSON.stringify({
    framework,
    repository: 'ours/ours',
    commit: 'c0ffee',
    options: [{ name, type: 'int', default: 1, source: 'a.py:1' }],
  });

/** The knowledge of two frameworks, the second of which takes steps from the first, plus more files. */
function read(more: { readonly [path: string]: string }): ReturnType<typeof readKnowledge> {
  const folder = mkdtempSync(join(tmpdir(), 'schemas-'));
  folders.push(folder);
  const files = {
    'slime/options.json': options('slime', 'size'),
    'slime/base.yaml': 'launch: python3 train.py\nworld_size: 1\n',
    'slime/derive/bytes.yaml': '- {set: weight_bytes, to: 2 * size}\n',
    'relax/options.json': options('relax', 'own'),
    'relax/base.yaml':
      'includes: [slime]\ntakes: [slime/derive/bytes.yaml]\nlaunch: python3 train.py\nworld_size: 1\n',
    'relax/derive.yaml': '- {set: size, to: own}\n',
    ...more,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return readKnowledge(folder);
}

describe('steps that a framework takes from another', () => {
  it('come after its own, each once', () => {
    const { frameworks, problems } = read({});
    expect(problems).toEqual([]);
    const stepsOf = (id: 'relax' | 'slime') =>
      frameworks.get(id)?.knowledge.derivations.map(({ set }) => set);
    expect(stepsOf('slime')).toEqual(['weight_bytes']);
    expect(stepsOf('relax')).toEqual(['size', 'weight_bytes']);
  });

  it('are reported if there is no such file', () => {
    const base =
      'includes: [slime]\ntakes: [slime/derive/none.yaml]\nlaunch: python3 train.py\nworld_size: 1\n';
    const { problems } = read({ 'relax/base.yaml': base });
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^takes: there is no .*slime\/derive\/none\.yaml$/),
    ]);
  });
});

describe('the least memory a GPU needs', () => {
  const floor = (more: string): string =>
    `- {gpu: each GPU, when: size > 1, parts: {weights: weight_bytes}, without: [activations]${more}}\n`;

  it('is read with its parts', () => {
    const { frameworks, problems } = read({ 'slime/memory.yaml': floor('') });
    expect(problems).toEqual([]);
    const [first] = frameworks.get('slime')?.knowledge.floors ?? [];
    expect(first).toMatchObject({
      gpu: 'each GPU',
      parts: [{ name: 'weights', bytes: ['n', 'weight_bytes'] }],
    });
  });

  it('may only name existing values and constraints', () => {
    const messages = (text: string): string[] =>
      read({ 'slime/memory.yaml': text }).problems.map(({ message }) => message);
    expect(messages(floor(', rule: nothing'))).toEqual(['no constraint is called nothing']);
    expect(messages(floor('').replace('weight_bytes', 'other_bytes'))).toEqual([
      expect.stringContaining('no option or derived value is called other_bytes'),
    ]);
  });
});
