import data from '../../../../schemas/slime/recognise.json';
import type { CompiledConstraint } from '../../expression/compiled.ts';
import type { Launch } from '../../launch/launch.ts';
import { literally } from '../../text/literal.ts';
import type { Host } from '../../value/host.ts';
import { remembering } from '../../value/remember.ts';
import { display, textOf } from '../../value/word.ts';
import { folderAbove } from '../above.ts';
import type { BindingContext, BindingProblem, Run, Scope, Setting } from '../framework.ts';
import { importPaths } from '../importPaths.ts';
import type { Knowledge } from '../knowledge.ts';
import { packageFiles } from '../packageFiles.ts';
import { differsFrom } from './ownDeclaration.ts';

/** A renamed descendant package of slime in the workspace. */
export interface RenamedFork {
  readonly name: string;
  /** The folder that contains the package. */
  readonly folder: string;
}

/** Packages that have their own knowledge. */
const known: ReadonlySet<string> = new Set(['slime', 'relax']);

/** Where slime and its descendants declare their options, within the package. */
const declaring = data.declaration.replace(/^\w+\//, '');

/**
 * The fork whose program a launch runs: the script reads the arguments of a workspace package that declares most of the flags that identify
 * slime.
 */
export function renamedFork(launch: Launch, host: Host): RenamedFork | undefined {
  for (const text of scriptTexts(launch, host)) {
    const name = /^[ \t]*from\s+(\w+)\.utils\.arguments\s+import\b/m.exec(text)?.[1];
    if (name === undefined || known.has(name)) continue;
    const folder = folderAbove(importPaths(launch), `${name}/${declaring}`, host);
    const declared = folder === undefined ? undefined : host.read(`${folder}/${name}/${declaring}`);
    if (folder !== undefined && declared !== undefined && isDescendant(declared)) return { name, folder };
  }
  return undefined;
}

/** The inference engine, as sources name it; a fork may have another one, which has other limits. */
const engine = data.engineFlags.replace(/\W/g, '');

function isDescendant(arguments_: string): boolean {
  const declared = data.tellingFlags.filter((flag) => arguments_.includes(`"${flag}"`));
  return declared.length >= data.flagsOfDescendant;
}

/**
 * The source of the script that runs: at its path and, for a path on another machine, by its name in a folder above the text that starts it.
 */
function scriptTexts(launch: Launch, host: Host): readonly string[] {
  const { entry, command, place } = launch;
  if (entry.kind !== 'script') return [];
  const written = textOf(entry.word)?.replace(/^\.\//, '');
  const name = display(entry.word).split('/').at(-1) ?? '';
  if (!/^\w+\.py$/.test(name)) return [];
  const { cwd } = command;
  const absolute = written?.startsWith('/') === true || cwd === undefined ? written : `${cwd}/${written}`;
  const above = folderAbove([place.path], name, host);
  return [absolute, above === undefined ? undefined : `${above}/${name}`].flatMap((path) =>
    path?.startsWith('/') === true ? (host.read(path) ?? []) : [],
  );
}

/** Why a launch of a fork is treated as slime's. */
export function forkReason({ name }: RenamedFork): string {
  return `${name} descends from slime: ${name}/${declaring} declares its options`;
}

/** A view of the workspace as if the fork had kept slime's name: what is known of slime's sources is looked up in the fork's. */
export function underUpstreamName(host: Host, { name, folder }: RenamedFork): Host {
  const there = (path: string): string =>
    path.startsWith(`${folder}/slime/`) ? `${folder}/${name}/${path.slice(`${folder}/slime/`.length)}` : path;
  return {
    read: (path) => host.read(there(path)),
    kind: (path) => host.kind(there(path)),
    list: (path) => host.list(there(path)),
    rootOf: (path) => host.rootOf(path),
  };
}

/**
 * The run of a fork: without slime's rules whose cause is not found in the fork's sources or that concern an engine it does not have or its
 * options, and without problems about flags that it may have, or have in another form; with the problems of slime's flags that it lacks.
 *
 * @param context with the workspace under upstream's name
 */
export function ofFork(run: Run, fork: RenamedFork, context: BindingContext): Run {
  const { host, knowledge } = context;
  const { name, folder } = fork;
  const given = new Set(run.settings.map((setting) => setting.name));
  const sources = { folder, host, given, isOption: (option: string) => optionNames(knowledge).has(option) };
  const declared = host.read(`${folder}/slime/${declaring}`) ?? '';
  const lacksEngine = !declared.includes(engine);
  const scopes = run.scopes.map((scope): Scope => {
    if (scope.set !== 'slime') return scope;
    const { isReplaced } = scope;
    return {
      ...scope,
      isReplaced: (constraint) =>
        isReplaced?.(constraint) === true ||
        !isFound(constraint, sources) ||
        (lacksEngine && constraint.message.toLowerCase().includes(engine)),
    };
  });
  const problems = run.problems.flatMap((problem) => {
    const { name: flag = '' } = problem.values;
    if (problem.rule === 'removed-option') return [];
    if (problem.rule === 'unknown-option') return misspelt(problem, `${folder}/${name}`, host);
    return differsFrom(knowledge, declared, flag) ? [] : [problem];
  });
  const lacking = lackedBy(fork, declared, run.settings, context);
  return { ...run, scopes, problems: [...problems, ...lacking] };
}

/** Flags of slime's own that no file of the fork names; for flags added by a Megatron-LM patch, the fork's patch decides. */
function lackedBy(
  { name, folder }: RenamedFork,
  declared: string,
  settings: readonly Setting[],
  { host, knowledge, knowledgeOf }: BindingContext,
): readonly BindingProblem[] {
  const megatron = knowledgeOf('megatron-lm');
  const isIn = (file: string, flag: string): boolean => naming(flag).test(host.read(file) ?? '');
  const missing = settings.filter(({ written, syntax }) => {
    const file = syntax.kind === 'flag' ? ownFlags(knowledge).get(written) : undefined;
    if (file === undefined || megatronFlags(megatron).has(written)) return false;
    if (declared.includes(`"${written}"`)) return false;
    const patch = file.endsWith('.patch') ? `${folder}/${file}` : undefined;
    return patch === undefined || (host.kind(patch) === 'file' && !isIn(patch, written));
  });
  if (missing.length === 0) return [];
  const files = packageFiles(`${folder}/${name}`, host);
  return missing.flatMap((setting): BindingProblem[] => {
    if (files.some((file) => isIn(file, setting.written))) return [];
    return [
      {
        rule: 'unknown-option',
        place: setting.keyPlace,
        values: { name: setting.written, hint: ` slime has it, and ${name} does not.` },
        setting,
        removal: setting,
        replacement: undefined,
        severity: 'warning',
        related: [],
      },
    ];
  });
}

/** Slime's own flags, and the file that declares each. */
const ownFlags = remembering(
  ({ options }: Knowledge): ReadonlyMap<string, string> =>
    new Map(
      options
        .filter(({ parser, removed }) => parser === 'megatron' && removed === undefined)
        .flatMap(({ flags = [], source }) =>
          flags
            .filter((flag) => !flag.startsWith('--no-'))
            .map((flag) => [flag, source.replace(/:\d+$/, '')] as const),
        ),
    ),
);

const megatronFlags = remembering(
  ({ options }: Knowledge): ReadonlySet<string> => new Set(options.flatMap(({ flags = [] }) => flags)),
);

/** A pattern for mentions of a flag in a source: in quotes, or as a variable name. */
function naming(flag: string): RegExp {
  const key = flag.replace(/^-+/, '').replace(/\W/g, '_');
  return new RegExp(`["']${literally(flag)}["']|\\b${key}\\b`);
}

const optionNames = remembering(({ options }: Knowledge) => new Set(options.map(({ name }) => name)));

/** The problem of a flag that resembles a known one, if no file of the fork names it; whether it is rejected or ignored depends on the fork. */
function misspelt(problem: BindingProblem, folder: string, host: Host): readonly BindingProblem[] {
  const { replacement, isExample, values } = problem;
  const { name = '' } = values;
  if (replacement === undefined || isExample === true || replacement.startsWith(name)) return [];
  const names = naming(name);
  if (packageFiles(folder, host).some((file) => names.test(host.read(file) ?? ''))) return [];
  return [{ ...problem, values: { ...values, hint: ` Did you mean ${replacement}?` } }];
}

interface SourcesOfFork {
  readonly folder: string;
  readonly host: Host;
  /** Names of the options that the run gives. */
  readonly given: ReadonlySet<string>;
  readonly isOption: (name: string) => boolean;
}

/**
 * Whether a file of the fork that corresponds to one of the rule's files reads the options at which the rule is reported and, if upstream
 * asserts or raises, has such a line near them; and whether one has the text that tells the check.
 */
function isFound(
  { upstream, at, upstreamHas }: CompiledConstraint,
  { folder, host, given, isOption }: SourcesOfFork,
): boolean {
  const places = upstream.join('\n');
  const files = [...new Set(places.match(/\b(?:slime\/[\w./-]+|train(?:_async)?)\.py\b/g))];
  if (files.length === 0) return true;
  const sourceOf = (file: string): string => host.read(`${folder}/${file}`) ?? '';
  if (upstreamHas !== undefined && !files.some((file) => sourceOf(file).includes(upstreamHas))) return false;
  const options = at.filter(isOption);
  const asked = options.filter((name) => given.has(name));
  const names = asked.length === 0 ? options.slice(0, 1) : asked;
  const isRefused = /\b(?:asserts|raises)\b/.test(places);
  return files.some((file) => {
    const lines = sourceOf(file).split('\n');
    return names.every((name) => {
      const reads = new RegExp(`(?:\\.|["'])${name}\\b`);
      return lines.some((line, index) => reads.test(line) && (!isRefused || refusesNear(lines, index)));
    });
  });
}

function refusesNear(lines: readonly string[], index: number): boolean {
  return lines
    .slice(Math.max(0, index - reach), index + reach + 1)
    .some((line) => /^\s*(?:assert|raise)\b/.test(line));
}

/** How many lines a check may extend before and after an option in it. */
const reach = 8;
