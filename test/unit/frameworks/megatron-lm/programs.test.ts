import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../../server/src/text/edit.ts';
import { findings, lint, model } from './megatronRun.ts';

/** What is found of a program on eight GPUs. */
function foundOf(program: string, args: string, env = 'CUDA_DEVICE_MAX_CONNECTIONS=1 '): string[] {
  return findings(lint(`${env}torchrun --nproc_per_node 8 ${program} ${model} ${args}\n`));
}

describe('what only some programs check', () => {
  it('misses nothing where the program puts options of its own before those that are written', () => {
    const server = 'torchrun --nproc_per_node 8 tools/run_dynamic_text_generation_server.py';
    const args =
      '--load /checkpoints --tensor-model-parallel-size 8 --tokenizer-type HuggingFaceTokenizer --tokenizer-model /model --port 5000';
    expect(findings(lint(`${server} ${args}\n`))).toEqual([]);
    expect(findings(lint(`${server} ${args} --port eight\n`))).toHaveLength(1);
  });

  it('is not told of those that generate text, which build no optimizer', () => {
    const training = foundOf('pretrain_gpt.py', '--main-grads-dtype bf16');
    expect(training).toContain('megatron-lm/main-grads-need-precision-aware');
    const generation = foundOf('tools/run_text_generation_server.py', '--main-grads-dtype bf16');
    expect(generation).not.toContain('megatron-lm/main-grads-need-precision-aware');
  });

  it('is told of the trainer of vision-language models alone', () => {
    const uneven = '--tensor-model-parallel-size 8 --sequence-parallel --seq-length 1023 --ckpt-format torch';
    expect(foundOf('pretrain_gpt.py', uneven)).toContain('megatron-lm/sequence-divides-tensor-parallel');
    expect(foundOf('pretrain_vlm.py', uneven)).not.toContain('megatron-lm/sequence-divides-tensor-parallel');
    expect(foundOf('pretrain_vlm.py', '')).toEqual(['megatron-lm/vision-language-checkpoint-format']);
    expect(foundOf('pretrain_gpt.py', '')).toEqual([]);
  });

  it('is told of hybrid models without a spec where the trainer takes one itself', () => {
    const heads = '--hybrid-layer-pattern M*M*M*M* --mamba-num-heads 8 --tensor-model-parallel-size 2';
    const uneven = heads.replace('heads 8', 'heads 7');
    const spec = '--spec megatron.core.models.hybrid.hybrid_layer_specs hybrid_stack_spec';
    expect(foundOf('pretrain_hybrid.py', uneven)).toContain('megatron-lm/mamba-heads-fit-ranks');
    expect(foundOf('pretrain_hybrid.py', heads)).not.toContain('megatron-lm/mamba-heads-fit-ranks');
    expect(foundOf('pretrain_hybrid.py', `${spec} ${uneven}`)).toContain('megatron-lm/mamba-heads-fit-ranks');
  });

  it('counts the ranks of the language model alone where the others belong to an encoder', () => {
    const program = 'examples/mimo/pretrain_mimo.py';
    const grids =
      '--encoder-tp 1 --encoder-dp 4 --llm-offset 4 --llm-tp 2 --llm-dp 2 --use-distributed-optimizer';
    expect(foundOf(program, `${grids} --micro-batch-size 2 --global-batch-size 4`)).not.toContain(
      'megatron-lm/global-batch-size-divides',
    );
    expect(foundOf(program, `${grids} --micro-batch-size 2 --global-batch-size 6`)).toContain(
      'megatron-lm/global-batch-size-divides',
    );
    expect(foundOf(program, grids.replace('--llm-dp 2', '--llm-dp 1'))).toContain(
      'megatron-lm/mimo-grids-cover-the-job',
    );
  });

  it('is not told of a program that prepares the data of another number of GPUs', () => {
    const sizes = `--tensor-model-parallel-size 16 --pipeline-model-parallel-size 2 ${model}`;
    expect(findings(lint(`python pretrain_gpt.py ${sizes}\n`))).toContain('megatron-lm/world-size-divides');
    const prepared = `python tools/prepare_cache.py --prepare-cache-world-size 64 ${sizes}`;
    expect(findings(lint(`${prepared} --data-cache-path /cache\n`))).toEqual([]);
  });

  it('tells programs of the same name apart by the options that only one of them has', () => {
    const stages = '--pipeline-model-parallel-size 2 --model-provider llava_vlm';
    expect(foundOf('examples/mimo/train.py', stages)).toContain('megatron-lm/mimo-needs-one-stage');
    const multimodal =
      '--pipeline-model-parallel-size 2 --language-model-type mistral_7b --prompt-path p.json';
    const found = foundOf('examples/multimodal/train.py', multimodal);
    expect(found).not.toContain('megatron-lm/mimo-needs-one-stage');
    expect(found).toContain('megatron-lm/multimodal-needs-decoder-sequence');
  });
});

