import { describe, expect, it } from 'vitest';
import { noProfile } from '../../../server/src/value/machine.ts';
import { loadKnowledge, testLinter } from '../../support/knowledge.ts';
import { memoryHost } from '../../support/memoryHost.ts';

/** The related places of a rule's first finding, as line and message. */
function shown(path: string, text: string, rule: string): readonly (readonly [number, string])[] {
  const { findings } = testLinter(loadKnowledge(), memoryHost({ [path]: text }), noProfile).lint(path, text);
  const related = findings.find((finding) => finding.rule === rule)?.related ?? [];
  return related.map(({ place, message }) => [text.slice(0, place.span.start).split('\n').length, message]);
}

const run = '/repository/run.sh';
const batch = 'megatron-lm/global-batch-size-divides';
const sizes = 'megatron-lm/world-size-divides';

describe('related places of a finding', () => {
  it('are where the value is written and where it enters the launch, not all that it passes', () => {
    const text = [
      'BATCH=7',
      'SIZES="--global-batch-size $BATCH"',
      'ARGS="$SIZES --bf16"',
      'ARGS="$ARGS --num-layers 4"',
      'torchrun --nproc_per_node 8 pretrain_gpt.py --micro-batch-size 1 $ARGS',
      '',
    ].join('\n');
    expect(shown(run, text, batch)).toEqual([
      [5, '--micro-batch-size = 1'],
      [5, 'number of GPUs'],
      [2, '--global-batch-size = 7 is used here'],
      [5, 'passed on here'],
    ]);
  });

  it('are the default with which the script does not start the launch at all', () => {
    const text = (condition: string): string =>
      [
        'MODE=${DRY_RUN:-1}',
        `if [ ${condition} ]; then exit 0; fi`,
        'torchrun --nproc_per_node 8 pretrain_gpt.py --micro-batch-size 1 --global-batch-size 7',
        '',
      ].join('\n');
    const note = 'assuming that DRY_RUN is given, as its default does not start this';
    expect(shown(run, text('"$MODE" = 1'), batch)).toContainEqual([1, note]);
    for (const condition of ['"$MODE" = 0', '-z "$1"'])
      expect(JSON.stringify(shown(run, text(condition), batch))).not.toContain('its default');
  });

  it('are the options that set the number of GPUs, and the program, for rules about these', () => {
    const text = [
      'python3 train_async.py --actor-num-nodes 3 --actor-num-gpus-per-node 8 \\',
      '  --num-layers 24 --hidden-size 896 --num-attention-heads 14 \\',
      '  --hf-checkpoint /models/ours --load /models/ours_torch_dist --rollout-num-gpus 8 \\',
      '  --num-rollout 8 --rollout-batch-size 32 --n-samples-per-prompt 8 \\',
      '  --global-batch-size 256 --micro-batch-size 1 --colocate',
      '',
    ].join('\n');
    expect(shown(run, text, batch)).toEqual([
      [5, '--micro-batch-size = 1'],
      [1, '--actor-num-nodes = 3'],
      [1, '--actor-num-gpus-per-node = 8'],
    ]);
    expect(shown(run, text, 'slime/colocate-with-asynchronous-training')).toEqual([[1, 'the program']]);
  });

  it('say what is assumed unset at the place that depends on it', () => {
    const text =
      'CP=${CP:-3}\ntorchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --micro-batch-size 1 --context-parallel-size $CP --tensor-model-parallel-size 2\n';
    const notes = shown(run, text, sizes);
    expect(notes.filter(([, message]) => message.includes('assuming that CP is not set'))).toHaveLength(1);
  });

  it('name the key of an item that is the cause, not the list that contains it', () => {
    const yaml = (loadKnowledge().frameworks.get('areal')?.base.yaml ?? '')
      .replace('enable_offload: false', 'enable_offload: true')
      .replace('env_vars: {}', 'env_vars: {PYTORCH_CUDA_ALLOC_CONF: "expandable_segments:True"}');
    const rule = 'areal/offload-with-expandable-segments';
    const path = '/repository/a.yaml';
    const { findings } = testLinter(loadKnowledge(), memoryHost({ [path]: yaml }), noProfile).lint(
      path,
      yaml,
    );
    const found = findings.filter((finding) => finding.rule === rule);
    const texts = found.map(({ place: { span } }) => yaml.slice(span.start, span.end));
    expect(texts).toEqual(['expandable_segments:True']);
    expect(shown(path, yaml, rule).map(([, message]) => message)).toEqual(['enable_offload = true']);
  });

  it('name a list of maps without its contents', () => {
    const path = '/repository/a.yaml';
    const yaml = (loadKnowledge().frameworks.get('areal')?.base.yaml ?? '').replace(
      '    - task_type: worker\n',
      '    - {gpu: 1}\n    - {gpu: 1}\n    - task_type: worker\n',
    );
    const { findings } = testLinter(loadKnowledge(), memoryHost({ [path]: yaml }), noProfile).lint(
      path,
      yaml,
    );
    const found = findings.find(({ rule }) => rule === 'areal/scheduling-spec-length');
    expect(found?.evidence).toContain('actor.scheduling_spec');
  });

  it('do not include sections that merely exist', () => {
    const knowledge = loadKnowledge();
    const yaml = (knowledge.frameworks.get('areal')?.base.yaml ?? '').replace(
      'backend: fsdp:d4',
      'backend: fsdp:d4t3',
    );
    const { findings } = testLinter(knowledge, memoryHost({ '/repository/a.yaml': yaml }), noProfile).lint(
      '/repository/a.yaml',
      yaml,
    );
    const messages = findings.flatMap(({ related }) => related.map(({ message }) => message));
    expect(messages).not.toEqual([]);
    expect(messages).not.toContain('actor');
  });
});

