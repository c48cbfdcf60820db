import { type Lookup, resultOf } from '../expression/evaluate.ts';
import { type Result, UNKNOWN } from '../expression/result.ts';
import type { Effective, Scope } from './framework.ts';
import type { OptionFact } from './knowledge.ts';
import type { ScopeParts } from './scope.ts';

/** A lookup for expressions that finds values through `find`. */
export function lookupThrough(
  find: (name: string) => Effective | undefined,
  parts: Pick<ScopeParts, 'options' | 'settings' | 'overlay' | 'unknownDefault' | 'spelling'>,
): Lookup {
  return {
    value: (name) => {
      const found = find(name);
      return found === undefined ? UNKNOWN : resultOf(found.value);
    },
    given: (name) =>
      (parts.settings.has(name) && parts.overlay?.get(name) !== null) || find(name)?.how === 'given',
    asked: (name) => askedResult(find(name)),
    fallback: (name) => {
      const option = parts.options.get(name);
      if (option === undefined || option.defaultUnknown === true || parts.unknownDefault?.(name) === true)
        return UNKNOWN;
      return option.default;
    },
    hasValue: (name) => hasValue(find(name), parts.options.get(name)),
    spelling: (name) => spellingOf(name, parts),
  };
}

/** How a user writes an option: as the framework says, by its first flag, or by its name. */
export function spellingOf(
  name: string,
  { spelling, options }: Pick<ScopeParts, 'spelling' | 'options'>,
): string {
  return spelling?.(name) ?? options.get(name)?.flags?.[0] ?? name;
}

function askedResult(effective: Effective | undefined): Result {
  if (effective?.setting !== undefined) return resultOf(effective.setting.value);
  return effective?.how === 'given' ? resultOf(effective.value) : null;
}

/** A flag that takes one value has one, whatever an expansion behind it yields: without a value upstream would not read the flag. */
function hasValue(found: Effective | undefined, option: OptionFact | undefined): boolean {
  const { how, setting } = found ?? {};
  const single = option?.nargs === undefined && option?.action === undefined;
  return (
    how === 'given' && single && setting?.syntax.kind === 'flag' && setting.syntax.valueWords.length === 1
  );
}

/** A lookup for expressions over a scope. `options` supplies the defaults. */
export function lookupOf(scope: Scope, options: ReadonlyMap<string, OptionFact>): Lookup {
  return {
    value: (name) => {
      const found = scope.lookup(name);
      return found === undefined ? UNKNOWN : resultOf(found.value);
    },
    given: (name) => {
      const found = scope.lookup(name);
      return found?.setting !== undefined || found?.how === 'given';
    },
    asked: (name) => askedResult(scope.lookup(name)),
    fallback: (name) => {
      const option = options.get(name);
      return option === undefined || option.defaultUnknown === true ? UNKNOWN : option.default;
    },
    hasValue: (name) => hasValue(scope.lookup(name), options.get(name)),
    spelling: (name) => scope.spelling(name),
  };
}
