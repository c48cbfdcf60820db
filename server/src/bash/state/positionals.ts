import type { OpenPlace } from '../../launch/command.ts';
import type { ShellWord } from './shellWord.ts';
import type { Positionals } from './store.ts';

/**
 * The positional parameters of a call with some words. If `"$@"` comes last, they continue with the arguments of the script.
 *
 * @param open places among the words where more may be inserted
 */
export function positionalsOf(words: readonly ShellWord[], open: readonly OpenPlace[]): Positionals {
  const all = words.map(({ pieces }) => pieces);
  const given = { words: all, open: open.length > 0, openPlaces: open };
  const [place, ...others] = open;
  const last = words.at(-1);
  if (place?.next === undefined || others.length > 0) return given;
  const isLast =
    last === undefined || (last.place.path === place.path && last.place.span.start <= place.span.start);
  if (!isLast) return given;
  const counted = last !== undefined && isRest(last) ? all.slice(0, -1) : all;
  return { ...given, words: counted, isOwn: true, offset: place.next - 1 - counted.length };
}

/** Positional parameters restored after a function or a sourced file: Bash no longer knows that `set` gave them. */
export function comeBackTo(positionals: Positionals): Positionals {
  return positionals.isSet === true ? { ...positionals, isSet: false } : positionals;
}

/** Whether a word represents all unknown arguments of the script. */
function isRest({ pieces: [only, ...others] }: ShellWord): boolean {
  return only?.kind === 'hole' && only.label === '$@' && only.splits && others.length === 0;
}
