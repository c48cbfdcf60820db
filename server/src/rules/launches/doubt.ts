import type { Run, Setting } from '../../frameworks/framework.ts';
import type { Command } from '../../launch/command.ts';
import type { Place } from '../../text/span.ts';
import { remembering } from '../../value/remember.ts';
import type { Word } from '../../value/word.ts';

/**
 * Whether what is written at a place, or a part of a setting, need not be what the launch gets: text that cannot be read may have set it
 * anew (`source $CONFIG`), or a word behind it that is not known may hold the same setting (`$(python options.py)`); the last one wins.
 */
export function isDoubtful(place: Place, setting: Setting | undefined, run: Run): boolean {
  if (setting !== undefined && mayBeOutdone(setting, run)) return true;
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

/** Whether text that cannot be read may have set anew what a word of a command comes from. */
export function isSetAnew({ pieces }: Word, { doubtful = [] }: Command): boolean {
  return pieces.some(({ origin }) => doubtful.some((written) => holds(written, origin.place)));
}

function holds(whole: Place, part: Place): boolean {
  return whole.path === part.path && whole.span.start <= part.span.start && part.span.end <= whole.span.end;
}

/** Whether text that cannot be read, or an image, may have exported what the launch is not seen to set. */
export function isEnvironmentOpen({ launch }: Run): boolean {
  return launch?.command.doubtful !== undefined || launch?.unseenVariables !== undefined;
}

/** Whether that text is the user's own settings (`source $CONFIG`, `--env-file FILE`), not only what prepares the machine (`module load`, an image). */
export function isEnvironmentUnread({ launch }: Run): boolean {
  return (launch?.command.doubtful ?? []).length > 0 || (launch?.unseenVariables ?? []).length > 0;
}

/**
 * Whether a launch has words of which nothing is known but that they hold settings: what a command prints (`$(python options.py)`), what the
 * user's own text sets that cannot be read (`source $CONFIG` before `$MODEL_ARGS`). Of what is not among the others nothing can be said.
 */
export const holdsUnreadSettings = remembering((run: Run): boolean => {
  const { launch } = run;
  if (launch === undefined) return false;
  if (unknownWords(run).last !== undefined) return true;
  if (!isEnvironmentUnread(run)) return false;
  return launch.open.some(({ isUnread }) => isUnread === true) || launch.args.some(isUnsetVariable);
});

/** `$MODEL_ARGS` without quotes, which nothing that is read sets. */
function isUnsetVariable({ pieces: [first, ...more] }: Word): boolean {
  return more.length === 0 && first?.kind === 'hole' && first.splits && /^\$\{?\w+\}?$/.test(first.label);
}

function mayBeOutdone(setting: Setting, run: Run): boolean {
  const { last, positions } = unknownWords(run);
  if (last === undefined) return false;
  const [word] = wordsOf(setting);
  const position = word === undefined ? undefined : positions.get(word);
  return position !== undefined && position < last;
}

/** Where the last word of a launch stands that is not known and may hold settings, and where all words stand. */
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
 * A word that may be several: what the environment or the caller would have to give is not there as it stands, and what a pattern of file
 * names becomes begins as the pattern does.
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

/** The words in which a setting is written; none where a YAML file holds it. */
export function wordsOf({ syntax }: Setting): readonly Word[] {
  if (syntax.kind === 'flag') return [syntax.keyWord, ...syntax.valueWords];
  return syntax.kind === 'yaml' ? [] : [syntax.word];
}
