import { composeDocuments } from './composer.ts';
import { readTokens } from './tokens.ts';

/** The cost of reporting an error, as the number of characters of sound text that could be read meanwhile. */
const charactersOfError = 50;

/** How far a reader gets in a text. */
export interface Reach {
  /** Where it stops; undefined if it reads the text to its end. */
  readonly stop: number | undefined;
  /** The cost of reading it, in characters of sound text. */
  readonly cost: number;
}

/** How far a reader gets in a text. */
export function reachIn(text: string): Reach {
  const { tokens, deep } = readTokens(text);
  const cost = text.length + 1;
  if (deep !== undefined) return { stop: deep.span.start, cost };
  const documents = composeDocuments(tokens, text.length);
  // Documents are read one by one: those after the first faulty one are not read.
  for (const { errors } of documents)
    if (errors.length > 0) {
      const stop = errors.reduce((least, { pos }) => Math.min(least, pos[0]), text.length);
      return { stop, cost: cost + errors.length * charactersOfError };
    }
  return { stop: undefined, cost };
}
