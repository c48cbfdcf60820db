import { pythonFloat, pythonInt } from '../../value/pythonNumber.ts';
import { dataOf } from '../../yaml/data.ts';
import type { YamlDocument, YamlEntry } from '../../yaml/document.ts';
import { resolveScalar } from '../../yaml/scalar.ts';
import type { BindingProblem } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { asPyYaml, isTextForNumber } from './pyYaml.ts';
import { overridesOf } from './roles.ts';

/**
 * Strings given to numeric options in the files that PyYAML reads.
 *
 * @param custom the file of `--custom-config-path`, in which every string stays one
 * @param roles the file of `--megatron-config-path`, in which slime converts what Python's `int` and `float` accept
 */
export function textsForNumbers(
  custom: YamlDocument | undefined,
  roles: YamlDocument | undefined,
  options: ReadonlyMap<string, OptionFact>,
): readonly BindingProblem[] {
  const entries = roles?.at(['megatron'])?.items ?? [];
  const overrides = entries.flatMap((entry) => overridesOf(entry)?.node.entries ?? []);
  return [
    ...(custom?.root?.entries ?? []).flatMap((entry) => problemOf(entry, options, () => true)),
    ...overrides.flatMap((entry) =>
      problemOf(entry, options, (text, type) => type === 'int' && pythonInt(text) === undefined),
    ),
  ];
}

function problemOf(
  { key, node }: YamlEntry,
  options: ReadonlyMap<string, OptionFact>,
  isKept: (text: string, type: OptionFact['type']) => boolean,
): readonly BindingProblem[] {
  const option = options.get(key);
  const text = node.kind === 'scalar' ? dataOf(node, asPyYaml) : undefined;
  if (option === undefined || text === undefined || !isTextForNumber(text, option)) return [];
  if (!isKept(text, option.type)) return [];
  const plain = numberFor(text, option);
  return [
    {
      rule: 'text-for-number',
      place: node.place,
      values: { name: key, value: text, hint: plain === undefined ? '' : `; write ${plain}` },
      setting: undefined,
      replacement: plain,
      severity: 'warning',
      related: [],
    },
  ];
}

/** A string meant as a number, in a form that PyYAML reads as one: `1.0e-5` for `1e-5`, `1000` for `1e3` if an integer is expected. */
function numberFor(text: string, { type }: OptionFact): string | undefined {
  const number = pythonFloat(text);
  if (number === undefined) return undefined;
  if (type === 'int') return Number.isSafeInteger(number) ? String(number) : undefined;
  const [, mantissa = '', sign = '', exponent = ''] =
    /^([-+]?[\d_.]+)e([-+]?)(\d+)$/i.exec(text.trim()) ?? [];
  const written =
    exponent === ''
      ? text.trim()
      : `${mantissa}${mantissa.includes('.') ? '' : '.0'}e${sign === '' ? '+' : sign}${exponent}`;
  return typeof resolveScalar(written, 'pyyaml') === 'number' ? written : undefined;
}
