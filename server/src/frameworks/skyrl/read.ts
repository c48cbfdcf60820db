import { display, holeOf, type Word } from '../../value/word.ts';
import { alone } from '../argparse/stray.ts';
import type { BindingProblem } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { rejoin } from '../omegaconf/apart.ts';
import { invalidOverride } from '../omegaconf/invalidOverride.ts';
import {
  keyReplacement,
  type Override,
  type OverrideProblem,
  parseOverride,
  settingOf,
  splitKey,
} from '../omegaconf/overrides.ts';

/** The words after a program, parsed as overrides. */
export interface ReadWords {
  readonly overrides: readonly Override[];
  readonly problems: readonly BindingProblem[];
  /** A word may stand for more settings than are visible. */
  readonly open: boolean;
}

/**
 * Parses the words as OmegaConf.from_cli does.
 * @param plus what happens to a leading `+`: it is rejected with its own message (as the RL programs do), taken off, or left
 */
export function readWords(
  words: readonly Word[],
  options: ReadonlyMap<string, OptionFact>,
  plus: 'refused' | 'taken off' | 'left',
  severity: 'error' | 'warning',
): ReadWords {
  const overrides: Override[] = [];
  const rejoined = rejoin(words, (text) => options.has(text), severity);
  const problems = [...rejoined.problems];
  let open = false;
  for (const word of rejoined.words) {
    const read = parseOverride(word, 'dotlist');
    if (read.kind === 'problem') {
      if (read.reason === 'open-key' || holeOf(word) !== undefined) open = true;
      if (read.reason === 'bad-value') problems.push(badValue(read, severity));
    } else if (read.key === '') {
      problems.push(withoutKey(word, severity));
    } else if (plus !== 'left' && read.key.startsWith('+')) {
      const bare = read.key.replace(/^\++/, '');
      if (plus === 'refused') problems.push(withPlus(read, bare, severity));
      overrides.push({ ...read, key: bare, path: splitKey(bare) });
    } else {
      if (!read.hasValue && options.has(read.key)) problems.push(becomesNull(read));
      overrides.push(read);
    }
  }
  return { overrides, problems, open };
}

function badValue(
  { key, detail: reason, place, override }: OverrideProblem,
  severity: BindingProblem['severity'],
): BindingProblem {
  const removal = override === undefined ? undefined : settingOf(override, key);
  return { ...invalidOverride({ key, part: 'value', reason, place, severity }), removal };
}

function withoutKey(word: Word, severity: BindingProblem['severity']): BindingProblem {
  const reason = 'there is no key before the “=”';
  const found = invalidOverride({ key: display(word), reason, place: word.place, severity });
  return { ...found, removal: alone(word) };
}

function withPlus(read: Override, bare: string, severity: BindingProblem['severity']): BindingProblem {
  const { key, keyPlace: place } = read;
  const reason = 'the + of Hydra is refused here; write the key without it';
  return invalidOverride({ key, reason, place, severity, replacement: keyReplacement(read, bare) });
}

function becomesNull(read: Override): BindingProblem {
  const { key, keyPlace: place } = read;
  const reason = 'there is no “=”, so that the value becomes null';
  const found = invalidOverride({ key, reason, place, severity: 'warning' });
  return { ...found, removal: settingOf(read, key) };
}
