import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../../server/src/text/edit.ts';
import { findings, lint, model } from './megatronRun.ts';

/** The findings for a program on eight GPUs. */
function foundOf(program: string, args: string, env = 'CUDA_DEVICE_MAX_CONNECTIONS=1 '): string[] {
  return findings(lint(`${env}torchrun --nproc_per_node 8 ${program} ${model} ${args}\n`));
}

describe('what only some programs check', () => {
  it('is not reported missing if the program adds options of its own first', () => {
    const server = 'torchrun --nproc_per_node 8 tools/run_dynamic_text_generation_server.py';
    const args =
      '--load /checkpoints --tensor-model-parallel-size 8 --tokenizer-type HuggingFaceTokenizer --tokenizer-model /model --port 5000';
    expect(findings(lint(`${server} ${args}\n`))).toEqual([]);
    expect(findings(lint(`${server} ${args} --port eight\n`))).toHaveLength(1);
  });

  it('is not reported for text generation, which builds no optimizer', () => {
    const training = foundOf('pretrain_gpt.py', '--main-grads-dtype bf16');
    expect(training).toContain('megatron-lm/main-grads-need-precision-aware');
    const generation = foundOf('tools/run_text_generation_server.py', '--main-grads-dtype bf16');
    expect(generation).not.toContain('megatron-lm/main-grads-need-precision-aware');
  });

  it('is reported for the vision-language trainer alone', () => {
    const uneven = '--tensor-model-parallel-size 8 --sequence-parallel --seq-length 1023 --ckpt-format torch';
    expect(foundOf('pretrain_gpt.py', uneven)).toContain('megatron-lm/sequence-divides-tensor-parallel');
    expect(foundOf('pretrain_vlm.py', uneven)).not.toContain('megatron-lm/sequence-divides-tensor-parallel');
    expect(foundOf('pretrain_vlm.py', '')).toEqual(['megatron-lm/vision-language-checkpoint-format']);
    expect(foundOf('pretrain_gpt.py', '')).toEqual([]);
  });

  it('is reported for hybrid models without a spec if the trainer sets one itself', () => {
    const heads = '--hybrid-layer-pattern M*M*M*M* --mamba-num-heads 8 --tensor-model-parallel-size 2';
    const uneven = heads.replace('heads 8', 'heads 7');
    const spec = '--spec megatron.core.models.hybrid.hybrid_layer_specs hybrid_stack_spec';
    expect(foundOf('pretrain_hybrid.py', uneven)).toContain('megatron-lm/mamba-heads-fit-ranks');
    expect(foundOf('pretrain_hybrid.py', heads)).not.toContain('megatron-lm/mamba-heads-fit-ranks');
    expect(foundOf('pretrain_hybrid.py', `${spec} ${uneven}`)).toContain('megatron-lm/mamba-heads-fit-ranks');
  });

  it('counts only the language model’s ranks if the others belong to an encoder', () => {
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

  it('is not reported for a program that prepares data for another number of GPUs', () => {
    const sizes = `--tensor-model-parallel-size 16 --pipeline-model-parallel-size 2 ${model}`;
    expect(findings(lint(`python pretrain_gpt.py ${sizes}\n`))).toContain('megatron-lm/world-size-divides');
    const prepared = `python tools/prepare_cache.py --prepare-cache-world-size 64 ${sizes}`;
    expect(findings(lint(`${prepared} --data-cache-path /cache\n`))).toEqual([]);
  });

  it('distinguishes programs of the same name by options that only one has', () => {
    const stages = '--pipeline-model-parallel-size 2 --model-provider llava_vlm';
    expect(foundOf('examples/mimo/train.py', stages)).toContain('megatron-lm/mimo-needs-one-stage');
    const multimodal =
      '--pipeline-model-parallel-size 2 --language-model-type mistral_7b --prompt-path p.json';
    const found = foundOf('examples/multimodal/train.py', multimodal);
    expect(found).not.toContain('megatron-lm/mimo-needs-one-stage');
    expect(found).toContain('megatron-lm/multimodal-needs-decoder-sequence');
  });
});

describe('flags of a custom program', () => {
  it('are not compared with deprecated flags or those of other upstream programs', () => {
    const evaluation = 'eval/main.py';
    expect(foundOf(evaluation, '--tasks hellaswag --batch_size 16 --output_path results')).toEqual([]);
    expect(foundOf(evaluation, '--tasks hellaswag --global-bath-size 16')).toEqual(['unknown-option']);
  });

  it('are reported if the program is upstream’s', () => {
    expect(foundOf('pretrain_gpt.py', '--batch_size 16')).toEqual(['unknown-option']);
  });
});

describe('values that upstream checks before changing them', () => {
  it.each([
    ['--fake-process-group --cuda-graph-impl full_iteration', 'full-iteration-graph-nan-check'],
    ['--skip-train --load-main-params-from-ckpt --load x', 'main-parameters-without-optimizer'],
    [
      '--freeze-all-layers --use-distributed-optimizer --disable-gloo-process-groups --ckpt-format torch',
      'no-gloo-needs-distributed-checkpoints',
    ],
    ['--train-iters 0 --train-samples 100', 'iterations-exclude-samples'],
  ])('are reported: %s', (args, rule) => {
    expect(foundOf('pretrain_gpt.py', args)).toContain(`megatron-lm/${rule}`);
  });

  it.each([
    '--fake-process-group --ckpt-format torch --use-distributed-optimizer',
    '--mtp-hybrid-override-pattern MX --mtp-num-layers 1 --hybrid-layer-pattern M*M*M*M*/M',
    '--transformer-impl inference_optimized --disable-bias-linear --normalization RMSNorm --num-experts 8 --moe-router-dtype fp32 --fp8-format e4m3 --moe-router-padding-for-fp8 --moe-token-dispatcher-type alltoall',
  ])('are not reported for what they become: %s', (args) => {
    const reported = foundOf('pretrain_gpt.py', args);
    expect(reported).not.toContain('megatron-lm/no-gloo-needs-distributed-checkpoints');
    expect(reported).not.toContain('megatron-lm/prediction-pattern-letters');
    expect(reported).not.toContain('megatron-lm/inference-experts');
  });
});

describe('the environment', () => {
  const connections = 'megatron-lm/connections-with-tensor-or-context-parallel';
  const parallel = '--tensor-model-parallel-size 2 --sequence-parallel';

  it('may have several connections with a Blackwell precision', () => {
    expect(foundOf('pretrain_gpt.py', parallel, '')).toContain(connections);
    for (const precision of ['--fp8-format e4m3 --fp8-recipe mxfp8', '--fp4-format e2m1'])
      expect(foundOf('pretrain_gpt.py', `${parallel} ${precision}`, '')).not.toContain(connections);
  });

  it('may have spaces between algorithms, but needs at least one', () => {
    const rule = 'megatron-lm/deterministic-nccl-algorithm';
    const reported = (algorithms: string) =>
      foundOf('pretrain_gpt.py', '--deterministic-mode', `NCCL_ALGO=${algorithms} `).includes(rule);
    expect(reported('"Ring, CollnetDirect"')).toBe(false);
    expect(reported('"Ring, Tree"')).toBe(true);
    expect(reported('" , "')).toBe(true);
    expect(reported('')).toBe(true);
  });

  it.each([
    ['CUDA_DEVICE_MAX_CONNECTIONS= ', 'CUDA_DEVICE_MAX_CONNECTIONS=1 '],
    ['export CUDA_DEVICE_MAX_CONNECTIONS=\n', 'export CUDA_DEVICE_MAX_CONNECTIONS=1\n'],
    ["export CUDA_DEVICE_MAX_CONNECTIONS=''\n", 'export CUDA_DEVICE_MAX_CONNECTIONS=1\n'],
    ['X=\nexport CUDA_DEVICE_MAX_CONNECTIONS=$X\n', 'X=\nexport CUDA_DEVICE_MAX_CONNECTIONS=1\n'],
  ])('is fixed if a value is empty: %j', (before, after) => {
    const rest = `torchrun --nproc_per_node 8 pretrain_gpt.py ${model} ${parallel}\n`;
    const finding = lint(before + rest).findings.find(({ rule }) => rule === connections);
    expect(finding?.message).toMatch(/here it is empty\.$/);
    expect(applyEdits(before + rest, finding?.fixes[0]?.edits ?? [])).toBe(after + rest);
  });
});
