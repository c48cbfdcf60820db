import { isMap } from '../../expression/result.ts';
import { known, unknown } from '../../value/value.ts';
import { literalWord, type Word } from '../../value/word.ts';
import { allocatorVariables } from '../allocator.ts';
import type { Effective, Setting } from '../framework.ts';
import type { Presets } from '../scope.ts';

/** A recipe may set (through `env_vars`) any variable that the launch does not set, so absence means nothing if the recipe is unknown. */
export function unlessRecipe(
  name: string,
  fact: Effective | undefined,
  environment: ReadonlyMap<string, Word>,
  presets: Presets | undefined,
): Effective | undefined {
  if (fact === undefined || fact.how === 'given' || !/^(?:env|alloc_conf)\./.test(name)) return fact;
  const variables = presets?.value('env_vars');
  if (
    presets !== undefined &&
    name.startsWith('env.') &&
    variables?.kind === 'known' &&
    isMap(variables.data)
  ) {
    const variable = name.slice('env.'.length);
    const isSet = Object.hasOwn(variables.data, variable);
    const value = isSet ? known(String(variables.data[variable])) : fact.value;
    return { ...fact, value, how: 'preset', from: presets.from };
  }
  // The launch's variable replaces the recipe's as a whole; recipes set the older variable, which takes precedence over the newer one.
  const [older = ''] = allocatorVariables;
  if (name.startsWith('alloc_conf.') && environment.has(older)) return fact;
  return { ...fact, value: unknown('outside', `what the recipe sets ${name} to`) };
}

/** The launch's environment plus the `env_vars` that the user wrote; variables of the launch win. */
export function withRecipeVariables(
  env: ReadonlyMap<string, Word>,
  settings: ReadonlyMap<string, Setting>,
): ReadonlyMap<string, Word> {
  const all = new Map(env);
  for (const [name, setting] of settings) {
    if (!name.startsWith('env_vars.') || setting.value.kind !== 'known') continue;
    const variable = name.slice('env_vars.'.length);
    if (!all.has(variable))
      all.set(
        variable,
        literalWord(String(setting.value.data), setting.valuePlace ?? setting.keyPlace, setting.origin),
      );
  }
  return all;
}
