import data from '../../../../schemas/megatron-bridge/recognise.json';
import type { Place } from '../../text/span.ts';
import { known } from '../../value/value.ts';
import { holeOf, knownPrefix, sliceWord, textOf, type Word } from '../../value/word.ts';
import { classifyWord, type FlagIndex, type WordKind } from '../argparse/classify.ts';
import { alone } from '../argparse/stray.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { rejoin } from '../omegaconf/apart.ts';
import { parseHydraValue } from '../omegaconf/hydraValue.ts';
import { invalidOverride } from '../omegaconf/invalidOverride.ts';
import {
  type Override,
  type OverrideProblem,
  parseOverride,
  settingOf,
  writtenValue,
} from '../omegaconf/overrides.ts';
import { flagPlace, placeBeside, placeWithin } from '../places.ts';
import { problem } from '../problem.ts';
import { nothingInstead } from './deletions.ts';
import { type FlagUse, flagProblems, flagValue, isArgument, isSwitch, takesMany } from './flagValues.ts';
import { ofModel } from './nestedModel.ts';
import { ambiguous, asksForHelp, flagsOf, refusesUnknownFlags, unknownFlag } from './programFlags.ts';
import { type Program, runsRecipes } from './recognise.ts';

/** The words behind one of Bridge's programs, taken apart. */
export interface ReadArguments {
  /** Settings by flags (`-tp 2`), in order; overrides win over them. */
  readonly flags: readonly Setting[];
  readonly overrides: readonly Override[];
  /** The file of `--config-file`. */
  readonly configFile: Word | undefined;
  readonly problems: readonly BindingProblem[];
  /** Words that are unknown may hold further settings. */
  readonly open: boolean;
}

const configFlags: readonly string[] = data.configFileFlags;

/** Reads flags and Hydra overrides. `program` says whose flags are known; those of a script of one's own are not. */
export function readArguments(
  args: readonly Word[],
  options: ReadonlyMap<string, OptionFact>,
  program: Program,
): ReadArguments {
  const index = flagsOf(options)(program);
  const flags: Setting[] = [];
  const overrides: Override[] = [];
  const rejoined = rejoin(args, (text) => options.has(text), 'error');
  const { words } = rejoined;
  const problems: BindingProblem[] = [...rejoined.problems];
  let configFile: Word | undefined;
  let open = false;
  /** A word that may be a flag stands before, so that words up to the next flag may be its values. */
  let behindHole = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) continue;
    const prefix = knownPrefix(word);
    if (prefix === '' && holeOf(word) !== undefined) {
      open = true;
      behindHole = true;
      continue;
    }
    // argparse hands it on, and the runner takes it for a flag (scripts/training/run_recipe.py:267).
    if (program === 'run_recipe' && textOf(word) === '--') {
      const place = placeWithin(word, 0, undefined);
      problems.push({
        ...problem('unknown-option', place, { name: '--', hint: '' }, 'error'),
        removal: alone(word),
      });
      continue;
    }
    if (!/^--?[A-Za-z]/.test(prefix)) {
      const split = splitList(words, at);
      if (split !== undefined) {
        problems.push(split.problem);
        at = split.last;
        continue;
      }
      const read = parseOverride(word, 'hydra');
      if (read.kind === 'override' && !read.hasValue && runsRecipes(program)) {
        problems.push(bareDeletion(read, options));
        continue;
      }
      const meant = read.kind === 'override' ? read : read.override;
      if (meant !== undefined) overrides.push(ofModel(meant, options));
      if (read.kind === 'override') continue;
      if (holeOf(word) !== undefined) open = true;
      else if (!behindHole && isRefused(read, program, options) && !isTold(word, problems))
        problems.push(refusedOverride(read, options));
      continue;
    }
    behindHole = false;
    const read = readFlag(words, at, word, index, program);
    const { kind, written, use, values } = read;
    if (kind?.kind === 'hole') open = true;
    else if (kind?.kind === 'ambiguous') problems.push(ambiguous(word, kind));
    else if (kind?.kind === 'unknown' && refusesUnknownFlags(program) && holeOf(word) === undefined)
      problems.push(unknownFlag(word, written, program, options));
    if (use !== undefined) problems.push(...flagProblems(use));
    if (use !== undefined && asksForHelp(use.option)) open = true;
    at += read.taken;
    if (use !== undefined && isSwitch(use.option) && kind?.kind === 'option' && kind.explicit === undefined) {
      flags.push({ ...flagSetting(use), value: known(true), valuePlace: undefined });
      continue;
    }
    if (values.length === 0) continue;
    if (configFlags.includes(use?.flag ?? written)) configFile = values[0];
    if (use !== undefined) flags.push(flagSetting(use));
  }
  return { flags, overrides, configFile, problems, open };
}

