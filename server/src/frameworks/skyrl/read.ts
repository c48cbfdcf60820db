import { display, holeOf, type Word } from '../../value/word.ts';
import type { BindingProblem } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { rejoin } from '../omegaconf/apart.ts';
import { keyReplacement, type Override, parseOverride } from '../omegaconf/overrides.ts';

/** The words behind a program, read as overrides. */
export interface ReadWords {
  readonly overrides: readonly Override[];
  readonly problems: readonly BindingProblem[];
  /** A word may stand for more settings than are shown. */
  readonly open: boolean;
}

/**
 * Reads the words as OmegaConf.from_cli does.
 * @param plus what becomes of a leading `+`: it is refused with a message of its own (the RL programs do), taken off, or left
 */
export function readWords(
  words: readonly Word[],
  options: ReadonlyMap<string, OptionFact>,
  plus: 'refused' | 'taken off' | 'left',
  severity: 'error' | 'warning',
): ReadWords {
  const overrides: Override[] = [];
  const problems: BindingProblem[] = [];
  let open = false;
  const problem = (
    place: BindingProblem['place'],
    value: string,
    reason: string,
    how: BindingProblem['severity'],
    replacement?: string,
  ): void => {
    problems.push({
      rule: 'invalid-override',
      place,
      values: { name: value, value, reason },
      setting: undefined,
      replacement,
      severity: how,
      related: [],
    });
  };
  const rejoined = rejoin(words, (text) => options.has(text), severity);
  problems.push(...rejoined.problems);
  for (const word of rejoined.words) {
    const read = parseOverride(word, 'dotlist');
    if (read.kind === 'problem') {
      if (read.reason === 'open-key' || holeOf(word) !== undefined) open = true;
      if (read.reason === 'bad-value') problem(read.place, `the value of ${read.key}`, read.detail, severity);
      continue;
    }
    if (read.key === '') {
      problem(word.place, display(word), 'there is no key before the “=”', severity);
      continue;
    }
    if (plus !== 'left' && read.key.startsWith('+')) {
      const bare = read.key.replace(/^\++/, '');
      const reason = 'the + of Hydra is refused here; write the key without it';
      if (plus === 'refused') problem(read.keyPlace, read.key, reason, severity, keyReplacement(read, bare));
      overrides.push({ ...read, key: bare, path: bare.split('.') });
      continue;
    }
    if (!read.hasValue && options.has(read.key))
      problem(read.keyPlace, read.key, 'there is no “=”, so that the value becomes null', 'warning');
    overrides.push(read);
  }
  return { overrides, problems, open };
}
