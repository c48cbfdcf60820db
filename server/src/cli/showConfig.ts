import type { Settings } from '../config/config.ts';
import { hasConfigName } from '../config/discover.ts';
import { machineFields } from '../config/machine.ts';
import { createProjectLinter } from '../config/project.ts';
import { ignoredByGit } from '../disk/gitignore.ts';
import { diskCommonRules, diskKnowledge } from '../disk/knowledge.ts';
import { isMap } from '../expression/result.ts';
import { kindOf } from '../recognise.ts';
import { clean } from '../report/clean.ts';
import { LineIndex } from '../text/lines.ts';
import type { Host } from '../value/host.ts';
import type { Data } from '../value/value.ts';
import { exitCodes } from './check.ts';
import { hostOf, namedFile, shortPath } from './inputs.ts';
import { type Output, paletteOf } from './output.ts';
import { configProblems } from './project.ts';

/** Prints the settings in effect for a file, and the line that each part came from. */
export function showConfig(
  options: {
    readonly file: string;
    readonly cwd: string;
    readonly knowledge: string;
    readonly format: 'text' | 'json';
  },
  output: Output,
): number {
  const { cwd } = options;
  const path = namedFile(cwd, options.file);
  const host = hostOf([], cwd, [options.file]);
  const linter = createProjectLinter({
    host,
    knowledgeOf: diskKnowledge(options.knowledge),
    commonRules: diskCommonRules(options.knowledge),
  });
  const settings = linter.settingsOf(path);
  const config = linter.configOf(path);
  const problems = configProblems(linter.problems(), host, cwd);
  for (const problem of problems) output.err(`oomlint: ${problem}\n`);
  const exit = problems.length > 0 ? exitCodes.unusable : exitCodes.clean;
  const files = [...new Set(settings.sources.map(({ path: at }) => at))];
  const lines = new Map(files.map((at) => [at, new LineIndex(host.read(at) ?? '')]));
  const lineOf = (at: string, offset: number): number => (lines.get(at)?.positionAt(offset).line ?? 0) + 1;
  const from = settings.sources.map(({ key, path: at, span }) => ({
    key,
    file: shortPath(cwd, at),
    line: lineOf(at, span.start),
  }));
  const file = shortPath(cwd, path);
  const named = config === undefined ? null : shortPath(cwd, config);
  const shown = inConfigurationTerms(settings, cwd);
  const unread = settings.excluded ? 'excluded' : whyUnread(path, host);
  if (options.format === 'json') {
    const data = { version: 1, file, config: named, unread: unread ?? null, settings: shown, from };
    output.out(`${JSON.stringify(data, null, 2)}\n`);
    return exit;
  }
  const { dim } = paletteOf(output);
  const sources = new Map(from.map(({ key, file: at, line }) => [key, `${at}:${line}`]));
  const left =
    unread === 'excluded'
      ? `; not linted (exclude at ${sources.get('exclude')})`
      : unread === undefined
        ? ''
        : `; ${unreadTexts[unread]}`;
  output.out(dim(`# ${clean(`${file}: ${named ?? 'no configuration file'}${left}`)}`).concat('\n'));
  const { excluded: _, ...rest } = shown;
  const rows = rowsOf(rest, '', '').map((row) => ({ ...row, text: clean(row.text) }));
  const width = Math.min(50, Math.max(...rows.map(({ text }) => text.length)));
  for (const { text, key } of rows) {
    const note = dim(`  # ${clean(sources.get(key ?? '') ?? 'default')}`);
    output.out(key === undefined ? `${text}\n` : `${text.padEnd(width)}${note}\n`);
  }
  return exit;
}

/** Why a run over a file's folder skips it, apart from the excludes of its configuration. */
const unreadTexts = {
  absent: 'there is no such file',
  'ignored-by-git': 'linted only if you name it, because Git ignores it',
  'no-script': 'not linted: neither its name nor a first line with #! makes it a shell script or YAML',
} as const;

function whyUnread(path: string, host: Host): keyof typeof unreadTexts | undefined {
  const text = host.read(path);
  if (text === undefined) return host.kind(path) === 'absent' ? 'absent' : undefined;
  if (kindOf(path, text) === 'other' && !hasConfigName(path)) return 'no-script';
  return ignoredByGit()(path) ? 'ignored-by-git' : undefined;
}

/** Settings with the names and values used in a configuration file. */
function inConfigurationTerms(settings: Settings, cwd: string): { readonly [key: string]: Data } {
  return {
    machine: machineFields(settings.machine),
    variables: settings.machine.variables,
    rules: Object.fromEntries(settings.rules),
    extra_options: settings.extraOptions,
    framework: settings.framework ?? null,
    constraints: [...settings.constraints].flatMap(([framework, own]) =>
      own.map(({ id }) => `${framework}/${id}`),
    ),
    unsuppressible: settings.unsuppressible,
    fail_on: settings.failOn ?? 'error',
    min_certainty: settings.minCertainty,
    baseline: settings.baseline === undefined ? null : shortPath(cwd, settings.baseline),
    excluded: settings.excluded,
  };
}

/** The YAML lines of a map, without empty maps, lists and values. */
function rowsOf(
  data: { readonly [key: string]: Data },
  above: string,
  indent: string,
): { readonly text: string; readonly key: string | undefined }[] {
  return Object.entries(data).flatMap(([name, value]) => {
    const key = `${above}${name}`;
    const head = `${indent}${inYaml(name)}:`;
    if (value === null || (Array.isArray(value) && value.length === 0)) return [];
    if (!isMap(value)) return [{ text: `${head} ${inYaml(value)}`, key }];
    const inner = rowsOf(value, `${key}.`, `${indent}  `);
    return inner.length === 0 ? [] : [{ text: head, key: undefined }, ...inner];
  });
}

/** Data on one line of YAML; words that YAML can only read as strings are not quoted. */
function inYaml(data: Data): string {
  if (typeof data !== 'string') return JSON.stringify(data);
  const word = /^[a-z_][\w/.-]*$/i.test(data) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(data);
  return word ? data : JSON.stringify(data);
}
