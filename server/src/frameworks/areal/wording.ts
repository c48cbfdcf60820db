import type { Place } from '../../text/span.ts';
import type { Data } from '../../value/value.ts';
import type { BindingProblem } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { problem } from '../problem.ts';
import type { ConfigNode, Written } from './tree.ts';

/** The replacement text for the key at `path`; the key place of an override holds the whole dotted key. */
export function keyReplacement(
  at: Written,
  path: readonly string[],
  replacement: string,
): string | undefined {
  if (at.overrideKey === undefined)
    return at.syntax.kind === 'yaml' && at.syntax.path.length > 0 ? replacement : undefined;
  const parts = at.overrideKey.split('.');
  if (parts[path.length - 1] !== path.at(-1)) return undefined;
  return parts.map((part, index) => (index === path.length - 1 ? replacement : part)).join('.');
}

/** What a field accepts, in words. */
export function expectedOf(fact: OptionFact): string {
  const base =
    fact.type === 'group' || fact.type === 'dict'
      ? 'a map'
      : fact.type === 'list'
        ? 'a list'
        : fact.type === 'int'
          ? 'a whole number'
          : fact.type === 'float'
            ? 'a number'
            : fact.type === 'bool'
              ? 'true or false'
              : 'a text';
  return fact.nullable === true ? `${base} or null` : base;
}

/** A node's value for display in a message. */
export function shown(node: ConfigNode): string {
  if (node.kind === 'map') return 'a map';
  if (node.kind === 'list') return 'a list';
  if (node.value.kind === 'unknown') return node.value.label;
  const { data } = node.value;
  if (node.type === 'float' && typeof data === 'number' && Number.isInteger(data)) return `${data}.0`;
  return typeof data === 'string' ? `“${data}”` : String(data);
}

/** Values that are accepted but turn into something nobody means: 2 for a bool, an unquoted `on` for a string. */
export function isTrap(type: OptionFact['type'], written: Data): boolean {
  return (
    (type === 'bool' && typeof written === 'number' && written !== 0 && written !== 1) ||
    (type === 'str' && typeof written === 'boolean')
  );
}

/** @param became the value that the field ends up with */
export function trapProblem(
  name: string,
  place: Place,
  type: OptionFact['type'],
  written: Data,
  became: Data,
): BindingProblem {
  const expected = type === 'str' ? 'the word as written' : String(written);
  return problem('scalar-trap', place, { name, actual: String(became), expected }, 'warning');
}
