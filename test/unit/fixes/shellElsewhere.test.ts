import { describe, expect, test } from 'vitest';
import type { Proposed } from './proposal.ts';
import { applied, planShell } from './shellRun.ts';

test('a variable in a sourced file is changed there, and the title says so', () => {
  const files = {
    '/w/run.sh': 'source /w/common.sh\npython train.py --tp $TP "${MODEL[@]}"\n',
    '/w/common.sh': '# sizes\nTP=4\nMODEL=(\n  --lr 1e-4\n  --bf16\n)\n',
  };
  const fix = planShell(files, '/w/run.sh', { set: { tp: 2 }, unset: ['bf16'] });
  expect(fix?.title).toBe('Fix it (through TP on line 2 of common.sh)');
  if (fix === undefined) return;
  expect(applied(files, fix)).toEqual({
    '/w/run.sh': files['/w/run.sh'],
    '/w/common.sh': '# sizes\nTP=2\nMODEL=(\n  --lr 1e-4\n)\n',
  });
});

describe('scripts in YAML', () => {
  const path = '/w/job.yaml';
  const fixed = (text: string, change: Proposed): string | undefined => {
    const fix = planShell({ [path]: text }, path, change);
    return fix === undefined ? undefined : applied({ [path]: text }, fix)[path];
  };
  const block =
    'num_nodes: 1\nenvs:\n  TP: 4 # ranks\nrun: |\n  python train.py \\\n    --tp $TP \\\n    --bf16 \\\n    --pp 2\n';

  test('keep the indentation of the block', () => {
    expect(fixed(block, { set: { pp: 4, recompute: true }, unset: ['bf16'], env: { X: '1' } })).toBe(
      'num_nodes: 1\nenvs:\n  TP: 4 # ranks\nrun: |\n  export X=1\n  python train.py \\\n    --tp $TP \\\n    --pp 4 \\\n    --recompute\n',
    );
  });

  test('lose their whole last line', () => {
    expect(fixed(block, { unset: ['pp'] })).toBe(
      'num_nodes: 1\nenvs:\n  TP: 4 # ranks\nrun: |\n  python train.py \\\n    --tp $TP \\\n    --bf16\n',
    );
  });

  test('keep the line endings of a Windows file', () => {
    const file = `${block}name: x\n`.replaceAll('\n', '\r\n');
    const without = file.replace(' \\\r\n    --pp 2', '');
    expect(fixed(file, { unset: ['pp'] })).toBe(without);
    expect(fixed(file, { set: { pp: 4 }, unset: ['bf16'] })).toBe(
      file.replace('    --bf16 \\\r\n', '').replace('--pp 2', '--pp 4'),
    );
  });

  test('take values from the surrounding YAML', () => {
    expect(fixed(block, { set: { tp: 2 } })).toBe(block.replace('TP: 4', 'TP: 2'));
    expect(fixed(block, { env: { TP: '8' } })).toBeUndefined();
    const other = block.replace('TP: 4', 'TP: 4\n  X: a');
    expect(fixed(other, { env: { X: 'b' } })).toBe(other.replace('X: a', 'X: b'));
    expect(fixed(other, { env: { X: null } })).toBe(block.replace('TP: 4 # ranks', 'TP: 4'));
  });

  test('and container commands change item by item', () => {
    const head = 'spec:\n  image: i\n  env: [{name: TP, value: "4"}]\n  command: [python, train.py]\n';
    const block = `${head}  args:\n    - "--tp"\n    - "$(TP)"\n    - "--bf16"\n    - "--pp"\n    - "2"\n`;
    expect(fixed(block, { set: { tp: 2, pp: 1, recompute: true }, unset: ['bf16'] })).toBe(
      `${head.replace('"4"', '"2"')}  args:\n    - "--tp"\n    - "$(TP)"\n    - "--pp"\n    - "1"\n    - "--recompute"\n`,
    );
    const flow = `${head}  args: ["--tp", "4", "--bf16", "--pp", "2"]\n`;
    expect(fixed(flow, { set: { cp: 2 }, unset: ['tp', 'pp'], near: ['bf16'] })).toBe(
      `${head}  args: ["--bf16", "--cp", "2"]\n`,
    );
    const commented = `${head}  args: ["--tp", "4", # ranks\n    "--bf16", # why\n    "--pp", "2"]\n`;
    expect(fixed(commented, { unset: ['tp', 'pp'] })).toBe(
      `${head}  args: [ # ranks\n    "--bf16", # why\n    ]\n`,
    );
    const overrides = `${head}  args:\n    - tp=4 # ranks\n    - "pp=2"\n    - 'name=it''s'\n`;
    expect(fixed(overrides, { set: { tp: 2, pp: 1 } })).toBe(
      overrides.replace('tp=4', 'tp=2').replace('pp=2', 'pp=1'),
    );
    expect(fixed(overrides, { set: { name: 'other' } })).toBeUndefined();
    const anchored = `${head}  args: [&flag "--tp", "4", "--bf16", "--pp", "2"]\n`;
    expect(fixed(anchored, { unset: ['tp'] })).toBeUndefined();
  });

  test('on one line change only by plain words', () => {
    const text = 'resources: {}\nrun: python train.py --tp 4 --pp 2 # c\n';
    expect(fixed(text, { set: { tp: 2 }, unset: ['pp'] })).toBe(
      'resources: {}\nrun: python train.py --tp 2 # c\n',
    );
    expect(fixed(text, { set: { name: 'a b' } })).toBeUndefined();
  });
});
