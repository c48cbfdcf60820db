import type { Setting } from '../frameworks/framework.ts';
import { sliceWord, textOf, type Word } from '../value/word.ts';

/** A setting in a command line. */
export interface CommandSetting {
  readonly setting: Setting;
  /** The word with the flag, or the whole `key=value`. */
  readonly keyWord: Word;
  /** The words after it; for `--flag=value` and `key=value` the value is in the key word. */
  readonly valueWords: readonly Word[];
  /** Characters of the key word before a joined value: `--flag=`, `a.b=`. */
  readonly prefix: string | undefined;
}

/** A setting as written in a command line; undefined if it is not. */
export function commandSetting(setting: Setting): CommandSetting | undefined {
  const { syntax } = setting;
  if (syntax.kind === 'override') {
    const joined = syntax.prefix.endsWith('=');
    return { setting, keyWord: syntax.word, valueWords: [], prefix: joined ? syntax.prefix : undefined };
  }
  if (syntax.kind !== 'flag') return undefined;
  const { keyWord, valueWords, joined } = syntax;
  return {
    setting,
    keyWord,
    valueWords: joined ? [] : valueWords,
    prefix: joined ? `${setting.written}=` : undefined,
  };
}

/** The text of a setting's first value. */
export function valueText(given: CommandSetting): string | undefined {
  if (given.prefix !== undefined) return textOf(sliceWord(given.keyWord, given.prefix.length));
  const [value] = given.valueWords;
  return value === undefined ? undefined : textOf(value);
}
