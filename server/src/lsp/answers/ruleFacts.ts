import type { Settings } from '../../config/config.ts';
import { frameworkIds } from '../../frameworks/framework.ts';
import { type RuleFacts, ruleOfConstraint } from '../../rules/rule.ts';
import type { Platform } from '../protocol/platform.ts';

/** Where rules come from. */
export interface RuleSources extends Pick<Platform, 'knowledgeOf' | 'commonRules'> {
  /** The project's own rules. */
  readonly constraints: Settings['constraints'];
}

/** The facts about the rules with a name, which may have the framework in front; several frameworks may have a rule with the same name. */
export function rulesCalled(
  name: string,
  { knowledgeOf, commonRules, constraints }: RuleSources,
): readonly Pick<RuleFacts, 'id' | 'framework' | 'severity' | 'phase' | 'message' | 'why'>[] {
  const common = commonRules.get(name);
  const slash = name.indexOf('/');
  const own = frameworkIds.flatMap((framework) =>
    slash === -1 || framework === name.slice(0, slash)
      ? [...knowledgeOf(framework).constraints, ...(constraints.get(framework) ?? [])]
          .filter(({ id }) => id === name.slice(slash + 1))
          .map((constraint) => ruleOfConstraint(framework, constraint))
      : [],
  );
  return common === undefined ? own : [{ ...common, framework: undefined }, ...own];
}
