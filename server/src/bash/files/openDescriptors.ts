import type { Place } from '../../text/span.ts';
import { ask } from '../conditions/verdict.ts';
import { doubtsOf } from '../state/doubt.ts';
import type { Fork } from '../state/fork.ts';
import type { Shell } from '../state/shell.ts';
import { changedMap } from '../state/shellFacts.ts';

/** Whether scripts choose a descriptor's number themselves: Bash uses those from 10 on, and those below 3 are all open. */
function isChosenByScripts(descriptor: number): boolean {
  return descriptor >= 3 && descriptor <= 9;
}

/**
 * Whether a descriptor is certainly not open, so that Bash refuses a command that redirects to or from it (`>&3`): the script has closed it, or
 * nothing has opened it. What a script inherits from another one is unknown.
 */
export function isClosed(shell: Shell, descriptor: number): boolean {
  if (!isChosenByScripts(descriptor)) return false;
  const state = shell.store.facts.descriptors.get(descriptor);
  if (state !== undefined) return state === 'closed';
  return shell.via.length === 0 && !shell.unreadSource && doubtsOf(shell.store) === undefined;
}

/** The question whether a descriptor is open if only one of two joined paths has opened or closed it; undefined otherwise. */
export function openQuestion(shell: Shell, descriptor: number, place: Place): Fork | undefined {
  if (shell.store.facts.descriptors.get(descriptor) !== 'either') return undefined;
  const [yes, no] = [`descriptor ${descriptor} is open`, `descriptor ${descriptor} is closed`];
  return ask({ key: `${yes} at ${place.path} ${place.span.start}`, yes, no, first: true }, place).fork?.fork;
}

/**
 * Records that a descriptor is opened or closed.
 *
 * @param finish receives the actions that restore it when the command ends
 */
export function recordOpen(
  shell: Shell,
  descriptor: number,
  state: 'open' | 'closed',
  finish: (() => void)[],
): void {
  if (!isChosenByScripts(descriptor)) return;
  const put = (value: typeof state | 'either' | undefined): void => {
    const descriptors = changedMap(shell.store.facts.descriptors, descriptor, value);
    shell.store.keep({ descriptors });
  };
  const before = shell.store.facts.descriptors.get(descriptor);
  put(state);
  // The last change is undone first.
  finish.unshift(() => put(before));
}
