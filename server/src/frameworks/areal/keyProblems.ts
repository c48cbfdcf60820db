import type { BindingProblem } from '../framework.ts';
import { plainYamlScalar } from '../omegaconf/scalar.ts';
import { problem } from '../problem.ts';
import type { ConfigNode } from './tree.ts';

/**
 * What is wrong with a key of a map of free keys: null is none anywhere, and a map declared with text keys takes no number and no truth value.
 * @param node what stands below the key
 * @param name the name of the map
 * @param mustBeText whether the map is declared with text keys
 */
export function keyProblems(
  key: string,
  { at: { keyPlace, syntax } }: ConfigNode,
  name: string,
  mustBeText: boolean,
): readonly BindingProblem[] {
  const isPlain = keyPlace.span.end - keyPlace.span.start === key.length;
  if (syntax.kind !== 'yaml' || syntax.path.length === 0 || !isPlain) return [];
  const { type } = plainYamlScalar(key);
  if (type === 'str' || (type !== 'null' && !mustBeText)) return [];
  const value = type === 'null' ? 'null' : `${key} (${type})`;
  const values = { name: `${name}.${key}`, expected: 'a text as its key', value };
  return [problem('invalid-value', keyPlace, values)];
}
