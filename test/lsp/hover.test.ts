import { beforeEach, describe, expect, test } from 'vitest';
import type { Hover } from 'vscode-languageserver/node';
import type { InProcess } from './client.ts';
import { folder, started, uri } from './setup.ts';
import { arealConfig, megatronScript, positionOf } from './texts.ts';

let server: InProcess;
beforeEach(async () => {
  server = await started();
});

async function hoverAt(text: string, part: string, at = uri): Promise<string> {
  const { client } = server;
  await client.open(at, text, at.endsWith('.sh') ? 'shellscript' : 'yaml');
  const found: Hover | null = await client.request('textDocument/hover', at, {
    position: positionOf(text, part),
  });
  const contents = found?.contents;
  return typeof contents === 'object' && 'value' in contents ? contents.value : '';
}

describe('hover', () => {
  test('a flag: type, what it does, default, value in force, its origin, source at its commit', async () => {
    const text = await hoverAt(megatronScript(), '--tensor-model-parallel-size');
    expect(text).toMatch(/^\*\*\\-\\-tensor\\-model\\-parallel\\-size\*\* · int/);
    expect(text).toContain('Default: `1`');
    expect(text).toContain('In force: `2`');
    expect(text).toMatch(/From \[line 3\]\(file:\/\/\/repository\/run\.sh#L3\) → \[line \d+\]/);
    expect(text).toMatch(/github\.com\/NVIDIA\/Megatron-LM\/blob\/[0-9a-f]{40}\/.+#L\d+/);
    expect(text).toContain('Splits');
  });

  test('a recipe of Bridge: what it sets, except what the launch sets itself', async () => {
    const script =
      'torchrun --nproc_per_node 8 --nnodes 4 scripts/training/run_recipe.py --recipe llama3_70b_pretrain_config -pp 2\n';
    const text = await hoverAt(script, 'llama3_70b');
    expect(text).toContain('`model.tensor_model_parallel_size` `4`');
    expect(text).not.toContain('model.pipeline_model_parallel_size');
  });

  test.each(['TP:', ' 4'])('a variable of a YAML job, at its name and at its value: %j', async (part) => {
    const job = 'envs:\n  TP: 4\nrun: |\n  torchrun pretrain_gpt.py --tensor-model-parallel-size $TP\n';
    expect(await hoverAt(job, part, `${folder}/job.yaml`)).toContain('`4`');
  });

  test('a finding: when it shows, how certain it is, and why, before what is at that place', async () => {
    const text = await hoverAt(megatronScript(' --max-position-embeddings 17\n'), '17');
    expect(text.replaceAll('\\', '')).toMatch(
      /^\*\*megatron-lm\/positions-cover-sequence\*\* shows at startup \(certain\): [A-Z].+\.\n\n\*\*--max-position-embeddings\*\*/,
    );
  });

  test('a finding of the whole launch: behind what stands at the word', async () => {
    const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --lr-decay-style cosine\n';
    const text = (await hoverAt(launch, '--lr-decay-style')).replaceAll('\\', '');
    expect(text).toMatch(/^\*\*--lr-decay-style\*\* · /);
    expect(text).toContain('**megatron-lm/num-attention-heads-required** shows at startup');
  });

  test('a finding on the value of a flag: at the flag too, with its message, which the editor shows only at the value', async () => {
    const script = megatronScript(' --max-position-embeddings 17\n');
    const plain = async (part: string): Promise<string> => (await hoverAt(script, part)).replaceAll('\\', '');
    const flag = await plain('--max-position-embeddings 17');
    expect(flag).toMatch(
      /^\*\*error\*\*: The sequence length 1024 is above --max-position-embeddings 17\.\n\n\*\*megatron-lm\/positions-cover-sequence\*\* shows /,
    );
    expect(flag.match(/positions-cover-sequence/g)).toHaveLength(1);
    expect(await plain('17')).not.toContain('**error**');
    expect(await plain('--hidden-size')).not.toContain('positions-cover-sequence');
  });

  test('a finding on the value of a flag: also if a variable holds it or a YAML key has it', async () => {
    const script = megatronScript().replace('TP=2', 'TP=16');
    for (const part of ['--tensor-model-parallel-size', '$TP'])
      expect(await hoverAt(script, part)).toMatch(/^\*\*error\*\* at \[line 3\]/);
    const config = arealConfig().replace('max_tokens_per_mb: 10240', 'max_tokens_per_mb: 16');
    const at = 'file:///repository/config.yaml';
    expect(await hoverAt(config, 'max_tokens_per_mb', at)).toMatch(
      /^\*\*warning\*\*: An answer of 1024 tokens/,
    );
    expect(await hoverAt(config, 'actor:', at)).not.toContain('token-budget');
  });

  test('a finding: the reason shows names instead of values, as no run is shown', async () => {
    const local =
      '--non-persistent-ckpt-type local --non-persistent-local-ckpt-dir /l --non-persistent-save-interval 100';
    const script = megatronScript(
      ` --save /c --save-interval 500 ${local} --dist-ckpt-optim-fully-reshardable\n`,
    );
    const text = await hoverAt(script, '--dist-ckpt-optim');
    expect(text.replaceAll('\\', '')).toContain('after ‹non_persistent_save_interval› steps');
  });

  test('a finding of the project’s own rule, and one about which nothing else is known', async () => {
    server.files['/repository/.oomlint.yaml'] =
      'constraints:\n  - {id: short, framework: megatron-lm, severity: error, when: train_iters > 1, message: Too many steps., why: Our queue is short.}\n';
    expect(await hoverAt(megatronScript(), '10 --eval')).toContain('Our queue is short\\.');
    const typo = await hoverAt(megatronScript(' --tensor-modl-parallel-size 1\n'), '--tensor-modl');
    expect(typo).toMatch(/^\*\*unknown\\-option\*\* shows when the options are read \(certain\): [A-Z]/);
  });

  test('a finding of a rule whose reason contains markup: only inline code is rendered', async () => {
    server.files['/repository/.oomlint.yaml'] =
      'constraints:\n  - {id: short, framework: megatron-lm, severity: error, when: train_iters > 1, message: Too many steps., why: "<img src=x> [a](command:b) and `c`"}\n';
    const text = await hoverAt(megatronScript(), '10 --eval');
    expect(text).toContain('\\<img src=x\\> \\[a\\]\\(command:b\\) and `c`');
  });

  test.each([
    ['--no-offload-rollout', true],
    ['--offload-rollout', false],
  ])('what %s does, including whether it turns that off', async (flag, isOff) => {
    const script = `python3 train.py --actor-num-nodes 1 --rollout-batch-size 8 --colocate ${flag}\n`;
    const text = await hoverAt(script, flag.slice(2));
    expect(text).toContain("Frees the engines' weights and caches");
    expect(text.includes('This flag turns that off.')).toBe(isOff);
  });

  test('a variable: its value and where it was assigned', async () => {
    const text = await hoverAt(megatronScript(), '$TP');
    expect(text).toMatch(/`2`/);
  });

  test('an array: the words that it expands to', async () => {
    const text = await hoverAt(megatronScript(), '${MODEL_ARGS[@]}');
    expect(text).toContain('10 words: `--num-layers 8 --hidden-size 512');
  });

  test('an environment variable, and the parts of an allocator string', async () => {
    const script = megatronScript('', 'export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True,bogus:1\n');
    const text = await hoverAt(script, 'expandable_segments');
    expect(text).toContain('PYTORCH');
    expect(text).toContain('`expandable_segments:True` – True lets segments grow');
    expect(text).toContain('`bogus:1` – not known here');
    expect(text).toMatch(/\[docs\\\.pytorch\\\.org\/docs\/stable\/notes\/cuda\\\.html\]\(https:/);
  });

  test('an environment variable documented in upstream code: the line is named, not only linked', async () => {
    const text = await hoverAt(megatronScript('', 'export NVTE_FLASH_ATTN=1\n'), 'NVTE_FLASH_ATTN');
    expect(text).toMatch(/\[Megatron\\-LM [0-9a-f]{8}: .+\.py:\d+\]\(https:/);
  });

  test('the launch: what starts, on how many GPUs, in which layout, and why it was recognised', async () => {
    const text = await hoverAt(megatronScript(), 'torchrun');
    expect(text).toMatch(/Megatron-LM · 8 GPUs · TP 2.* DP 4/);
    expect(text).toContain('Recognised');
    expect(text).toMatch(
      /Memory: at least 0\\\.\d+ GiB on the fullest training GPU: weights .+, gradients .+, optimizer .+, activations .+\. _This is not the peak; not counted: buffers/,
    );
  });

  test('a YAML key', async () => {
    const text = await hoverAt(arealConfig(), 'max_tokens_per_mb', `${folder}/config.yaml`);
    expect(text).toContain('In force: `10240`');
  });

  test('user text never becomes markup', async () => {
    const text = await hoverAt(
      megatronScript(" --tensorboard-dir '</b><img src=x> [a](command:x) `` ` \u001b[31m'\n"),
      '--tensorboard-dir',
    );
    const value = text.split('In force: ')[1]?.split('\n')[0] ?? '';
    expect(value.startsWith('```')).toBe(true);
    expect(text).not.toContain('\u001b');
  });

  test('a Megatron-Bridge override is the option, not the group that holds it', async () => {
    const script =
      '#!/bin/bash\ntorchrun --nproc_per_node=8 scripts/training/run_recipe.py --recipe llama3_8b_pretrain_config model.seq_length=8192\n';
    expect(await hoverAt(script, 'model.seq_length')).toMatch(/seq\\_length\*\* · int/);
  });

  describe('in .oomlint.yaml', () => {
    const config = `${folder}/.oomlint.yaml`;
    const text = [
      'machine:',
      '  gpus_per_node: 8',
      'fail_on: warning',
      'rules:',
      '  slime/no-recompute-at-long-context: "off"',
      '  unknown-option: info',
      'overrides:',
      '  - paths: ["experiments/**"]',
      '    framework: slime',
      'constraints:',
      '  - id: our-own',
      '    framework: slime',
      '    severity: error',
      '    when: num_rollout > 5',
      '    message: "Too many: {num_rollout}."',
      '    why: Our queue is short.',
      'unsuppressible: [our-own]',
      '',
    ].join('\n');

    test.each([
      ['gpus_per_node', 'whole number', 'Number of GPUs per node'],
      ['8', 'whole number', 'Number of GPUs per node'],
      ['warning', '`error`, `warning`', 'exit code 1'],
      ['paths', 'list of text', 'Glob patterns'],
      ['experiments', 'list of text', 'Glob patterns'],
      ['when', 'text', 'The condition that is reported'],
      ['no-recompute', 'info · in the first step', '[More about this rule](https://github.com'],
      ['unknown-option', 'error', 'is not an option here'],
      ['our-own]', 'slime/our', 'Our queue is short.'],
    ])('%s', async (part, kind, meaning) => {
      const shown = await hoverAt(text, part, config);
      expect(shown.replaceAll('\\', '')).toContain(kind);
      expect(shown.replaceAll('\\', '')).toContain(meaning);
    });

    test('says nothing about user-defined names', async () => {
      expect(await hoverAt('variables: {NNODES: 4}\n', 'NNODES', config)).toBe('');
      expect(await hoverAt('rules:\n  no-such-rule: error\n', 'no-such', config)).toBe('');
    });
  });
});