describe('the place of a finding about an option itself', () => {
  it.each([
    ['in the command', 'torchrun --nproc_per_node 8 pretrain_gpt.py --moe-router-topk 2 --bf16\n', []],
    [
      'with a value from elsewhere, which is not shown',
      'TOP=2\ntorchrun --nproc_per_node 8 pretrain_gpt.py --moe-router-topk $TOP --bf16\n',
      [],
    ],
    [
      'in a list that the command takes',
      'ARGS=(\n  --moe-router-topk 2\n)\ntorchrun --nproc_per_node 8 pretrain_gpt.py --bf16 "${ARGS[@]}"\n',
      [[4, '--moe-router-topk = 2 is used here']],
    ],
  ])('is its name with its value: %s', (_, text, related) => {
    const rule = 'megatron-lm/expert-options-without-experts';
    const { findings } = testLinter(loadKnowledge(), memoryHost({ [run]: text }), noProfile).lint(run, text);
    const place = findings.find((finding) => finding.rule === rule)?.place;
    const written = text.slice(place?.span.start, place?.span.end);
    expect(written).toMatch(/^--moe-router-topk (?:2|\$TOP)$/);
    expect(shown(run, text, rule)).toEqual(related);
  });
});

describe('the places of settings that another one enables', () => {
  it.each([
    ['vllm', 'sglang'],
    ['sglang', 'vllm'],
  ])('are shown for %s alone if the sections of both are present', (engine, other) => {
    const path = '/repository/grpo.yaml';
    const base = loadKnowledge().frameworks.get('areal')?.base.yaml ?? '';
    const text = base
      .replace('backend: sglang:d4', `backend: ${engine}:d4`)
      .replace('path: Qwen/Qwen3-8B', 'path: Qwen/Qwen2.5-72B-Instruct')
      .replace(/^(?:sglang|vllm):$/gm, '$&\n  dtype: bfloat16');
    const messages = shown(path, text, 'areal/server-weights-are-large').map(([, message]) => message);
    expect(messages).toContain(`${engine}.dtype = bfloat16`);
    expect(messages.filter((message) => message.startsWith(other))).toEqual([]);
  });

  it('are not used as the place of a finding about the engine', () => {
    const path = '/repository/grpo.yaml';
    const base = loadKnowledge().frameworks.get('areal')?.base.yaml ?? '';
    const text = base
      .replace('backend: sglang:d4', 'backend: vllm:d4')
      .replace(/mem_fraction_static: .*/, 'mem_fraction_static: 0.95')
      .replace(/gpu_memory_utilization: .*/, 'gpu_memory_utilization: 0.97');
    const { findings } = testLinter(loadKnowledge(), memoryHost({ [path]: text }), noProfile).lint(
      path,
      text,
    );
    const written = findings
      .filter(({ settings: [name] }) => name?.includes('memory') === true || name?.includes('mem_') === true)
      .map(({ place: { span } }) => text.slice(span.start, span.end));
    expect(written).toEqual(['0.97']);
  });
});
