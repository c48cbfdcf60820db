import { isShellName, isYamlName } from './text/fileNames.ts';
import { commandKeys, descriptionKeys, inertKinds, scriptKeys, textKeys } from './yaml/jobKeys.ts';

/** What a file is to us, told by its name and a look at its text; nothing is parsed. */
export type FileKind = 'shell' | 'yaml' | 'other';

/** Kind of a file by name, or by its first line when it has no telling ending. */
export function kindOf(path: string, text: string): FileKind {
  if (isYamlName(path)) return 'yaml';
  if (isShellName(path)) return 'shell';
  return /^#!.*\b(ba|da|z)?sh\b/.test(text.slice(0, 100)) ? 'shell' : 'other';
}

/** Languages of editors that hold what is linted. */
const languages: ReadonlyMap<string, FileKind> = new Map([
  ['shellscript', 'shell'],
  ['sh', 'shell'],
  ['bash', 'shell'],
  ['yaml', 'yaml'],
]);

/** Kind of a document by the language that an editor has for it; undefined stands for one that is not open. */
export function kindOfLanguage(language: string | undefined): FileKind {
  return languages.get(language ?? '') ?? 'other';
}

/**
 * Kind of a file that may be open in an editor: where neither its name nor its first line tells, the language that it has there does.
 * @param language undefined for one that is not open
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
/** Keys that hold shell text or the words of a command: those of jobs, Argo's `source`, and files within a file. */
const scriptMarks = new RegExp(
  `(?:^|[\\s{,"'-])(?:${[
    ...[...scriptKeys, ...textKeys, ...commandKeys].map((key) => key.replaceAll('.', '\\.')),
    'source',
    '[\\w.-]+\\.(?:sh|bash|slurm|sbatch)',
  ].join('|')})["']?\\s*:`,
  'm',
);

/**
 * Whether a file is worth reading at all: well under a millisecond, and generous. What is ours is decided by the launches and
 * settings found in it.
 */
export function maybeOurs(kind: FileKind, text: string): boolean {
  if (kind === 'shell') return shellMarks.test(text);
  if (kind !== 'yaml') return false;
  return (yamlMarks.test(text) || (scriptMarks.test(text) && shellMarks.test(text))) && !isOfOthers(text);
}

/** Keys with which files begin that are of no job. */
const description = new RegExp(`^(?:${descriptionKeys.join('|')})["']?:`, 'm');

/**
 * Whether a YAML file certainly is none of ours, whatever words stand in it: all its documents are objects of Kubernetes that start nothing, as
 * definitions of resources are, or it describes an interface.
 */
function isOfOthers(text: string): boolean {
  if (description.test(text)) return true;
  const kinds = [...text.matchAll(/^kind:[ \t]*["']?(\w*)/gm)];
  if (kinds.length === 0 || !kinds.every(([, kind = '']) => inertKinds.has(kind))) return false;
  const documents = text.split(/^---.*$/m).filter((part) => /^[^#\s]/m.test(part));
  return documents.length <= kinds.length;
}

/** Most words of a text that is read: far more than the largest scripts and configurations have. */
export const mostWords = 100_000;

/** By its code in ASCII, whether a character begins something further to read without a blank before it. */
const opening: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  `\n\\,;&|$\`([{<>"*?'`.includes(String.fromCharCode(code)),
);

/** By its code in ASCII, whether a character closes brackets: one behind another may well be a fault of its own. */
const closing: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  ')]}'.includes(String.fromCharCode(code)),
);

/**
 * Whether a text has more words (values, expansions, lines, entries of lists) than are read. What a text costs in time and memory is the number of
 * its words rather than its length. Texts of ordinary length are not looked at.
 */
export function hasTooManyWords(text: string): boolean {
  if (text.length <= mostWords) return false;
  let count = 0;
  let between = true;
  let closes = false;
  // As soon as what is left is too short for that many, the answer is known: of a text that is a little longer a part is looked at.
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
