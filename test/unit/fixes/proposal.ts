import type { Effective, Scope, Setting } from '../../../server/src/frameworks/framework.ts';
import type { Data } from '../../../server/src/value/value.ts';

/** A change as a constraint proposes it. */
export interface Proposed {
  readonly set?: { readonly [name: string]: Data };
  readonly unset?: readonly string[];
  readonly env?: { readonly [name: string]: string | null };
  readonly near?: readonly string[];
}

/** A complete change from its given parts. */
export function proposed(change: Proposed) {
  return {
    title: 'Fix it',
    set: new Map(Object.entries(change.set ?? {})),
    unset: change.unset ?? [],
    env: new Map(Object.entries(change.env ?? {})),
    near: change.near ?? [],
    cost: undefined,
    safety: 'suggested' as const,
  };
}

/** A scope that knows the given settings and nothing else. */
export function givenScope(
  set: Scope['set'],
  settings: readonly Setting[],
  spelling: Scope['spelling'] = (name) => name,
): Scope {
  const byName = new Map(settings.map((setting) => [setting.name, setting]));
  return {
    set,
    role: undefined,
    lookup: (name): Effective | undefined => {
      const setting = byName.get(name);
      return setting === undefined
        ? undefined
        : { value: setting.value, how: 'given', setting, from: [], because: undefined };
    },
    spelling,
  };
}
