import { parse as parseToml, TomlError } from 'smol-toml';
import { hasTooManyWords, mostWords } from '../recognise.ts';
import type { Span } from '../text/span.ts';
import type { YamlDocument, YamlNode } from '../yaml/document.ts';
import { parseYaml } from '../yaml/parse.ts';
import type { ConfigProblem } from './config.ts';
import { type ConfigFile, configSchema, configShape } from './schema.ts';

/** A configuration file as far as it is sound, and what is wrong with the rest. */
export interface ReadConfig {
  readonly config: ConfigFile;
  readonly problems: readonly ConfigProblem[];
  /** Where a setting stands, by path from the top. */
  readonly locate: (path: readonly PropertyKey[]) => Span;
}

/** Most nodes that are read of a configuration; real ones have a few hundred. */
const mostNodes = 20_000;

/**
 * Reads `.oomlint.yaml` or the `[tool.oomlint]` table of a `pyproject.toml`. A bad setting is reported at its place and
 * drops only itself.
 */
export function readConfig(path: string, text: string): ReadConfig {
  if (hasTooManyWords(text)) return { config: {}, problems: [tooLong(path)], locate: () => start };
  return path.endsWith('.toml') ? readToml(path, text) : readYaml(path, text);
}

const start: Span = { start: 0, end: 0 };

function tooLong(path: string): ConfigProblem {
  return { path, span: start, message: `the file has more than ${mostWords} words and is not read` };
}

/** YAML as plain data, with its faults and where each value stands. Bounded, whatever aliases it holds. */
export function readData(
  path: string,
  text: string,
): {
  readonly data: unknown;
  readonly problems: ConfigProblem[];
  readonly locate: (path: readonly PropertyKey[]) => Span;
} {
  if (hasTooManyWords(text)) return { data: {}, problems: [tooLong(path)], locate: () => start };
  const document = parseYaml(path, text, 'core')[0];
  const problems: ConfigProblem[] = (document?.problems ?? []).map(({ message, span }) => ({
    path,
    span,
    message,
  }));
  const budget = { left: mostNodes };
  const data = document?.root === undefined ? {} : plain(document.root, budget);
  return { data, problems, locate: (keys) => spanIn(document, keys) };
}

function readYaml(path: string, text: string): ReadConfig {
  const { data, problems, locate } = readData(path, text);
  return checked(path, data, locate, problems);
}

function plain(node: YamlNode, budget: { left: number }): unknown {
  if (budget.left-- <= 0) return null;
  if (node.kind === 'list') return node.items.map((item) => plain(item, budget));
  if (node.kind === 'map')
    return Object.fromEntries(node.entries.map(({ key, node: inner }) => [key, plain(inner, budget)]));
  return node.value.kind === 'known' ? node.value.data : null;
}

/** The key at a path when it can be found, else the nearest thing above it. */
function spanIn(document: YamlDocument | undefined, keys: readonly PropertyKey[]): Span {
  let node = document?.root;
  let best: Span = { start: 0, end: 0 };
  for (const key of keys) {
    const entry = node?.entries.find((item) => item.key === String(key));
    const next = entry?.node ?? (typeof key === 'number' ? node?.items[key] : undefined);
    if (next === undefined) break;
    best = next.kind === 'scalar' ? next.place.span : (entry?.keyPlace.span ?? next.place.span);
    node = next;
  }
  return best;
}

function readToml(path: string, text: string): ReadConfig {
  // TOML values carry no positions; the key's line below its table is near enough for a person.
  const locate = (keys: readonly PropertyKey[]): Span => {
    const header = text.search(/^\s*\[+\s*tool\s*\.\s*oomlint\b/m);
    const name = keys.map(String).findLast((key) => !/^\d+$/.test(key));
    const from = Math.max(0, header);
    const found = name === undefined ? from : text.indexOf(name, from);
    const start = found === -1 ? from : found;
    return { start, end: start + (found === -1 ? 0 : (name?.length ?? 0)) };
  };
  try {
    const tool = parseToml(text).tool;
    const table = typeof tool === 'object' && tool !== null && 'oomlint' in tool ? tool.oomlint : {};
    return checked(path, table, locate, []);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const lines = text.split('\n');
    const start =
      lines.slice(0, error.line - 1).reduce((sum, line) => sum + line.length + 1, 0) + error.column - 1;
    const message = error.message.split('\n')[0] ?? error.message;
    return { config: {}, problems: [{ path, span: { start, end: start + 1 }, message }], locate };
  }
}

/** Checks each setting on its own, so that a bad one drops only itself. Lists and maps lose only their bad elements. */
function checked(
  path: string,
  data: unknown,
  locate: (path: readonly PropertyKey[]) => Span,
  problems: ConfigProblem[],
): ReadConfig {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    if (data !== null)
      problems.push({ path, span: locate([]), message: 'the configuration must be a map of settings' });
    return { config: {}, problems, locate };
  }
  const sound: { [key: string]: unknown } = {};
  for (const [key, value] of Object.entries(data)) {
    if (!Object.hasOwn(configShape, key)) {
      problems.push({ path, span: locate([key]), message: `there is no setting called ${key}` });
      continue;
    }
    // A key whose lines are all comments: a template that was not filled in.
    if (value === null) continue;
    const kept = soundPart(key, value, path, locate, problems);
    if (kept !== undefined) sound[key] = kept;
  }
  const parsed = configSchema.safeParse(sound);
  return { config: parsed.success ? parsed.data : {}, problems, locate };
}

/** A setting without its bad elements, or undefined when nothing of it holds. */
function soundPart(
  key: string,
  value: unknown,
  path: string,
  locate: (path: readonly PropertyKey[]) => Span,
  problems: ConfigProblem[],
): unknown {
  const holds = (candidate: unknown): ReturnType<typeof configSchema.safeParse> =>
    configSchema.safeParse({ [key]: candidate });
  const report = (parsed: ReturnType<typeof configSchema.safeParse>, at: readonly PropertyKey[]): void => {
    for (const issue of parsed.error?.issues ?? []) {
      const where = [key, ...at, ...issue.path.slice(1 + at.length)];
      problems.push({
        path,
        span: locate(where),
        message: `${where.map(String).join('.')}: ${issue.message}`,
      });
    }
  };
  if (holds(value).success) return value;
  if (Array.isArray(value)) {
    const kept = value.filter((item, index) => {
      const parsed = holds([item]);
      if (parsed.success) return true;
      for (const issue of parsed.error.issues) {
        const where = [key, index, ...issue.path.slice(2)];
        problems.push({
          path,
          span: locate(where),
          message: `${where.map(String).join('.')}: ${issue.message}`,
        });
      }
      return false;
    });
    return holds(kept).success ? kept : undefined;
  }
  if (typeof value === 'object' && value !== null) {
    const kept = Object.fromEntries(
      Object.entries(value).filter(([name, item]) => {
        const parsed = holds({ [name]: item });
        if (!parsed.success) report(parsed, [name]);
        return parsed.success;
      }),
    );
    return holds(kept).success ? kept : undefined;
  }
  report(holds(value), []);
  return undefined;
}
