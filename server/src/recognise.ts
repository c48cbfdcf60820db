import { isShellName, isYamlName } from './text/fileNames.ts';
import { commandKeys, descriptionKeys, inertKinds, scriptKeys, textKeys } from './yaml/jobKeys.ts';

/** The kind of a file, determined by its name and a glance at its text; nothing is parsed. */
export type FileKind = 'shell' | 'yaml' | 'other';

/** Kind of a file by name, or by its first line if the extension is not conclusive. */
export function kindOf(path: string, text: string): FileKind {
  if (isYamlName(path)) return 'yaml';
  if (isShellName(path)) return 'shell';
  return /^#!.*\b(ba|da|z)?sh\b/.test(text.slice(0, 100)) ? 'shell' : 'other';
}

/** The editor languages that are linted. */
const languages: ReadonlyMap<string, FileKind> = new Map([
  ['shellscript', 'shell'],
  ['sh', 'shell'],
  ['bash', 'shell'],
  ['yaml', 'yaml'],
]);

/** Kind of a document by its language in the editor; undefined if it is not open. */
export function kindOfLanguage(language: string | undefined): FileKind {
  return languages.get(language ?? '') ?? 'other';
}

/**
 * Kind of a file that may be open in an editor: if neither its name nor its first line is conclusive, its language there decides.
 * @param language undefined for a file that is not open
 */
export function kindInEditor(path: string, text: string, language: string | undefined): FileKind {
  const kind = kindOf(path, text);
  return kind === 'other' ? kindOfLanguage(language) : kind;
}

const shellMarks =
  /torchrun|torch\.distributed|megatron|pretrain|--tensor-model-parallel|train(_async)?\.py|skyrl|trainer\.\w|inference_engine|areal|slime|relax|ray job|(?:\.py\b|-m\s+\w)[^\n]*--config\b|srun|sbatch|sglang|vllm|run_recipe|setup_experiment|scripts[/.]performance|\.sh\b|oomlint|_ARGS=\(/i;
/** Keys of the configurations that frameworks recognise: AReaL's, Megatron-LM's, Bridge's. */
const yamlMarks =
  /MODEL_ARGS|ENV_VARS|model_parallel|language_model|experiment_name|trial_name|tokenizer_path|gconfig|allocation_mode|stats_logger|context_parallel_size|train_iters|(?:micro|global)_batch_size|lr_warmup_iters|pretrained_checkpoint|use_megatron_fsdp|grad_reduce_in_fp32|use_distributed_optimizer|log_interval|megatron\.bridge\.recipes|oomlint/i;
/** Keys with shell text or the words of a command: those of jobs, Argo's `source`, and files embedded in a file. */
const scriptMarks = new RegExp(
  `(?:^|[\\s{,"'-])(?:${[
    ...[...scriptKeys, ...textKeys, ...commandKeys].map((key) => key.replaceAll('.', '\\.')),
    'source',
    '[\\w.-]+\\.(?:sh|bash|slurm|sbatch)',
  ].join('|')})["']?\\s*:`,
  'm',
);

/**
 * Whether a file is worth reading at all: takes well under a millisecond, and errs on the side of yes. The launches and settings found in it
 * decide whether it is ours.
 */
export function maybeOurs(kind: FileKind, text: string): boolean {
  if (kind === 'shell') return shellMarks.test(text);
  if (kind !== 'yaml') return false;
  return (yamlMarks.test(text) || (scriptMarks.test(text) && shellMarks.test(text))) && !isOfOthers(text);
}

/** Keys at the start of files that are not about jobs. */
const description = new RegExp(`^(?:${descriptionKeys.join('|')})["']?:`, 'm');

/**
 * Whether a YAML file is certainly not ours, whatever words it contains: all its documents are Kubernetes objects that start nothing, such as
 * resource definitions, or it describes an interface.
 */
function isOfOthers(text: string): boolean {
  if (description.test(text)) return true;
  const kinds = [...text.matchAll(/^kind:[ \t]*["']?(\w*)/gm)];
  if (kinds.length === 0 || !kinds.every(([, kind = '']) => inertKinds.has(kind))) return false;
  const documents = text.split(/^---.*$/m).filter((part) => /^[^#\s]/m.test(part));
  return documents.length <= kinds.length;
}

/** Maximum number of words of a text that is read: far more than the largest scripts and configurations have. */
export const mostWords = 100_000;

/** By ASCII code: whether a character starts another word without a blank before it. */
const opening: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  `\n\\,;&|$\`([{<>"*?'`.includes(String.fromCharCode(code)),
);

/** By ASCII code: whether a character is a closing bracket; each one after another may be a separate error. */
const closing: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  ')]}'.includes(String.fromCharCode(code)),
);

/**
 * Whether a text has more words (values, expansions, lines, list items) than are read. The time and memory for a text depend on the number of
 * its words rather than its length. Texts of ordinary length are not counted.
 */
export function hasTooManyWords(text: string): boolean {
  if (text.length <= mostWords) return false;
  let count = 0;
  let between = true;
  let closes = false;
  // Stops as soon as the rest is too short to reach the limit: only a part of a slightly longer text is scanned.
  for (let at = 0; count <= mostWords && count + text.length - at > mostWords; at++) {
    const character = text.charCodeAt(at);
    const blank = character <= 0x20;
    const closesToo = closing[character] === true;
    if (opening[character] === true || (between && !blank) || (closes && closesToo)) count++;
    between = blank;
    closes = closesToo;
  }
  return count > mostWords;
}
