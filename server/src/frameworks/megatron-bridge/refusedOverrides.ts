import { textOfData } from '../../value/value.ts';
import { textOf } from '../../value/word.ts';
import { alone } from '../argparse/stray.ts';
import type { BindingProblem } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { parseHydraValue } from '../omegaconf/hydraValue.ts';
import { invalidOverride } from '../omegaconf/invalidOverride.ts';
import {
  meantKey,
  type Override,
  type OverrideProblem,
  settingOf,
  writtenValue,
} from '../omegaconf/overrides.ts';
import { beginsVerbatim, placeWithin } from '../places.ts';
import { nothingInstead } from './deletions.ts';
import { refusesUnknownFlags } from './programFlags.ts';
import type { Program } from './recognise.ts';

/** Whether a word that is not an override is rejected; a custom script may read words in its own way. */
export function isRefused(
  { reason, key }: OverrideProblem,
  program: Program,
  options: ReadonlyMap<string, OptionFact>,
): boolean {
  if (reason === 'bad-value' || (reason === 'bad-key' && options.has(key.trim()))) return true;
  return (
    (refusesUnknownFlags(program) && (reason === 'no-value' || reason === 'bad-key')) ||
    (reason === 'sweep' && (program !== 'own' || options.has(key)))
  );
}

/** Why Hydra or Bridge rejects a word that is not an override. */
export function refusedOverride(
  read: OverrideProblem,
  options: ReadonlyMap<string, OptionFact>,
): BindingProblem {
  const { word, reason, detail, key, override } = read;
  const text = textOf(word) ?? '';
  const several = 'several values are a sweep, which Bridge refuses';
  const equals = text.indexOf('=');
  const isBlank = /\s/.test(text.slice(0, Math.max(equals, 0)));
  const ofKey = equals === -1 ? 'no “=”' : isBlank ? 'there is a space before “=”' : detail;
  const because = reason === 'bad-key' ? ofKey : detail;
  const replacement =
    reason === 'bad-key' && equals !== -1 && beginsVerbatim(word, key.length) ? meantKey(key) : undefined;
  const found = invalidOverride({
    key,
    shown: text,
    reason: reason === 'sweep' ? several : because,
    place: replacement === undefined ? placeWithin(word, 0, undefined) : read.place,
    severity: 'error',
    replacement,
    setting: override === undefined ? undefined : settingOf(override, key),
  });
  return { ...found, meant: meantBy(read, options.get(key)) };
}

/** A deletion without a value, which the recipe runner does not take for an override (scripts/training/run_recipe.py:270). */
export function bareDeletion(deletion: Override, options: ReadonlyMap<string, OptionFact>): BindingProblem {
  const { key, word } = deletion;
  const found = invalidOverride({
    key: `~${key}`,
    reason: 'no “=”, which the recipe runner needs in every override',
    place: placeWithin(word, 0, undefined),
    severity: 'error',
    replacement: nothingInstead(deletion, options.get(key)),
  });
  return { ...found, removal: alone(word) };
}

/** The value that a text with commas was meant to be: a list, a string, or the part before a trailing comma. */
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

/** A text as the value of an option of the given type. */
function meaning(text: string, type: OptionFact['type']): BindingProblem['meant'] {
  const parsed = parseHydraValue(text);
  if (parsed.kind !== 'value' || (type !== 'any' && parsed.value.type !== type)) return undefined;
  const { data } = parsed.value;
  return { value: data, title: `Write ${textOfData(data)}` };
}
