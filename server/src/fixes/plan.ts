import { basename } from '../bash/library/paths.ts';
import type { Run, Scope, Setting } from '../frameworks/framework.ts';
import { type ItemKey, itemKeyOf, withItemKey } from '../frameworks/itemKey.ts';
import type { Fix } from '../rules/finding.ts';
import type { PlannedChange } from '../rules/plannedChange.ts';
import { isYamlName } from '../text/fileNames.ts';
import { samePlace } from '../text/span.ts';
import { type Data, sameData } from '../value/value.ts';
import { textOf, type Word } from '../value/word.ts';
import { resolveScalar } from '../yaml/scalar.ts';
import { type CommandSetting, commandSetting, valueText } from './commandSetting.ts';
import { compute } from './compute.ts';
import { isThereWithLaunch } from './conditions.ts';
import type { OtherSettings } from './dependents.ts';
import { changeEnvironment } from './environment.ts';
import {
  insertBehindWord,
  insertBeside,
  removeFromCommand,
  renameInCommand,
  replaceInCommand,
  writtenFor,
} from './flags.ts';
import { neighboursOf } from './neighbours.ts';
import { quoteArray } from './quoteArray.ts';
import { argumentText, argumentTexts, overrideText } from './values.ts';
import { isSound } from './verify.ts';
import { type Texts, Work } from './work.ts';
import { removeFromYaml, renameInYaml, setInYaml } from './yamlEdits.ts';
import { pathOfKey, pathOfValue, type YamlSpot } from './yamlPaths.ts';

export type { Texts } from './work.ts';

/** Maximum number of settings that one fix removes: the text is parsed again after each, and nobody writes an option so often by hand. */
const mostRemoved = 50;

/**
 * Turns a change of settings into edits of the texts, each in the syntax of the place where the setting was written. New settings go beside
 * related ones. The edits never overlap and leave all other characters unchanged.
 * @returns undefined if a part of the change cannot be written with certainty, or if nothing would change
 */
export function planFix(change: PlannedChange, run: Run, scope: Scope, texts: Texts): Fix | undefined {
  const work = new Work(run, scope, texts);
  const renamed = new Set<string>();
  for (const [name, old] of change.renamed ?? [])
    if (renameOption(work, name, old)) renamed.add(name).add(old);
  // Of several insertions after the same setting, later ones end up before earlier ones.
  for (const [name, value] of [...change.set].reverse())
    if (!renamed.has(name) && !setOption(work, change, name, value)) return undefined;
  for (const [name, value] of change.env) if (!changeEnvironment(work, name, value)) return undefined;
  for (const name of change.unset)
    if (!renamed.has(name) && !unsetOption(work, change, name)) return undefined;
  if (!removeSettings(work, change.remove ?? [])) return undefined;
  if (change.compute !== undefined && !compute(work, change.compute)) return undefined;
  if (change.quote !== undefined && !quoteArray(work, change.quote)) return undefined;
  const changed = work.drafts().filter((draft) => draft.edits().length > 0);
  const edits = changed.flatMap((draft) => draft.edits());
  if (edits.length === 0) return undefined;
  if (changed.length > 1) work.noteElsewhere(`in ${changed.map(({ path }) => basename(path)).join(' and ')}`);
  if (!changed.every((draft) => isThereWithLaunch(draft, run) && isSound(draft, work))) return undefined;
  const notes = work.notes.length === 0 ? '' : ` (${work.notes.join(', ')})`;
  const safety = work.reachesElsewhere && change.safety === 'safe' ? 'suggested' : change.safety;
  return { title: `${change.title}${notes}`, safety, cost: change.cost, edits };
}

/**
 * The user's settings of an option, the effective one last. A setting that sets nothing, such as null, is ignored by rules, but it is written
 * in the text.
 */
function settingsOf(work: Work, name: string): readonly Setting[] {
  const spelled = work.scope.spelling(name);
  const setting =
    work.scope.lookup(name)?.setting ?? work.run.settings.filter(({ written }) => written === spelled).at(-1);
  if (setting === undefined) return [];
  const all = work.run.settings.filter((each) => each.name === setting.name);
  return all.includes(setting) ? [...all.filter((each) => each !== setting), setting] : [...all, setting];
}

/** Renames a setting and leaves its value as written; false if it is not written in exactly one place. */
function renameOption(work: Work, name: string, old: string): boolean {
  const [setting, ...others] = settingsOf(work, old);
  if (setting === undefined || others.length > 0 || settingsOf(work, name).length > 0) return false;
  const spelled = work.scope.spelling(name);
  const spot = yamlSpot(work, setting);
  if (spot !== undefined) return renameInYaml(work, spot, spelled);
  const given = commandSetting(setting);
  if (given === undefined) return false;
  const isFlag = setting.syntax.kind === 'flag';
  if (isFlag !== spelled.startsWith('-')) return false;
  const addition = work.scope.addition;
  const key = isFlag || addition === undefined ? spelled : addition(name);
  return key !== undefined && renameInCommand(work, given, key);
}

