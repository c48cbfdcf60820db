import type { Setting } from '../frameworks/framework.ts';
import type { Place } from '../text/span.ts';
import type { Word } from '../value/word.ts';
import { type CommandSetting, commandSetting } from './commandSetting.ts';
import { identityOf, isWrittenAt, type Work } from './work.ts';

/** What is to be known of a launch's other settings where a text is changed that may make them too. */
export interface OtherSettings {
  /** Whether the change gives a setting the same value. */
  readonly changesAlike: (setting: Setting) => boolean;
  /** Whether the finding rests on a setting, so that it may stay where that changes as well. */
  readonly isGround: (setting: Setting) => boolean;
}

/**
 * Whether text at a place also makes other values of the launch, which a change there would change too. Names and paths that it is a part
 * of do not count: they are meant to follow.
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
    .telling()
    .some((word) => !own.has(identityOf(word)) && isWhole(word) && isWrittenAt(word, place.path, place.span));
}

/** Whether a word is one text, or a key and one text: a value, not a name or path that something is put into. */
function isWhole(word: Word): boolean {
  const [first, second] = word.pieces;
  if (word.pieces.length === 1) return true;
  return (
    word.pieces.length === 2 && first?.kind === 'text' && first.text.endsWith('=') && second?.kind === 'text'
  );
}

/**
 * Whether another setting that the finding rests on is reckoned with a variable, as a batch size is with that of a micro-batch: with the variable both would
 * change, and the finding might stay.
 */
export function isReckonedWith(
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
