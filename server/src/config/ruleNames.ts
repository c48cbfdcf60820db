import { frameworkIds } from '../frameworks/framework.ts';
import type { KnowledgeSource } from '../frameworks/knowledge.ts';
import type { CommonRules } from '../rules/rule.ts';
import { suggestRule } from '../rules/ruleNames.ts';
import type { ConfigProblem, Settings } from './config.ts';
import { didYouMean } from './issue.ts';
import type { ConfigChain } from './settle.ts';

/** Where the rules come from. */
interface RuleSources {
  readonly knowledgeOf: KnowledgeSource;
  readonly commonRules: CommonRules;
  /** The project's own rules. */
  readonly constraints: Settings['constraints'];
}

/** Rule names in a configuration that no rule has. A framework's knowledge is loaded only if a name may belong to it. */
export function unknownRules(chain: ConfigChain, sources: RuleSources): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const known = new Map<string, boolean>();
  let ids: readonly string[] | undefined;
  for (const { path, read } of chain.files) {
    const { rules = {}, overrides = [], unsuppressible = [] } = read.config;
    const named: { readonly name: string; readonly keys: readonly PropertyKey[] }[] = [
      ...Object.keys(rules).map((name) => ({ name, keys: ['rules', name] })),
      ...overrides.flatMap((override, index) =>
        Object.keys(override.rules ?? {}).map((name) => ({
          name,
          keys: ['overrides', index, 'rules', name],
        })),
      ),
      ...unsuppressible.map((name, index) => ({ name, keys: ['unsuppressible', index] })),
    ];
    for (const { name, keys } of named) {
      if (!known.has(name)) known.set(name, isRule(name, sources));
      if (known.get(name) === true) continue;
      // This loads all knowledge.
      ids ??= idsOf(sources);
      const near = didYouMean(suggestRule(name, ids));
      problems.push({ path, span: read.locate(keys, 'name'), message: `no rule is called ${name}${near}` });
    }
  }
  return problems;
}

function isRule(name: string, { knowledgeOf, commonRules, constraints }: RuleSources): boolean {
  if (commonRules.has(name)) return true;
  const slash = name.indexOf('/');
  const id = name.slice(slash + 1);
  const matching = frameworkIds.filter((framework) => slash === -1 || framework === name.slice(0, slash));
  return matching.some(
    (framework) =>
      constraints.get(framework)?.some((own) => own.id === id) === true ||
      knowledgeOf(framework).constraints.some((constraint) => constraint.id === id),
  );
}

/** The ids of all rules without duplicates, with their framework if they have one. */
function idsOf({ knowledgeOf, commonRules, constraints }: RuleSources): string[] {
  const ids = frameworkIds.flatMap((framework) =>
    [...knowledgeOf(framework).constraints, ...(constraints.get(framework) ?? [])].map(
      ({ id }) => `${framework}/${id}`,
    ),
  );
  return [...commonRules.keys(), ...new Set(ids)];
}
