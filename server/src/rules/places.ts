import { isMap } from '../expression/result.ts';
import { allocatorVariables } from '../frameworks/allocator.ts';
import { decidedBy } from '../frameworks/decidedBy.ts';
import { programOfLaunch } from '../frameworks/facts.ts';
import type { Effective, Run, Scope, Setting } from '../frameworks/framework.ts';
import { itemKeyOf } from '../frameworks/itemKey.ts';
import { assumedFor } from '../launch/byDefault.ts';
import type { Assumption } from '../launch/command.ts';
import { beginning } from '../text/beginning.ts';
import { around, contains, type Place } from '../text/span.ts';
import { type Data, type Value, wordsOfData } from '../value/value.ts';
import { type Origin, type Piece, textOf, type Word, writtenAt } from '../value/word.ts';
import { isDoubtful, isEnvironmentOpen, wordsOf } from './launches/doubt.ts';

/** A place that a finding may point at, and what is there. */
export interface CausePlace {
  readonly place: Place;
  readonly label: string;
  readonly setting: Setting | undefined;
  /** The places that the value passed through, the one nearest to the launch first. */
  readonly via: readonly Place[];
}

/** What a finding rests on. */
export interface Causes {
  readonly places: readonly CausePlace[];
  /** Something that is not written: an option left at its default. Further settings could change it. */
  readonly restsOnDefault: boolean;
  /** Something set by a recipe that the run names. Another version may set something else. */
  readonly restsOnPreset: boolean;
  /** Something that the run itself states, apart from the name of a recipe. */
  readonly restsOnRun: boolean;
  /** An environment variable that the launch does not set. */
  readonly restsOnEnvironment: boolean;
  /** A value that unreadable text may have overwritten, or a number of processes that nothing in the text states. */
  readonly restsOnDoubt: boolean;
  /** A number of processes that nothing in the text states. */
  readonly restsOnPresumedWorld: boolean;
  /** A number in `#SBATCH` lines, which the command line of sbatch overrides. */
  readonly restsOnJobLines: boolean;
  /** Something that only releases before the known one make of what is written. */
  readonly restsOnEarlier: boolean;
  /** Variables assumed to be unset, if the finding is about the default of `${X:-default}`. */
  readonly assumed: readonly Assumption[];
}

/** The characters of a setting that a person would change: the value's first text, otherwise the flag or key itself. */
function placeOfSetting(setting: Setting): Place {
  return setting.origin?.place ?? setting.valuePlace ?? setting.keyPlace;
}

function ofSetting(setting: Setting, scope: Scope): CausePlace {
  const place = placeOfSetting(setting);
  const via = [...(setting.origin?.via ?? [])];
  const used = setting.valuePlace ?? setting.keyPlace;
  const isUse = (other: Place): boolean => other.path === used.path && other.span.start === used.span.start;
  if (setting.origin !== undefined && ![place, ...via].some(isUse)) via.unshift(used);
  // A map stands for the keys in it, which have places of their own.
  const shown =
    setting.value.kind === 'known' && setting.valuePlace !== undefined && !holdsMap(setting.value.data)
      ? ` = ${setting.syntax.kind === 'flag' ? shortened(wordsOfData(setting.value.data)) : brief(setting.value.data)}`
      : '';
  return { place, label: `${setting.written || scope.spelling(setting.name)}${shown}`, setting, via };
}

/** Whether data is a map or a list with maps: too much to show as a value. */
function holdsMap(data: Data): boolean {
  return isMap(data) || (Array.isArray(data) && data.some(isMap));
}

/**
 * The same cause at its whole setting, name and value: for findings about the option itself, whatever its value. It does not matter then where
 * the value comes from.
 */
export function atWholeSetting(cause: CausePlace): CausePlace {
  const { setting, via } = cause;
  if (setting === undefined) return cause;
  const { keyPlace, valuePlace } = setting;
  const place =
    valuePlace?.path === keyPlace.path
      ? { path: keyPlace.path, span: around(keyPlace.span, valuePlace.span) }
      : keyPlace;
  const isInside = (other: Place): boolean => other.path === place.path && contains(place.span, other.span);
  return { ...cause, place, via: via.filter((other) => !isInside(other)) };
}

