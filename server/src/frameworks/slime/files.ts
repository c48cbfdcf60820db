import recognition from '../../../../schemas/slime/recognise.json';
import { normalizePath } from '../../bash/library/paths.ts';
import { isMap } from '../../expression/result.ts';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import type { Data, Value } from '../../value/value.ts';
import { known, unknown } from '../../value/value.ts';
import { dataOf } from '../../yaml/data.ts';
import type { YamlDocument, YamlNode } from '../../yaml/document.ts';
import { folderAbove } from '../above.ts';
import type { BindingContext, DataSource, Setting } from '../framework.ts';
import { importPaths } from '../importPaths.ts';
import type { OptionFact } from '../knowledge.ts';
import { asPyYaml, asResolved, isTextForNumber } from './pyYaml.ts';
import { roleNames } from './roles.ts';

/** A file that an option names: its document, if the workspace has it, and its data. */
export interface NamedFile {
  readonly document: YamlDocument | undefined;
  readonly content: Value;
  /** The nodes from which the maps and lists of its data were made. */
  readonly nodes: ReadonlyMap<Data, YamlNode>;
}

const noNodes: NamedFile['nodes'] = new Map();

/**
 * The YAML file that an option names. The path is resolved against the command's directory, the workspace and the script's folder. `content` is
 * null if the option is not given, and unknown if the file cannot be read.
 */
function namedFile(
  setting: Setting | undefined,
  launch: Launch | undefined,
  context: BindingContext,
  scalarOf?: (scalar: YamlNode) => Value,
): NamedFile {
  const nothing = { document: undefined, nodes: noNodes };
  if (setting === undefined) return { ...nothing, content: known(null) };
  const { value } = setting;
  if (value.kind === 'unknown') return { ...nothing, content: value };
  if (typeof value.data !== 'string' || value.data === '') return { ...nothing, content: known(null) };
  const name = value.data;
  for (const path of candidates(name, launch, context)) {
    const document = context.document(path);
    if (document === undefined) continue;
    if (document.problems.some((problem) => problem.severity === 'error'))
      return { document, nodes: noNodes, content: unknown('too-complex', name) };
    const nodes = new Map<Data, YamlNode>();
    const data = document.root === undefined ? null : dataOf(document.root, scalarOf, nodes);
    return { document, nodes, content: data === undefined ? unknown('interpolation', name) : known(data) };
  }
  return { ...nothing, content: unknown('file-not-found', name) };
}

function candidates(name: string, launch: Launch | undefined, context: BindingContext): string[] {
  if (name.startsWith('/')) return [normalizePath(name)];
  const here = launch?.command.place.path ?? '';
  const folders = [launch?.command.cwd, context.host.rootOf(here), here.slice(0, here.lastIndexOf('/'))];
  return folders.flatMap((folder) => (folder === undefined ? [] : [normalizePath(`${folder}/${name}`)]));
}

