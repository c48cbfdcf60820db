import data from '../../../../schemas/megatron-bridge/choices.json';
import type { BindingProblem } from '../framework.ts';

type Severity = BindingProblem['severity'];

const refused: ReadonlySet<string> = new Set(Object.keys(data.refused));
const refusedBeside: ReadonlyMap<string, { readonly read: string }> = new Map(
  Object.entries(data.refusedBeside),
);
const unheardOf: ReadonlySet<string> = new Set(data.unheardOf);

/**
 * The severity of an invalid choice. Bridge's dataclasses check no choices: some are checked when the value is used, some only if another
 * option is in effect, and for the rest no code knows the value. Undefined for options for which model families have more choices.
 *
 * @param isSet whether the user sets an option to something
 */
export function wrongChoice(name: string, isSet: (name: string) => boolean): Severity | undefined {
  if (refused.has(name)) return 'error';
  const beside = refusedBeside.get(name);
  if (beside !== undefined) return isSet(beside.read) ? 'error' : 'warning';
  return unheardOf.has(name) ? 'warning' : undefined;
}

/** Whether upstream lowercases the value of an option before comparing it. */
export function isCaseless(name: string): boolean {
  return data.caseless.includes(name);
}
