import { diskCommonRules, diskKnowledge } from '../disk/knowledge.ts';
import { frameworkIds } from '../frameworks/framework.ts';
import { type RuleFacts, ruleOfConstraint } from '../rules/rule.ts';

/** The facts of every rule, common rules first. */
export function allRules(knowledge: string): RuleFacts[] {
  const knowledgeOf = diskKnowledge(knowledge);
  const common = [...diskCommonRules(knowledge).values()].map(({ suppressible: _, ...rule }) => ({
    ...rule,
    framework: undefined,
    upstream: [],
  }));
  const rules = new Map<string, RuleFacts>();
  for (const id of frameworkIds)
    for (const constraint of knowledgeOf(id).constraints) {
      const facts = ruleOfConstraint(id, constraint);
      if (!rules.has(facts.id)) rules.set(facts.id, facts);
    }
  return [...common, ...rules.values()];
}
