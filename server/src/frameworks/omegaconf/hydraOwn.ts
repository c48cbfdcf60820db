import data from '../../../../schemas/common/hydra.json';
import type { BindingProblem } from '../framework.ts';
import { invalidOverride } from './invalidOverride.ts';
import type { Override } from './overrides.ts';
import type { ParsedType } from './scalar.ts';

/** The type of a field of Hydra's own configuration. */
type Kind = (typeof data.fields)[keyof typeof data.fields];

const fields: ReadonlyMap<string, string> = new Map(Object.entries(data.fields));

/**
 * The overrides of Hydra's own configuration (`hydra.job.name=…`) that Hydra rejects: unknown keys, values of a wrong type, deletions, and
 * invalid choices for one of its groups (`hydra/launcher=…`).
 */
export function refusedOfHydra(overrides: readonly Override[]): readonly BindingProblem[] {
  return overrides.flatMap((override) => {
    const reason = reasonOf(override);
    if (reason === undefined) return [];
    const place = override.keyPlace;
    return [
      invalidOverride({ key: override.key, shown: shownOf(override), reason, place, severity: 'error' }),
    ];
  });
}

function shownOf({ key, operation, prefix }: Override): string {
  return operation === 'delete' ? `~${key}` : prefix.replace(/=$/, '');
}

function reasonOf(override: Override): string | undefined {
  const { key, operation } = override;
  if (key === 'hydra') return reasonOfWhole(override);
  if (key.startsWith('hydra/')) return reasonOfChoice(override, key.slice('hydra/'.length));
  if (!key.startsWith('hydra.') || key.includes('@')) return undefined;
  const name = key.slice('hydra.'.length);
  if (isOpen(name)) return undefined;
  const kind = fields.get(name);
  if (operation === 'delete')
    return kind === undefined ? 'Hydra has no such key' : 'Hydra keeps all keys of its own configuration';
  if (kind !== undefined) return wrongValue(override, kind);
  return operation === 'set' ? 'Hydra has no such key, and takes a new one only with a plus sign' : undefined;
}

/** Why Hydra's configuration as a whole cannot be set like this: it is also a folder of groups, none of which has this name. */
function reasonOfWhole({ operation, value, type }: Override): string | undefined {
  if (operation === 'delete') return 'Hydra keeps its own configuration';
  const isFile = operation === 'add' && (type === 'str' || type === 'list');
  return value.kind !== 'known' || type === undefined || type === 'dict' || isFile || isCompleted(value.data)
    ? undefined
    : 'it takes keys below it, no value';
}

/** Why one of Hydra's groups rejects a choice: a choice is made from the start, and a new name replaces it. */
function reasonOfChoice({ operation, value, type }: Override, group: string): string | undefined {
  if (!data.chosen.includes(group) || operation === 'delete') return undefined;
  if (operation !== 'set')
    return 'Hydra has chosen one of this group already, which is changed without a plus sign';
  const isName = type === undefined || type === 'str' || type === 'list';
  return value.kind !== 'known' || isName ? undefined : 'it takes the name of a choice';
}

function isCompleted(value: unknown): boolean {
  return typeof value === 'string' && value.includes('${');
}

/** Whether a key is in a part of the configuration that accepts any keys, or below a key with a single value. */
function isOpen(name: string): boolean {
  const isWithin = (above: string): boolean => name === above || name.startsWith(`${above}.`);
  if (data.open.some(isWithin)) return true;
  return [...fields].some(([field, kind]) => kind !== 'section' && name.startsWith(`${field}.`));
}

/** What is wrong with the type of a known value; strings with references are accepted, since they may resolve to anything. */
function wrongValue({ value, type }: Override, kind: string): string | undefined {
  if (value.kind !== 'known' || type === undefined) return undefined;
  const text = typeof value.data === 'string' ? value.data : undefined;
  if (text?.includes('${') === true) return undefined;
  return isTaken(kind, type, text) ? undefined : `it takes ${titles[kind] ?? 'another value'}`;
}

const titles: { readonly [kind: string]: string } = {
  mode: 'RUN or MULTIRUN',
  section: 'keys below it, no value',
  text: 'a text',
  'text or null': 'a text or null',
  'switch or null': 'true or false',
  'whole number': 'a whole number',
  list: 'a list',
  map: 'keys with values',
} satisfies { readonly [kind in Kind]: string };

function isTaken(kind: string, type: ParsedType, text: string | undefined): boolean {
  const isScalar = type !== 'list' && type !== 'dict';
  switch (kind) {
    case 'text':
      return isScalar && type !== 'null';
    case 'text or null':
      return isScalar;
    case 'switch or null':
      return isScalar && (text === undefined || /\d|^(?:true|false|y|n|yes|no|on|off)$/i.test(text));
    case 'whole number':
      return type === 'int' || (text !== undefined && /^\s*[+-]?\d+(?:_\d+)*\s*$/.test(text));
    case 'mode':
      return text === undefined ? isScalar : text.includes('.') || text === 'RUN' || text === 'MULTIRUN';
    case 'list':
      return type === 'list' || type === 'null';
    default:
      return type === 'dict' || type === 'null';
  }
}
