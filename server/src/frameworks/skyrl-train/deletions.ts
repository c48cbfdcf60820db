import data from '../../../../schemas/skyrl-train/recognise.json';
import type { Data } from '../../value/value.ts';
import { alone } from '../argparse/stray.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { invalidOverride } from '../omegaconf/invalidOverride.ts';
import { type Override, settingOf } from '../omegaconf/overrides.ts';
import type { ProgramKind } from '../skyrl/programs.ts';

/**
 * The deletions (`~key`, `~key=value`) that Hydra rejects: the key must have a value, and the given one if one is given
 * (hydra/_internal/config_loader_impl.py).
 * @param overrides what else sets values; keys that one of them touches are not reported
 * @param options the options of the configuration, with its defaults
 * @param following options that take another one's value if they have none of their own
 */
export function refusedDeletions(
  deletions: readonly Override[],
  overrides: readonly Override[],
  options: ReadonlyMap<string, OptionFact>,
  following: ReadonlySet<string>,
): readonly BindingProblem[] {
  return deletions.flatMap((deletion) => {
    const others = [...overrides, ...deletions].filter((other) => other !== deletion);
    const isTouched = others.some(({ key }) => isWithin(key, deletion.key) || isWithin(deletion.key, key));
    const reason = isTouched || following.has(deletion.key) ? undefined : reasonOf(deletion, options);
    if (reason === undefined) return [];
    const { key, keyPlace: place, word } = deletion;
    const found = invalidOverride({ key, shown: `~${key}`, reason, place, severity: 'error' });
    return [{ ...found, removal: alone(word) }];
  });
}

/**
 * The deletions of keys that a program's checks always read. A key touched by another override is not reported.
 *
 * @param kind the kind of program, which determines what it checks
 */
export function neededKeys(
  deletions: readonly Override[],
  overrides: readonly Override[],
  kind: ProgramKind,
): readonly BindingProblem[] {
  const { every, training, evaluating } = data.readInEveryRun;
  const read = new Set([...every, ...(kind === 'generate' ? evaluating : training)]);
  return deletions.flatMap((deletion): readonly BindingProblem[] => {
    const { key, keyPlace: place, word } = deletion;
    const isTouched = overrides.some((other) => isWithin(other.key, key) || isWithin(key, other.key));
    if (deletion.hasValue || isTouched || !read.has(key)) return [];
    const values = { name: key, value: `~${key}` };
    const rule = 'needed-key-deleted';
    const found = { rule, place, values, setting: undefined, replacement: undefined, related: [] };
    return [{ ...found, severity: 'error', removal: alone(word) }];
  });
}

/**
 * The settings in effect when whole sections are deleted: what was set in a section is gone, and the section has no value, which shows where
 * one of its keys is read. A section that gets keys again from an override after the deletion stays as it is.
 */
export function withoutSections(
  settings: ReadonlyMap<string, Setting>,
  { deletions, overrides }: { deletions: readonly Override[]; overrides: readonly Override[] },
  options: ReadonlyMap<string, OptionFact>,
): ReadonlyMap<string, Setting> {
  const gone = deletions.filter(
    (deletion) =>
      !deletion.hasValue &&
      options.get(deletion.key)?.type === 'group' &&
      !overrides.some((other) => isWithin(other.key, deletion.key) && !isBefore(other, deletion)),
  );
  if (gone.length === 0) return settings;
  const left = [...settings].filter(([name]) => !gone.some(({ key }) => isWithin(name, key)));
  return new Map([...left, ...gone.map((one) => [one.key, settingOf(one, one.key)] as const)]);
}

/** Whether an override certainly precedes another one in the text. */
function isBefore({ word: { place } }: Override, { word: { place: other } }: Override): boolean {
  return place.path === other.path && place.span.end <= other.span.start;
}

/** Whether a key is a section, or is inside it. */
export function isWithin(key: string, section: string): boolean {
  return key === section || key.startsWith(`${section}.`);
}

function reasonOf(
  { key, path, value, hasValue }: Override,
  options: ReadonlyMap<string, OptionFact>,
): string | undefined {
  const option = options.get(key);
  if (option === undefined) {
    const above = path.map((_, at) => options.get(path.slice(0, at).join('.')));
    const mayHold = above.some(
      (one) => one !== undefined && (one.open === true || one.defaultUnknown === true),
    );
    return mayHold ? undefined : 'there is no such key to delete';
  }
  if (option.type === 'group' || option.open === true || option.defaultUnknown === true) return undefined;
  if (option.default === null) return 'the key to delete has no value';
  const isOther =
    hasValue &&
    value.kind === 'known' &&
    value.data !== null &&
    isScalar(value.data) &&
    isScalar(option.default) &&
    numbered(value.data) !== numbered(option.default);
  return isOther ? `the key to delete is ${String(option.default)} in the configuration` : undefined;
}

function isScalar(data: Data): boolean {
  return typeof data !== 'object';
}

/** Python's bools are numbers. */
function numbered(data: Data): Data {
  return typeof data === 'boolean' ? Number(data) : data;
}
