import { interpolationParts } from '../../yaml/interpolation-syntax.ts';
import type { BindingProblem } from '../framework.ts';
import { invalidOverride } from '../omegaconf/invalidOverride.ts';
import { type Override, writtenValue } from '../omegaconf/overrides.ts';

/**
 * References (`${a.b}`) that lead nowhere: SkyRL resolves them among the words of the command alone, before it adds its defaults
 * (skyrl/train/config/config.py:38), and with OmegaConf's own resolvers only.
 *
 * @param overrides all that the command gives
 */
export function danglingReferences(overrides: readonly Override[]): readonly BindingProblem[] {
  return overrides.flatMap((override) => {
    const text = writtenValue(override);
    if (text?.includes('${') !== true) return [];
    const reason = interpolationParts(text)
      .map((part) => {
        if (part.kind === 'resolver')
          return part.name.startsWith('oc.') ? undefined : `there is no resolver “${part.name}” here`;
        if (part.kind !== 'node' || part.dots > 0) return undefined;
        const path = part.keys.map(([key, ...others]) =>
          key?.kind === 'text' && others.length === 0 ? key.text : undefined,
        );
        return path.includes(undefined) || isGiven(path, overrides)
          ? undefined
          : `nothing on the command line gives ${path.join('.')}, and SkyRL's defaults come after references are resolved`;
      })
      .find((found) => found !== undefined);
    if (reason === undefined) return [];
    const { key, keyPlace, valuePlace: place = keyPlace } = override;
    return [invalidOverride({ key, part: 'value', reason, place, severity: 'error' })];
  });
}

/** Whether some override gives a key, something below it, or what it lies in. */
function isGiven(path: readonly (string | undefined)[], overrides: readonly Override[]): boolean {
  return overrides.some((override) =>
    path.slice(0, override.path.length).every((part, at) => part === override.path[at]),
  );
}
