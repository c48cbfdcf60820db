import { parse as parseToml, TomlError } from 'smol-toml';
import { hasTooManyWords, mostWords } from '../recognise.ts';
import type { Span } from '../text/span.ts';
import type { YamlDocument, YamlNode } from '../yaml/document.ts';
import { parseYaml } from '../yaml/parse.ts';
import type { ConfigProblem } from './config.ts';
import { profileSchema } from './machine.ts';
import { type ConfigFile, configSchema, configShape, overrideSchema } from './schema.ts';
import { soundPart } from './sound.ts';
import { tomlPlaces } from './tomlPlaces.ts';

/** The valid part of a configuration file, and the problems of the rest. */
export interface ReadConfig {
  readonly config: ConfigFile;
  readonly problems: readonly ConfigProblem[];
  readonly locate: Locate;
}

/** The place of a setting's value or name, by path from the top level. */
export type Locate = (path: readonly PropertyKey[], part?: 'name') => Span;

/** Maximum number of nodes that are read of a configuration; real ones have a few hundred. */
const mostNodes = 20_000;

/**
 * Reads `.oomlint.yaml` or the `[tool.oomlint]` table of a `pyproject.toml`. A bad setting is reported at its place; only that setting is
 * dropped.
 */
export function readConfig(path: string, text: string): ReadConfig {
  if (hasTooManyWords(text)) return { config: {}, problems: [tooLong(path)], locate: () => start };
  return path.endsWith('.toml') ? readToml(path, text) : readYaml(path, text);
}

const start: Span = { start: 0, end: 0 };

function tooLong(path: string): ConfigProblem {
  return { path, span: start, message: `the file has more than ${mostWords} words and is not read` };
}

/** YAML as plain data, with its errors and the place of each value. Bounded, whatever aliases it contains. */
export function readData(
  path: string,
  text: string,
): {
  readonly data: unknown;
  readonly problems: ConfigProblem[];
  /** Whether it is invalid YAML. */
  readonly broken: boolean;
  readonly locate: Locate;
} {
  if (hasTooManyWords(text))
    return { data: {}, problems: [tooLong(path)], broken: true, locate: () => start };
  const [document, ...others] = parseYaml(path, text, 'core');
  const problems: ConfigProblem[] = (document?.problems ?? []).map(({ message, span }) => ({
    path,
    span,
    message,
  }));
  const broken = problems.length > 0;
  const unread = others.find(({ root }) => root !== undefined && root.style !== 'none')?.root;
  if (unread !== undefined)
    problems.push({
      path,
      span: firstLine(text, unread.place.span),
      message: 'only what stands before the next --- is read, and this stands after it',
    });
  const twice = (key: string, span: Span): void => {
    problems.push({ path, span, message: `${key} is set twice; this one, the last, applies` });
  };
  const reading: Reading = { text, left: mostNodes, twice };
  const data = document?.root === undefined ? {} : plain(document.root, reading);
  return { data, problems, broken, locate: (keys, part) => spanIn(document, keys, part) };
}

/** The first line of a span. */
function firstLine(text: string, { start: from, end }: Span): Span {
  return { start: from, end: from + text.slice(from, end).replace(/(?<!\s)\s*\n[\s\S]*$/, '').length };
}

function readYaml(path: string, text: string): ReadConfig {
  const { data, problems, broken, locate } = readData(path, text);
  const read = checked(path, data, locate, [...problems]);
  if (!broken) return read;
  // Where the YAML itself is broken, errors after that point may result from it.
  const from = problems.reduce((least, { span }) => Math.min(least, span.start), text.length);
  return {
    ...read,
    problems: read.problems.filter((one) => problems.includes(one) || one.span.start <= from),
  };
}

/** The state of converting nodes to plain data. */
interface Reading {
  readonly text: string;
  /** Number of nodes that may still be read. */
  left: number;
  /** Called for keys that occur more than once in a map. */
  readonly twice: (key: string, span: Span) => void;
}

/** Maps whose numbers are kept as text: as a version 2.10 is not 2.1, and a variable set to 1.0 does not contain `1`. */
const mapsOfTexts: ReadonlySet<string> = new Set(['versions', 'variables']);

