#!/usr/bin/env bash
# Fine-tunes Qwen3 8B on one node. The recipe sets what is not given here: oomlint knows it, and tells where the two do not go together.
set -euo pipefail

SEQ_LENGTH=16384

OVERRIDES=(
  model.seq_length=$SEQ_LENGTH
  model.pipeline_model_parallel_size=8
  train.global_batch_size=12
  train.micro_batch_size=1
  optimizer.optimizer_cpu_offload=true
  checkpoint.save=/checkpoints/qwen3-8b
)

torchrun --nproc_per_node 8 scripts/training/run_recipe.py \
  --recipe qwen3_8b_sft_config \
  --mode sft \
  "${OVERRIDES[@]}"
