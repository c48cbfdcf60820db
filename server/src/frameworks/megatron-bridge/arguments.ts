import data from '../../../../schemas/megatron-bridge/recognise.json';
import type { Place } from '../../text/span.ts';
import { remembering } from '../../value/remember.ts';
import { known, unknown, type Value } from '../../value/value.ts';
import { holeOf, knownPrefix, sliceWord, textOf, type Word } from '../../value/word.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { nearestKey } from '../omegaconf/nearest.ts';
import { type Override, parseOverride } from '../omegaconf/overrides.ts';
import { beginsVerbatim, flagPlace, placeBeside, placeWithin } from '../places.ts';
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
  words: readonly Word[],
  options: ReadonlyMap<string, OptionFact>,
  program: Program,
): ReadArguments {
  const byFlag = program === 'own' ? new Map<string, OptionFact>() : flagsOf(options);
  const flags: Setting[] = [];
  const overrides: Override[] = [];
  const problems: BindingProblem[] = [];
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
    if (!/^--?[A-Za-z]/.test(prefix)) {
      const read = parseOverride(word, 'hydra');
      if (read.kind === 'override') overrides.push(read);
      else if (holeOf(word) !== undefined) open = true;
      else if (read.reason === 'bad-value' || (program === 'run_recipe' && read.reason === 'no-value'))
        problems.push(invalidOverride(word, read.detail));
      continue;
    }
    const equals = prefix.indexOf('=');
    const flag = equals === -1 ? prefix : prefix.slice(0, equals);
    const option = byFlag.get(flag);
    if (option === undefined && program === 'run_recipe' && holeOf(word) === undefined)
      problems.push(unknownFlag(word, flag, options, [...byFlag.keys()]));
    if (option?.action?.startsWith('store_') === true) continue;
    const next = words[at + 1];
    const value = equals === -1 ? (isValue(next) ? next : undefined) : sliceWord(word, equals + 1);
    if (equals === -1 && value !== undefined) at += 1;
    if (value === undefined) continue;
    if (configFlags.includes(flag)) configFile = value;
    if (option?.parser === 'run_recipe' && program === 'run_recipe')
      problems.push(
        ...refusedChoice(option, flag, value, equals === -1 ? placeBeside(value, word) : undefined),
      );
    if (option !== undefined) flags.push(flagSetting(option, flag, word, value, equals !== -1));
  }
  return { flags, overrides, configFile, problems, open };
}

const flagsOf = remembering((options: ReadonlyMap<string, OptionFact>): ReadonlyMap<string, OptionFact> => {
  const out = new Map<string, OptionFact>();
  for (const option of options.values())
    for (const flag of option.flags ?? []) if (!out.has(flag)) out.set(flag, option);
  return out;
});

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

function flagValue(option: OptionFact, word: Word): Value {
  const hole = holeOf(word);
  if (hole !== undefined) return unknown(hole.reason, hole.label);
  const text = textOf(word) ?? '';
  if (text === 'None') return known(null);
  if (option.type === 'int' || option.type === 'float') {
    const number = Number(text);
    return text.trim() === '' || Number.isNaN(number) ? unknown('outside', text) : known(number);
  }
  if (option.type !== 'bool') return known(text);
  if (/^(?:true|1|t)$/i.test(text)) return known(true);
  return /^(?:false|0|f)$/i.test(text) ? known(false) : unknown('outside', text);
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
  { choices }: OptionFact,
  flag: string,
  value: Word,
  place: Place | undefined,
): BindingProblem[] {
  const text = textOf(value);
  if (choices === undefined || text === undefined || choices.includes(text)) return [];
  const suggestion = nearestKey(text, choices.map(String));
  return [
    problem(
      'invalid-choice',
      place ?? value.place,
      { name: flag, value: text, choices: choices.join(', ') },
      suggestion === undefined ? 'warning' : 'error',
      place !== undefined && beginsVerbatim(value, text.length) ? suggestion : undefined,
    ),
  ];
}

function invalidOverride(word: Word, reason: string): BindingProblem {
  const text = textOf(word) ?? '';
  return problem('invalid-override', placeWithin(word, 0, undefined), { value: text, reason }, 'error');
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
    { name: flag, hint: suggestion === undefined ? '' : ` Did you mean ${suggestion}?` },
    suggestion === undefined && !flag.includes('.') ? 'warning' : 'error',
    beginsVerbatim(word, flag.length) && isWhole ? suggestion : undefined,
  );
}

function nearestFlag(flag: string, known: readonly string[]): string | undefined {
  if (!flag.startsWith('--')) return undefined;
  const long = known.filter((one) => one.startsWith('--')).map((one) => one.slice(2));
  const near = nearestKey(flag.slice(2), long);
  return near === undefined ? undefined : `--${near}`;
}
