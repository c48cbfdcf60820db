import data from '../../../../schemas/megatron-bridge/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import { textOf } from '../../value/word.ts';
import type { Setting } from '../framework.ts';
import type { Override } from '../omegaconf/overrides.ts';
import { benchmarkName } from './benchmarks.ts';
import type { Program } from './recognise.ts';

/** What sets fields of the configuration, each list in command-line order. */
export interface Given {
  /** Settings of a file, which are applied first. */
  readonly file: readonly Setting[];
  readonly flags: readonly Setting[];
  readonly overrides: readonly Override[];
  /** The settings of overrides that are not deletions. */
  readonly ofOverrides: readonly Setting[];
  /** Whether flags are applied after the overrides. */
  readonly flagsWin: boolean;
}

const unlessFlags: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(data.flagsBehindOverrides.unlessFlags),
);

/** Whether a launch applies flags after the overrides: some of the benchmarks do, unless a flag makes them delegate to one that does not. */
export function letsFlagsWin(launch: Launch, program: Program): boolean {
  const unless = program === 'performance' ? unlessFlags.get(benchmarkName(launch)) : undefined;
  return unless !== undefined && !launch.args.some((word) => unless.includes(textOf(word) ?? ''));
}

/** The settings in effect, by name: later ones win, and a deletion removes earlier ones. */
export function inOrder(given: Given): ReadonlyMap<string, Setting> {
  const { file, flags, overrides, ofOverrides, flagsWin } = given;
  const settings = new Map<string, Setting>();
  const give = (all: readonly Setting[]): void => {
    for (const setting of all) settings.set(setting.name, setting);
  };
  give(flagsWin ? file : [...file, ...flags]);
  for (const deletion of overrides.filter(isDeletion))
    for (const name of [...settings.keys()]) if (covers(deletion, name)) settings.delete(name);
  give(ofOverrides.filter((setting) => !isDeletedLater(setting, overrides)));
  if (flagsWin) give(flags);
  return settings;
}

function isDeletedLater({ name, syntax }: Setting, overrides: readonly Override[]): boolean {
  const at = overrides.findIndex(({ word }) => syntax.kind === 'override' && syntax.word === word);
  return overrides.slice(at + 1).some((later) => isDeletion(later) && covers(later, name));
}

/** Whether an override removes a key (`~a.b`). */
export function isDeletion({ operation }: Override): boolean {
  return operation === 'delete';
}

/** Whether a key is the key of an override, or below it. */
export function covers({ key }: Override, name: string): boolean {
  return name === key || name.startsWith(`${key}.`);
}
