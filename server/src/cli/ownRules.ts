import { posix } from 'node:path';
import { createProjectLinter } from '../config/project.ts';
import { diskCommonRules, diskKnowledge } from '../disk/knowledge.ts';
import { type RuleFacts, ruleOfConstraint } from '../rules/rule.ts';
import { hostOf } from './inputs.ts';

/** The rules that the configuration of a folder adds. Errors in the configuration are reported when files are checked. */
export function ownRules(cwd: string, knowledge: string): RuleFacts[] {
  const linter = createProjectLinter({
    host: hostOf([], cwd, ['.']),
    knowledgeOf: diskKnowledge(knowledge),
    commonRules: diskCommonRules(knowledge),
  });
  const { constraints } = linter.settingsOf(posix.join(cwd, 'any'));
  return [...constraints].flatMap(([framework, own]) =>
    own.map((constraint) => ruleOfConstraint(framework, constraint)),
  );
}
