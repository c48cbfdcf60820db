/** A launch that upstream accepts, with room for more arguments. */
export function megatronScript(more = '', head = ''): string {
  return `#!/bin/bash
export CUDA_DEVICE_MAX_CONNECTIONS=1
${head}TP=2
MODEL_ARGS=(
  --num-layers 8
  --hidden-size 512
  --num-attention-heads 8
  --seq-length 1024
  --max-position-embeddings 1024
)
torchrun --nproc_per_node 8 --nnodes 1 pretrain_gpt.py \\
  "\${MODEL_ARGS[@]}" \\
  --tensor-model-parallel-size $TP \\
  --sequence-parallel \\
  --micro-batch-size 1 --global-batch-size 32 --bf16 --lr 1e-4 --train-iters 10 --eval-interval 1000 \\
  --mock-data --tokenizer-type NullTokenizer --vocab-size 1000 \\
  --use-distributed-optimizer --overlap-grad-reduce --overlap-param-gather${more}
`;
}

/** What makes upstream refuse the launch of `megatronScript`. */
export const refused = ' \\\n  --pipeline-model-parallel-size 2 --cpu-offloading-num-layers 4';
export const refusedRule = 'megatron-lm/cpu-offload-needs-one-stage';

/** A script that takes its model from another file, which has a fault. */
export const mainScript = `#!/bin/bash
export CUDA_DEVICE_MAX_CONNECTIONS=1
source "$(dirname "$0")/models/model.sh"
torchrun --nproc_per_node 8 pretrain_gpt.py "\${MODEL_ARGS[@]}" \\
  --micro-batch-size 1 --global-batch-size 32 --bf16 --lr 1e-4 --train-iters 10 --eval-interval 1000 \\
  --mock-data --tokenizer-type NullTokenizer --vocab-size 1000
`;
export const modelFile = (heads: string): string => `MODEL_ARGS=(
  --num-layers 8
  --hidden-size 512
  --num-attention-heads ${heads}
  --seq-length 1024
  --max-position-embeddings 1024
)
`;

/** An AReaL configuration. `more` holds further lines of the actor. */
export const arealConfig = (name = 'trial', more = ''): string => `experiment_name: demo # ${name}
trial_name: ${name}
seed: 1
total_train_epochs: 1
cluster:
  n_nodes: 1
  n_gpus_per_node: 8
  fileroot: /tmp/areal
  name_resolve:
    type: nfs
    nfs_record_root: /tmp/name
tokenizer_path: \${actor.path}
train_dataset:
  batch_size: 16
  path: openai/gsm8k
rollout:
  backend: "sglang:d4t1"
  experiment_name: \${experiment_name}
gconfig:
  n_samples: 4
  max_new_tokens: 1024
actor:
  backend: "fsdp:d4"
  experiment_name: \${experiment_name}
  path: Qwen/Qwen2.5-1.5B-Instruct
  dtype: bfloat16
  ${more}
  mb_spec:
    max_tokens_per_mb: 10240
`;

/** The text at a range of a text. */
export function textAt(
  text: string,
  range: { start: { line: number; character: number }; end: { line: number; character: number } },
): string {
  const lines = text.split('\n');
  if (range.start.line === range.end.line)
    return (lines[range.start.line] ?? '').slice(range.start.character, range.end.character);
  return [
    (lines[range.start.line] ?? '').slice(range.start.character),
    ...lines.slice(range.start.line + 1, range.end.line),
    (lines[range.end.line] ?? '').slice(0, range.end.character),
  ].join('\n');
}

/** The position after the last `|` of a text, and the text without it. */
export function marked(text: string): { text: string; position: { line: number; character: number } } {
  const at = text.lastIndexOf('|');
  const before = text.slice(0, at).split('\n');
  return {
    text: text.slice(0, at) + text.slice(at + 1),
    position: { line: before.length - 1, character: before[before.length - 1]?.length ?? 0 },
  };
}

/** The position of the first occurrence of a part of a text, one character into it. */
export function positionOf(text: string, part: string): { line: number; character: number } {
  const at = text.indexOf(part) + 1;
  if (at === 0) throw new Error(`the text does not hold ${part}`);
  const before = text.slice(0, at).split('\n');
  return { line: before.length - 1, character: before[before.length - 1]?.length ?? 0 };
}

/** A job submitted with a variable that JSON must hold as a string. */
export const slimeScript = (connections: string): string => `#!/bin/bash
RUNTIME_ENV_JSON="{
  \\"env_vars\\": {
    \\"CUDA_DEVICE_MAX_CONNECTIONS\\": ${connections}
  }
}"
ray job submit --runtime-env-json="\${RUNTIME_ENV_JSON}" -- python3 train.py --rollout-num-gpus 4
`;
