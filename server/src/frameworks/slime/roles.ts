import data from '../../../../schemas/slime/role-file.json';
import { evaluateTruth } from '../../expression/evaluate.ts';
import { pythonFloat, pythonInt } from '../../value/pythonNumber.ts';
import type { Data, Value } from '../../value/value.ts';
import { known, unknown } from '../../value/value.ts';
import { dataOf } from '../../yaml/data.ts';
import type { YamlDocument, YamlNode } from '../../yaml/document.ts';
import type { BindingProblem, Scope, Setting } from '../framework.ts';
import type { Knowledge, OptionFact } from '../knowledge.ts';
import { lookupOf } from '../lookups.ts';
import { optionsByName } from '../options.ts';
import { asPyYaml } from './pyYaml.ts';

/** A role of the file of `--megatron-config-path` with the arguments that it changes. */
export interface RoleOverrides {
  readonly role: string;
  readonly settings: readonly Setting[];
}

const roles: readonly { readonly name: string; readonly when?: string }[] = data.roles;

/** The roles that the file may contain. */
export const roleNames: readonly string[] = roles.map(({ name }) => name);

/** The option that starts a role; undefined for one that every run has. */
export function startedBy(role: string): string | undefined {
  return roles.find(({ name }) => name === role)?.when;
}

/** Keys that slime skips: the GPUs of a role follow from the command line. */
const skipped: ReadonlySet<string> = new Set(data.skipped);

/** The roles that change arguments, in file order. */
export function roleOverrides(
  document: YamlDocument | undefined,
  options: ReadonlyMap<string, OptionFact>,
): RoleOverrides[] {
  const list = document?.at(['megatron']);
  if (list?.kind !== 'list') return [];
  return list.items.flatMap((entry, index) => {
    const role = roleOf(entry);
    const overrides = overridesOf(entry);
    if (role === undefined || overrides === undefined) return [];
    const settings = overrides.node.entries.flatMap(({ key, keyPlace, node }): Setting[] => {
      const option = options.get(key);
      if (option === undefined || skipped.has(key)) return [];
      return [
        {
          name: key,
          written: key,
          value: typed(dataOf(node, asPyYaml), option, key),
          keyPlace,
          valuePlace: node.place,
          origin: undefined,
          syntax: { kind: 'yaml', path: ['megatron', index, overrides.key, key] },
        },
      ];
    });
    return settings.length === 0 ? [] : [{ role, settings }];
  });
}

function roleOf(entry: YamlNode): string | undefined {
  const role = entry.entries.find(({ key }) => key === 'role')?.node;
  const name = role === undefined ? undefined : dataOf(role);
  return roleNames.find((known) => known === name);
}

/** The map of a role's changes, under the first of its keys that is not empty. */
export function overridesOf(entry: YamlNode): { readonly key: string; readonly node: YamlNode } | undefined {
  for (const key of data.overrides) {
    const node = entry.entries.find((other) => other.key === key)?.node;
    if (node !== undefined && node.entries.length > 0) return { key, node };
  }
  return undefined;
}

/**
 * PyYAML reads `1e-5` as a string; if the argument is a number, slime converts a string to one as Python does, and leaves it unchanged if that
 * fails.
 */
function typed(data: Data | undefined, { type }: OptionFact, name: string): Value {
  if (data === undefined) return unknown('interpolation', name);
  if (typeof data !== 'string') return known(data);
  if (type !== 'int' && type !== 'float') return known(data);
  const number = type === 'int' ? pythonInt(data) : pythonFloat(data);
  return number === undefined ? unknown('too-complex', name) : known(number);
}

/** Keys of a role's overrides that are not arguments, or that state the role's number of GPUs, which is never read. */
export function roleProblems(
  document: YamlDocument | undefined,
  options: ReadonlyMap<string, OptionFact>,
): BindingProblem[] {
  const list = document?.at(['megatron']);
  if (list?.kind !== 'list') return [];
  const problems: BindingProblem[] = [];
  list.items.forEach((entry, index) => {
    const overrides = overridesOf(entry);
    for (const { key, keyPlace, node } of overrides?.node.entries ?? []) {
      const sized = skipped.has(key);
      if (!sized && options.has(key)) continue;
      problems.push({
        rule: sized ? 'ignored-option' : 'unknown-option',
        place: keyPlace,
        values: {
          name: key,
          hint: sized
            ? ': the GPUs of a role follow from the command line'
            : ' It is set on the role all the same, and most likely read by nothing.',
        },
        setting: undefined,
        replacement: undefined,
        removal: {
          name: key,
          written: key,
          value: unknown('too-complex', key),
          keyPlace,
          valuePlace: node.place,
          origin: undefined,
          syntax: { kind: 'yaml', path: ['megatron', index, overrides?.key ?? '', key] },
        },
        severity: 'warning',
        related: [],
      });
    }
  });
  return problems;
}

/** Ids of the constraints already violated in a scope, so that a role does not repeat them. */
export function firedIn(scope: Scope, knowledge: Knowledge): readonly string[] {
  const lookup = lookupOf(scope, optionsByName(knowledge.options));
  return knowledge.constraints
    .filter((constraint) => evaluateTruth(constraint.when, lookup) === true)
    .map((constraint) => constraint.id);
}
