/** The user's description of the machine that runs the job. Nothing is guessed: a missing field is unknown. */
export interface MachineProfile {
  readonly gpu?: string;
  /** Memory of one GPU in bytes. */
  readonly gpuMemoryBytes?: number;
  readonly gpusPerNode?: number;
  readonly nodes?: number;
  /** GPUs of all nodes together, if the file that contains the job says no more. */
  readonly slots?: number;
  readonly nvlink?: boolean;
  /** CUDA compute capability, major × 10 + minor (90 for Hopper). */
  readonly computeCapability?: number;
  /** Installed versions by package: `torch`, `transformer-engine`, `vllm`, `sglang`, … */
  readonly versions: { readonly [name: string]: string };
  /** Values for variables and positional parameters (`"1"`, `"2"`) that scripts leave open. */
  readonly variables: { readonly [name: string]: string };
}

/** A machine about which nothing is known. */
export const noProfile: MachineProfile = { versions: {}, variables: {} };
