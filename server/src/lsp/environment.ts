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

/** Settings inside PyTorch's allocator string. */
export const allocatorKeys: readonly { readonly key: string; readonly text: string }[] = [
  { key: 'expandable_segments', text: 'True: segments that grow, which avoids most fragmentation.' },
  { key: 'max_split_size_mb', text: 'Blocks larger than this are never split.' },
  { key: 'roundup_power2_divisions', text: 'Rounds sizes up so that blocks are reused more often.' },
  { key: 'garbage_collection_threshold', text: 'Frees unused blocks above this share of memory.' },
  { key: 'backend', text: 'native or cudaMallocAsync.' },
  { key: 'pinned_use_cuda_host_register', text: 'Faster pinned host memory.' },
];
