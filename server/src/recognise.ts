/** What a file is to us, told by its name and a look at its text; nothing is parsed. */
export type FileKind = 'shell' | 'yaml' | 'other';

const shellName = /\.(sh|bash|slurm|sbatch|slrm|job)$/i;
const yamlName = /\.ya?ml$/i;

/** Kind of a file by name, or by its first line when it has no telling ending. */
export function kindOf(path: string, text: string): FileKind {
  if (yamlName.test(path)) return 'yaml';
  if (shellName.test(path)) return 'shell';
  return /^#!.*\b(ba|da|z)?sh\b/.test(text.slice(0, 100)) ? 'shell' : 'other';
}

const shellMarks =
  /torchrun|torch\.distributed|megatron|pretrain|--tensor-model-parallel|train(_async)?\.py|skyrl|trainer\.\w|inference_engine|areal|slime|relax|ray job|srun|sbatch|sglang|vllm|\.sh\b|oomlint|_ARGS=\(/i;
const yamlMarks =
  /MODEL_ARGS|tensor_model_parallel|experiment_name|allocation_mode|actor:|rollout:|trainer:|generator:|megatron|torchrun|run:|entrypoint:|command:|args:|env(s|_vars)?:|ENV_VARS|model:|oomlint/i;

/**
 * Whether a file is worth reading at all: well under a millisecond, and generous. What is ours is decided by the launches and
 * settings found in it.
 */
export function maybeOurs(kind: FileKind, text: string): boolean {
  if (kind === 'shell') return shellMarks.test(text);
  return kind === 'yaml' && yamlMarks.test(text);
}
