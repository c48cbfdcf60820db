import data from '../../../../schemas/megatron-bridge/choices.json';
import type { BindingProblem } from '../framework.ts';

type Severity = BindingProblem['severity'];

const refused: ReadonlySet<string> = new Set(Object.keys(data.refused));
const refusedBeside: ReadonlyMap<string, { readonly read: string }> = new Map(
  Object.entries(data.refusedBeside),
);
const unheardOf: ReadonlySet<string> = new Set(data.unheardOf);

/**
 * How a value outside an option's choices is told. Bridge's dataclasses check no choices: some are checked when the value is used, some
 * only where another option is in force, and of the others no code knows the value. Undefined for options of which families have more.
 *
 * @param isSet whether the user sets an option to something
 */
export function wrongChoice(name: string, isSet: (name: string) => boolean): Severity | undefined {
  if (refused.has(name)) return 'error';
  const beside = refusedBeside.get(name);
  if (beside !== undefined) return isSet(beside.read) ? 'error' : 'warning';
  return unheardOf.has(name) ? 'warning' : undefined;
}

/** Whether upstream compares the value of an option in small letters. */
export function isCaseless(name: string): boolean {
  return data.caseless.includes(name);
}
