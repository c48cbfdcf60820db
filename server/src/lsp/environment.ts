export { allocatorVariables } from '../frameworks/facts.ts';

/** Environment variables that decide about memory, refusals or silent changes of these frameworks. */
export const environmentNames: readonly { readonly name: string; readonly text: string }[] = [
  { name: 'PYTORCH_ALLOC_CONF', text: 'Settings of PyTorch’s allocator (PyTorch 2.9 and newer).' },
  { name: 'PYTORCH_CUDA_ALLOC_CONF', text: 'Settings of PyTorch’s CUDA allocator, under the older name.' },
  {
    name: 'CUDA_DEVICE_MAX_CONNECTIONS',
    text: '1 keeps communication ahead of computation; Megatron demands it before Blackwell for tensor and context parallelism.',
  },
  { name: 'NCCL_GRAPH_REGISTER', text: '0 where CUDA graphs meet expandable segments.' },
  { name: 'NCCL_NVLS_ENABLE', text: 'NVLink SHARP; takes GPU memory for its buffers.' },
  { name: 'NCCL_CUMEM_ENABLE', text: 'cuMem allocations in NCCL; takes part in weight synchronisation.' },
  { name: 'NCCL_ALGO', text: 'Fixed algorithms; demanded by deterministic mode.' },
  { name: 'NVTE_FLASH_ATTN', text: 'Transformer Engine: flash attention on or off.' },
  { name: 'NVTE_FUSED_ATTN', text: 'Transformer Engine: fused attention on or off.' },
  { name: 'NVTE_ALLOW_NONDETERMINISTIC_ALGO', text: '0 for deterministic mode.' },
  { name: 'TORCH_NCCL_AVOID_RECORD_STREAMS', text: '1 frees communication buffers earlier.' },
];

/** Settings inside PyTorch's allocator string, with values that people give them. */
export const allocatorKeys: readonly {
  readonly key: string;
  readonly text: string;
  readonly values: readonly string[];
}[] = [
  {
    key: 'expandable_segments',
    text: 'True: segments that grow, which avoids most fragmentation.',
    values: ['True', 'False'],
  },
  {
    key: 'max_split_size_mb',
    text: 'Blocks larger than this many MiB are never split.',
    values: ['128', '512'],
  },
  {
    key: 'roundup_power2_divisions',
    text: 'Rounds sizes up so that blocks are reused more often.',
    values: ['4', '8', '16'],
  },
  {
    key: 'garbage_collection_threshold',
    text: 'Frees unused blocks when more than this share of the memory is taken.',
    values: ['0.6', '0.8'],
  },
  {
    key: 'backend',
    text: 'The allocator: PyTorch’s own or CUDA’s asynchronous one.',
    values: ['native', 'cudaMallocAsync'],
  },
  {
    key: 'pinned_use_cuda_host_register',
    text: 'Pins host memory by registering it, which is faster for large buffers.',
    values: ['True', 'False'],
  },
];

/** Pieces of AReaL's allocation strings: an engine, then sizes by letter. */
export const allocationEngines: readonly { readonly name: string; readonly text: string }[] = [
  { name: 'sglang', text: 'Rollout with SGLang.' },
  { name: 'vllm', text: 'Rollout with vLLM.' },
  { name: 'fsdp', text: 'Training with FSDP.' },
  { name: 'megatron', text: 'Training with Megatron.' },
  { name: 'archon', text: 'Training with Archon.' },
];
export const allocationSizes: readonly { readonly letter: string; readonly text: string }[] = [
  { letter: 'd', text: 'Data parallelism: copies of the model, or shards of it with FSDP.' },
  { letter: 't', text: 'Tensor parallelism: every layer split over this many GPUs.' },
  { letter: 'p', text: 'Pipeline parallelism: the layers split over this many stages.' },
  { letter: 'c', text: 'Context parallelism: every sequence split over this many GPUs.' },
  { letter: 'e', text: 'Expert parallelism: the experts spread over this many GPUs.' },
];
