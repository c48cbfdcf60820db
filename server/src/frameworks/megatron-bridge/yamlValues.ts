import { refusedText } from '../../text/refused.ts';
import { unknown, type Value } from '../../value/value.ts';
import type { YamlDocument, YamlNode } from '../../yaml/document.ts';
import {
  hasInterpolation,
  type InterpolationPart,
  interpolationFault,
  interpolationParts,
} from '../../yaml/interpolationSyntax.ts';
import { scalarValue } from '../../yaml/parse.ts';
import type { BindingProblem } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { nearestChoice } from '../nearest.ts';
import { typeOfData } from '../omegaconf/merge.ts';
import { type ParsedType, plainYamlScalar } from '../omegaconf/scalar.ts';
import { expectation, suits } from '../omegaconf/types.ts';
import { problem } from '../problem.ts';
import { wrongChoice } from './choices.ts';
import { openSections, recipeIn, sections } from './recognise.ts';
import { isOfAnotherShape } from './shapes.ts';

/** What OmegaConf makes of a scalar; unknown if it contains references. */
export function omegaconfValue(node: YamlNode): Value {
  const value = scalarValue(node, 'omegaconf');
  return value.kind === 'known' && typeof value.data === 'string' && hasInterpolation(value.data)
    ? unknown('interpolation', value.data)
    : value;
}

/** What is wrong with the value of an option: it goes into the configuration unchanged, whatever the type of the field. */
export function wrongValue(
  option: OptionFact,
  node: YamlNode,
  isSet: (name: string) => boolean,
): BindingProblem | undefined {
  const value = node.kind === 'scalar' ? omegaconfValue(node) : undefined;
  const shape = node.kind === 'list' ? 'list' : value?.kind === 'known' ? typeOfData(value.data) : undefined;
  if (shape !== 'str' || option.type === 'list') return wrongShape(option, node, shape);
  if (value?.kind !== 'known' || typeof value.data !== 'string' || value.data === '???') return undefined;
  const text = value.data;
  const { name, choices, type } = option;
  if (choices !== undefined && type === 'str') {
    const severity = choices.includes(text) ? undefined : wrongChoice(name, isSet);
    if (severity === undefined) return undefined;
    const near = nearestChoice(text, choices.map(String));
    const values = { name, value: refusedText(text), choices: choices.join(', ') };
    return problem('invalid-choice', node.place, values, severity, near);
  }
  if ((type !== 'int' && type !== 'float' && type !== 'bool') || suits(option, text, 'str')) return undefined;
  const isQuoted = node.style === 'single' || node.style === 'double';
  const bare = text.replace(/,\s*$/, '').trim();
  const read = plainYamlScalar(bare);
  const values = {
    name,
    value: isQuoted ? `the text “${text}”` : refusedText(text),
    expected: type === 'bool' ? `${expectation(option)} (a text counts as true)` : expectation(option),
  };
  const replacement = suits(option, read.data, read.type) ? bare : undefined;
  return problem('invalid-value', node.place, values, 'warning', replacement);
}

/** A list in place of a single value, or a single value in place of a list. */
function wrongShape(
  option: OptionFact,
  node: YamlNode,
  found: ParsedType | undefined,
): BindingProblem | undefined {
  if (!isOfAnotherShape(option, found)) return undefined;
  const written =
    node.value.kind === 'known' && typeof node.value.data !== 'object' ? node.value.data : undefined;
  if (written === '???') return undefined;
  const value = written === undefined ? 'a list' : refusedText(String(written));
  const values = { name: option.name, value, expected: expectation(option) };
  return problem('invalid-value', node.place, values, 'warning');
}

/** References in a value to something that neither the file nor the configuration has: OmegaConf fails when it resolves them. */
export function lostReferences(
  name: string,
  node: YamlNode,
  document: YamlDocument,
  options: ReadonlyMap<string, OptionFact>,
): readonly BindingProblem[] {
  if (node.kind !== 'scalar') return [];
  const value = scalarValue(node, 'omegaconf');
  if (value.kind !== 'known' || typeof value.data !== 'string' || !hasInterpolation(value.data)) return [];
  const written = value.data;
  const lost = (reason: string): BindingProblem =>
    problem('invalid-interpolation', node.place, { name, value: written, reason });
  const fault = interpolationFault(written);
  if (fault !== undefined) return [lost(fault)];
  // A custom program may supply what the value refers to, for example from its own file.
  if (recipeIn(document) !== undefined) return [];
  return interpolationParts(written).flatMap((part) => {
    const path = part.kind === 'node' && part.dots === 0 ? plainPath(part.keys) : undefined;
    if (path === undefined || document.at(path) !== undefined || mayExist(path, options)) return [];
    return [lost(`there is no ${path.join('.')}`)];
  });
}

function plainPath(keys: readonly (readonly InterpolationPart[])[]): readonly string[] | undefined {
  const path: string[] = [];
  for (const [first, ...others] of keys) {
    if (first?.kind !== 'text' || others.length > 0) return undefined;
    path.push(first.text);
  }
  return path;
}

/**
 * Whether the configuration may have a key: it is known, below a key that accepts arbitrary ones, or in a section that several classes fill.
 */
function mayExist(path: readonly string[], options: ReadonlyMap<string, OptionFact>): boolean {
  const [section = ''] = path;
  if (openSections.includes(section)) return true;
  if (!sections.includes(section)) return false;
  return path.some((_, at) => {
    const option = options.get(path.slice(0, at + 1).join('.'));
    return (
      option !== undefined && (at === path.length - 1 || (option.open === true && option.type !== 'group'))
    );
  });
}
