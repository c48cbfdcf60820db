import { display, holeOf, type Word } from '../../value/word.ts';
import { alone } from '../argparse/stray.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { rejoin } from '../omegaconf/apart.ts';
import { invalidOverride, type RefusedOverride } from '../omegaconf/invalidOverride.ts';
import { keyReplacement, type Override, parseOverride, settingOf } from '../omegaconf/overrides.ts';

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
  const refuse = (refused: Omit<RefusedOverride, 'severity'>, removal?: Setting): void => {
    problems.push({ ...invalidOverride({ ...refused, severity }), removal });
  };
  const rejoined = rejoin(words, (text) => options.has(text), severity);
  problems.push(...rejoined.problems);
  for (const word of rejoined.words) {
    const read = parseOverride(word, 'dotlist');
    if (read.kind === 'problem') {
      if (read.reason === 'open-key' || holeOf(word) !== undefined) open = true;
      const { override } = read;
      if (read.reason === 'bad-value')
        refuse(
          { key: read.key, part: 'value', reason: read.detail, place: read.place },
          override === undefined ? undefined : settingOf(override, read.key),
        );
      continue;
    }
    if (read.key === '') {
      const reason = 'there is no key before the “=”';
      refuse({ key: display(word), reason, place: word.place }, alone(word));
      continue;
    }
    if (plus !== 'left' && read.key.startsWith('+')) {
      const bare = read.key.replace(/^\++/, '');
      const reason = 'the + of Hydra is refused here; write the key without it';
      const replacement = keyReplacement(read, bare);
      if (plus === 'refused') refuse({ key: read.key, reason, place: read.keyPlace, replacement });
      overrides.push({ ...read, key: bare, path: bare.split('.') });
      continue;
    }
    if (!read.hasValue && options.has(read.key))
      problems.push({
        ...invalidOverride({
          key: read.key,
          reason: 'there is no “=”, so that the value becomes null',
          place: read.keyPlace,
          severity: 'warning',
        }),
        removal: settingOf(read, read.key),
      });
    overrides.push(read);
  }
  return { overrides, problems, open };
}
