import type { Launch } from '../launch/launch.ts';
import { writtenAt } from '../value/word.ts';
import { valueOfWord } from './facts.ts';
import type { Run } from './framework.ts';

/** The variables that a launch receives, each with its value and the place where the value is written. */
export function variablesOf(env: Launch['env']): Run['env'] {
  return new Map(
    [...env].map(([name, word]) => [name, { value: valueOfWord(word), word, place: writtenAt(word) }]),
  );
}
