import type { Settings } from '../../config/config.ts';
import { frameworkIds } from '../../frameworks/framework.ts';
import { type RuleFacts, ruleOfConstraint } from '../../rules/rule.ts';
import type { Platform } from '../protocol/platform.ts';

/** Where rules are told from. */
export interface RuleSources extends Pick<Platform, 'knowledgeOf' | 'commonRules'> {
  /** The project's own. */
  readonly constraints: Settings['constraints'];
}

/** What is known of the rules of a name, with or without the framework before it; several frameworks may have one of the same name. */
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
