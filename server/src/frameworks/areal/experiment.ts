import data from '../../../../schemas/areal/experiments.json';
import type { Host } from '../../value/host.ts';
import { codeOf } from '../pythonCode.ts';
import type { ConfigNode } from './tree.ts';

/** Upstream's experiment classes; scripts without a trainer derive from the base. */
const experiments: ReadonlySet<string> = new Set([...data.classes, data.base.name]);

/** Which class a configuration is merged into, and how we know. */
export interface ExperimentChoice {
  /** The name of one of upstream's experiment classes. */
  readonly experiment: string;
  /** False when it was deduced from the sections of the configuration. */
  readonly certain: boolean;
  /** Top-level keys that the entry script's own class adds; undefined when they cannot be known. */
  readonly extraKeys: ReadonlySet<string> | undefined;
  /** Whether the script itself starts a trainer; what it imports may also do so. Undefined when the script is not in the workspace. */
  readonly trainer: boolean | undefined;
}

/** A sign of a configuration's class: a key that is present, or the value of a key. */
interface Sign {
  readonly key: string;
  readonly is?: string | boolean;
}

const signs: readonly { readonly experiment: string; readonly by: readonly Sign[] }[] = data.signs;

/** The class that fits the sections: the first one for which any sign is present. */
export function deduceExperiment(root: ConfigNode | undefined): string {
  return signs.find(({ by }) => by.some((sign) => hasSign(root, sign)))?.experiment ?? data.otherwise;
}

function hasSign(root: ConfigNode | undefined, { key, is }: Sign): boolean {
  let node = root;
  for (const step of key.split('.')) node = node?.kind === 'map' ? node.entries.get(step) : undefined;
  if (is === undefined) return node !== undefined;
  return node?.kind === 'leaf' && node.value.kind === 'known' && node.value.data === is;
}

/**
 * The class of a configuration without a launch: the one loaded by the scripts beside it, or beside its `configs` folder, if those that fit its
 * sections agree. A script with the same name as the file decides alone.
 */
export function experimentBeside(path: string, root: ConfigNode | undefined, host: Host): ExperimentChoice {
  const experiment = deduceExperiment(root);
  const unread = { experiment, certain: false, extraKeys: undefined, trainer: undefined };
  const own = path.slice(0, path.lastIndexOf('/'));
  const above = own.slice(0, own.lastIndexOf('/'));
  const isOnlyConfigurations = configurationFolder.test(own) && scriptsIn(own, host).length === 0;
  const folder = isOnlyConfigurations ? above : own;
  const scripts = scriptsIn(folder, host);
  const read = (name: string): ExperimentChoice | undefined => experimentOfScript(`${folder}/${name}`, host);
  const stem = path.slice(own.length + 1).replace(/\.ya?ml$/, '');
  const named = scripts.includes(`${stem}.py`) ? read(`${stem}.py`) : undefined;
  if (named !== undefined) return { ...named, certain: false };
  const kind = kindOf(experiment);
  const fitting = scripts.flatMap((name) => {
    const choice = read(name);
    return choice !== undefined && kindOf(choice.experiment) === kind ? [choice] : [];
  });
  const [first] = fitting;
  if (first === undefined) return unread;
  return {
    experiment: first.experiment,
    certain: false,
    extraKeys: new Set(fitting.flatMap((choice) => [...(choice.extraKeys ?? [])])),
    trainer: fitting.some((choice) => choice.trainer === true),
  };
}

/** A folder of configurations whose scripts are beside it. */
const configurationFolder = /\/conf(?:ig)?s?$/;

function scriptsIn(folder: string, host: Host): readonly string[] {
  return (host.list(folder) ?? []).filter((name) => name.endsWith('.py')).slice(0, scriptLimit);
}

/** How many scripts of a folder are examined at most to find the class of a configuration. */
const scriptLimit = 40;

const sameFields: ReadonlyMap<string, string> = new Map(Object.entries(data.sameFields));

/** A common name for classes that have the same fields. */
function kindOf(experiment: string): string {
  return sameFields.get(experiment) ?? experiment;
}

const trainerMade = new RegExp(`\\b${data.trainers}\\s*\\(`);

