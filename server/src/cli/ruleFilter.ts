import type { FrameworkId } from '../frameworks/framework.ts';
import { nameOf, suggestRule } from '../rules/ruleNames.ts';
import { allRules } from './allRules.ts';
import type { Project } from './project.ts';
import { UsageError } from './usage.ts';

/** The rules that a run reports: by their ids, with or without the framework. */
export interface RuleFilter {
  /** Only these; all if empty. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
}

/** Whether a run reports a rule. */
export function isChosen(rule: string, { only, skip }: RuleFilter): boolean {
  const isNamed = (names: readonly string[]): boolean => names.includes(rule) || names.includes(nameOf(rule));
  return (only.length === 0 || isNamed(only)) && !isNamed(skip);
}

/**
 * Rejects names that belong neither to an upstream rule nor to one that a file's configuration adds.
 *
 * @param knowledge folder of the compiled knowledge, which is loaded only if a rule is named
 */
export function refuseUnknownRules(
  { only, skip }: RuleFilter,
  {
    knowledge,
    inputs,
    project,
  }: {
    readonly knowledge: string;
    readonly inputs: readonly { readonly path: string }[];
    readonly project: Project;
  },
): void {
  const named = [...only.map((name) => ['--only', name]), ...skip.map((name) => ['--skip', name])] as const;
  if (named.length === 0) return;
  const own = inputs.flatMap(({ path }) => ownIds(project.settingsOf(path)?.constraints));
  const ids = [...new Set([...allRules(knowledge).map(({ id }) => id), ...own])];
  for (const [option = '', name = ''] of named) {
    if (name === '') throw new UsageError(`${option} needs the id of a rule, not an empty string`);
    if (ids.some((id) => id === name || nameOf(id) === name)) continue;
    const near = suggestRule(name, ids);
    const hint = near === undefined ? 'oomlint rules lists them' : `did you mean ${near}?`;
    // A rule may be missing because of an error in the configuration, so these are reported as well.
    throw new UsageError(
      [...project.problems(), `${option}: no rule is called ${name}; ${hint}`].join('\noomlint: '),
    );
  }
}

function ownIds(
  constraints: ReadonlyMap<FrameworkId, readonly { readonly id: string }[]> | undefined,
): readonly string[] {
  return [...(constraints ?? [])].flatMap(([framework, own]) => own.map(({ id }) => `${framework}/${id}`));
}
