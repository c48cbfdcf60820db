import type { Place } from '../../text/span.ts';
import { doubtNamed } from '../state/doubt.ts';
import { knownText, made, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { Variable } from '../state/store.ts';
import { keyOf } from '../words/arithmeticText.ts';
import { keysOf } from '../words/listReading.ts';

/** What a name reference stands for where that is no variable: an element of one, or what is not known. */
export type Referred =
  | { readonly kind: 'element'; readonly name: string; readonly key: string | undefined }
  | { readonly kind: 'unknown' };

/**
 * What an assignment to a name reference (`declare -n R='A[1]'`) goes to, where that is no variable; any variable may be what a reference
 * to an unknown one stands for.
 *
 * @param variable the one behind which no other reference leads on
 */
export function referredBy(shell: Shell, variable: Variable | undefined, place: Place): Referred | undefined {
  if (variable?.reference !== true || variable.value.length === 0) return undefined;
  const { value } = variable;
  const text = knownText(value);
  if (text === undefined) {
    doubtNamed(shell, value, place);
    return { kind: 'unknown' };
  }
  const [, name, subscript] = /^([A-Za-z_]\w*)\[(.+)\]$/s.exec(text) ?? [];
  if (name === undefined || subscript === undefined) return undefined;
  const pieces: Pieces = made(subscript, place);
  return { kind: 'element', name, key: keyOf(shell, pieces, keysOf(shell, name, place), place) };
}

/** Whether a name is a reference to an element of an array. */
export function isOfElement(shell: Shell, name: string): boolean {
  const variable = shell.store.get(name);
  return variable?.reference === true && /^[A-Za-z_]\w*\[.+\]$/s.test(knownText(variable.value) ?? '');
}
