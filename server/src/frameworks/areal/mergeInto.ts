import type { Place } from '../../text/span.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import { malformedReferences } from './malformedReferences.ts';
import { Merger } from './merge.ts';
import { missingFields } from './missingFields.ts';
import { withWaysOut } from './refusedValues.ts';
import type { Schema } from './schema.ts';
import type { Branch } from './tree.ts';
import type { Strictness } from './unknownKey.ts';

/** The result of the merge into the experiment class. */
export interface Merged {
  readonly settings: ReadonlyMap<string, Setting>;
  readonly problems: readonly BindingProblem[];
  /** Groups that end up null. */
  readonly nullGroups: ReadonlySet<string>;
}

/**
 * Merges a composed configuration into an experiment class as OmegaConf does: unknown keys, wrong types, null for what is not Optional, missing
 * mandatory values and references without a target are rejected; scalars are converted to the declared type.
 * @param top the place of problems that have no place of their own
 */
export function mergeInto(schema: Schema, root: Branch, top: Place, strictness: Strictness): Merged {
  const merger = new Merger(schema, root, strictness);
  merger.group(root, schema.fields, [], undefined);
  const { settings, nullGroups } = merger;
  const { marked, referred } = merger;
  const absent = missingFields(schema.fields, top, { settings, nullGroups, marked, referred });
  const severity = strictness.missingSeverity;
  return {
    settings,
    problems: [
      ...malformedReferences(root),
      ...(root.entries.has('defaults')
        ? merger.problems
        : withWaysOut(merger.problems, settings, schema, root)),
      ...absent.map((one) => ({ ...one, severity })),
    ],
    nullGroups,
  };
}
