import { composeDocuments } from './composer.ts';
import { readTokens } from './tokens.ts';

/** What it takes to tell an error, in characters of sound text that are read meanwhile. */
const charactersOfError = 50;

/** How far a reader comes in a text. */
export interface Reach {
  /** Where it stops; undefined where it reads the text to its end. */
  readonly stop: number | undefined;
  /** What reading it took, in characters of sound text. */
  readonly cost: number;
}

/** How far a reader comes in a text. */
export function reachIn(text: string): Reach {
  const { tokens, deep } = readTokens(text);
  const cost = text.length + 1;
  if (deep !== undefined) return { stop: deep.span.start, cost };
  const documents = composeDocuments(tokens, text.length);
  // They are read one by one: what follows the first faulty one is not.
  for (const { errors } of documents)
    if (errors.length > 0) {
      const stop = errors.reduce((least, { pos }) => Math.min(least, pos[0]), text.length);
      return { stop, cost: cost + errors.length * charactersOfError };
    }
  return { stop: undefined, cost };
}