/** What a recipe is shown to set: only the settings with known values, if there are any. */
function presetsShown(presets: readonly Preset[]): string {
  const known = presets.filter(({ value }) => value.kind === 'known');
  return (known.length > 0 ? known : presets).map(presetText).join(', ');
}

/** A setting or an environment variable as a recipe sets it. */
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
  return shortened(typeof data === 'string' ? data : JSON.stringify(data));
}

function shortened(text: string): string {
  return text.length > 40 ? `${beginning(text, 39)}…` : text;
}

/**
 * Where the named settings were written. Derived values lead to the settings they come from.
 * @param names what to point at, most important first
 */
export function causePlaces(names: readonly string[], scope: Scope, run: Run): Causes {
  const search = new CauseSearch(scope, run);
  for (const name of names) search.visit(name);
  return search.causes();
}

/** Follows settings to where they were written. */
class CauseSearch {
  readonly #scope: Scope;
  readonly #run: Run;
  readonly #places: CausePlace[] = [];
  readonly #seen = new Set<string>();
  readonly #visited = new Set<string>();
  /** Words that determine the number of processes. */
  readonly #words: Word[] = [];
  /** What recipes set, by the settings that name them. */
  readonly #presets = new Map<string, Preset[]>();
  #restsOnDefault = false;
  #restsOnEnvironment = false;
  #restsOnPresumedWorld = false;
  #restsOnEarlier = false;

  constructor(scope: Scope, run: Run) {
    this.#scope = scope;
    this.#run = run;
  }

