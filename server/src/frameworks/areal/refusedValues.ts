import { samePlace } from '../../text/span.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import { insteadOf } from '../instead.ts';
import type { OptionFact } from '../knowledge.ts';
import { meantProduct } from '../meantProduct.ts';
import { fieldAt, type Schema } from './schema.ts';
import { type ConfigNode, nodeAt } from './tree.ts';

/** What a value was evidently meant to be: a list for a single string, an integer for a whole float, a number for a product. */
function meantBy(option: OptionFact, node: ConfigNode | undefined): BindingProblem['meant'] {
  const { type } = option;
  if (node?.kind !== 'leaf' || node.value.kind === 'unknown') return undefined;
  const { data } = node.value;
  if (type === 'list' && typeof data === 'string' && data !== '')
    return { value: [data], title: `Write a list of ${data}` };
  if (type === 'int' && Number.isSafeInteger(data)) return { value: data, title: `Write ${data}` };
  const product = meantProduct(option, data);
  return product === undefined ? undefined : { value: product, title: `Write ${product}` };
}

/** Problems of values that a field of the file rejects, each with what the field may have instead. */
export function withWaysOut(
  problems: readonly BindingProblem[],
  settings: ReadonlyMap<string, Setting>,
  schema: Schema,
  root: ConfigNode,
): readonly BindingProblem[] {
  return problems.map((problem) => {
    const { name = '' } = problem.values;
    const setting = problem.rule === 'invalid-value' ? settings.get(name) : undefined;
    const path = name.split('.');
    const fact = setting?.syntax.kind === 'yaml' ? fieldAt(schema, path)?.fact : undefined;
    if (setting?.valuePlace === undefined || fact === undefined) return problem;
    if (!samePlace(setting.valuePlace, problem.place)) return problem;
    const meant = meantBy(fact, nodeAt(root, path));
    return { ...problem, setting, meant, instead: insteadOf(fact, setting) };
  });
}