function unsetOption(work: Work, change: PlannedChange, name: string): boolean {
  const { scope } = work;
  if (scope.instead !== undefined)
    return settingsOf(work, name).length === 0 || setOption(work, change, name, scope.instead(name));
  return removeSettings(work, settingsOf(work, name));
}

function removeSettings(work: Work, settings: readonly Setting[]): boolean {
  return settings.length <= mostRemoved && settings.every((setting) => removeSetting(work, setting));
}

function removeSetting(work: Work, setting: Setting): boolean {
  if (setting.syntax.kind === 'environment') return changeEnvironment(work, setting.written, null);
  const spot = yamlSpot(work, setting);
  const isTwin = setting.syntax.kind === 'yaml' && setting.syntax.isTwin === true;
  if (spot !== undefined) return removeFromYaml(work, spot, isTwin);
  const given = commandSetting(setting);
  return given !== undefined && removeFromCommand(work, given);
}

/** Where a setting's key is in a YAML file now; undefined if it is not in one. */
function yamlSpot(work: Work, setting: Setting): YamlSpot | undefined {
  const { keyPlace, syntax } = setting;
  const draft = work.draft(keyPlace.path);
  const now = draft?.now(keyPlace.span);
  if (draft === undefined || now === undefined || !isYamlName(draft.path)) return undefined;
  const merged = work.run.settings.some(
    (other) => other.name !== setting.name && samePlace(other.keyPlace, keyPlace),
  );
  const path = merged && syntax.kind === 'yaml' ? syntax.path : pathOfKey(work, draft, now);
  // A section that overrides create has no key of its own.
  return path === undefined || path.length === 0 ? undefined : { draft, path, at: now.start };
}

function setOption(work: Work, change: PlannedChange, name: string, value: Data): boolean {
  const item = itemKeyOf(name);
  if (item !== undefined) return setInItem(work, change, item, value);
  const setting = settingsOf(work, name).at(-1);
  if (setting === undefined) {
    const isImplied = !onlyStates(work, change) && isInForce(work, change, name, value);
    return isImplied || (work.scope.isLater?.(name) !== true && insertOption(work, change, name, value));
  }
  if (setting.value.kind === 'known' && sameData(setting.value.data, value)) return true;
  if (setting.syntax.kind === 'environment') return setByEnvironment(work, setting, value);
  const spot = yamlSpot(work, setting);
  if (setting.syntax.kind === 'yaml' && setting.syntax.isKey === true)
    return spot !== undefined && renameInYaml(work, spot, String(value));
  if (spot !== undefined) return setInDocument(work, change, setting, spot, value);
  const given = commandSetting(setting);
  if (given === undefined) return false;
  const near = new Set((change.near ?? []).map((each) => work.scope.lookup(each)?.setting?.name));
  const others: OtherSettings = {
    changesAlike: (other) => changesAlike(work, change, other, value),
    isGround: (other) => other.name !== setting.name && near.has(other.name),
  };
  if (setting.syntax.kind === 'override')
    return given.prefix !== undefined && replaceInCommand(work, given, [overrideText(value)], others);
  if (value === null) return unsetOption(work, change, name);
  const bare = given.valueWords.length === 0 && given.prefix === undefined;
  if (bare) return typeof value === 'boolean' && unsetOption(work, change, name);
  const texts = argumentTexts(value, valueText(given));
  return texts !== undefined && texts.length > 0 && replaceInCommand(work, given, texts, others);
}

/** Whether a change only writes down what is in effect already. */
function onlyStates(work: Work, change: PlannedChange): boolean {
  const { set, unset, env, remove = [] } = change;
  if (unset.length + env.size + remove.length > 0) return false;
  const isStated = ([name, value]: readonly [string, Data]): boolean =>
    value !== null && settingsOf(work, name).length === 0 && isInForce(work, change, name, value);
  return set.size === 1 ? ![...set.values()].includes(null) : [...set].every(isStated);
}

/** Changes a key in an item of a list: where the item is written in YAML, otherwise by rewriting the whole list. */
function setInItem(work: Work, change: PlannedChange, item: ItemKey, value: Data): boolean {
  const setting = settingsOf(work, item.list).at(-1);
  if (setting === undefined) return false;
  const spot = yamlSpot(work, setting);
  if (spot !== undefined)
    return setInYaml(work, { ...spot, path: [...spot.path, item.index, ...item.keys] }, value);
  const list = setting.value.kind === 'known' ? withItemKey(setting.value.data, item, value) : undefined;
  return list !== undefined && setOption(work, change, item.list, list);
}

