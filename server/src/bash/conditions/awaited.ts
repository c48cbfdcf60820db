import type { Place } from '../../text/span.ts';
import { remembering } from '../../value/remember.ts';
import type { Needs } from '../state/needs.ts';
import type { Shell } from '../state/shell.ts';

/** Whether something rests on arguments that the script was not given. */
function restsOnArguments(needs: Needs): boolean {
  return needs.some((name) => /^(?:\d+|[#@*])$/.test(name));
}

/** A variable or an argument that whoever starts the script may give. */
const mayBeGiven = /^(?:(?!terminal$)\w+|[#@*])$/;

/**
 * Remembers for want of what something is passed over. What is because the user gave no arguments (a loop over options, its cases) may fill
 * variables: an empty default that stands in them is not what they hold when the script is used as it is meant to be.
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

/** Names that some command within a part of a script (a node of its tree) assigns. */
const assignedNames = remembering((node: object): ReadonlySet<string> => {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) {
      if ('type' in value && value.type === 'Assignment' && 'name' in value && typeof value.name === 'string')
        names.add(value.name);
      Object.values(value).forEach(visit);
    }
  };
  visit(node);
  return names;
});
