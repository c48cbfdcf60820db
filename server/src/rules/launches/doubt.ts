import type { Run, Setting } from '../../frameworks/framework.ts';
import type { Command } from '../../launch/command.ts';
import type { Place } from '../../text/span.ts';
import { remembering } from '../../value/remember.ts';
import type { Word } from '../../value/word.ts';

/**
 * Whether the launch may get something other than what is written at a place, or in a part of a setting: text that cannot be read may have
 * overwritten it (`source $CONFIG`), or an unknown word after it may hold the same setting (`$(python options.py)`); the last one wins.
 */
export function isDoubtful(place: Place, setting: Setting | undefined, run: Run): boolean {
  if (setting !== undefined && mayBeOverridden(setting, run)) return true;
  const { command } = run.launch ?? {};
  const doubtful = command?.doubtful ?? [];
  if (command === undefined || doubtful.length === 0) return false;
  const used = [command, ...command.via].flatMap(({ words }) =>
    words.filter((word) => holds(word.place, place) && holds(place, word.place)),
  );
  const origins = [...used, ...(setting === undefined ? [] : wordsOf(setting))].flatMap(({ pieces }) =>
    pieces.map(({ origin }) => origin.place),
  );
  return [place, ...origins].some((part) => doubtful.some((written) => holds(written, part)));
}

/** Whether text that cannot be read may have overwritten what a word of a command comes from. */
export function mayBeSetAgain({ pieces }: Word, { doubtful = [] }: Command): boolean {
  return pieces.some(({ origin }) => doubtful.some((written) => holds(written, origin.place)));
}

function holds(whole: Place, part: Place): boolean {
  return whole.path === part.path && whole.span.start <= part.span.start && part.span.end <= whole.span.end;
}

/** Whether text that cannot be read, or an image, may have exported variables that the launch is not seen to set. */
export function isEnvironmentOpen({ launch }: Run): boolean {
  return launch?.command.doubtful !== undefined || launch?.unseenVariables !== undefined;
}

/**
 * Whether that text is the user's own settings (`source $CONFIG`, `--env-file FILE`), and does not only prepare the machine (`module load`, an
 * image).
 */
export function isEnvironmentUnread({ launch }: Run): boolean {
  return (launch?.command.doubtful ?? []).length > 0 || (launch?.unseenVariables ?? []).length > 0;
}

/**
 * Whether a launch has words that are unknown except that they hold settings: the output of a command (`$(python options.py)`), or what the
 * user's own unreadable text sets (`source $CONFIG` before `$MODEL_ARGS`). Nothing can then be said about what is missing among the other
 * words.
 */
export const holdsUnreadSettings = remembering((run: Run): boolean => {
  const { launch } = run;
  if (launch === undefined) return false;
  if (unknownWords(run).last !== undefined) return true;
  if (!isEnvironmentUnread(run)) return false;
  return launch.open.some(({ isUnread }) => isUnread === true) || launch.args.some(isUnsetVariable);
});

/** Unquoted `$MODEL_ARGS` that no text which is read sets. */
function isUnsetVariable({ pieces: [first, ...more] }: Word): boolean {
  return more.length === 0 && first?.kind === 'hole' && first.splits && /^\$\{?\w+\}?$/.test(first.label);
}

function mayBeOverridden(setting: Setting, run: Run): boolean {
  const { last, positions } = unknownWords(run);
  if (last === undefined) return false;
  const [word] = wordsOf(setting);
  const position = word === undefined ? undefined : positions.get(word);
  return position !== undefined && position < last;
}

/** The position of a launch's last unknown word that may hold settings, and the positions of all words. */
const unknownWords = remembering(
  ({
    launch,
    settings,
  }: Run): { readonly last: number | undefined; readonly positions: ReadonlyMap<Word, number> } => {
    const args = launch?.args ?? [];
    const positions = new Map<Word, number>();
    if (!args.some(mayHoldSettings)) return { last: undefined, positions };
    const values = new Set(
      settings.flatMap(({ syntax }) => (syntax.kind === 'flag' ? syntax.valueWords : [])),
    );
    let last: number | undefined;
    args.forEach((word, at) => {
      positions.set(word, at);
      if (mayHoldSettings(word) && !values.has(word)) last = at;
    });
    return { last, positions };
  },
);

/**
 * A word that may be several. What the environment or the caller would have to supply is absent as it stands, and the results of a file name
 * pattern begin like the pattern.
 */
function mayHoldSettings(word: Word): boolean {
  const [first] = word.pieces;
  return (
    first?.kind === 'hole' &&
    first.splits &&
    first.reason !== 'environment' &&
    first.reason !== 'positional' &&
    /^[$`]/.test(first.label)
  );
}

/** The words in which a setting is written; none if it is in a YAML file. */
export function wordsOf({ syntax }: Setting): readonly Word[] {
  if (syntax.kind === 'flag') return [syntax.keyWord, ...syntax.valueWords];
  return syntax.kind === 'yaml' ? [] : [syntax.word];
}
