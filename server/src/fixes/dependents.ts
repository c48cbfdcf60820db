import type { Setting } from '../frameworks/framework.ts';
import type { Place } from '../text/span.ts';
import type { Word } from '../value/word.ts';
import { type CommandSetting, commandSetting } from './commandSetting.ts';
import { identityOf, isWrittenAt, type Work } from './work.ts';

/** What must be known about a launch's other settings before changing a text that they may depend on. */
export interface OtherSettings {
  /** Whether the change gives a setting the same value. */
  readonly changesAlike: (setting: Setting) => boolean;
  /** Whether the finding depends on a setting, so that it may remain if that changes too. */
  readonly isGround: (setting: Setting) => boolean;
}

/**
 * Whether the text at a place also determines other values of the launch, which a change would alter too. Names and paths that it is a part of
 * do not count: they are meant to follow.
 */
export function feedsOthers(
  work: Work,
  given: CommandSetting,
  place: Place,
  { changesAlike }: OtherSettings,
): boolean {
  const own = new Set([given.keyWord, ...given.valueWords].map(identityOf));
  for (const other of work.run.settings) {
    const words = commandSetting(other);
    if (words === undefined || other.name === given.setting.name || changesAlike(other))
      for (const word of words === undefined ? [] : [words.keyWord, ...words.valueWords])
        own.add(identityOf(word));
  }
  return work
    .relevantWords()
    .some((word) => !own.has(identityOf(word)) && isWhole(word) && isWrittenAt(word, place.path, place.span));
}

/** Whether a word is a single piece, or a key and a single text: a value, not a name or path with something inserted. */
function isWhole(word: Word): boolean {
  const [first, second] = word.pieces;
  if (word.pieces.length === 1) return true;
  return (
    word.pieces.length === 2 && first?.kind === 'text' && first.text.endsWith('=') && second?.kind === 'text'
  );
}

/**
 * Whether another setting that the finding depends on is computed from a variable, as a batch size is from that of a micro-batch: with the
 * variable both would change, and the finding might remain.
 */
export function isComputedFrom(
  work: Work,
  variable: string,
  { changesAlike, isGround }: OtherSettings,
): boolean {
  const named = new RegExp(`\\b${variable}\\b`);
  return work.run.settings.some((setting) => {
    if (!isGround(setting) || changesAlike(setting)) return false;
    const words = commandSetting(setting)?.valueWords ?? [];
    return words.some(({ pieces }) =>
      pieces.some(({ origin: { place, verbatim } }) => {
        const text = verbatim ? undefined : work.written(place);
        return text?.startsWith('$((') === true && named.test(text);
      }),
    );
  });
}