/** A word that begins like a flag, with the words behind it that belong to it. */
interface ReadFlag {
  /** What argparse takes the word for; undefined where the flags of the program are not known. */
  readonly kind: WordKind | undefined;
  /** The flag as it is written. */
  readonly written: string;
  /** The flag of the program's that it is. */
  readonly use: FlagUse | undefined;
  readonly values: readonly Word[];
  /** How many words behind the flag belong to it. */
  readonly taken: number;
}

function readFlag(
  words: readonly Word[],
  at: number,
  word: Word,
  index: FlagIndex | undefined,
  program: Program,
): ReadFlag {
  const kind = index === undefined ? undefined : classifyWord(word, index);
  const prefix = knownPrefix(word);
  const equals = prefix.indexOf('=');
  const next = words[at + 1];
  if (kind?.kind !== 'option') {
    const written = equals === -1 ? prefix : prefix.slice(0, equals);
    const behind = equals === -1 && isValue(next) && next !== undefined ? [next] : [];
    const values = equals === -1 ? behind : [sliceWord(word, equals + 1)];
    return { kind, written, use: undefined, values, taken: behind.length };
  }
  const { option, flag, abbreviation, explicit } = kind;
  const written = abbreviation ?? flag;
  const joinedAt =
    explicit === undefined ? undefined : prefix[written.length] === '=' ? written.length + 1 : written.length;
  const behind =
    explicit !== undefined || isSwitch(option) ? [] : valuesBehind(words, at, takesMany(option), index);
  const values = explicit === undefined ? behind : [explicit];
  const use = { option, flag, written, word, values, joinedAt, next, program };
  return { kind, written, use, values, taken: behind.length };
}

/** The words that argparse takes for the value of a flag before them. */
function valuesBehind(
  words: readonly Word[],
  at: number,
  isMany: boolean,
  index: FlagIndex | undefined,
): readonly Word[] {
  const behind = words.slice(at + 1, isMany ? undefined : at + 2);
  const end = behind.findIndex((word) => !isArgument(word, index));
  return end === -1 ? behind : behind.slice(0, end);
}

/** Whether it is told already that a word is no value of the flag before it, as argparse takes `-1e-4` for an option. */
function isTold(word: Word, problems: readonly BindingProblem[]): boolean {
  return knownPrefix(word).startsWith('-') && problems.at(-1)?.rule === 'missing-value';
}

/** Whether the word behind a flag is its value: no flag, and no override (which always has an equals sign behind a dotted key). */
function isValue(word: Word | undefined): boolean {
  if (word === undefined) return false;
  const prefix = knownPrefix(word);
  if (/^--?[A-Za-z]/.test(prefix)) return false;
  return !/^[+~]*[A-Za-z_]\w*(?:\.\w+)+=/.test(prefix);
}

function flagSetting(use: FlagUse): Setting {
  const { option, written, word, values, joinedAt } = use;
  const [first] = values;
  const behind = first === undefined ? undefined : placeBeside(first, word);
  return {
    name: option.name,
    written,
    value: flagValue(use),
    keyPlace: flagPlace(word, written),
    valuePlace: joinedAt === undefined ? behind : placeWithin(word, joinedAt, undefined),
    origin: first?.pieces[0]?.origin,
    syntax: {
      kind: 'flag',
      keyWord: word,
      valueWords: joinedAt === undefined ? values : [],
      joined: joinedAt !== undefined,
    },
  };
}

/** Whether a word that is no override is refused; a script of one's own may read words in its own way. */
function isRefused(
  { reason, key, word }: OverrideProblem,
  program: Program,
  options: ReadonlyMap<string, OptionFact>,
): boolean {
  if (reason === 'bad-value' || (reason === 'bad-key' && options.has(key.trim()))) return true;
  return (
    (refusesUnknownFlags(program) && (reason === 'no-value' || textOf(word)?.includes('=') === false)) ||
    (reason === 'sweep' && (program !== 'own' || options.has(key)))
  );
}

function refusedOverride(read: OverrideProblem, options: ReadonlyMap<string, OptionFact>): BindingProblem {
  const { word, reason, detail, key, override } = read;
  const text = textOf(word) ?? '';
  const several = 'several values are a sweep, which Bridge refuses';
  const equals = text.indexOf('=');
  const isBlank = /\s/.test(text.slice(0, Math.max(equals, 0)));
  const ofKey = equals === -1 ? 'no “=”' : isBlank ? 'a blank stands before “=”' : detail;
  const because = reason === 'bad-key' ? ofKey : detail;
  const found = invalidOverride({
    key,
    shown: text,
    reason: reason === 'sweep' ? several : because,
    place: placeWithin(word, 0, undefined),
    severity: 'error',
    setting: override === undefined ? undefined : settingOf(override, key),
  });
  return { ...found, meant: meantBy(read, options.get(key)) };
}

