#!/bin/bash
# Pretraining of a 70B model on four nodes with eight GPUs each.
# This script has the faults that cost teams the most hours; `oomlint check examples` finds them.
set -euo pipefail

export CUDA_DEVICE_MAX_CONNECTIONS=1
export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True

GPUS_PER_NODE=8
NNODES=4
TP=4
PP=4

DISTRIBUTED_ARGS=(
  --nproc_per_node $GPUS_PER_NODE
  --nnodes $NNODES
  --rdzv_backend c10d
  --rdzv_endpoint "${MASTER_ADDR:-localhost}:29500"
)

MODEL_ARGS=(
  --num-layers 80
  --hidden-size 8192
  --ffn-hidden-size 28672
  --num-attention-heads 64
  --group-query-attention
  --num-query-groups 8
  --seq-length 8192
  --max-position-embeddings 8192
  --swiglu
  --normalization RMSNorm
  --position-embedding-type rope
  --untie-embeddings-and-output-weights
  --disable-bias-linear
)

PARALLEL_ARGS=(
  --tensor-model-parallel-size $TP
  --pipeline-model-parallel-size $PP
  --sequence-parallel
  --use-distributed-optimizer
  # The launch is refused: offloading activations works with one pipeline stage only.
  --cpu-offloading-num-layers 4
)

MEMORY_ARGS=(
  # Half of the recompute settings: the method and the number of layers are missing.
  --recompute-granularity full
  # NCCL user buffers cannot be registered from expandable segments.
  --use-nccl-ub
  --use-megatron-fsdp
)

TRAINING_ARGS=(
  --micro-batch-size 1
  --global-batch-size 250
  --train-iters 100000
  --eval-interval 1000
  --lr 1.5e-4
  --lr-decay-style cosine
  --bf16
)

torchrun "${DISTRIBUTED_ARGS[@]}" pretrain_gpt.py \
  "${MODEL_ARGS[@]}" \
  "${PARALLEL_ARGS[@]}" \
  "${MEMORY_ARGS[@]}" \
  "${TRAINING_ARGS[@]}" \
  --mock-data \
  --tokenizer-type NullTokenizer \
  --vocab-size 128256
