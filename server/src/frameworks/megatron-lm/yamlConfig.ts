import { remembering } from '../../value/remember.ts';
import { type Data, known, type Value } from '../../value/value.ts';
import type { YamlDocument, YamlEntry, YamlNode } from '../../yaml/document.ts';
import type { BoundArguments } from '../argparse/parser.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { Knowledge, OptionFact } from '../knowledge.ts';
import { optionOfCoreField } from './coreFields.ts';

/** The maps whose keys are fields of the model's configuration (megatron/training/yaml_arguments.py:399). */
const sections = ['language_model', 'model_parallel'];

/** Whether a document is a configuration for `--yaml-cfg`. */
export function isYamlConfig(document: YamlDocument): boolean {
  return sections.every((section) => document.at([section])?.kind === 'map');
}

/** The value of a scalar or of a flat list; undefined for maps and nested lists. */
function valueOfNode(node: YamlNode): Value | undefined {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'map') return undefined;
  const items: Data[] = [];
  for (const item of node.items) {
    if (item.kind !== 'scalar') return undefined;
    if (item.value.kind === 'unknown') return item.value;
    items.push(item.value.data);
  }
  return known(items);
}

function settingOf(
  entry: YamlEntry,
  path: readonly string[],
  options: ReadonlyMap<string, OptionFact>,
): Setting | undefined {
  const name = optionOfCoreField.get(entry.key) ?? entry.key;
  const value = options.has(name) ? valueOfNode(entry.node) : undefined;
  if (value === undefined) return undefined;
  const { place, style } = entry.node;
  return {
    name,
    written: [...path, entry.key].join('.'),
    value,
    keyPlace: entry.keyPlace,
    valuePlace: place,
    origin: { place, via: [], verbatim: style === 'plain' },
    syntax: { kind: 'yaml', path: [...path, entry.key] },
  };
}

/** The settings of a `--yaml-cfg` file that are options, under their command-line names. */
export function yamlSettings(document: YamlDocument, options: ReadonlyMap<string, OptionFact>): Setting[] {
  const out: Setting[] = [];
  for (const entry of document.root?.entries ?? []) {
    const path = sections.includes(entry.key) ? [entry.key] : [];
    for (const field of path.length === 0 ? [entry] : entry.node.entries) {
      const setting = settingOf(field, path, options);
      if (setting !== undefined) out.push(setting);
    }
  }
  return out;
}

/**
 * Constraints that do not apply to a `--yaml-cfg` file: it has its own validator, much thinner than the command line's; only its checks and
 * those of the model configuration (megatron/core/) apply. The file must contain every key, so a key without effect says nothing about its
 * author's intent.
 */
export const excludedForYaml: (knowledge: Knowledge) => ReadonlySet<string> = remembering(
  ({ constraints }) =>
    new Set(
      constraints
        .filter(
          ({ upstream, tags }) =>
            tags.includes('no-effect') ||
            !upstream.some((source) => /^megatron\/(?:core\/|training\/yaml_arguments\.py)/.test(source)),
        )
        .map(({ id }) => id),
    ),
);

/** `--yaml-cfg` replaces the whole command line (megatron/training/arguments.py:137). */
export function besideYaml(bound: BoundArguments): BindingProblem[] {
  const [first, ...others] = bound.settings.filter((setting) => setting.name !== 'yaml_cfg');
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, nor have the ${others.length} options after it`;
  return [
    {
      rule: 'ignored-option',
      place: first.keyPlace,
      values: {
        name: first.written,
        hint: `${more}: the file of --yaml-cfg replaces the whole command line`,
      },
      setting: first,
      replacement: undefined,
      severity: 'warning',
      related: others.map(({ keyPlace, written }) => ({ place: keyPlace, message: `${written} neither` })),
    },
  ];
}
