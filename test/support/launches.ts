/** A launch whose four pipeline stages do not divide its 30 layers: one error, whatever else is found. */
export const unevenStages = `export CUDA_DEVICE_MAX_CONNECTIONS=1
torchrun --nproc_per_node 8 pretrain_gpt.py \\
  --num-layers 30 --hidden-size 4096 --num-attention-heads 32 \\
  --seq-length 4096 --max-position-embeddings 4096 \\
  --micro-batch-size 1 --global-batch-size 256 --train-iters 1000 --lr 1e-4 --bf16 \\
  --tokenizer-type NullTokenizer --vocab-size 128000 --mock-data \\
  --pipeline-model-parallel-size 4
`;