/** Whether an unwritten option already has the value, and keeps it after the rest of the change. Flags are not written for null. */
function isInForce({ scope }: Work, change: PlannedChange, name: string, value: Data): boolean {
  if (value === null && scope.spelling(name).startsWith('-')) return true;
  const others = new Map([...change.set].filter(([other]) => other !== name));
  const rest = others.size + change.unset.length > 0 ? scope.altered?.(others, change.unset) : undefined;
  for (const { lookup } of rest === undefined ? [scope] : [scope, rest]) {
    const effective = lookup(name)?.value;
    if (effective?.kind !== 'known' || !sameData(effective.data, value)) return false;
  }
  // Setting one key of a section may remove the section's own defaults from the others.
  const isDefault = scope.lookup(name)?.how === 'default';
  return !isDefault || ![...others.keys()].some((other) => isBeside(name, other));
}

/** Whether two names are keys of the same section. */
function isBeside(a: string, b: string): boolean {
  const section = a.slice(0, a.lastIndexOf('.') + 1);
  return section !== '' && section === b.slice(0, b.lastIndexOf('.') + 1);
}

function setByEnvironment(work: Work, setting: Setting, value: Data): boolean {
  if (value === null) return changeEnvironment(work, setting.written, null);
  const text = argumentText(value);
  return text !== undefined && changeEnvironment(work, setting.written, text);
}

/** Whether the change gives another setting the same value, so that both may come from one text. */
function changesAlike(work: Work, change: PlannedChange, other: Setting, value: Data): boolean {
  for (const [name, data] of change.set)
    if (sameData(data, value) && work.scope.lookup(name)?.setting?.name === other.name) return true;
  return false;
}

function setInDocument(
  work: Work,
  change: PlannedChange,
  setting: Setting,
  spot: YamlSpot,
  value: Data,
): boolean {
  if (setting.syntax.kind === 'flag') {
    const bare = setting.syntax.valueWords.length === 0;
    if (bare) return typeof value === 'boolean' && removeFromYaml(work, spot);
    const written = modelArgument(value);
    return written !== undefined && setInYaml(work, spot, written);
  }
  return setAtOrigin(work, change, setting, value) || setInYaml(work, spot, value);
}

/** Changes the text that an interpolation or an alias refers to, if that is the whole value and determines no other setting. */
function setAtOrigin(work: Work, change: PlannedChange, setting: Setting, value: Data): boolean {
  const { origin } = setting;
  if (origin === undefined || origin.via.length === 0 || !origin.verbatim || setting.value.kind !== 'known')
    return false;
  const { place } = origin;
  const text = work.written(place);
  const whole =
    text !== undefined &&
    (text === setting.value.data || sameData(resolveScalar(text, 'omegaconf'), setting.value.data));
  const shared = work.run.settings.some(
    (other) =>
      other.name !== setting.name &&
      other.origin !== undefined &&
      samePlace(other.origin.place, place) &&
      !changesAlike(work, change, other, value),
  );
  const draft = work.draft(place.path);
  const now = draft?.now(place.span);
  if (!whole || shared || draft === undefined || now === undefined || !isYamlName(draft.path)) return false;
  const path = pathOfValue(work, draft, now);
  if (path === undefined || !setInYaml(work, { draft, path, at: now.start }, value)) return false;
  work.note(`through ${path.join('.')} on ${work.line(place)}`);
  return true;
}

function insertOption(work: Work, change: PlannedChange, name: string, value: Data): boolean {
  const { scope } = work;
  const spelled = scope.spelling(name);
  const addition = scope.addition === undefined ? spelled : scope.addition(name);
  if (addition === undefined) return false;
  const words = spelled.startsWith('-')
    ? flagWords(work, name, spelled, value)
    : [`${addition}=${overrideText(value)}`];
  if (words === undefined) return false;
  if (words.length === 0) return true;
  const deletion = work.run.launch?.args.findLast((word) => takesAway(word, spelled));
  if (deletion !== undefined) return insertBehindWord(work, deletion, words);
  const source = copiedFrom(work, change, name, words);
  const like = spelled.startsWith('-') ? composedAlike(work, value) : undefined;
  for (const neighbour of neighboursOf(work, change, spelled)) {
    const spot = yamlSpot(work, neighbour);
    if (spot !== undefined) {
      if (like === undefined && insertInDocument(work, neighbour, spot, { spelled, words, value }))
        return true;
      continue;
    }
    const given = commandSetting(neighbour);
    if (given === undefined) continue;
    if (like !== undefined) {
      if (insertBeside(work, given, words, like)) return true;
      continue;
    }
    if (source !== undefined && insertBeside(work, given, words, source)) return true;
    const joined = given.prefix !== undefined && neighbour.syntax.kind === 'flag' && words.length === 2;
    if (insertBeside(work, given, joined ? [words.join('=')] : words)) return true;
  }
  if (like !== undefined) return false;
  const [document] = work.run.documents;
  if (document !== undefined && !spelled.startsWith('-')) {
    const draft = work.draft(document.path);
    const at = document.root === undefined ? undefined : draft?.now(document.root.place.span)?.start;
    const spot = draft === undefined ? undefined : { draft, path: spelled.split('.'), at: at ?? 0 };
    if (spot !== undefined && setInYaml(work, spot, value)) return true;
  }
  const entry = work.run.launch?.entry.word;
  return entry !== undefined && insertBehindWord(work, entry, words);
}

