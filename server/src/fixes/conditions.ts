import type { Run } from '../frameworks/framework.ts';
import { isYamlName } from '../text/fileNames.ts';
import { conditionsAt } from '../yaml/templateLines.ts';
import type { Draft } from './draft.ts';

/**
 * Whether the places that a draft changes are in a template's output whenever the launch is: under no condition or loop that the launch is not
 * under, and not on lines that only the template program reads.
 */
export function isThereWithLaunch(draft: Draft, { place }: Run): boolean {
  if (!isYamlName(draft.path)) return true;
  const around = place.path === draft.path ? conditionsAt(draft.before, place.span.start) : [];
  return draft.edits().every(({ span }) =>
    [span.start, span.end].every((at) => {
      const own = conditionsAt(draft.before, at);
      return own?.every((condition) => around?.includes(condition) === true) === true;
    }),
  );
}