/** The words quoted where the workspace's own slime selects the reward, since a fork may name others there. Empty without one. */
export function ownRewards(launch: Launch, { host }: BindingContext): Value {
  const text = ownFile(recognition.rewards, launch, host);
  return known([...text.matchAll(/["']([\w-]+)["']/g)].map(([, word = '']) => word));
}

/** The file extensions quoted where the workspace's own slime reads data sets, since a fork may read more of them. Empty without one. */
export function ownDataEndings(launch: Launch, { host }: BindingContext): Value {
  const text = ownFile(recognition.dataReader, launch, host);
  return known([...text.matchAll(/["'](\.\w+)["']/g)].map(([, ending = '']) => ending));
}

/** The text of a file of the workspace's own slime, by its path there; empty without one. */
function ownFile(path: string, launch: Launch, host: Host): string {
  const folder = folderAbove(importPaths(launch), path, host);
  return folder === undefined ? '' : (host.read(`${folder}/${path}`) ?? '');
}

function listOf(data: Data | undefined): readonly Data[] {
  return Array.isArray(data) ? data : [];
}

/** All groups of all models of an `--sglang-config` file, in one list; null when the file, or the groups of a model, have another shape. */
export function engineGroups(content: Value): Value {
  if (content.kind === 'unknown') return content;
  if (!isMap(content.data) || !Array.isArray(content.data.sglang)) return known(null);
  const groups: Data[] = [];
  for (const model of listOf(content.data.sglang)) {
    const ofModel = isMap(model) ? groupsOf(model) : [];
    if (!Array.isArray(ofModel)) return known(null);
    groups.push(...ofModel);
  }
  return known(groups);
}

/** The value from which a model's groups are read: the older key if the newer one is empty. */
function groupsOf(model: { readonly [key: string]: Data }): Data {
  const isNothing = (data: Data | undefined): boolean => !data || (Array.isArray(data) && data.length === 0);
  if (!isNothing(model.server_groups)) return model.server_groups ?? [];
  return isNothing(model.engine_groups) ? [] : (model.engine_groups ?? []);
}

/** The total number of GPUs of all groups; null if one of them does not state it. */
export function engineGpus(groups: Value): Value {
  if (groups.kind === 'unknown' || !Array.isArray(groups.data)) return groups;
  let total = 0;
  for (const group of listOf(groups.data)) {
    const gpus = isMap(group) ? group.num_gpus : undefined;
    if (typeof gpus !== 'number') return known(null);
    total += gpus;
  }
  return known(total);
}

/** The roles with two or more entries in a `--megatron-config-path` file. */
export function repeatedRoles(content: Value): Value {
  if (content.kind === 'unknown') return content;
  if (!isMap(content.data) || !Array.isArray(content.data.megatron)) return known([]);
  const roles = listOf(content.data.megatron).map((entry) => (isMap(entry) ? entry.role : undefined));
  return known(roleNames.filter((role) => roles.filter((other) => other === role).length > 1));
}

/** The settings that a `--custom-config-path` file makes after the command line has been read: every key that is an argument. */
export function customSettings(
  document: YamlDocument | undefined,
  options: ReadonlyMap<string, OptionFact>,
): Setting[] {
  if (document?.root?.kind !== 'map') return [];
  return document.root.entries.flatMap((entry) => {
    const option = options.get(entry.key);
    if (option === undefined) return [];
    const data = dataOf(entry.node, asPyYaml);
    return [
      {
        name: entry.key,
        written: entry.key,
        value:
          data === undefined || isTextForNumber(data, option)
            ? unknown('too-complex', entry.key)
            : known(data),
        keyPlace: entry.keyPlace,
        valuePlace: entry.node.place,
        origin: undefined,
        syntax: { kind: 'yaml', path: [entry.key] },
      },
    ];
  });
}

/** The YAML files that options name. */
export interface NamedFiles {
  /** For `--custom-config-path`: any arguments. */
  readonly custom: NamedFile;
  /** For `--eval-config`: the evaluation data. */
  readonly evaluation: NamedFile;
  /** For `--sglang-config`: the engines, in groups. */
  readonly engines: NamedFile;
  /** For `--megatron-config-path`: arguments of individual roles. */
  readonly roles: NamedFile;
}

/** Finds where in one of the files some data is. */
export function sourceIn(files: NamedFiles): (data: Data) => DataSource | undefined {
  const all: readonly NamedFile[] = [files.custom, files.evaluation, files.engines, files.roles];
  return (data) => {
    const file = all.find(({ nodes }) => nodes.has(data));
    const node = file?.nodes.get(data);
    const path =
      node === undefined || file?.document?.root === undefined ? undefined : pathTo(file.document.root, node);
    return node === undefined || path === undefined ? undefined : { node, path };
  };
}

/** The path of keys and indices from a node to one within it. */
function pathTo(from: YamlNode, node: YamlNode): DataSource['path'] | undefined {
  if (from === node) return [];
  const children: readonly (readonly [string | number, YamlNode])[] = [
    ...from.entries.map((entry) => [entry.key, entry.node] as const),
    ...from.items.map((item, index) => [index, item] as const),
  ];
  for (const [step, child] of children) {
    const rest = pathTo(child, node);
    if (rest !== undefined) return [step, ...rest];
  }
  return undefined;
}

/** The files that the settings of a launch name. */
export function filesOf(
  written: ReadonlyMap<string, Setting>,
  launch: Launch,
  context: BindingContext,
): NamedFiles {
  const file = (option: string, scalarOf?: (scalar: YamlNode) => Value): NamedFile =>
    namedFile(written.get(option), launch, context, scalarOf);
  return {
    custom: file('custom_config_path', asPyYaml),
    evaluation: file('eval_config', asResolved),
    engines: file('sglang_config', asPyYaml),
    roles: file('megatron_config_path', asPyYaml),
  };
}