/** A node as plain data. @param holder the key of the map: of the node itself, or of the one that contains the scalar */
function plain(node: YamlNode, reading: Reading, holder = ''): unknown {
  if (reading.left-- <= 0) return null;
  if (node.kind === 'list') return node.items.map((item) => plain(item, reading));
  if (node.kind === 'map')
    return Object.fromEntries(
      node.entries.map(({ key, keyPlace, duplicateOf, node: inner }) => {
        if (duplicateOf !== undefined) reading.twice(key, keyPlace.span);
        return [key, plain(inner, reading, inner.kind === 'scalar' ? holder : key)];
      }),
    );
  if (node.value.kind !== 'known') return null;
  const { data } = node.value;
  const { start: from, end } = node.place.span;
  const isText = typeof data === 'number' && node.style === 'plain' && mapsOfTexts.has(holder);
  return isText ? reading.text.slice(from, end) : data;
}

/** The place of a path; of the nearest existing parent if it does not exist. */
function spanIn(document: YamlDocument | undefined, keys: readonly PropertyKey[], part?: 'name'): Span {
  let node = document?.root;
  let best: Span = { start: 0, end: 0 };
  for (const [index, key] of keys.entries()) {
    const entry = node?.entries.find((item) => item.key === String(key));
    const next = entry?.node ?? (typeof key === 'number' ? node?.items[key] : undefined);
    if (next === undefined) break;
    const isName = next.kind !== 'scalar' || (part === 'name' && index === keys.length - 1);
    best = isName ? (entry?.keyPlace.span ?? next.place.span) : next.place.span;
    node = next;
  }
  return best;
}

function readToml(path: string, text: string): ReadConfig {
  // TOML allows no byte order mark, but some editors write one.
  const toml = text.replace(/^\uFEFF/, ' ');
  // The parser that reads the values gives no places: another one does, on demand.
  let places: Locate | undefined;
  const locate: Locate = (keys, part) => {
    places ??= tomlPlaces(toml, ['tool', 'oomlint']);
    return places(keys, part);
  };
  try {
    const tool = parseToml(toml).tool;
    const table = typeof tool === 'object' && tool !== null && 'oomlint' in tool ? tool.oomlint : {};
    return checked(path, withTexts(table, toml, locate, []), locate, []);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const lines = text.split('\n');
    const start =
      lines.slice(0, error.line - 1).reduce((sum, line) => sum + line.length + 1, 0) + error.column - 1;
    const message = error.message.split('\n')[0] ?? error.message;
    return { config: {}, problems: [{ path, span: { start, end: start + 1 }, message }], locate };
  }
}

/** TOML data in which numbers in maps of texts are replaced by their text as written. */
function withTexts(data: unknown, text: string, locate: Locate, path: readonly PropertyKey[]): unknown {
  if (typeof data === 'number' && mapsOfTexts.has(String(path.at(-2)))) {
    const { start: from, end } = locate(path);
    const written = text.slice(from, end);
    return /^[\d.]+$/.test(written) && Number(written) === data ? written : data;
  }
  if (Array.isArray(data)) return data.map((item, index) => withTexts(item, text, locate, [...path, index]));
  if (typeof data !== 'object' || data === null || data instanceof Date) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, withTexts(value, text, locate, [...path, key])]),
  );
}

/** Checks the settings; only bad ones are dropped. */
function checked(path: string, data: unknown, locate: Locate, problems: ConfigProblem[]): ReadConfig {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    if (data !== null)
      problems.push({ path, span: locate([]), message: 'the configuration must be a map of settings' });
    return { config: {}, problems, locate };
  }
  // A key whose lines are all comments: a template that was not filled in.
  const filled = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
  const { value, faults } = soundPart(filled, configSchema, keysAt, sectionOf);
  for (const fault of faults)
    problems.push({ path, span: locate(fault.path, fault.part), message: fault.message });
  problems.sort((a, b) => a.span.start - b.span.start);
  return { config: value ?? {}, problems, locate };
}

/** The section that a machine setting belongs to; in a profile it is at the top level. */
function sectionOf(name: string, path: readonly PropertyKey[]): string | undefined {
  const isTop = path.length === 0 || (path.length === 2 && path[0] === 'overrides');
  return isTop && Object.hasOwn(profileSchema.shape, name) ? 'machine' : undefined;
}

/** The known names of the settings at a path. */
function keysAt(path: readonly PropertyKey[]): readonly string[] {
  const [first, ...others] = path;
  if (first === undefined) return Object.keys(configShape);
  if (first === 'machine' || others.at(-1) === 'machine') return Object.keys(profileSchema.shape);
  return first === 'overrides' && others.length === 1 ? Object.keys(overrideSchema.shape) : [];
}
