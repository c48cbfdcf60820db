import data from '../../../../schemas/areal/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import { holeOf, knownPrefix, sliceWord, textOf, type Word } from '../../value/word.ts';
import type { YamlDocument } from '../../yaml/document.ts';

/** How a launch starts AReaL: the script is the controller, or one of the older SPMD launchers starts it. */
type LaunchMode = 'controller' | 'local' | 'ray' | 'slurm';

/** A parsed launch of AReaL. */
export interface LaunchForm {
  readonly mode: LaunchMode;
  /** The module is of a version before v1.0 (`areal.launcher`). */
  readonly oldModule: boolean;
  /** The training script; undefined when its path is unknown. */
  readonly script: string | undefined;
  /** The file of `--config`; undefined if it is missing, for which upstream's parser rejects the launch. */
  readonly config: Word | undefined;
  /** A `--config` that is not followed by a value. */
  readonly bareFlag: Word | undefined;
  readonly overrides: readonly Word[];
}

const launcherModule = /^areal\.(infra\.)?launcher\.(local|ray|slurm)$/;

/** Reads `python3 train.py --config X.yaml key=value …` and `python3 -m areal.infra.launcher.local train.py --config …`. */
export function readLaunch(launch: Launch): LaunchForm | undefined {
  const entry = textOf(launch.entry.word);
  const module = launch.entry.kind === 'module' ? launcherModule.exec(entry ?? '') : null;
  if (launch.entry.kind === 'program') return undefined;
  const isModule = launch.entry.kind === 'module' && module === null;
  if (isModule && entry?.includes('.') !== true) return undefined;
  const mode = module?.[2];
  let args = launch.args;
  let script =
    launch.entry.kind === 'script' ? entry : isModule ? `${entry?.replaceAll('.', '/')}.py` : undefined;
  const [first] = args;
  if (!isModule && first !== undefined && knownPrefix(first).endsWith('.py') && holeOf(first) === undefined) {
    if (module !== null) script = textOf(first);
    args = args.slice(1);
  }
  return {
    mode: mode === 'local' || mode === 'ray' || mode === 'slurm' ? mode : 'controller',
    oldModule: module !== null && module[1] === undefined,
    script,
    ...splitArguments(args),
  };
}

/** `--config` and the abbreviations that argparse accepts for it, since no other option begins the same way. */
const configFlag = /^--c(?:o|on|onf|onfi|onfig)?$/;

/** Whether a shell text names the flag, or a launcher, for which upstream's parser reads the flag. */
export function namesConfigOrLauncher(text: string): boolean {
  return (
    /\bareal\.(?:infra\.)?launcher\b/.test(text) ||
    (text.match(/--c\w*/g) ?? []).some((flag) => configFlag.test(flag))
  );
}

/** `--config` as argparse finds it; all other words are overrides. */
function splitArguments(args: readonly Word[]): Pick<LaunchForm, 'config' | 'bareFlag' | 'overrides'> {
  let config: Word | undefined;
  let bareFlag: Word | undefined;
  const overrides: Word[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word === undefined) break;
    const prefix = knownPrefix(word);
    const equals = prefix.indexOf('=');
    if (configFlag.test(prefix) && holeOf(word) === undefined) {
      const next = args[at + 1];
      if (next === undefined || /^-./.test(knownPrefix(next))) bareFlag = word;
      else {
        config = next;
        at += 1;
      }
    } else if (equals > 0 && configFlag.test(prefix.slice(0, equals))) config = sliceWord(word, equals + 1);
    else overrides.push(word);
  }
  return { config, bareFlag, overrides };
}

/**
 * The form without the flags (and their values) that the controller's script reads itself before it passes the rest on. A script that cannot be
 * seen, or that passes on words other than its own, may read any flag; the arguments of a launcher go to upstream's parser.
 */
export function withoutOwnFlags(form: LaunchForm, source: string | undefined): LaunchForm {
  if (form.mode !== 'controller') return form;
  const readsAny = source === undefined || !handsOnArguments(source);
  let isOwn = false;
  const overrides = form.overrides.filter((word) => {
    const [, flag] = /^(--\w[\w-]*)(?:=|$)/.exec(knownPrefix(word)) ?? [];
    const isSetting = /^[-+~]|=/.test(knownPrefix(word));
    if (flag !== undefined) isOwn = readsAny || new RegExp(`(["'])${flag}=?\\1`).test(source);
    else if (isSetting) isOwn = false;
    return !isOwn;
  });
  return { ...form, overrides };
}

/** Whether the source of a script passes its arguments to upstream's parser unchanged. */
export function handsOnArguments(source: string): boolean {
  return (
    /\bload_expr_config\s*\(\s*(?:args|argv|sys\.argv\[1:\])\s*,/.test(source) &&
    !/\bargparse\b|["']--config["']/.test(source)
  );
}

/** Whether a launch has unknown words that may name its configuration. */
export function mayNameConfig({ open, args }: Launch): boolean {
  return open.length > 0 || args.some((word) => knownPrefix(word) === '' && holeOf(word) !== undefined);
}

/**
 * Whether a YAML text looks like an AReaL experiment: a top-level engine section (`model` in old versions), plus the two required names or most
 * of the sections that every experiment has. AReaL's predecessor used the same section names, with a model family (`_class: qwen2`) inside.
 */
export function looksLikeExperiment(text: string): boolean {
  if (/^\s+_class[ \t]*:/m.test(text)) return false;
  const keys = new Set<string>();
  for (const [, , key] of text.matchAll(/^(["']?)(\w+)\1[ \t]*:/gm)) if (key !== undefined) keys.add(key);
  const known = data.sections.filter((section) => keys.has(section)).length;
  const named = keys.has('experiment_name') && keys.has('trial_name');
  if (keys.has('actor') || keys.has('rollout')) return named || known >= 7;
  return keys.has('model') && known >= 7;
}

const ownOverride = new RegExp(`^\\+{0,2}(?:${data.ownOverrides.join('|')})`);

/** Whether the words of a launch whose script and configuration cannot be seen set things that only AReaL has: at least two kinds of them. */
export function overridesExperiment({ overrides }: LaunchForm): boolean {
  const kinds = overrides.map((word) => ownOverride.exec(knownPrefix(word))?.[0].replace(/[=:].*/s, ''));
  return new Set(kinds.filter((kind) => kind !== undefined)).size >= 2;
}

/** The text of a document that is a map, without the other documents of its file; if it is malformed, everything that may belong to it. */
export function ownText({ root, text, problems }: YamlDocument): string | undefined {
  if (root?.kind !== 'map') return undefined;
  const { start, end } = root.place.span;
  return problems.some(({ isSyntax }) => isSyntax) ? text : text.slice(start, end);
}
