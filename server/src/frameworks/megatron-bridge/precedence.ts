import data from '../../../../schemas/megatron-bridge/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import { textOf } from '../../value/word.ts';
import type { Setting } from '../framework.ts';
import type { Override } from '../omegaconf/overrides.ts';
import { benchmarkName } from './benchmarks.ts';
import type { Program } from './recognise.ts';

/** What sets fields of the configuration, each in the order of the command line. */
export interface Given {
  /** Settings of a file, which come first. */
  readonly file: readonly Setting[];
  readonly flags: readonly Setting[];
  readonly overrides: readonly Override[];
  /** What the overrides give that delete nothing. */
  readonly ofOverrides: readonly Setting[];
  /** Whether flags are applied behind the overrides. */
  readonly flagsWin: boolean;
}

const unlessFlags: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(data.flagsBehindOverrides.unlessFlags),
);

/** Whether a launch applies flags behind the overrides: some of the benchmarks do, unless a flag hands them on to one that does not. */
export function letsFlagsWin(launch: Launch, program: Program): boolean {
  const unless = program === 'performance' ? unlessFlags.get(benchmarkName(launch)) : undefined;
  return unless !== undefined && !launch.args.some((word) => unless.includes(textOf(word) ?? ''));
}

/** The settings in force, by name: the later wins, and a deletion takes away what stands before it. */
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

/** Whether an override takes a key away (`~a.b`). */
export function isDeletion({ operation }: Override): boolean {
  return operation === 'delete';
}

/** Whether a key stands at the key of an override, or below it. */
export function covers({ key }: Override, name: string): boolean {
  return name === key || name.startsWith(`${key}.`);
}
