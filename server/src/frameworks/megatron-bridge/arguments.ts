import runner from '../../../../schemas/megatron-bridge/recipe-runner.json';
import data from '../../../../schemas/megatron-bridge/recognise.json';
import type { Place } from '../../text/span.ts';
import { remembering } from '../../value/remember.ts';
import { holeOf, knownPrefix, sliceWord, textOf, type Word } from '../../value/word.ts';
import { classifyWord, type FlagIndex, indexFlags, type WordKind } from '../argparse/classify.ts';
import { refusedText } from '../argparse/convert.ts';
import { alone } from '../argparse/stray.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { rejoin } from '../omegaconf/apart.ts';
import { parseHydraValue } from '../omegaconf/hydra-value.ts';
import { nearestChoice, nearestKey } from '../omegaconf/nearest.ts';
import {
  type Override,
  type OverrideProblem,
  parseOverride,
  settingOf,
  writtenValue,
} from '../omegaconf/overrides.ts';
import { beginsVerbatim, flagPlace, placeBeside, placeWithin } from '../places.ts';
import { isCaseless } from './choices.ts';
import { flagProblems, flagValue, isArgument, isSwitch } from './flagValues.ts';
import { ofModel } from './nestedModel.ts';
import type { Program } from './recognise.ts';

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
  const index = program === 'own' ? undefined : flagsOf(options)(program);
  const flags: Setting[] = [];
  const overrides: Override[] = [];
  const rejoined = rejoin(args, (text) => options.has(text), 'error');
  const { words } = rejoined;
  const problems: BindingProblem[] = [...rejoined.problems];
  let configFile: Word | undefined;
  let open = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) continue;
    const prefix = knownPrefix(word);
    if (prefix === '' && holeOf(word) !== undefined) {
      open = true;
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
      const meant = read.kind === 'override' ? read : read.override;
      if (meant !== undefined) overrides.push(ofModel(meant, options));
      if (read.kind === 'override') continue;
      if (holeOf(word) !== undefined) open = true;
      else if (isRefused(read, program, options) && !isTold(word, problems))
        problems.push(invalidOverride(read, options));
      continue;
    }
    const kind = index === undefined ? undefined : classifyWord(word, index);
    const equals = prefix.indexOf('=');
    const joined = equals !== -1;
    const written = joined ? prefix.slice(0, equals) : prefix;
    if (kind?.kind === 'hole') open = true;
    else if (kind?.kind === 'ambiguous') problems.push(ambiguous(word, kind));
    else if (kind?.kind === 'unknown' && program === 'run_recipe' && holeOf(word) === undefined)
      problems.push(unknownFlag(word, written, options, index?.flags ?? []));
    const { option, flag } = kind?.kind === 'option' ? kind : { option: undefined, flag: written };
    const next = words[at + 1];
    const isNext = option === undefined ? isValue(next) : !isSwitch(option) && isArgument(next, index);
    const value = joined ? sliceWord(word, equals + 1) : isNext ? next : undefined;
    if (option !== undefined)
      problems.push(...flagProblems({ option, flag: written, word, value, joined, next, program }));
    if (!joined && value !== undefined) at += 1;
    if (value === undefined || (option !== undefined && isSwitch(option))) continue;
    if (configFlags.includes(flag)) configFile = value;
    if (option?.parser === 'run_recipe' && program === 'run_recipe')
      problems.push(...refusedChoice(option, written, value, joined ? undefined : placeBeside(value, word)));
    if (option !== undefined) flags.push(flagSetting(option, written, word, value, joined));
  }
  return { flags, overrides, configFile, problems, open };
}

/** Whether it is told already that a word is no value of the flag before it, as argparse takes `-1e-4` for an option. */
function isTold(word: Word, problems: readonly BindingProblem[]): boolean {
  return knownPrefix(word).startsWith('-') && problems.at(-1)?.rule === 'missing-value';
}

/** Flags of the recipe runner that set fields of the configuration; the benchmarks have more of them. */
const runnerFields: ReadonlySet<string> = new Set(runner.fieldFlags.flags);

/** The flags that each of Bridge's programs has. Only the benchmarks take the beginning of a long flag for it. */
const flagsOf = remembering((options: ReadonlyMap<string, OptionFact>) => {
  const all = [...options.values()];
  const ofRunner = all.flatMap((option) => {
    const { parser, flags = [] } = option;
    const own = parser === 'run_recipe' ? flags : flags.filter((flag) => runnerFields.has(flag));
    return own.length === 0 ? [] : [{ ...option, flags: own }];
  });
  const ofBenchmarks = all.flatMap((option) => {
    const { parser, flags = [] } = option;
    const own = flags.filter((flag) => flag !== data.notOfBenchmarks);
    return parser === undefined || parser === 'performance' ? [{ ...option, flags: own }] : [];
  });
  return (program: Program): FlagIndex => {
    if (program === 'run_recipe') return indexFlags(ofRunner, false);
    return program === 'performance' ? indexFlags(ofBenchmarks, true) : indexFlags(all, false);
  };
});

function ambiguous(
  word: Word,
  { flag, candidates }: Extract<WordKind, { kind: 'ambiguous' }>,
): BindingProblem {
  const values = { name: flag, choices: candidates.join(', ') };
  return problem('ambiguous-option', flagPlace(word, flag), values, 'error');
}

