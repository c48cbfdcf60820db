import type { Word } from '../../value/word.ts';
import type { BindingProblem } from '../framework.ts';
import { flagPlace } from '../places.ts';
import type { WordKind } from './classify.ts';

/** argparse's error for a flag that is a prefix of several. */
export function ambiguous(
  word: Word,
  { flag, candidates }: Extract<WordKind, { kind: 'ambiguous' }>,
): BindingProblem {
  return {
    rule: 'ambiguous-option',
    place: flagPlace(word, flag),
    values: { name: flag, choices: candidates.join(' or ') },
    setting: undefined,
    replacement: undefined,
    choices: candidates,
    severity: 'error',
    related: [],
  };
}
