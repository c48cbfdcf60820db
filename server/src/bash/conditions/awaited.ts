import type { Place } from '../../text/span.ts';
import { remembering } from '../../value/remember.ts';
import type { Needs } from '../state/needs.ts';
import type { Shell } from '../state/shell.ts';

/** Whether something depends on arguments that the script was not given. */
function restsOnArguments(needs: Needs): boolean {
  return needs.some((name) => /^(?:\d+|[#@*])$/.test(name));
}

/** A variable or an argument that the caller of the script may provide. */
const mayBeGiven = /^(?:(?!terminal$)\w+|[#@*])$/;

/**
 * Remembers which missing names caused a part of the script to be skipped. A part skipped for lack of arguments (a loop over options, its
 * cases) may fill variables: an empty default in them is not their value when the script is used as intended.
 */
export function awaitSkipped(shell: Shell, needs: Needs, skipped: object | undefined, place: Place): void {
  if (skipped === undefined) return;
  const { awaited } = shell.run.shared;
  for (const name of needs) if (mayBeGiven.test(name) && !awaited.has(name)) awaited.set(name, place);
  if (!restsOnArguments(needs)) return;
  for (const name of assignedNames(skipped)) {
    const variable = shell.store.get(name);
    if (variable?.kind === 'scalar' && variable.value.length === 0)
      shell.store.set(name, { ...variable, awaited: true });
    else if (variable?.kind === 'indexed' && !variable.open.includes(place))
      shell.store.set(name, { ...variable, open: [...variable.open, place] });
  }
}

/** Names assigned by any command within a part of a script (a syntax node). */
const assignedNames = remembering((part: object): ReadonlySet<string> => {
  const names = new Set<string>();
  const left: unknown[] = [part];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    if ('type' in value && value.type === 'Assignment' && 'name' in value && typeof value.name === 'string')
      names.add(value.name);
    for (const inner of Object.values(value)) left.push(inner);
  }
  return names;
});
