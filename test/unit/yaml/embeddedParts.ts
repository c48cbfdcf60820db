import { expect } from 'vitest';
import { display } from '../../../server/src/value/word.ts';
import { type Embedded, embedded } from '../../../server/src/yaml/embedded.ts';
import { parseYaml } from '../../../server/src/yaml/parse.ts';

/** What a file holds that would be run. */
export const parts = (text: string): readonly Embedded[] => parseYaml('/job.yaml', text).flatMap(embedded);

/** The variables that are set for it, as texts. */
export const env = (part: Embedded | undefined) =>
  Object.fromEntries([...(part?.env ?? [])].map(([name, word]) => [name, display(word)]));

/** Expects every word of a script to be found, character by character, where the part says that it is. */
export function expectPlaced(text: string, part: Embedded | undefined): void {
  if (part?.kind !== 'script') throw new Error('no script');
  for (const match of part.text.matchAll(/\S+/g)) {
    const { span } = part.toPlace({ start: match.index, end: match.index + match[0].length });
    expect(text.slice(span.start, span.end)).toBe(match[0]);
  }
}

/** What would be run, as one text. */
export const shown = (part: Embedded | undefined) =>
  part === undefined
    ? undefined
    : part.kind === 'script'
      ? part.text.trim()
      : part.words.map(display).join(' ');

/** The unseen places that variables may come from, as texts. */
export const unseen = (text: string, part: Embedded | undefined) =>
  part?.unseen?.map(({ span }) => text.slice(span.start, span.end).trim());