/** Whether an override deletes a key, or a section that contains it: anything written before the override would be deleted as well. */
function takesAway(word: Word, key: string): boolean {
  const [, gone] = /^~([^=]+)/.exec(textOf(word) ?? '') ?? [];
  return gone !== undefined && `${key}.`.startsWith(`${gone}.`);
}

/** The setting that an option copies its value from, if that is written with variables: the option should follow them too. */
function copiedFrom(
  work: Work,
  change: PlannedChange,
  name: string,
  words: readonly string[],
): CommandSetting | undefined {
  const source = change.copied?.get(name);
  const setting = source === undefined ? undefined : settingsOf(work, source).at(-1);
  const given = setting === undefined ? undefined : commandSetting(setting);
  if (given === undefined || words.length !== (given.prefix === undefined ? 2 : 1)) return undefined;
  return writtenFor(work, given, given)?.includes('$') === true ? given : undefined;
}

/**
 * The setting that a value is copied from, if its text is composed of variables: what they expand to here, such as a path on this machine, must
 * not be written down.
 */
function composedAlike(work: Work, value: Data): CommandSetting | undefined {
  if (typeof value !== 'string' || !value.startsWith('/')) return undefined;
  for (const setting of work.run.settings) {
    const given = setting.value.kind === 'known' && setting.value.data === value && commandSetting(setting);
    const pieces = given && given.valueWords.length === 1 ? (given.valueWords[0]?.pieces ?? []) : [];
    if (given && pieces.length > 1) return given;
  }
  return undefined;
}

/** The words that give a flag a value; empty if omitting the flag does. */
function flagWords(work: Work, name: string, spelled: string, value: Data): readonly string[] | undefined {
  const option = work.option(name);
  switch (option?.action) {
    case 'store_true':
      return value === true ? [spelled] : [];
    case 'store_false':
      return value === false ? [spelled] : [];
    case 'store_const':
      return sameData(option.constant ?? null, value) ? [spelled] : undefined;
    case 'boolean_optional': {
      const wanted = option.flags?.find((flag) => flag.startsWith('--no-') === (value === false));
      return typeof value === 'boolean' && wanted !== undefined ? [wanted] : undefined;
    }
    case 'count':
      return undefined;
    default:
  }
  if (option === undefined && typeof value === 'boolean') return value ? [spelled] : undefined;
  const texts = argumentTexts(value);
  return texts === undefined || texts.length === 0 ? undefined : [spelled, ...texts];
}

/** An option to add: its spelling, its value, and its words on a command line. */
interface Insertion {
  readonly spelled: string;
  readonly words: readonly string[];
  readonly value: Data;
}

function insertInDocument(
  work: Work,
  neighbour: Setting,
  spot: YamlSpot,
  { spelled, words, value }: Insertion,
): boolean {
  const beside = spot.path.filter((step) => typeof step === 'string');
  const [flag] = words;
  if (flag?.startsWith('-') === true) {
    // Whatever a flag without a value sets, it is written as switched on.
    const written = words.length === 1 ? true : modelArgument(value);
    return (
      written !== undefined &&
      setInYaml(work, { ...spot, path: [...spot.path.slice(0, -1), flag] }, written, beside)
    );
  }
  const own = neighbour.written.split('.');
  const above = spot.path.length - own.length;
  const matches = above >= 0 && own.every((part, index) => String(spot.path[above + index]) === part);
  const root = matches ? spot.path.slice(0, above) : [];
  return setInYaml(work, { ...spot, path: [...root, ...spelled.split('.')] }, value, beside);
}

/** A value as written in `model_config.yaml`: a list is a text in brackets. */
function modelArgument(value: Data): Data | undefined {
  if (value === null) return undefined;
  if (!Array.isArray(value)) return typeof value === 'object' ? undefined : value;
  const texts = argumentTexts(value);
  return texts === undefined ? undefined : `[${texts.join(' ')}]`;
}
