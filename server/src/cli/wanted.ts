import { type Command, Option } from 'commander';
import type { Severity } from '../expression/compiled.ts';
import type { Certainty, Finding } from '../rules/finding.ts';
import { isChosen, type RuleFilter } from './ruleFilter.ts';

/** Which findings a run reports. */
export interface Wanted {
  readonly minSeverity: Severity;
  readonly minCertainty: Certainty;
  readonly rules: RuleFilter;
}

/** The same in the form of the command line. */
export interface WantedFlags extends Omit<Wanted, 'rules'>, RuleFilter {}

/** In ascending order. */
const severities = ['info', 'warning', 'error'] as const;
const certainties = ['possible', 'likely', 'certain'] as const;

/** Adds the options that control which findings a command reports. */
export function withWanted(command: Command): Command {
  return command
    .addOption(
      new Option('--min-severity <level>', 'only findings of this severity and above')
        .choices(severities.toReversed())
        .default('info'),
    )
    .addOption(
      new Option('--min-certainty <level>', 'only findings of this certainty and above')
        .choices(certainties.toReversed())
        .default('possible'),
    )
    .option('--only <rule>', 'only findings of this rule; can be repeated', collected, [])
    .option('--skip <rule>', 'no findings of this rule; can be repeated', collected, []);
}

/** All values of an option that can be repeated. */
export function collected(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** Which findings the command line asks for. */
export function wantedOf({ minSeverity, minCertainty, only, skip }: WantedFlags): Wanted {
  return { minSeverity, minCertainty, rules: { only, skip } };
}

/** Whether a severity is lower than another. */
export function isBelow(severity: Severity, other: Severity): boolean {
  return severities.indexOf(severity) < severities.indexOf(other);
}

/** Whether a finding has the wanted certainty and severity, and belongs to a wanted rule. */
export function isWanted({ rule, certainty, severity }: Finding, wanted: Wanted): boolean {
  return (
    certainties.indexOf(certainty) >= certainties.indexOf(wanted.minCertainty) &&
    !isBelow(severity, wanted.minSeverity) &&
    isChosen(rule, wanted.rules)
  );
}
