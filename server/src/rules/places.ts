import { isMap } from '../expression/result.ts';
import { allocatorVariables } from '../frameworks/allocator.ts';
import type { Effective, Run, Scope, Setting } from '../frameworks/framework.ts';
import { assumedFor } from '../launch/byDefault.ts';
import type { Assumption } from '../launch/command.ts';
import { beginning } from '../text/beginning.ts';
import type { Place } from '../text/span.ts';
import type { Value } from '../value/value.ts';
import { type Origin, type Piece, textOf, type Word } from '../value/word.ts';
import { isDoubtful, isEnvironmentOpen, wordsOf } from './launches/doubt.ts';

/** A place that a finding may point at, and what stands there. */
export interface CausePlace {
  readonly place: Place;
  readonly label: string;
  readonly setting: Setting | undefined;
  /** The places that the value came through, nearest to the launch first. */
  readonly via: readonly Place[];
}

/** What a finding rests on. */
export interface Causes {
  readonly places: readonly CausePlace[];
  /** Something that is not written: an option left at its default. More settings could change it. */
  readonly restsOnDefault: boolean;
  /** What a recipe that the run names sets. Another version may set something else. */
  readonly restsOnPreset: boolean;
  /** Something of what the run itself says, besides the name of a recipe. */
  readonly restsOnRun: boolean;
  /** An environment variable that the launch does not set. */
  readonly restsOnEnvironment: boolean;
  /** A value that text which cannot be read may have set anew, or a number of processes that nothing in the text says. */
  readonly restsOnDoubt: boolean;
  /** A number of processes that nothing in the text says. */
  readonly restsOnPresumedWorld: boolean;
  /** What nobody gave, where the default of `${X:-default}` is what the finding is about. */
  readonly assumed: readonly Assumption[];
}

/** The characters of a setting that a person would change: the value's first text, else the flag or key itself. */
function placeOfSetting(setting: Setting): Place {
  return setting.origin?.place ?? setting.valuePlace ?? setting.keyPlace;
}

function ofSetting(setting: Setting, scope: Scope): CausePlace {
  const place = placeOfSetting(setting);
  const via = [...(setting.origin?.via ?? [])];
  const used = setting.valuePlace ?? setting.keyPlace;
  const isUse = (other: Place): boolean => other.path === used.path && other.span.start === used.span.start;
  if (setting.origin !== undefined && ![place, ...via].some(isUse)) via.unshift(used);
  // A map stands for the keys below it, which have places of their own.
  const shown =
    setting.value.kind === 'known' && setting.valuePlace !== undefined && !isMap(setting.value.data)
      ? ` = ${brief(setting.value.data)}`
      : '';
  return { place, label: `${setting.written || scope.spelling(setting.name)}${shown}`, setting, via };
}

/** What a recipe is shown to set: where values of some are known, only those. */
function presetsShown(presets: readonly Preset[]): string {
  const known = presets.filter(({ value }) => value.kind === 'known');
  return (known.length > 0 ? known : presets).map(presetText).join(', ');
}

/** A setting or an environment variable as a recipe has it. */
interface Preset {
  readonly name: string;
  readonly value: Value;
}

function presetText({ name, value }: Preset): string {
  const data = value.kind === 'known' ? value.data : undefined;
  const variable = name.startsWith('env.') ? name.slice('env.'.length) : undefined;
  if (variable !== undefined) return data === null ? `no ${variable}` : `${variable}=${brief(data)}`;
  return data === undefined ? name : `${name} = ${brief(data)}`;
}

function brief(data: unknown): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return text.length > 40 ? `${beginning(text, 39)}…` : text;
}

/**
 * Where the named settings were written. Derived values lead on to the settings they come from.
 * @param names what to point at, the most wanted first
 */
