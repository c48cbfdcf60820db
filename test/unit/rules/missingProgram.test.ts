import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/examples/papers/detox/train.sh';
const files = {
  '/repository/examples/papers/detox/finetune_gpt.py': 'from megatron.training import pretrain\n',
  '/repository/examples/papers/pretrain_own.py': 'from megatron.training import pretrain\n',
  '/repository/examples/bert/pretrain_bert.py': 'from megatron.training import pretrain\n',
};
const model =
  '--num-layers 4 --hidden-size 64 --tensor-model-parallel-size 1 --pipeline-model-parallel-size 1 --tokenizer-type NullTokenizer';

function lint(text: string) {
  return lintFile(path, text, files).findings.filter(({ rule }) => rule === 'missing-program');
}

const started = (program: string): string => `torchrun --nproc_per_node 8 ${program} ${model}\n`;

describe('a program that is not at its path', () => {
  it.each([
    ['examples/detox/finetune_gpt.py', 'examples/papers/detox/finetune_gpt.py'],
    ['./examples/detox/finetune_gpt.py', 'examples/papers/detox/finetune_gpt.py'],
    ['examples/pretrain_own.py', 'examples/papers/pretrain_own.py'],
    ['examples/bert/pretrain_bret.py', 'examples/bert/pretrain_bert.py'],
  ])('is reported if the intended one exists: %s', (program, meant) => {
    const text = started(program);
    const [finding, ...others] = lint(text);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ severity: 'warning', certainty: 'likely' });
    expect(finding?.message).toBe(`${program.replace('./', '')} is not there. Did you mean ${meant}?`);
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []);
    expect(fixed).toBe(started(meant));
    expect(lint(fixed ?? '')).toEqual([]);
  });

  it.each([
    ['/repository/examples/detox/finetune_gpt.py', '/repository/examples/papers/detox/finetune_gpt.py'],
    ['$HERE/finetune_gtp.py', '/repository/examples/papers/detox/finetune_gpt.py'],
  ])('is reported if its full path leads into the workspace: %s', (program, meant) => {
    const here = 'HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)\n';
    const [finding, ...others] = lint(here + started(program));
    expect(others).toEqual([]);
    expect(finding?.message).toMatch(`Did you mean ${meant}?`);
    expect(lint(here + started(meant))).toEqual([]);
  });

  it.each([
    // Exists relative to one of the folders above the script.
    'detox/finetune_gpt.py',
    'papers/pretrain_own.py',
    // In another checkout, or created by the job.
    'examples/other/pretrain_gpt.py',
    'tools/finetune_gpt.py',
    'pretrain_gpt.py',
    '/opt/examples/detox/finetune_gpt.py',
    '../examples/detox/finetune_gpt.py',
    '$EXAMPLES/detox/finetune_gpt.py',
  ])('is left alone if it may exist: %s', (program) => {
    expect(lint(started(program))).toEqual([]);
  });

  it.each([
    ['cd /opt/Megatron-LM\n', ''],
    ['cd "$MEGATRON"\n', ''],
    ['', 'docker run image '],
  ])('is left alone if it starts elsewhere: %s%s', (before, wrapper) => {
    expect(lint(`${before}${wrapper}${started('examples/detox/finetune_gpt.py')}`)).toEqual([]);
  });

  it.each([
    ['examples.detox.finetune_gpt', 'examples.papers.detox.finetune_gpt'],
    ['examples.bert.pretrain_bret', 'examples.bert.pretrain_bert'],
  ])('is reported for a module as well: %s', (module, meant) => {
    const text = started(`-m ${module}`);
    const [finding] = lint(text);
    expect(finding?.message).toBe(`${module} is not there. Did you mean ${meant}?`);
    expect(applyEdits(text, finding?.fixes[0]?.edits ?? [])).toBe(started(`-m ${meant}`));
    expect(lint(started(`-m ${meant}`))).toEqual([]);
  });

  it.each(['examples.papers', 'examples.other.main', 'megatron.training', 'detox.finetune_gpt'])(
    'is left alone if a module may exist: %s',
    (module) => {
      expect(lint(started(`-m ${module}`))).toEqual([]);
    },
  );

  it('has no fix if its path comes from a variable', () => {
    const text = `PROGRAM=examples/detox/finetune_gpt.py\n${started('$PROGRAM')}`;
    expect(lint(text).map(({ fixes }) => fixes)).toEqual([[]]);
  });
});
