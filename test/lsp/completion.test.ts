import { beforeEach, describe, expect, test } from 'vitest';
import type { CompletionItem, Hover } from 'vscode-languageserver/node';
import { type InProcess, pushCapabilities } from './client.ts';
import { folder, started, uri } from './setup.ts';
import { arealConfig, marked, megatronScript, positionOf, refused, refusedRule, textAt } from './texts.ts';

let server: InProcess;
beforeEach(async () => {
  server = await started();
});

async function completeAt(withMark: string, at = uri): Promise<{ items: CompletionItem[]; text: string }> {
  const { text, position } = marked(withMark);
  await server.client.open(at, text, at.endsWith('.sh') ? 'shellscript' : 'yaml');
  return { items: await server.client.request('textDocument/completion', at, { position }), text };
}
const labels = ({ items }: { items: CompletionItem[] }): string[] => items.map(({ label }) => label);

describe('completion', () => {
  test('flags not yet given, including the one being typed, with documentation on demand', async () => {
    const found = await completeAt(megatronScript(' \\\n  --pipeline-m|'));
    expect(labels(found)).toContain('--pipeline-model-parallel-size');
    expect(labels(found)).not.toContain('--tensor-model-parallel-size');
    const item = found.items.find(({ label }) => label === '--pipeline-model-parallel-size');
    const edit = item?.textEdit;
    expect(edit !== undefined && 'range' in edit && textAt(found.text, edit.range)).toBe('--pipeline-m');
    const resolved: CompletionItem = await server.client.connection.sendRequest(
      'completionItem/resolve',
      item,
    );
    expect(resolved.documentation).toMatchObject({ value: expect.stringContaining('Default: `1`') });
  });

  test('what a launch or configuration lacks comes first, what is deprecated last', async () => {
    const ranked = ({ items }: { items: CompletionItem[] }): string[] =>
      [...items].sort((a, b) => ((a.sortText ?? '') < (b.sortText ?? '') ? -1 : 1)).map(({ label }) => label);
    const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 8 --|\n';
    const flags = ranked(await completeAt(launch, `${folder}/lacking.sh`));
    expect(flags.slice(0, 12)).toEqual(
      expect.arrayContaining(['--micro-batch-size', '--num-attention-heads', '--max-position-embeddings']),
    );
    expect(flags.indexOf('--micro-batch-size')).toBeLessThan(flags.indexOf('--adam-beta1'));
    expect(flags.indexOf('--global-batch-size')).toBeLessThan(flags.indexOf('--checkpoint-activations'));
    const config =
      'experiment_name: a\ntrial_name: b\ntokenizer_path: /m\ngconfig:\n  n_samples: 4\nactor:\n  path: /m\n  |\n';
    const keys = ranked(await completeAt(config, `${folder}/lacking.yaml`));
    expect(keys.indexOf('backend')).toBeLessThan(keys.indexOf('adv_norm'));
  });

  test.each([
    ['torchrun --nproc-per| 8', '--nproc-per-node'],
    ['torchrun --nproc_per| 8', '--nproc_per_node'],
    ['srun --ntasks=8 --gpu| python', '--gpus-per-node'],
  ])('before the program the options are those of its launcher: %s', async (before, offered) => {
    const launch = `${before} pretrain_gpt.py --num-layers 4 --hidden-size 8\n`;
    const found = labels(await completeAt(launch, `${folder}/launcher-${offered}.sh`));
    expect(found).toContain(offered);
    expect(found).not.toContain('--tensor-model-parallel-size');
  });

  test('values are those that a constraint accepts, where the option has no list of its own', async () => {
    const found = await completeAt(
      'uv run -m skyrl.train.entrypoints.main_base trainer.strategy=|\n',
      `${folder}/sky.sh`,
    );
    expect(labels(found)).toEqual(['fsdp', 'megatron']);
  });

  test('a reference leads to settings, those that are set first', async () => {
    const found = await completeAt(
      'experiment_name: a\ntrial_name: b\ntokenizer_path: ${actor.|\ngconfig:\n  n_samples: 4\nactor:\n  path: /m\n',
      `${folder}/reference.yaml`,
    );
    const set = found.items.find(({ label }) => label === 'actor.path');
    expect(set?.textEdit?.newText).toBe('actor.path}');
    const free = found.items.find(({ label }) => label === 'actor.dtype');
    expect((set?.sortText ?? '') < (free?.sortText ?? '')).toBe(true);
    expect(labels(found)).not.toContain('tokenizer_path');
  });

  test.each([
    ['gradient_check|: true', 'gradient_check', 'gradient_checkpointing'],
    ['gradient_|checkpoint : true', 'gradient_checkpoint', 'gradient_checkpointing'],
    ['gradient_check|', 'gradient_check', 'gradient_checkpointing: '],
  ])('a YAML key is replaced together with its part after the cursor: %s', async (line, old, made) => {
    const config = arealConfig('t', line).replace('gradient_checkpointing: true\n', '');
    const found = await completeAt(config, `${folder}/keys-${line.length}.yaml`);
    const edit = found.items.find(({ label }) => label === 'gradient_checkpointing')?.textEdit;
    expect(edit?.newText).toBe(made);
    expect(edit !== undefined && 'range' in edit && textAt(found.text, edit.range)).toBe(old);
  });

  test.each([
    ['a command that starts nothing', 'ls --|', false],
    ['its dotted words', 'git log train|', false],
    ['a comment', '# with or without --num-la|', false],
    ['a directive', '#SBATCH --no|', false],
    ['an array', 'MORE=(--num-la|)', true],
    ['an array that goes on', 'MORE=(\n  --bf16\n  --num-la|\n)', true],
    ['a text', 'MORE="--num-la|"', true],
    ['the arguments of the script', 'set -- --num-la|', true],
    ['a function of the script', 'go() { echo "$@"; }\ngo --num-la|', true],
  ])('flags are offered only where a launch may take them: %s', async (what, line, isOffered) => {
    const inLaunch = `${megatronScript('', `${line}\n`)}`;
    const name = what.replaceAll(' ', '-');
    expect(labels(await completeAt(inLaunch, `${folder}/${name}.sh`)).length > 0).toBe(isOffered);
    const alone = labels(await completeAt(`#!/bin/bash\n${line}\n`, `${folder}/alone-${name}.sh`));
    expect(alone.length > 0).toBe(isOffered);
  });

  test('flags are offered for a command that names a program not yet known', async () => {
    const found = await completeAt('#!/bin/bash\ntorchrun --nproc_per_node 8 mine.py --num-la|\n');
    expect(labels(found)).toContain('--num-layers');
  });

  test('flags are offered at the end of a very long line, of which only the end is read', async () => {
    const long = ` ${'--overlap-grad-reduce '.repeat(5000)}`;
    const found = await completeAt(megatronScript(`${long}--pipeline-m|`));
    expect(labels(found)).toContain('--pipeline-model-parallel-size');
  });

  test('an editor without Markdown gets plain text', async () => {
    const { client } = server;
    const plain = await started({
      ...pushCapabilities,
      textDocument: {
        ...pushCapabilities.textDocument,
        hover: { contentFormat: ['plaintext'] },
        completion: { completionItem: { documentationFormat: ['plaintext'] } },
      },
    });
    expect(plain.client).not.toBe(client);
    const { text, position } = marked(megatronScript(' \\\n  --pipeline-m|'));
    await plain.client.open(uri, text);
    const items: CompletionItem[] = await plain.client.request('textDocument/completion', uri, { position });
    const resolved = await plain.client.connection.sendRequest<CompletionItem>(
      'completionItem/resolve',
      items.find(({ label }) => label === '--pipeline-model-parallel-size'),
    );
    expect(resolved.documentation).toMatchObject({
      kind: 'plaintext',
      value: expect.stringMatching(/^Default: 1$/m),
    });
    const hover: Hover | null = await plain.client.request('textDocument/hover', uri, {
      position: positionOf(text, '--tensor-model-parallel-size'),
    });
    expect(hover?.contents).toMatchObject({
      kind: 'plaintext',
      value: expect.stringMatching(
        /^--tensor-model-parallel-size · int \(GPUs\)\n[^*`\\]*In force: 2\n[^*`\\]*$/,
      ),
    });
  });

  test('values and choices', async () => {
    expect(labels(await completeAt(megatronScript(' --recompute-granularity |')))).toEqual(
      expect.arrayContaining(['full', 'selective']),
    );
  });

  test.each([
    ['a job of SkyPilot', 'resources: {accelerators: H100:8}\nrun: |\n'],
    [
      'a step of a workflow',
      'jobs:\n  train:\n    steps:\n      - name: go\n        run: |\n          set -e\n',
    ],
    ['an element of a list', 'command:\n- bash\n- -c\n- |\n'],
  ])('flags and values in a script in YAML: %s', async (what, head) => {
    const inBlock = (script: string): string => `${head}${script.replace(/^/gm, '          ').trimEnd()}\n`;
    const at = (end: string): string => `${folder}/${`${what}${end}`.replaceAll(/\W+/g, '-')}.yaml`;
    for (const [end, offered] of [
      ['--pipeline-m|', '--pipeline-model-parallel-size'],
      ['--recompute-granularity |', 'selective'],
    ] as const)
      expect(labels(await completeAt(inBlock(megatronScript(` \\\n  ${end}`)), at(end)))).toContain(offered);
    const other = inBlock(megatronScript('', 'ls --|\n'));
    expect(labels(await completeAt(other, at('ls')))).toEqual([]);
  });

  test('nothing in other YAML texts', async () => {
    const config = arealConfig('t', 'about: |\n    Trained with\n    --num-la|\n');
    expect(labels(await completeAt(config, `${folder}/prose.yaml`))).toEqual([]);
  });

  test('YAML keys by their position, without those already present', async () => {
    const found = labels(await completeAt(arealConfig('t', 'mi|'), `${folder}/config.yaml`));
    expect(found).toEqual(expect.arrayContaining(['optimizer', 'gradient_checkpointing']));
    expect(found).not.toContain('path');
    expect(found).not.toContain('cluster');
  });

  test.each([
    ['when: num_l|', 'num_layers', true],
    ['when: bf16 and num_l|', 'num_layers', true],
    ['when: giv|', 'given', true],
    ["when: 'num_layers > 3 and not se|'", 'sequence_parallel', true],
    ['message: "At most {num_l|}"', 'num_layers', true],
    ['message: "At most num_l|"', 'num_layers', false],
    ['when: recompute_granularity == "fu|"', 'full', false],
    ['at: [num_l|]', 'num_layers', true],
    ['sev|', 'severity', true],
  ])('names in a constraint of the project: %s', async (line, name, isOffered) => {
    const config = (framework: string): string =>
      `constraints:\n  - id: other\n    framework: slime\n  - id: few\n    ${framework}\n    ${line}\n`;
    const at = `${folder}/own-${line.replaceAll(/\W/g, '')}`;
    const found = labels(await completeAt(config('framework: megatron-lm'), `${at}/.oomlint.yaml`));
    expect(found.includes(name)).toBe(isOffered);
    const without = labels(await completeAt(config(''), `${at}/none/.oomlint.yaml`));
    expect(without.includes(name)).toBe(name === 'severity');
  });

  test('settings, rules and values of a project configuration', async () => {
    const complete = async (text: string, name: string): Promise<string[]> =>
      labels(await completeAt(text, `${folder}/${name}/.oomlint.yaml`));
    expect(await complete('machine: {}\nm|', 'a')).toContain('min_certainty');
    expect(await complete('machine: {}\nm|', 'b')).not.toContain('machine');
    expect(await complete('machine:\n  nodes: 1\n  g|', 'c')).toEqual(
      expect.arrayContaining(['gpus_per_node', 'gpu_memory_gib']),
    );
    expect(await complete('machine:\n  nvlink: |', 'd')).toEqual(['true', 'false']);
    expect(await complete('rules:\n  few|', 'e')).toContain('megatron-lm/few-micro-batches');
    const [item] = (await completeAt('rules:\n  few-m|', `${folder}/r/.oomlint.yaml`)).items.filter(
      ({ label }) => label === 'megatron-lm/few-micro-batches',
    );
    const { documentation } = await server.client.connection.sendRequest<CompletionItem>(
      'completionItem/resolve',
      item,
    );
    expect(documentation).toMatchObject({ value: expect.stringContaining('pipeline') });
    expect(await complete('rules:\n  unknown-option: |', 'f')).toEqual(['off', 'info', 'warning', 'error']);
    expect(await complete('overrides:\n  - paths: [x]\n    |', 'g')).toContain('framework');
    expect(await complete('overrides:\n  - paths: [x]\n    rules:\n      few|', 'h')).toContain(
      'megatron-lm/few-micro-batches',
    );
    expect(await complete('machine:\n  gpu: |', 'k')).toEqual(expect.arrayContaining(['H100', 'B200']));
    const named = await complete('machine:\n  versions:\n    torch: "2.8"\n    t|', 'l');
    expect(named).toContain('transformer-engine');
    expect(named).not.toContain('torch');
    expect(await complete('variables:\n  N|', 'i')).toEqual([]);
    expect(await complete('nothing:\n  N|', 'j')).toEqual([]);
  });

  test('parts of an allocation string', async () => {
    const at = `${folder}/config.yaml`;
    const engines = labels(await completeAt(arealConfig().replace('"sglang:d4t1"', 's|'), at));
    expect(engines).toContain('sglang');
    const sizes = labels(
      await completeAt(arealConfig().replace('"sglang:d4t1"', 'sglang:d4|'), `${folder}/other.yaml`),
    );
    expect(sizes).toEqual(['t', 'p']);
  });

  test('an allocation string offers the engines of its role and the sizes of its engine', async () => {
    const complete = async (written: string, name: string, option = '"sglang:d4t1"'): Promise<string[]> =>
      labels(await completeAt(arealConfig().replace(option, written), `${folder}/${name}.yaml`));
    expect(await complete('|', 'a')).toEqual(['sglang', 'vllm']);
    expect(await complete('|', 'b', 'fsdp:d4')).toEqual(['fsdp', 'megatron', 'archon']);
    expect(await complete('fsdp:d2|', 'c', 'fsdp:d4')).toEqual(['t', 'p', 'c', 'e']);
    expect(await complete('megatron:(|', 'd', 'fsdp:d4')).toEqual(['attn', 'ffn']);
    expect(await complete('megatron:(attn:d2|', 'e', 'fsdp:d4')).toEqual(['t', 'p', 'c']);
    const inSecond = labels(
      await completeAt(
        '#!/bin/bash\npython3 examples/math/gsm8k_rl.py --config c.yaml allocation_mode=sglang:d4+fs|\n',
        `${folder}/areal.sh`,
      ),
    );
    expect(inSecond).toEqual(expect.arrayContaining(['sglang', 'fsdp']));
  });

  test('environment variables: names before a command, in JSON and in YAML, and values', async () => {
    const shell = async (line: string, name: string): Promise<string[]> =>
      labels(await completeAt(megatronScript('', `${line}\n`), `${folder}/${name}.sh`));
    expect(await shell('FOO=1 NVTE_|', 'a')).toContain('NVTE_FLASH_ATTN');
    expect(await shell('export CUDA_DEVICE_MAX_CONNECTIONS=|', 'b')).toEqual(['1']);
    expect(await shell('RUNTIME=\'{"env_vars": {"NCCL_|', 'c')).toContain('NCCL_NVLS_ENABLE');
    expect(await shell('RUNTIME="{ \\"NCCL_NVLS_ENABLE\\": \\"|', 'd')).toEqual(['0', '1']);
    expect(await shell('export NCCL_ALGO=Ring NCCL_|', 'e')).not.toContain('NCCL_ALGO');
    const config = arealConfig('t', 'env:\n    NCCL_|');
    const found = await completeAt(config, `${folder}/environment.yaml`);
    expect(labels(found)).toContain('NCCL_CUMEM_ENABLE');
    const values = await completeAt(arealConfig('t', 'env:\n    NCCL_CUMEM_ENABLE: |'), `${folder}/v.yaml`);
    expect(labels(values)).toEqual(['"0"', '"1"']);
  });

  test('dotted overrides of SkyRL', async () => {
    const script = `#!/bin/bash
uv run -m skyrl.train.entrypoints.main_base trainer.strategy=megatron \\
  trainer.policy.meg|
`;
    const found = labels(await completeAt(script));
    expect(found).toContain('trainer.policy.megatron_config.tensor_model_parallel_size');
    expect(found).not.toContain('trainer.strategy');
    const values = await completeAt(
      script.replace('trainer.policy.meg|', 'trainer.placement.colocate_all=|'),
      `${folder}/b.sh`,
    );
    expect(labels(values)).toEqual(['true', 'false']);
  });

  test('of two launches, the one being written decides what is offered', async () => {
    const found = await completeAt(
      `${megatronScript()}uv run -m skyrl.train.entrypoints.main_base trainer.strategy=megatron \\\n  trainer.policy.meg|\n`,
    );
    expect(labels(found)).toContain('trainer.policy.megatron_config.tensor_model_parallel_size');
  });

  test('dotted overrides and flags of Megatron-Bridge', async () => {
    const script = (end: string): string =>
      `#!/bin/bash\ntorchrun --nproc_per_node=8 scripts/training/run_recipe.py --recipe llama3_8b_pretrain_config model.seq_length=8192 ${end}\n`;
    const found = labels(await completeAt(script('train.mi|')));
    expect(found).toContain('train.micro_batch_size');
    expect(labels(await completeAt(script('run_|'), `${folder}/b.sh`))).toEqual([]);
  });

  test('environment variables, allocator settings and their values', async () => {
    expect(labels(await completeAt(megatronScript('', 'export PYT|\n')))).toContain(
      'PYTORCH_CUDA_ALLOC_CONF',
    );
    const keys = labels(
      await completeAt(
        megatronScript('', 'export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True,|\n'),
        `${folder}/b.sh`,
      ),
    );
    expect(keys).toContain('max_split_size_mb');
    expect(keys).not.toContain('expandable_segments');
    const values = labels(
      await completeAt(
        megatronScript('', 'export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:|\n'),
        `${folder}/c.sh`,
      ),
    );
    expect(values).toEqual(['True', 'False']);
  });

  test('suppression comments with rule ids', async () => {
    expect(labels(await completeAt(megatronScript('', '# oomlint-disable-next-line |\n')))).toContain(
      refusedRule,
    );
    expect(labels(await completeAt(megatronScript('', '# oom|\n'), `${folder}/b.sh`))).toContain(
      'oomlint-disable-next-line',
    );
    const { items } = await completeAt(
      megatronScript(refused, '# oomlint-disable-file |\n'),
      `${folder}/c.sh`,
    );
    const [first] = items.toSorted((a, b) => ((a.sortText ?? a.label) < (b.sortText ?? b.label) ? -1 : 1));
    expect(first?.detail).toBe('found in this file');
  });
});
