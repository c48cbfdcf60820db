import { isMap } from '../../expression/result.ts';
import { samePlace } from '../../text/span.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { type Override, settingOf, writtenValue } from '../omegaconf/overrides.ts';
import { plainYamlScalar } from '../omegaconf/scalar.ts';
import { expectation } from '../omegaconf/types.ts';

/** Values that YAML 1.1 reads as something other than they seem to be; unsuitable types are reported elsewhere. */
export function scalarTraps(
  overrides: readonly Override[],
  options: ReadonlyMap<string, OptionFact>,
): BindingProblem[] {
  return overrides.flatMap((override) => {
    const option = options.get(override.key);
    const written = writtenValue(override);
    if (override.value.kind === 'unknown' || written === undefined) return [];
    const { data } = override.value;
    const setting = settingOf(override, override.key);
    if (isMap(data)) return missingBlanks(data, override, setting);
    if (option === undefined) return [];
    if (/^none$/i.test(written) && option.nullable === true && option.choices?.includes(written) !== true)
      return [trap(override, setting, `the text “${written}”`, 'null', 'null')];
    const expected = expectation(option);
    if (written.startsWith('${oc.env:') && typeof data === 'string' && option.type !== 'str')
      return [
        trap(override, setting, 'a text (oc.env gives nothing else)', expected, `\${oc.decode:${written}}`),
      ];
    if (typeof data !== 'number' || (option.type !== 'int' && option.type !== 'float')) return [];
    if (/^[-+]?0[0-7_]+$/.test(written) && data !== 0)
      return [
        trap(override, setting, `${data} (a leading zero means octal)`, written, written.replace(/^0+/, '')),
      ];
    if (/^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+/.test(written))
      return [trap(override, setting, `${data} (base 60)`, written, undefined)];
    return [];
  });
}

/** `{a:b}` is a single key `a:b` without a value: YAML requires a blank after the colon. */
function missingBlanks(
  data: { readonly [key: string]: unknown },
  override: Override,
  setting: Setting,
): BindingProblem[] {
  return Object.entries(data).flatMap(([key, value]) => {
    const [name, rest] = key.split(/:(.*)/s);
    if (value !== null || name === undefined || rest === undefined || rest === '') return [];
    const actual = `the key “${key}” without a value (a space is missing after the colon)`;
    const said = trap(override, setting, actual, `${name}: ${rest}`, undefined);
    const meant = /^(["'])(.*)\1$/s.exec(rest)?.[2] ?? plainYamlScalar(rest).data;
    const mended = Object.entries(data).map(([other, its]) => (other === key ? [name, meant] : [other, its]));
    return [{ ...said, meant: { value: Object.fromEntries(mended), title: `Write ${name}: ${rest}` } }];
  });
}

function trap(
  override: Override,
  setting: Setting,
  actual: string,
  expected: string,
  replacement: string | undefined,
): BindingProblem {
  const { keyPlace, valuePlace = keyPlace } = override;
  const { origin } = override;
  const stands = origin?.verbatim === true && samePlace(origin.place, valuePlace);
  return {
    rule: 'scalar-trap',
    place: valuePlace,
    values: { name: override.key, actual, expected },
    setting,
    replacement: stands ? replacement : undefined,
    severity: 'warning',
    related: [],
  };
}