/** A deletion without a value, which the recipe runner takes for no override (scripts/training/run_recipe.py:270). */
function bareDeletion(deletion: Override, options: ReadonlyMap<string, OptionFact>): BindingProblem {
  const { key, word } = deletion;
  const found = invalidOverride({
    key: `~${key}`,
    reason: 'no “=”, which the recipe runner asks for in every override',
    place: placeWithin(word, 0, undefined),
    severity: 'error',
    replacement: nothingInstead(deletion, options.get(key)),
  });
  return { ...found, removal: alone(word) };
}

/** The value that a text with commas was meant to be: a list, a text, or what stands before a comma at the end. */
function meantBy(
  { override, reason }: OverrideProblem,
  option: OptionFact | undefined,
): BindingProblem['meant'] {
  const text = override === undefined ? undefined : writtenValue(override);
  if (text === undefined || option === undefined) return undefined;
  const parts = text.split(',').map((part) => part.trim());
  const isPlain = /^[\w ./:=%@+-]*$/.test(text.replaceAll(',', ''));
  if (!isPlain || parts[0] === '') return undefined;
  if (reason === 'bad-value' && text.trimEnd().endsWith(',') && parts.length === 2)
    return meaning(parts[0] ?? '', option.type);
  if (reason !== 'sweep') return undefined;
  if (option.type === 'str') return { value: text, title: `Quote “${text}” as one text` };
  const takesList = option.type === 'list' || (option.type === 'any' && Array.isArray(option.default));
  if (!takesList || (option.items !== undefined && option.items !== 'str')) return undefined;
  return { value: parts, title: `Write the list [${parts.join(',')}]` };
}

/** A text as the value of an option of a type. */
function meaning(text: string, type: OptionFact['type']): BindingProblem['meant'] {
  const parsed = parseHydraValue(text);
  if (parsed.kind !== 'value' || (type !== 'any' && parsed.value.type !== type)) return undefined;
  return { value: parsed.value.data, title: `Write ${text}` };
}

/** A list whose blanks the shell takes for ends of words: `a=[x, y]`. */
function splitList(
  words: readonly Word[],
  at: number,
): { readonly problem: BindingProblem; readonly last: number } | undefined {
  const [first, ...others] = words.slice(at, at + longestSplit);
  const begin =
    first === undefined ? undefined : /^([+~]*[A-Za-z_][\w.]*)=\[[^\]]*$/.exec(textOf(first) ?? '');
  if (first === undefined || begin === undefined || begin === null) return undefined;
  const end = others.findIndex((word) => textOf(word)?.includes(']') ?? true);
  const last = others[end];
  const texts = others.slice(0, end + 1).map(textOf);
  if (last === undefined || texts.some((text) => text === undefined || /[=]|\](?!$)/.test(text)))
    return undefined;
  const key = begin[1] ?? '';
  const list = [textOf(first), ...texts].join('').slice(key.length + 1);
  if (parseHydraValue(list).kind !== 'value') return undefined;
  const place = placeOfAll([first, ...others.slice(0, end + 1)], key.length + 1);
  const problem = invalidOverride({
    key,
    shown: [textOf(first), ...texts].join(' '),
    reason: 'the shell ends the word at the blank',
    place: place ?? placeWithin(first, 0, undefined),
    severity: 'error',
    replacement: place === undefined ? undefined : list,
  });
  return { problem, last: at + end + 1 };
}

/** Most words that one list is taken to be split into. */
const longestSplit = 20;

/**
 * The place of words that stand one behind the other as they are, without their first characters. Undefined where more than a blank or the end of a
 * line may stand between them.
 */
function placeOfAll(words: readonly Word[], without: number): Place | undefined {
  let whole: Place | undefined;
  for (const { pieces } of words) {
    const [piece] = pieces;
    if (piece?.kind !== 'text' || pieces.length > 1 || !piece.origin.verbatim) return undefined;
    const { place, via } = piece.origin;
    if (whole === undefined) {
      whole = place;
      continue;
    }
    const gap = place.span.start - whole.span.end;
    if (place.path !== whole.path || gap < 1 || (gap > 1 && via.length > 0)) return undefined;
    whole = { path: whole.path, span: { start: whole.span.start, end: place.span.end } };
  }
  return whole && { path: whole.path, span: { start: whole.span.start + without, end: whole.span.end } };
}
