import { resolve } from 'node:path';
import type { EnvironmentFacts } from '../../server/src/frameworks/environment.ts';
import type { FrameworkId } from '../../server/src/frameworks/framework.ts';
import type { KnowledgeSource } from '../../server/src/frameworks/knowledge.ts';
import { createLinter, type Linter } from '../../server/src/linter.ts';
import type { CommonRules } from '../../server/src/rules/rule.ts';
import type { Host } from '../../server/src/value/host.ts';
import { type MachineProfile, noProfile } from '../../server/src/value/machine.ts';
import { readEnvironment } from '../../tools/knowledge/environment.ts';
import {
  type FrameworkKnowledge,
  type KnowledgeProblem,
  readCommonRules,
  readKnowledge,
} from '../../tools/knowledge/read.ts';

/** The knowledge as schemas/ has it now. */
export interface TestKnowledge {
  readonly frameworks: ReadonlyMap<FrameworkId, FrameworkKnowledge>;
  readonly problems: readonly KnowledgeProblem[];
  readonly commonRules: CommonRules;
  readonly environment: EnvironmentFacts;
  readonly knowledgeOf: KnowledgeSource;
}

/** Reads schemas/ as the build does. */
export function loadKnowledge(): TestKnowledge {
  const schemas = resolve(import.meta.dirname, '../../schemas');
  const { frameworks, problems } = readKnowledge(schemas);
  const commonRules = new Map(readCommonRules(schemas, problems).map((rule) => [rule.id, rule]));
  return {
    frameworks,
    problems,
    commonRules,
    environment: readEnvironment(schemas, problems),
    knowledgeOf: (id) => {
      const found = frameworks.get(id);
      if (found === undefined) throw new Error(`schemas/${id} cannot be read`);
      return found.knowledge;
    },
  };
}

/** A linter over a host with the knowledge of schemas/. */
export function testLinter(
  knowledge: TestKnowledge,
  host: Host,
  machine: MachineProfile = noProfile,
): Linter {
  return createLinter({
    host,
    machine,
    knowledgeOf: knowledge.knowledgeOf,
    commonRules: knowledge.commonRules,
  });
}
