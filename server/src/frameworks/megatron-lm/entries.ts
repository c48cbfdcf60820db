import data from '../../../../schemas/megatron-lm/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import { remembering } from '../../value/remember.ts';
import { display, textOf } from '../../value/word.ts';
import type { OptionFact } from '../knowledge.ts';
import { changesMegatron, liesInOldTree, sourceOf } from './tree.ts';

/** The program that a launch runs, as far as its text shows. */
export interface EntryScript {
  /** As written, with labels in place of holes. */
  readonly shown: string;
  /** The last part of the path: `pretrain_gpt.py`. */
  readonly name: string;
  /** The absolute path in the workspace, if it can be determined. */
  readonly path: string | undefined;
}

const formerNames: ReadonlyMap<string, string> = new Map(Object.entries(data.formerNames));
const telling: ReadonlySet<string> = new Set(data.tellingFlags);
const hinting: ReadonlySet<string> = new Set([...data.tellingFlags, ...data.hintingFlags]);
const anyOf = (patterns: readonly string[]): RegExp => new RegExp(patterns.join('|'));
const otherScripts = anyOf(data.otherScriptPatterns);
const imports = anyOf(data.importPatterns);

/** The script or module that a launch starts; undefined for other programs. */
export function entryScript(launch: Launch): EntryScript | undefined {
  const { kind, word } = launch.entry;
  if (kind === 'program') return undefined;
  const shown = display(word);
  if (kind === 'module') {
    const path = `${shown.replaceAll('.', '/')}.py`;
    return { shown, name: path.slice(path.lastIndexOf('/') + 1), path: absolute(path, launch) };
  }
  const text = textOf(word);
  return {
    shown,
    name: shown.slice(shown.lastIndexOf('/') + 1),
    path: text === undefined ? undefined : absolute(text, launch),
  };
}

function absolute(path: string, launch: Launch): string | undefined {
  if (path.startsWith('/')) return path;
  const { cwd } = launch.command;
  return cwd === undefined ? undefined : `${cwd}/${path.replace(/^\.\//, '')}`;
}

/** The groups of entry scripts (joined by commas) that options belong to. */
export const scriptGroups: (options: readonly OptionFact[]) => ReadonlySet<string> = remembering(
  (options) => {
    const out = new Set<string>();
    for (const { parser } of options) if (parser !== undefined) out.add(parser);
    return out;
  },
);

/**
 * Upstream's path of the script that runs: identified by name for scripts at the top of the repository, and with the folder before it for
 * others. Undefined for a script that is not upstream's.
 */
export function upstreamEntryOf(entry: EntryScript, groups: ReadonlySet<string>): string | undefined {
  const entries = [...groups].flatMap((group) => group.split(','));
  const name = formerNames.get(entry.name) ?? entry.name;
  for (const known of [...data.scriptsWithoutOwnOptions, ...entries]) {
    const slash = known.lastIndexOf('/');
    if (slash === -1 ? name === known : entry.shown.endsWith(`/${known}`) || entry.shown === known)
      return known;
  }
  return undefined;
}

/** Whether an upstream script (as returned by `upstreamEntryOf`) trains with Megatron-LM's own `pretrain()`. */
export function isTrainer(upstream: string | undefined): boolean {
  return upstream !== undefined && data.trainers.includes(upstream.slice(upstream.lastIndexOf('/') + 1));
}

const trainerOrFlag = anyOf([
  ...data.trainers.map((name) => name.replace(/\.py$/, '')),
  ...data.tellingFlags.map((flag) => `${flag}(?![\\w-])`),
]);

/** Whether a text names one of Megatron-LM's trainers, or a flag typical of it. */
export function namesTraining(text: string): boolean {
  return trainerOrFlag.test(text);
}