export function causePlaces(names: readonly string[], scope: Scope, run: Run): Causes {
  const places: CausePlace[] = [];
  const seen = new Set<string>();
  let restsOnDefault = false;
  let restsOnEnvironment = false;
  let restsOnPresumedWorld = false;
  /** Words that decide the number of processes. */
  const words: Word[] = [];
  /** What recipes set, by the settings that name them. */
  const presets = new Map<string, Preset[]>();
  const add = (cause: CausePlace): void => {
    const key = `${cause.place.path}:${cause.place.span.start}:${cause.place.span.end}`;
    if (seen.has(key)) return;
    seen.add(key);
    places.push(cause);
  };
  const environment = (name: string): boolean => {
    const variable = run.env.get(name);
    if (variable === undefined) return false;
    const text = variable.word === undefined ? undefined : textOf(variable.word);
    add({
      place: variable.place,
      label: text === undefined ? name : `${name}=${brief(text)}`,
      setting: undefined,
      via: [],
    });
    return true;
  };
  const visited = new Set<string>();
  const visit = (name: string): void => {
    if (visited.has(name)) return;
    visited.add(name);
    if (name.startsWith('env.') && scope.lookup(name)?.how !== 'preset') {
      if (!environment(name.slice('env.'.length))) restsOnEnvironment = true;
      return;
    }
    if (name.startsWith('alloc_conf.')) {
      if (allocatorVariables.filter((variable) => environment(variable)).length === 0)
        restsOnEnvironment = true;
      return;
    }
    if (name === 'world_size') {
      if (run.launch?.isWorldPresumed === true && run.worldSize === run.launch.worldSize)
        restsOnPresumedWorld = true;
      for (const word of run.launch?.worldSizeWords ?? []) {
        words.push(word);
        add({ place: word.place, label: 'number of GPUs', setting: undefined, via: [] });
      }
      return;
    }
    const effective: Effective | undefined = scope.lookup(name);
    if (effective === undefined) return;
    if (effective.setting !== undefined) add(ofSetting(effective.setting, scope));
    else if (effective.how === 'preset') {
      for (const from of effective.from)
        presets.set(from, [
          ...(presets.get(from) ?? []),
          { name: scope.spelling(name), value: effective.value },
        ]);
    } else if (effective.how === 'default') restsOnDefault = true;
    if (effective.how === 'derived' || effective.how === 'forced')
      for (const from of effective.from) visit(from);
  };
  for (const name of names) visit(name);
  const restsOnRun = places.length > 0;
  for (const [from, set] of presets) {
    const setting = scope.lookup(from)?.setting;
    if (setting === undefined) continue;
    const cause = ofSetting(setting, scope);
    add({ ...cause, label: `${cause.label} sets ${presetsShown(set)}` });
  }
  return {
    places,
    restsOnDefault,
    restsOnPreset: presets.size > 0,
    restsOnRun,
    restsOnEnvironment,
    restsOnPresumedWorld,
    assumed: assumedIn(
      [...words, ...places.flatMap(({ setting }) => (setting ? wordsOf(setting) : []))],
      run,
    ),
    restsOnDoubt:
      restsOnPresumedWorld ||
      (restsOnEnvironment && isEnvironmentOpen(run)) ||
      places.some(({ place, setting }) => isDoubtful(place, setting, run)),
  };
}

/** What is taken for absent where some words of a run are written, each once. */
function assumedIn(words: readonly Word[], { launch }: Run): readonly Assumption[] {
  const assumptions = launch?.assumptions ?? [];
  if (assumptions.length === 0) return [];
  return [...new Set(words.flatMap((word) => assumedFor(word, assumptions)))];
}

/**
 * Whether the value of a setting comes through a variable of its own (`--tensor-model-parallel-size $TP`): to be changed from run to run, as
 * what is written in the launch is not.
 */
export function isThroughVariable({ syntax, origin }: Setting): boolean {
  if (origin === undefined || syntax.kind === 'yaml') return false;
  if (syntax.kind !== 'flag') return syntax.kind === 'override' && isPassedOn(syntax.word.pieces[0], origin);
  return isPassedOn(syntax.keyWord.pieces[0], origin);
}

function isPassedOn(key: Piece | undefined, { via }: Origin): boolean {
  return key !== undefined && via.length > key.origin.via.length;
}
