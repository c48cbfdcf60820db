import type { FileReport } from '../../linter.ts';
import type { Word } from '../../value/word.ts';

/** The spans of a file, as `start:end`, whose expansions are in the words and the environment of a launch. */
export function placesInLaunches(report: FileReport, path: string): ReadonlySet<string> {
  const out = new Set<string>();
  const add = (word: Word): void => {
    for (const { origin } of word.pieces)
      for (const place of [origin.place, ...origin.via])
        if (place.path === path) out.add(`${place.span.start}:${place.span.end}`);
  };
  for (const { command, args, env } of report.launches) {
    for (const word of command.words) add(word);
    for (const word of args) add(word);
    for (const word of env.values()) add(word);
  }
  return out;
}
