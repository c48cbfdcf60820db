import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';
const rules: ReadonlySet<string> = new Set(['unknown-option', 'ignored-word', 'invalid-value']);

function reported(text: string, files: Record<string, string> = {}) {
  return lintFile(path, text, files).findings.filter(({ rule }) => rules.has(rule));
}

const megatron = 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 64';
const slime = 'python3 train.py --actor-num-nodes 1 --rollout-batch-size 8 --colocate';

describe('a product that nothing computes', () => {
  it.each([
    ['4 * 1024', '4 * 1024 is 4096', '4096'],
    ['2 * 2 * 1024', '2 * 2 * 1024 is 4096', '4096'],
  ])('is one finding across several words: %s', (written, said, product) => {
    const text = (value: string): string =>
      `ARGS=(--seq-length ${value} --bf16)\n${megatron} "\${ARGS[@]}"\n`;
    for (const files of [{}, { '/repository/a.txt': '', '/repository/b.txt': '' }]) {
      const [finding, ...more] = reported(text(written), files);
      expect(more).toEqual([]);
      expect(finding).toMatchObject({ rule: 'unknown-option', severity: 'error' });
      expect(finding?.message).toContain(said);
      expect(text(written).slice(finding?.place.span.start, finding?.place.span.end)).toBe(written);
      expect(applyEdits(text(written), finding?.fixes[0]?.edits ?? [])).toBe(text(product));
    }
    expect(reported(text(product))).toEqual([]);
  });

  it('stays together if another setting is added after it', () => {
    const text = `${megatron} --mock-data --micro-batch-size 1 --seq-length 4 * 1024\n`;
    const fixes = lintFile(path, text).findings.flatMap((finding) => finding.fixes);
    const [fix] = fixes.filter(({ title }) => title.startsWith('Train for'));
    expect(applyEdits(text, fix?.edits ?? [])).toMatch(/ --seq-length 4 \* 1024 --train-iters 1000\n/);
  });

  it('is ignored except for its first number where stray words are', () => {
    const text = `${slime} --update-weight-buffer-size 512 * 1024 * 1024\n`;
    const { findings } = lintFile(path, text);
    expect(findings.filter(({ rule }) => rule === 'ignored-word')).toMatchObject([{ severity: 'warning' }]);
    // Nothing is said about 512 bytes, which nobody means.
    expect(findings.map(({ rule }) => rule)).not.toContain('slime/update-weight-buffer-in-bytes');
  });

  it('is reported without a fix if its first number comes from a variable', () => {
    const [finding, ...more] = reported(`N=4\n${megatron} --seq-length $N * 1024\n`);
    expect(more).toEqual([]);
    expect(finding?.message).toContain('4 * 1024 is 4096');
    expect(finding?.fixes).toEqual([]);
  });

  it.each(['--seq-length 4 x 1024', '--seq-length 4 * --bf16', '--seq-length 4  1024'])(
    'is not seen in other words: %s',
    (args) => {
      const [finding] = reported(`${megatron} ${args}\n`);
      expect(finding?.rule).toBe('unknown-option');
      expect(finding?.message).not.toContain('$(( ))');
    },
  );

  it('is computed if it is the value', () => {
    const text = (value: string): string => `${megatron} --seq-length ${value}\n`;
    const [finding] = reported(text('4*1024'));
    expect(finding).toMatchObject({ rule: 'invalid-value', severity: 'error' });
    expect(applyEdits(text('4*1024'), finding?.fixes[0]?.edits ?? [])).toBe(text('4096'));
  });

  it('is computed in an override', () => {
    const text = (value: string): string =>
      `torchrun --nproc_per_node 8 scripts/training/run_recipe.py --recipe llama32_1b_pretrain_config train.train_iters=${value}\n`;
    const { findings } = lintFile(path, text('"4*256"'));
    const [finding] = findings.filter(({ fixes }) => fixes.some(({ title }) => title.includes('1024')));
    expect(applyEdits(text('"4*256"'), finding?.fixes[0]?.edits ?? [])).toBe(text('"1024"'));
  });

  it('is computed in a configuration', () => {
    const yaml = (value: string): string =>
      `experiment_name: e\ntrial_name: t\nallocation_mode: fsdp:d8\nactor:\n  mb_spec:\n    max_tokens_per_mb: ${value}\ngconfig:\n  n_samples: 4\n`;
    const at = '/repository/e.yaml';
    const [finding] = lintFile(at, yaml('4*1024')).findings.filter(({ rule }) => rule === 'invalid-value');
    expect(finding?.message).toContain('4*1024');
    expect(applyEdits(yaml('4*1024'), finding?.fixes[0]?.edits ?? [])).toBe(yaml('4096'));
  });
});
