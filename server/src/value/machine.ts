/** What the user declares about the machine that runs the job. Nothing is guessed: an absent field is unknown. */
export interface MachineProfile {
  readonly gpu?: string;
  /** Bytes of memory of one GPU. */
  readonly gpuMemoryBytes?: number;
  readonly gpusPerNode?: number;
  readonly nodes?: number;
  /** GPUs on all nodes together, where the file that holds the job says no more. */
  readonly slots?: number;
  readonly nvlink?: boolean;
  /** CUDA compute capability, major × 10 + minor (90 for Hopper). */
  readonly computeCapability?: number;
  /** Installed versions by package: `torch`, `transformer-engine`, `vllm`, `sglang`, … */
  readonly versions: { readonly [name: string]: string };
  /** Values for variables and positionals (`"1"`, `"2"`) that scripts leave open. */
  readonly variables: { readonly [name: string]: string };
}

/** Of a machine nothing is known. */
export const noProfile: MachineProfile = { versions: {}, variables: {} };
