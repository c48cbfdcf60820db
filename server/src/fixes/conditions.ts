import type { Run } from '../frameworks/framework.ts';
import { isYamlName } from '../text/fileNames.ts';
import { conditionsAt } from '../yaml/templateLines.ts';
import type { Draft } from './draft.ts';

/**
 * Whether what a draft changes is in a template's text whenever the launch is: in no condition or loop but those that the launch is in too,
 * and on no line that the template's program alone reads.
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