/** Why a launch is one of Megatron-LM's, or undefined. */
export function recognise(launch: Launch, host: Host): string | undefined {
  const entry = programOf(launch);
  // Other launchers start Megatrons with their own options and rules; programs with rollouts start their own processes.
  if (entry === undefined || isOfRelative(launch) || isOfOthers(entry, launch, host)) return undefined;
  const through = launch.wrappers.length === 0 ? '' : ` through ${launch.wrappers.at(-1) ?? ''}`;
  const because = `runs ${entry.name}${through}`;
  const { hits, hints } = flagsOf(launch);
  if (data.trainers.includes(entry.name))
    return (hints > 0 || looksOpen(launch)) && !liesInOldTree(launch, entry, host) ? because : undefined;
  if (hits.length >= 2)
    return liesInOldTree(launch, entry, host) ||
      declaresItself(hits, sourceOf(entry, launch.place.path, host))
      ? undefined
      : `${because} with Megatron-LM's options`;
  const text = entry.path === undefined ? undefined : host.read(entry.path);
  if (hits.length > 0 && text !== undefined && imports.test(text))
    return `${because}, which imports Megatron-LM's arguments`;
  return undefined;
}

/** Whether a launch trains with a Megatron that has its own options: one from before 2024, or through DeepSpeed. */
export function startsRelative(launch: Launch, host: Host): boolean {
  const entry = programOf(launch);
  if (entry === undefined) return false;
  const { hits, hints } = flagsOf(launch);
  const trains = data.trainers.includes(entry.name)
    ? hints > 0 || looksOpen(launch)
    : hits.length >= 2 && !declaresItself(hits, sourceOf(entry, launch.place.path, host));
  return trains && (isOfRelative(launch) || liesInOldTree(launch, entry, host));
}

/** The Python program that is run; undefined for other programs, and for those that rewrite checkpoints or data. */
function programOf(launch: Launch): EntryScript | undefined {
  const entry = entryScript(launch);
  return entry?.name.endsWith('.py') === true && !otherScripts.test(entry.name) ? entry : undefined;
}

function isOfRelative(launch: Launch): boolean {
  const { wrappers, flagBeginnings } = data.relatives;
  return wrappers.some((name) => launch.wrappers.includes(name)) || hasFlagOf(launch, flagBeginnings);
}

/** Whether a program has rollouts, unless it patches Megatron-LM itself: then it is started like Megatron-LM. */
function isOfOthers(entry: EntryScript, launch: Launch, host: Host): boolean {
  return (
    hasFlagOf(launch, data.otherFlagBeginnings) && !changesMegatron(sourceOf(entry, launch.place.path, host))
  );
}

function hasFlagOf({ args }: Launch, beginnings: readonly string[]): boolean {
  return args.some((word) => {
    const text = textOf(word);
    return text !== undefined && beginnings.some((beginning) => text.startsWith(beginning));
  });
}

/** The flags of a launch that identify Megatron-LM (`hits`), and how many there are that at least hint at it (`hints`). */
function flagsOf({ args }: Launch): { readonly hits: readonly string[]; readonly hints: number } {
  const flags = args.flatMap((word) => {
    const flag = textOf(word)?.split('=', 1)[0];
    return flag?.startsWith('--') === true ? [flag] : [];
  });
  return {
    hits: flags.filter((flag) => telling.has(flag)),
    hints: flags.filter((flag) => hinting.has(flag)).length,
  };
}

/**
 * Whether a script declares the flags itself, which makes it a separate program with options of the same names. A script that imports Megatron
 * may mention them in other ways, but declares to a parser only what Megatron-LM's lacks.
 */
function declaresItself(flags: readonly string[], text: string | undefined): boolean {
  if (text === undefined) return false;
  const declaring = importsMegatron.test(text) ? String.raw`add_argument\(\s*` : '';
  return flags.every((flag) => new RegExp(`${declaring}(["'])${flag}\\1`).test(text));
}

const importsMegatron = /^[ \t]*(?:from|import)\b.*(?:megatron|mindspeed)/im;

/** Whether words are unknown, so that the identifying flags may be among them. */
function looksOpen(launch: Launch): boolean {
  return launch.open.length > 0 || launch.args.some((word) => textOf(word) === undefined);
}
