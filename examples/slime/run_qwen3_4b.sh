#!/bin/bash
# Reinforcement learning with slime: one node, training and rollout share the GPUs.
set -ex

SCRIPT_DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "${SCRIPT_DIR}/models/qwen3_4b.sh"

CKPT_ARGS=(
  --hf-checkpoint /root/Qwen3-4B
  --ref-load /root/Qwen3-4B_torch_dist
)

ROLLOUT_ARGS=(
  --prompt-data /root/dapo-math-17k/dapo-math-17k.jsonl
  --input-key prompt
  --label-key label
  --apply-chat-template
  --rm-type deepscaler
  --num-rollout 3000
  --rollout-batch-size 32
  --n-samples-per-prompt 8
  --rollout-max-response-len 8192
  --rollout-temperature 1
  --global-batch-size 256
)

PERF_ARGS=(
  --tensor-model-parallel-size 2
  --sequence-parallel
  --context-parallel-size 1
  --recompute-granularity full
  --recompute-method uniform
  --recompute-num-layers 1
  # A response alone can have 8192 tokens, twice what a GPU may hold here.
  --use-dynamic-batch-size
  --max-tokens-per-gpu 4096
)

GRPO_ARGS=(
  --advantage-estimator grpo
  --use-kl-loss
  --kl-loss-coef 0.00
  --kl-loss-type low_var_kl
  --entropy-coef 0.00
)

OPTIMIZER_ARGS=(
  --optimizer adam
  --lr 1e-6
  --lr-decay-style constant
  --weight-decay 0.1
  # Moving the optimizer to the CPU needs two companions.
  --optimizer-cpu-offload
)

SGLANG_ARGS=(
  --rollout-num-gpus-per-engine 2
  # SGLang's own name: slime knows it with the prefix only, and skips it silently.
  --mem-fraction-static 0.7
)

RUNTIME_ENV_JSON="{
  \"env_vars\": {
    \"PYTHONPATH\": \"/root/Megatron-LM/\",
    \"CUDA_DEVICE_MAX_CONNECTIONS\": \"1\"
  }
}"

ray job submit --address="http://127.0.0.1:8265" \
  --runtime-env-json="${RUNTIME_ENV_JSON}" \
  -- python3 train.py \
  --actor-num-nodes 1 \
  --actor-num-gpus-per-node 8 \
  --colocate \
  "${MODEL_ARGS[@]}" \
  "${CKPT_ARGS[@]}" \
  "${ROLLOUT_ARGS[@]}" \
  "${OPTIMIZER_ARGS[@]}" \
  "${GRPO_ARGS[@]}" \
  "${PERF_ARGS[@]}" \
  "${SGLANG_ARGS[@]}"
