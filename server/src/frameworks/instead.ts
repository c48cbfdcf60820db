import type { Instead, Setting } from './framework.ts';
import type { OptionFact } from './knowledge.ts';

/** How many choices are offered individually at most. */
const fewChoices = 6;

/** What an option may have in place of a value that it rejects: another of its choices, or its default. */
export function insteadOf(option: OptionFact, setting: Setting): Instead {
  const { type, required, default: value, defaultUnknown } = option;
  const isMissing = required === true || defaultUnknown === true || value === null || value === '';
  const usual = isMissing ? undefined : value;
  const choices = option.choices ?? (type === 'bool' ? [true, false] : []);
  const isOffered = type !== 'list' && choices.length <= fewChoices;
  return { setting, choices: isOffered ? choices.filter((choice) => choice !== usual) : [], usual };
}
