import type { BindingProblem } from '../framework.ts';
import { parseHydraValue } from '../omegaconf/hydraValue.ts';
import { type ParsedType, plainYamlScalar } from '../omegaconf/scalar.ts';
import { problem } from '../problem.ts';
import type { ConfigNode, Written } from './tree.ts';

/**
 * What is wrong with a key in a map with free keys: null is never a key, and a map declared with string keys accepts no number and no bool.
 * @param node the node below the key
 * @param name the name of the map
 * @param mustBeText whether the map is declared with string keys
 */
export function keyProblems(
  key: string,
  { at }: ConfigNode,
  name: string,
  mustBeText: boolean,
): readonly BindingProblem[] {
  const type = typeOfKey(key, at);
  if (type === 'str' || (type !== 'null' && !mustBeText)) return [];
  const value = type === 'null' ? 'null' : `${key} (${type})`;
  const values = { name: `${name}.${key}`, expected: 'a text as its key', value };
  return [problem('invalid-value', at.isInOverride === true ? at.place : at.keyPlace, values)];
}

/** The Python type of a key: a string if it is part of a dotted name or quoted. */
function typeOfKey(key: string, { keyPlace, syntax, isInOverride }: Written): ParsedType {
  if (isInOverride === true) {
    const read = parseHydraValue(key);
    return read.kind === 'value' ? read.value.type : 'str';
  }
  const isPlain = keyPlace.span.end - keyPlace.span.start === key.length;
  return syntax.kind === 'yaml' && syntax.path.length > 0 && isPlain ? plainYamlScalar(key).type : 'str';
}