/** Whether the word behind a flag is its value: no flag, and no override (which always has an equals sign behind a dotted key). */
function isValue(word: Word | undefined): boolean {
  if (word === undefined) return false;
  const prefix = knownPrefix(word);
  if (/^--?[A-Za-z]/.test(prefix)) return false;
  return !/^[+~]*[A-Za-z_]\w*(?:\.\w+)+=/.test(prefix);
}

function flagSetting(option: OptionFact, flag: string, word: Word, value: Word, joined: boolean): Setting {
  return {
    name: option.name,
    written: flag,
    value: flagValue(option, value),
    keyPlace: flagPlace(word, flag),
    valuePlace: joined ? placeWithin(word, flag.length + 1, undefined) : placeBeside(value, word),
    origin: value.pieces[0]?.origin,
    syntax: { kind: 'flag', keyWord: word, valueWords: joined ? [] : [value], joined },
  };
}

function problem(
  rule: string,
  place: Place,
  values: BindingProblem['values'],
  severity: BindingProblem['severity'],
  replacement?: string,
): BindingProblem {
  return { rule, place, values, setting: undefined, replacement, severity, related: [] };
}

/** The recipe runner takes these values of a flag and no others; other versions of it know others, so that only a near miss is sure. */
function refusedChoice(
  { choices, name }: OptionFact,
  flag: string,
  value: Word,
  place: Place | undefined,
): BindingProblem[] {
  const text = textOf(value);
  if (choices === undefined || text === undefined) return [];
  if (choices.includes(isCaseless(name) ? text.toLowerCase() : text)) return [];
  const suggestion = nearestChoice(text, choices.map(String));
  return [
    problem(
      'invalid-choice',
      place ?? value.place,
      { name: flag, value: refusedText(text), choices: choices.join(', ') },
      suggestion === undefined ? 'warning' : 'error',
      place !== undefined && beginsVerbatim(value, text.length) ? suggestion : undefined,
    ),
  ];
}

/** Whether a word that is no override is refused; a script of one's own may read words in its own way. */
function isRefused(
  { reason, key, word }: OverrideProblem,
  program: Program,
  options: ReadonlyMap<string, OptionFact>,
): boolean {
  if (reason === 'bad-value' || (reason === 'bad-key' && options.has(key.trim()))) return true;
  return (
    (program === 'run_recipe' && (reason === 'no-value' || textOf(word)?.includes('=') === false)) ||
    (reason === 'sweep' && (program !== 'own' || options.has(key)))
  );
}

function invalidOverride(read: OverrideProblem, options: ReadonlyMap<string, OptionFact>): BindingProblem {
  const { word, reason, detail, key, override } = read;
  const text = textOf(word) ?? '';
  const several = 'several values are a sweep, which Bridge refuses';
  const because = reason === 'bad-key' ? 'a blank stands before “=”' : detail;
  return {
    ...problem(
      'invalid-override',
      placeWithin(word, 0, undefined),
      { value: text, name: key, reason: reason === 'sweep' ? several : because },
      'error',
    ),
    setting: override === undefined ? undefined : settingOf(override, key),
    meant: meantBy(read, options.get(key)),
  };
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
  const values = {
    value: [textOf(first), ...texts].join(' '),
    name: key,
    reason: 'the shell ends the word at the blank',
  };
  const where = place ?? placeWithin(first, 0, undefined);
  return {
    problem: problem('invalid-override', where, values, 'error', place === undefined ? undefined : list),
    last: at + end + 1,
  };
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

/**
 * The recipe runner refuses every flag that it does not know. Other versions of it know others, but none has a flag with a dot: that is
 * an override with dashes before it.
 */
function unknownFlag(
  word: Word,
  flag: string,
  options: ReadonlyMap<string, OptionFact>,
  known: readonly string[],
): BindingProblem {
  const bare = flag.replace(/^-+/, '');
  const isJoined = knownPrefix(word).startsWith(`${flag}=`);
  const suggestion = options.has(bare) ? bare : nearestFlag(flag, known);
  const isWhole = suggestion !== bare || isJoined;
  return problem(
    'unknown-option',
    flagPlace(word, flag),
    {
      name: flag,
      hint: suggestion === undefined ? ofBenchmarks(flag, options) : ` Did you mean ${suggestion}?`,
    },
    suggestion === undefined && !flag.includes('.') ? 'warning' : 'error',
    beginsVerbatim(word, flag.length) && isWhole ? suggestion : undefined,
  );
}

/** What to say of a flag that only the benchmarks have. */
function ofBenchmarks(flag: string, options: ReadonlyMap<string, OptionFact>): string {
  const option = flagsOf(options)('performance').byFlag.get(flag);
  if (option === undefined || option.parser === 'submit') return '';
  const instead = option.parser === undefined ? `; here it is ${option.name}=…` : '';
  return ` Only the benchmarks have it${instead}.`;
}

function nearestFlag(flag: string, known: readonly string[]): string | undefined {
  if (!flag.startsWith('--')) return undefined;
  const long = known.filter((one) => one.startsWith('--')).map((one) => one.slice(2));
  const near = nearestKey(flag.slice(2), long);
  return near === undefined ? undefined : `--${near}`;
}
