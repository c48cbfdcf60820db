import { interpolationFault } from '../../yaml/interpolationSyntax.ts';
import type { BindingProblem } from '../framework.ts';
import { problem } from '../problem.ts';
import { type ConfigNode, interpolationOf } from './tree.ts';

/** References that OmegaConf cannot parse: it rejects the file because of them, wherever they are. */
export function malformedReferences(node: ConfigNode): BindingProblem[] {
  if (node.kind === 'map') return [...node.entries.values()].flatMap(malformedReferences);
  if (node.kind === 'list') return node.items.flatMap(malformedReferences);
  const value = interpolationOf(node);
  const reason = value === undefined ? undefined : interpolationFault(value);
  if (value === undefined || reason === undefined) return [];
  return [problem('invalid-interpolation', node.at.place, { name: node.at.key, value, reason })];
}
