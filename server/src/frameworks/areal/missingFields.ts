import {
  inferenceBackends,
  parseAllocation,
  trainingBackends,
  withEngines,
} from '../../expression/functions/allocation.ts';
import type { Place } from '../../text/span.ts';
import type { BindingProblem } from '../framework.ts';
import { problem } from '../problem.ts';
import type { Merged } from './mergeInto.ts';
import type { Field } from './schema.ts';
import { isBackendOfRole } from './wholeAllocation.ts';

/** What a merge found out about the fields. */
interface Found extends Pick<Merged, 'settings' | 'nullGroups'> {
  /** Names of mandatory fields written as `???`, with their place. */
  readonly marked: ReadonlyMap<string, Place>;
  /** Groups that are references to another section, whose own mandatory fields count, whatever its class. */
  readonly referred: ReadonlySet<string>;
}

/**
 * Mandatory fields without a value, of every section that exists in the result.
 * @param place the place of fields of which nothing is written
 */
export function missingFields(
  fields: ReadonlyMap<string, Field>,
  place: Place,
  found: Found,
): BindingProblem[] {
  return [...fields.values()].flatMap(({ fact, children }) => {
    const { name } = fact;
    const setting = found.settings.get(name);
    const own =
      fact.required === true && setting === undefined
        ? [
            {
              ...problem('required-option', found.marked.get(name) ?? place, { name }),
              missing: backendOf(name, found.settings),
              isNamed: found.marked.has(name),
            },
          ]
        : [];
    if (fact.type !== 'group') return own;
    const exists = setting === undefined ? fact.default !== null : !found.nullGroups.has(name);
    if (!exists || setting?.value.kind === 'unknown' || found.referred.has(name)) return own;
    return [...own, ...missingFields(children, setting?.keyPlace ?? place, found)];
  });
}

/** The backend of a role as the allocation string of earlier releases gives it: `sglang:d4+d4` for the servers and for training. */
function backendOf(name: string, settings: Found['settings']): BindingProblem['missing'] {
  const mode = settings.get('allocation_mode')?.value;
  if (!isBackendOfRole(name) || mode?.kind !== 'known' || typeof mode.data !== 'string') return undefined;
  const [servers = '', training = '', ...others] = withEngines(mode.data).split('+');
  if (others.length > 0 || !isBackend(servers, inferenceBackends)) return undefined;
  if (name === 'rollout.backend') return { name, value: servers };
  return isBackend(training, trainingBackends) ? { name, value: training } : undefined;
}

/** Whether a text is one unnamed component, which a backend field accepts as it is. */
function isBackend(text: string, backends: readonly string[]): boolean {
  const parsed = parseAllocation(text);
  return parsed.ok && parsed.value.name === null && backends.includes(parsed.value.backend);
}
