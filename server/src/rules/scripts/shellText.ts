import type { Place, Span } from '../../text/span.ts';
import type { EmbeddedScript } from '../../yaml/embedded.ts';
import type { TriedScript } from './beforeLaunch.ts';

/** Shell text, and where it is. */
export type ShellText = Omit<TriedScript, 'oursIn'>;

/** A file that is a script. */
export function scriptOf(path: string, text: string): ShellText {
  return { path, text, isFile: true, toPlace: (span) => ({ path, span }), toSpan: ({ span }) => span };
}

/** A script within a YAML file. */
export function scriptWithin(path: string, { text, toPlace }: EmbeddedScript): ShellText {
  const toSpan = (place: Place): Span => spanWithin(place, toPlace, text.length);
  return { path, text, isFile: false, toPlace, toSpan };
}

/**
 * The span in an embedded text of a place in its file.
 *
 * @param toPlace maps a span of the text to its place, in ascending order
 * @param length characters of the text
 */
function spanWithin({ span }: Place, toPlace: (span: Span) => Place, length: number): Span {
  const offsetOf = (at: number): number => {
    let [low, high] = [0, length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (toPlace({ start: middle, end: middle }).span.start < at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return { start: offsetOf(span.start), end: offsetOf(span.end) };
}
