#!/bin/bash
set -euo pipefail
source "$(dirname "$0")/cluster.sh"

export CUDA_DEVICE_MAX_CONNECTIONS=1
export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True

MODEL_ARGS=(
  --num-layers 32
  --hidden-size 4096
  --num-attention-heads 32
  --seq-length 8192
  --max-position-embeddings 4096
)

MEMORY_ARGS=(
  --recompute-granularity full
  --cpu-offloading-num-layers 8
)

torchrun --nproc_per_node $GPUS_PER_NODE --nnodes $NNODES pretrain_gpt.py \
  --tensor-model-parallel-size $TP \
  --pipeline-model-parallel-size $PP \
  "${MODEL_ARGS[@]}" \
  "${MEMORY_ARGS[@]}" \
  --bf16 \
  --lr 1e-4 --train-iters 100 --eval-interval 1000 \
  --micro-batch-size 1 \
  --global-batch-size 256