  /** Adds where a setting was written, and what it comes from. */
  visit(name: string): void {
    if (this.#visited.has(name)) return;
    this.#visited.add(name);
    if (name.startsWith('env.') && this.#scope.lookup(name)?.how !== 'preset')
      this.#environment([name.slice('env.'.length)]);
    else if (name.startsWith('alloc_conf.')) this.#environment(allocatorVariables);
    else if (name === 'world_size') this.#worldSize();
    else if (name === programOfLaunch) this.#program();
    else if (itemKeyOf(name) !== undefined) this.#item(name);
    else this.#option(name);
  }

  /** What was found. */
  causes(): Causes {
    const run = this.#run;
    const restsOnRun = this.#places.length > 0;
    this.#addPresets();
    const written = this.#places.flatMap(({ setting }) => (setting ? wordsOf(setting) : []));
    return {
      places: this.#places,
      restsOnDefault: this.#restsOnDefault,
      restsOnPreset: this.#presets.size > 0,
      restsOnRun,
      restsOnEnvironment: this.#restsOnEnvironment,
      restsOnPresumedWorld: this.#restsOnPresumedWorld,
      restsOnJobLines: this.#words.some((word) => isOfUnseenJob(word, run)),
      restsOnEarlier: this.#restsOnEarlier,
      assumed: assumedIn([...this.#words, ...written], run),
      restsOnDoubt:
        this.#restsOnPresumedWorld ||
        (this.#restsOnEnvironment && isEnvironmentOpen(run)) ||
        this.#places.some(({ place, setting }) => isDoubtful(place, setting, run)),
    };
  }

  #add(cause: CausePlace): void {
    const key = `${cause.place.path}:${cause.place.span.start}:${cause.place.span.end}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#places.push(cause);
  }

  /** Variables, any of which may be set. */
  #environment(names: readonly string[]): void {
    const variables = names.flatMap((name) => {
      const variable = this.#run.env.get(name);
      return variable === undefined ? [] : [{ name, ...variable }];
    });
    if (variables.length === 0) this.#restsOnEnvironment = true;
    for (const { name, word, place } of variables) {
      const text = word === undefined ? undefined : textOf(word);
      const label = text === undefined ? name : `${name}=${brief(text)}`;
      this.#add({ place, label, setting: undefined, via: [] });
    }
  }

  #worldSize(): void {
    const { launch, worldSize } = this.#run;
    if (launch?.isWorldPresumed === true && worldSize === launch.worldSize) this.#restsOnPresumedWorld = true;
    for (const word of launch?.worldSizeWords ?? []) {
      this.#words.push(word);
      const label = isOfUnseenJob(word, this.#run)
        ? 'number of GPUs, unless sbatch gets another'
        : 'number of GPUs';
      this.#add({ place: word.place, label, setting: undefined, via: [] });
    }
    // If Ray starts the workers, options determine their number.
    const effective = this.#scope.lookup('world_size');
    if (effective?.how === 'derived') for (const each of decidedBy(effective).taken) this.visit(each);
  }

  #program(): void {
    const word = this.#run.launch?.entry.word;
    if (word !== undefined)
      this.#add({ place: writtenAt(word), label: 'the program', setting: undefined, via: [] });
  }

  /** A key in an item of a list, at the place where it is written: then the list itself is not the cause. */
  #item(name: string): void {
    const list = itemKeyOf(name)?.list ?? name;
    const setting = this.#scope.lookup(list)?.setting?.items?.get(name);
    if (setting === undefined) return;
    this.#visited.add(list);
    this.#add(ofSetting(setting, this.#scope));
  }

  #option(name: string): void {
    const effective: Effective | undefined = this.#scope.lookup(name);
    if (effective === undefined) return;
    const { setting, how, from, value } = effective;
    if (effective.isOfEarlier === true) this.#restsOnEarlier = true;
    if (setting !== undefined) this.#add(ofSetting(setting, this.#scope));
    else if (how === 'preset')
      for (const recipe of from) {
        const set = { name: this.#scope.spelling(name), value };
        this.#presets.set(recipe, [...(this.#presets.get(recipe) ?? []), set]);
      }
    else if (how === 'default') this.#restsOnDefault = true;
    if (how === 'derived' || how === 'forced')
      for (const each of decidedBy(effective).taken) this.visit(each);
  }

  /** The names of recipes come after everything that the run states itself. */
  #addPresets(): void {
    for (const [from, set] of this.#presets) {
      const setting = this.#scope.lookup(from)?.setting;
      if (setting === undefined) continue;
      const cause = ofSetting(setting, this.#scope);
      this.#add({ ...cause, label: `${cause.label} sets ${presetsShown(set)}` });
    }
  }
}

/** Whether a word is in a job's own `#SBATCH` lines and the text does not submit that job: whoever does may tell sbatch otherwise. */
function isOfUnseenJob({ place }: Word, { launch }: Run): boolean {
  const { directives = [], via = [] } = launch?.command ?? {};
  const isOwn = directives.some(
    (line) => line.place.path === place.path && contains(line.place.span, place.span),
  );
  return isOwn && !via.some(({ words }) => words.some((word) => textOf(word) === 'sbatch'));
}

/** What is assumed to be absent where some words of a run are written, each once. */
function assumedIn(words: readonly Word[], { launch }: Run): readonly Assumption[] {
  const assumptions = launch?.assumptions ?? [];
  if (assumptions.length === 0) return [];
  return [...new Set(words.flatMap((word) => assumedFor(word, assumptions)))];
}

/**
 * Whether the value of a setting comes through a variable of its own (`--tensor-model-parallel-size $TP`), which is meant to change from run to
 * run, unlike what is written in the launch.
 */
export function isThroughVariable({ syntax, origin }: Setting): boolean {
  if (origin === undefined || syntax.kind === 'yaml') return false;
  if (syntax.kind !== 'flag') return syntax.kind === 'override' && isPassedOn(syntax.word.pieces[0], origin);
  return isPassedOn(syntax.keyWord.pieces[0], origin);
}

function isPassedOn(key: Piece | undefined, { via }: Origin): boolean {
  return key !== undefined && via.length > key.origin.via.length;
}
