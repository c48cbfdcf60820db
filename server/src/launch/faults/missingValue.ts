import { textOf, type Word } from '../../value/word.ts';
import type { Chain, Step } from '../wrappers/chain.ts';
import type { OptionUse } from '../wrappers/options.ts';
import { shownCall } from '../wrappers/wrapper.ts';

/** An option of a launcher that has no value, or takes the program for its value. */
export interface MissingValue {
  readonly kind: 'missing-value';
  readonly launcher: string;
  /** The option, and how it should be written: with an unknown value. */
  readonly word: Word;
  readonly meant: Word;
  /** The program that was taken for the value. */
  readonly taken: Word | undefined;
}

/**
 * Options of the launcher that starts the program which are directly followed by another option, or by the program if no other one follows:
 * `torchrun --nproc_per_node train.py --lr 1`.
 */
export function missingValues({ steps, end }: Chain): readonly MissingValue[] {
  const step = steps.at(-1);
  if (step?.wrapper.command !== 'python') return [];
  const hasProgram =
    end.kind === 'module' || (end.kind === 'script' && textOf(end.word)?.endsWith('.py') !== false);
  return step.options.flatMap((use): MissingValue[] => {
    const { word, value, length } = use;
    if (step.wrapper.values?.includes(use.name) !== true || textOf(word) === undefined) return [];
    const isTaken = !hasProgram && length === 2 && value !== undefined && isPythonFile(value);
    if (value !== undefined && !isTaken) return [];
    return [missing(step, use, isTaken ? value : undefined)];
  });
}

function isPythonFile(word: Word): boolean {
  return /[^.]\.py$/.test(textOf(word) ?? '');
}

function missing({ name }: Step, { word }: OptionUse, taken: Word | undefined): MissingValue {
  const { place } = word;
  const option = textOf(word) ?? '';
  const origin = { place, via: [], verbatim: false };
  const hole = { reason: 'outside', label: `value of ${option}`, shape: 'any', splits: false } as const;
  const meant: Word = {
    pieces: [
      { kind: 'text', text: `${option}=`, origin },
      { kind: 'hole', ...hole, origin },
    ],
    place,
  };
  return { kind: 'missing-value', launcher: shownCall(name), word, meant, taken };
}
