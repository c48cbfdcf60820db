import type { Place } from '../../text/span.ts';
import { countAskedBy, countInVariable } from '../../value/slurmCounts.ts';
import { type HoleShape, knownPrefix, textOf, type Word } from '../../value/word.ts';
import { numberAsked } from '../state/needs.ts';
import { type HoleFacts, hole, type ShellHole } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';

const nameOfText = /(LIST|NAME|ADDR|HOST|DIR|NODENAME|PARTITION|ACCOUNT|CLUSTER|QOS|SHELL|MODE|TYPE)/;

/**
 * The value of a variable that Slurm sets for a job. It stays open, since options of sbatch override the job's own directives; but conditions
 * are decided by the number that these ask for.
 * @returns undefined if the script is not known to run in a job, or such a job lacks the variable
 */
export function slurmVariable(shell: Shell, name: string, place: Place): ShellHole | undefined {
  if (!name.startsWith('SLURM_') || !isSetBySlurm(shell, name)) return undefined;
  const shape: HoleShape = nameOfText.test(name) ? 'host' : 'integer';
  const count = countAsked(name, shell);
  const label = `$${name}`;
  const facts: HoleFacts = { shape, nonEmpty: true };
  if (count === undefined) return hole('environment', label, place, facts);
  const need = numberAsked(name, count);
  const isOther = shell.run.given.has(need);
  return hole('environment', label, place, isOther ? facts : { ...facts, assumed: count, needs: [need] });
}

/** Whether a job has a Slurm variable: those of arrays only exist in an array job, and those of a restart only in a restarted job. */
function isSetBySlurm({ slurm, directives, via }: Shell, name: string): boolean {
  if (!slurm || name === 'SLURM_RESTART_COUNT') return false;
  if (!name.startsWith('SLURM_ARRAY_')) return true;
  const isOfArray = (word: Word): boolean => /^(?:--array(?:=|$)|-a)/.test(knownPrefix(word));
  return directives.some(isOfArray) || via.some(({ words }) => words.some(isOfArray));
}

/**
 * The number that a job's own directives ask for and Slurm sets in a variable; undefined if they do not specify it, if they do so for each of
 * several parts of a job, or if the job or the step is started with options of its own.
 */
function countAsked(name: string, { directives, via }: Shell): string | undefined {
  const count = countInVariable(name);
  const valueIn = (texts: readonly string[], at: number): string | undefined => {
    const asked = countAskedBy(texts[at] ?? '', texts[at + 1]);
    return asked !== undefined && asked.count === count ? asked.value : undefined;
  };
  const isOther = ({ words }: { readonly words: readonly Word[] }): boolean => {
    const texts = words.map((word) => textOf(word) ?? '');
    if (texts.some((text) => text === 'sbatch' || text === 'salloc')) return true;
    return texts.includes('srun') && texts.some((_, at) => valueIn(texts, at) !== undefined);
  };
  // If a number is unknown, its option is still known.
  const texts = directives.map(knownPrefix);
  const isOfParts = texts.includes('hetjob') || texts.includes('packjob');
  if (count === undefined || isOfParts || via.some(isOther)) return undefined;
  const value = texts.map((_, at) => valueIn(texts, at)).findLast((each) => each !== undefined);
  return value !== undefined && /^[1-9]\d*$/.test(value) ? value : undefined;
}
