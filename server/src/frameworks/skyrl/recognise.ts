import data from '../../../../schemas/skyrl/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import { knownPrefix } from '../../value/word.ts';
import { moduleOf } from './programs.ts';

/** Prefixes of keys that only SkyRL has; verl, Lightning and others share `trainer.` and `data.`. */
const ownKeys = beginning(data.tellingKeys);
const keysOfOthers = beginning(data.keysOfOthers);

const ownModules = ending(data.modulePatterns);
const examples = ending(data.examplePatterns);
const helpful = ending(data.helpPatterns);

/** A module of SkyRL's first package that a launcher is told to run: its keys have other names. */
const firstPackage = /(?:^|=)skyrl_train\./;

/** A pattern for keys that begin with one of some whole names. */
function beginning(keys: readonly string[]): RegExp {
  return new RegExp(`^(?:${keys.map((key) => key.replaceAll('.', '\\.')).join('|')})\\b`);
}

/** A pattern for modules, in whatever folder, that match one of some patterns. */
function ending(patterns: readonly string[]): RegExp {
  return new RegExp(`(?:^|\\.)(?:${patterns.join('|')})$`);
}

/** Whether a text contains what `recogniseSkyrl` looks for: a package, a key, or the beginning of an example's name. */
export function namesSkyrl(text: string): boolean {
  return /skyrl|\btrainer\b|\bgenerator\b|\bmain_|entrypoint/.test(text);
}

/** Why a launch belongs to SkyRL, or undefined. */
export function recogniseSkyrl(launch: Launch): string | undefined {
  const module = moduleOf(launch.entry);
  if (module === undefined) return undefined;
  if (ownModules.test(module)) return `runs ${module}`;
  const keys = launch.args.map(knownPrefix);
  const overrides = keys.some((key) => /^[a-z_]+(?:\.\w+)*=/.test(key));
  if (overrides && examples.test(module)) return `runs ${module}, one of SkyRL's examples`;
  const names = keys.map((key) => key.replace(/^\++/, ''));
  const hydraLike = names.some((name) => keysOfOthers.test(name));
  const override = keys.find((key) => key.startsWith(`${data.programKey}=`));
  if (override !== undefined) return `passes ${override}`;
  const own = names.find((name) => ownKeys.test(name));
  if (own === undefined || hydraLike || keys.some((key) => firstPackage.test(key))) return undefined;
  return `${module} takes SkyRL's ${own.replace(/=.*/s, '')}`;
}

/** Whether a program reads all of its words as settings. */
export function hasNoHelp({ entry }: Launch): boolean {
  return !helpful.test(moduleOf(entry) ?? '');
}
