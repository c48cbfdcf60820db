import type { Place } from '../../text/span.ts';
import { made, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import { assignElement, assignReferred, forget, setScalar } from '../statements/assign.ts';
import { referredBy } from '../statements/referred.ts';
import { keyOf } from '../words/arithmeticText.ts';
import { keysOf } from '../words/listReading.ts';
import { targetName } from '../words/read.ts';

/** What `read` and `printf -v` assign to: a variable, or one element of an array. */
export interface Target {
  readonly name: string;
  readonly subscript: string | undefined;
}

/** Parses `NAME` or `NAME[SUBSCRIPT]`; undefined for anything Bash refuses. */
export function targetOf(text: string): Target | undefined {
  const [, name, subscript] = /^([A-Za-z_]\w*)(?:\[(.+)\])?$/s.exec(text) ?? [];
  return name === undefined ? undefined : { name, subscript };
}

/** Assigns a value to a variable or an element. */
export function assignTarget(
  shell: Shell,
  { name, subscript }: Target,
  value: Pieces,
  places: readonly Place[],
): void {
  const place = places.at(-1);
  if (subscript === undefined || place === undefined) {
    const target = targetName(shell, name);
    const referred = place === undefined ? undefined : referredBy(shell, shell.store.get(target), place);
    if (referred === undefined || place === undefined) setScalar(shell, target, value, places);
    else assignReferred(shell, referred, value, false, place);
    return;
  }
  const key = keyOf(shell, made(subscript, place), keysOf(shell, name, place), place);
  if (key === undefined) forget(shell, targetName(shell, name), place);
  else assignElement(shell, name, key, value, place);
}