const loadCall = /\bload_expr_config\s*\(\s*[^,()]*(?:\([^()]*\)[^,()]*)*,\s*(?:config_cls\s*=\s*)?(\w+)/g;

/**
 * Reads the class from the entry script: `load_expr_config(args, GRPOConfig)`, following a subclass in the workspace to its bases. Returns
 * undefined if the script loads several classes, or one that does not derive from upstream's.
 */
export function experimentOfScript(path: string, host: Host): ExperimentChoice | undefined {
  const source = host.read(path);
  if (source === undefined) return undefined;
  const text = codeOf(source);
  const [loaded, another] = new Set([...text.matchAll(loadCall)].map(([, name = '']) => name));
  if (loaded === undefined || another !== undefined) return undefined;
  const trainer = trainerMade.test(text);
  const extraKeys = new Set<string>();
  let experiment: string | undefined;
  let isWhole = true;
  const seen = new Set<string>();
  const rest = [{ name: loaded, file: path }];
  for (let next = rest.shift(); next !== undefined && seen.size < classLimit; next = rest.shift()) {
    const { name, file } = next;
    const isCore = experiments.has(name);
    // A class may have the same name as the upstream class it derives from.
    const isSeen = seen.has(`${file} ${name}`);
    seen.add(`${file} ${name}`);
    const found = isSeen ? undefined : findClass(name, file, host, isCore);
    if (found !== undefined) {
      for (const key of found.fields) extraKeys.add(key);
      rest.push(...found.bases.map((base) => ({ name: base, file: found.file })));
    } else if (isCore) experiment ??= name;
    else if (!plainBases.has(name)) isWhole = false;
  }
  if (experiment === undefined) return undefined;
  return { experiment, certain: isWhole, extraKeys: isWhole ? extraKeys : undefined, trainer };
}

/** How many classes are examined at most to resolve one. */
const classLimit = 16;

/** Bases that add no fields. */
const plainBases: ReadonlySet<string> = new Set(['object', 'ABC', 'Generic', 'Protocol']);

interface PythonClass {
  readonly bases: readonly string[];
  readonly fields: readonly string[];
  readonly file: string;
}

/** The class `name` in a Python file or, unless `isHereOnly`, in the file it is imported from if the workspace has that file. */
function findClass(name: string, file: string, host: Host, isHereOnly: boolean): PythonClass | undefined {
  const source = host.read(file);
  if (source === undefined) return undefined;
  const text = codeOf(source);
  const header = new RegExp(`^class ${name}\\b\\s*(?:\\(([^)]*)\\))?\\s*:`, 'm').exec(text);
  if (header !== null) {
    const bases = (header[1] ?? '').split(',').flatMap((base) => {
      const [, last] = /^\s*(?:\w+\.)*(\w+)\s*(?:\[.*)?$/s.exec(base) ?? [];
      return last === undefined ? [] : [last];
    });
    return { bases, fields: fieldsBelow(text.slice(header.index + header[0].length)), file };
  }
  if (isHereOnly) return undefined;
  const imported = new RegExp(
    `^from\\s+([\\w.]+)\\s+import\\s+(?:\\([^)]*\\b${name}\\b|[^\\n(]*\\b${name}\\b)`,
    'm',
  ).exec(text);
  if (imported?.[1] === undefined) return undefined;
  const relative = `${imported[1].replace(/^\.+/, '').replaceAll('.', '/')}.py`;
  const folders: string[] = [];
  for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1))
    folders.push(file.slice(0, end));
  const target = folders
    .map((folder) => `${folder}/${relative}`)
    .find((path) => path !== file && host.kind(path) === 'file');
  return target === undefined ? undefined : findClass(name, target, host, false);
}

/** Names of the annotated fields in a class body, ignoring docstrings. */
function fieldsBelow(body: string): string[] {
  const lines: string[] = [];
  for (const line of body.split('\n')) {
    if (/^[^\s#]/.test(line)) break;
    if (/^\s+\S/.test(line)) lines.push(line);
  }
  const indentOf = (line: string): number => line.length - line.trimStart().length;
  const indent = Math.min(...lines.map(indentOf));
  return lines.flatMap((line) => {
    const field = indentOf(line) === indent ? /^\s+(\w+)\s*:\s*\S/.exec(line)?.[1] : undefined;
    return field === undefined ? [] : [field];
  });
}