describe("flags of somebody's own program", () => {
  it('resemble nothing that only another program of upstream takes, and nothing that is deprecated', () => {
    const evaluation = 'eval/main.py';
    expect(foundOf(evaluation, '--tasks hellaswag --batch_size 16 --output_path results')).toEqual([]);
    expect(foundOf(evaluation, '--tasks hellaswag --global-bath-size 16')).toEqual(['unknown-option']);
  });

  it('are told of where the program is that of upstream', () => {
    expect(foundOf('pretrain_gpt.py', '--batch_size 16')).toEqual(['unknown-option']);
  });
});

describe('what upstream looks at before it changes it', () => {
  it.each([
    ['--fake-process-group --cuda-graph-impl full_iteration', 'full-iteration-graph-nan-check'],
    ['--skip-train --load-main-params-from-ckpt --load x', 'main-parameters-without-optimizer'],
    [
      '--freeze-all-layers --use-distributed-optimizer --disable-gloo-process-groups --ckpt-format torch',
      'no-gloo-needs-distributed-checkpoints',
    ],
    ['--train-iters 0 --train-samples 100', 'iterations-exclude-samples'],
  ])('is told: %s', (args, rule) => {
    expect(foundOf('pretrain_gpt.py', args)).toContain(`megatron-lm/${rule}`);
  });

  it.each([
    '--fake-process-group --ckpt-format torch --use-distributed-optimizer',
    '--mtp-hybrid-override-pattern MX --mtp-num-layers 1 --hybrid-layer-pattern M*M*M*M*/M',
    '--transformer-impl inference_optimized --disable-bias-linear --normalization RMSNorm --num-experts 8 --moe-router-dtype fp32 --fp8-format e4m3 --moe-router-padding-for-fp8 --moe-token-dispatcher-type alltoall',
  ])('is not told of what it becomes: %s', (args) => {
    const told = foundOf('pretrain_gpt.py', args);
    expect(told).not.toContain('megatron-lm/no-gloo-needs-distributed-checkpoints');
    expect(told).not.toContain('megatron-lm/prediction-pattern-letters');
    expect(told).not.toContain('megatron-lm/inference-experts');
  });
});

describe('the environment', () => {
  const connections = 'megatron-lm/connections-with-tensor-or-context-parallel';
  const parallel = '--tensor-model-parallel-size 2 --sequence-parallel';

  it('may have several connections where the precision is one of Blackwell', () => {
    expect(foundOf('pretrain_gpt.py', parallel, '')).toContain(connections);
    for (const precision of ['--fp8-format e4m3 --fp8-recipe mxfp8', '--fp4-format e2m1'])
      expect(foundOf('pretrain_gpt.py', `${parallel} ${precision}`, '')).not.toContain(connections);
  });

  it('may have blanks between algorithms, but at least one', () => {
    const rule = 'megatron-lm/deterministic-nccl-algorithm';
    const told = (algorithms: string) =>
      foundOf('pretrain_gpt.py', '--deterministic-mode', `NCCL_ALGO=${algorithms} `).includes(rule);
    expect(told('"Ring, CollnetDirect"')).toBe(false);
    expect(told('"Ring, Tree"')).toBe(true);
    expect(told('" , "')).toBe(true);
    expect(told('')).toBe(true);
  });

  it.each([
    ['CUDA_DEVICE_MAX_CONNECTIONS= ', 'CUDA_DEVICE_MAX_CONNECTIONS=1 '],
    ['export CUDA_DEVICE_MAX_CONNECTIONS=\n', 'export CUDA_DEVICE_MAX_CONNECTIONS=1\n'],
    ["export CUDA_DEVICE_MAX_CONNECTIONS=''\n", 'export CUDA_DEVICE_MAX_CONNECTIONS=1\n'],
    ['X=\nexport CUDA_DEVICE_MAX_CONNECTIONS=$X\n', 'X=\nexport CUDA_DEVICE_MAX_CONNECTIONS=1\n'],
  ])('is mended where a value is empty: %j', (before, after) => {
    const rest = `torchrun --nproc_per_node 8 pretrain_gpt.py ${model} ${parallel}\n`;
    const finding = lint(before + rest).findings.find(({ rule }) => rule === connections);
    expect(finding?.message).toMatch(/here it is empty\.$/);
    expect(applyEdits(before + rest, finding?.fixes[0]?.edits ?? [])).toBe(after + rest);
  });
});
