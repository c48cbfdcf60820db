import ignore from 'ignore';
import picomatch from 'picomatch';
import { dirname, resolvePath } from '../bash/library/paths.ts';
import { packageName } from '../frameworks/packages.ts';
import type { Span } from '../text/span.ts';
import type { Host } from '../value/host.ts';
import { type MachineProfile, noProfile } from '../value/machine.ts';
import { remembering } from '../value/remember.ts';
import type { ConfigProblem, SettingSource, Settings } from './config.ts';
import { machineProfile } from './machine.ts';
import { type ReadConfig, readConfig } from './read.ts';
import type { ConfigFile } from './schema.ts';

/** A configuration with everything that it extends: the outermost base first, the file itself last. */
export interface ConfigChain {
  readonly files: readonly { readonly path: string; readonly read: ReadConfig }[];
  readonly problems: readonly ConfigProblem[];
}

/** Reads a configuration and what it extends. Cycles and missing files are problems. */
export function readChain(path: string, host: Host): ConfigChain {
  const files: { path: string; read: ReadConfig }[] = [];
  const problems: ConfigProblem[] = [];
  const open = new Set<string>();
  const done = new Set<string>();
  const add = (
    at: string,
    from: { readonly path: string; readonly span: Span; readonly name: string },
  ): void => {
    // A base that two files share applies once, below both.
    if (done.has(at)) return;
    const text = host.read(at);
    if (open.has(at) || text === undefined) {
      const isThere = host.kind(at) === 'file';
      const message = open.has(at)
        ? `extends: ${from.name} comes back to this file`
        : isThere
          ? `${at === path ? 'this file' : `extends: ${from.name}`} cannot be read: it is not UTF-8 text, is too large, or may not be read`
          : `extends: ${from.name} does not exist in the workspace`;
      problems.push({ path: from.path, span: from.span, message });
      return;
    }
    open.add(at);
    const read = readConfig(at, text);
    const bases = read.config.extends ?? [];
    for (const base of typeof bases === 'string' ? [bases] : bases)
      add(resolvePath(dirname(at), base), { path: at, span: read.locate(['extends']), name: base });
    open.delete(at);
    done.add(at);
    problems.push(...read.problems);
    files.push({ path: at, read });
  };
  add(path, { path, span: { start: 0, end: 0 }, name: path });
  return { files, problems };
}

/** The settings without any configuration. */
export const defaultSettings: Settings = {
  machine: noProfile,
  rules: new Map(),
  extraOptions: [],
  framework: undefined,
  constraints: new Map(),
  unsuppressible: [],
  failOn: undefined,
  minCertainty: 'possible',
  baseline: undefined,
  excluded: false,
  sources: [],
};

function mergedMachine(base: MachineProfile, data: unknown): MachineProfile {
  const made = machineProfile(data);
  if (!('profile' in made)) return base;
  return {
    ...base,
    ...made.profile,
    versions: { ...base.versions, ...made.profile.versions },
    variables: { ...base.variables, ...made.profile.variables },
  };
}

/** A test of paths by patterns, cached because every file is tested. */
const isIn = remembering((patterns: string[]) => picomatch(patterns.flatMap(withFolder), { dot: true }));

/** A pattern that ends with a name rather than a wildcard also covers everything in a folder of that name; `!NAME` excludes it all. */
function withFolder(pattern: string): string[] {
  const isNegated = /^!(?!\()/.test(pattern);
  const name = pattern.slice(isNegated ? 1 : 0).replace(/\/$/, '');
  if (/[*?[\]{}]/.test(name.slice(name.lastIndexOf('/') + 1))) return [pattern];
  if (!isNegated) return [name, `${name}/**`];
  return /[{},]/.test(name) ? [pattern] : [`!{${name},${name}/**}`];
}
const ignored = remembering((patterns: string[]) => ignore().add(patterns));

/** The settings in effect for one file. */
export function settingsFor(path: string, chain: ConfigChain): Settings {
  const rules = new Map<string, 'off' | 'error' | 'warning' | 'info'>();
  const sources: SettingSource[] = [];
  let settings: Settings = { ...defaultSettings, rules };
  for (const { path: at, read } of chain.files) {
    const { config } = read;
    const folder = dirname(at);
    const way = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
    const overrides = (config.overrides ?? []).map((layer, index) => ({
      layer,
      above: ['overrides', index],
    }));
    const layers = [{ layer: config, above: [] }, ...overrides.filter(({ layer }) => isIn(layer.paths)(way))];
    for (const { layer, above } of layers) {
      for (const keys of settingKeys(layer))
        sources.push({ key: nameOf(keys), path: at, span: read.locate([...above, ...keys]) });
      for (const [rule, level] of Object.entries(layer.rules ?? {})) rules.set(rule, level);
      settings = {
        ...settings,
        machine:
          layer.machine === undefined ? settings.machine : mergedMachine(settings.machine, layer.machine),
        extraOptions: [...settings.extraOptions, ...(layer.extra_options ?? [])],
        framework: layer.framework ?? settings.framework,
      };
    }
    settings = withWholeFile(settings, config, way, folder);
  }
  return { ...settings, sources };
}

/** The keys of the settings of a layer, including those inside maps. */
function settingKeys(layer: object): string[][] {
  return Object.entries(layer).flatMap(([key, value]): string[][] => {
    if (key === 'overrides' || key === 'paths') return [];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[key]];
    return settingKeys(value).map((keys) =>
      key === 'machine' && keys[0] === 'variables' ? keys : [key, ...keys],
    );
  });
}

/** The name of a setting; packages are named as in the settings in effect. */
function nameOf(keys: readonly string[]): string {
  const [first, second, ...packages] = keys;
  return first === 'machine' && second === 'versions'
    ? [first, second, ...packages.map(packageName)].join('.')
    : keys.join('.');
}

/** Adds what can only be set for all files. */
function withWholeFile(settings: Settings, config: ConfigFile, way: string, folder: string): Settings {
  const excluded =
    config.exclude !== undefined && !way.startsWith('/') && ignored(config.exclude).ignores(way);
  return {
    ...settings,
    machine: mergedMachine(settings.machine, { variables: config.variables ?? {} }),
    unsuppressible: [...settings.unsuppressible, ...(config.unsuppressible ?? [])],
    failOn: config.fail_on ?? settings.failOn,
    minCertainty: config.min_certainty ?? settings.minCertainty,
    baseline: config.baseline === undefined ? settings.baseline : resolvePath(folder, config.baseline),
    excluded: settings.excluded || excluded,
  };
}
