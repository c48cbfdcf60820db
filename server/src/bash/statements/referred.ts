import type { Place } from '../../text/span.ts';
import { doubtNamed } from '../state/doubt.ts';
import { knownText, made, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { Variable } from '../state/store.ts';
import { keyOf } from '../words/arithmeticText.ts';
import { keysOf } from '../words/listReading.ts';

/** The target of a nameref if it is not a variable: an array element, or something unknown. */
export type Referred =
  | { readonly kind: 'element'; readonly name: string; readonly key: string | undefined }
  | { readonly kind: 'unknown' };

/**
 * The target of an assignment to a nameref (`declare -n R='A[1]'`) if it is not a variable; an unknown target may be any variable.
 *
 * @param variable the last one in a chain of namerefs
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

/** Whether a name is a nameref to an array element. */
export function isOfElement(shell: Shell, name: string): boolean {
  const variable = shell.store.get(name);
  return variable?.reference === true && /^[A-Za-z_]\w*\[.+\]$/s.test(knownText(variable.value) ?? '');
}
