import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { EnvironmentFacts } from '../../server/src/frameworks/environment.ts';
import type { FrameworkId } from '../../server/src/frameworks/framework.ts';
import type { KnowledgeSource } from '../../server/src/frameworks/knowledge.ts';
import { createLinter, type Linter } from '../../server/src/linter.ts';
import type { CommonRule, CommonRules } from '../../server/src/rules/rule.ts';
import type { Host } from '../../server/src/value/host.ts';
import { type MachineProfile, noProfile } from '../../server/src/value/machine.ts';
import type { KnowledgeProblem } from '../../tools/knowledge/entries.ts';
import { readEnvironment } from '../../tools/knowledge/environment.ts';
import { type FrameworkKnowledge, readCommonRules, readKnowledge } from '../../tools/knowledge/read.ts';

/** The knowledge as schemas/ has it now. */
export interface TestKnowledge {
  readonly frameworks: ReadonlyMap<FrameworkId, FrameworkKnowledge>;
  readonly problems: readonly KnowledgeProblem[];
  readonly commonRules: CommonRules;
  readonly environment: EnvironmentFacts;
  readonly knowledgeOf: KnowledgeSource;
}

/** The knowledge as it stands in a file. */
interface Stored extends Pick<TestKnowledge, 'problems' | 'environment'> {
  readonly frameworks: readonly (readonly [FrameworkId, FrameworkKnowledge])[];
  readonly commonRules: readonly CommonRule[];
}

/** Reads schemas/ as the build does, which takes seconds. */
function readSchemas(): Stored {
  const schemas = resolve(import.meta.dirname, '../../schemas');
  const { frameworks, problems } = readKnowledge(schemas);
  const commonRules = readCommonRules(schemas, problems);
  const environment = readEnvironment(schemas, problems);
  return { frameworks: [...frameworks], problems, commonRules, environment };
}

/** What schemas/ say, read once for all test files of a run. */
function stored(): Stored {
  const folder = process.env.OOMLINT_TESTS;
  if (folder === undefined) return readSchemas();
  const file = join(folder, 'knowledge.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const read = readSchemas();
  // Another process may be writing it too: the file is either complete or absent.
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(read));
  renameSync(`${file}.${process.pid}`, file);
  return read;
}

let loaded: TestKnowledge | undefined;

/** The knowledge of schemas/, shared by all test files of a process: what is compiled from it is kept with it. */
export function loadKnowledge(): TestKnowledge {
  loaded ??= knowledgeIn(stored());
  return loaded;
}

function knowledgeIn(written: Stored): TestKnowledge {
  const { problems, environment, ...read } = written;
  const frameworks = new Map(read.frameworks);
  return {
    frameworks,
    problems,
    commonRules: new Map(read.commonRules.map((rule) => [rule.id, rule])),
    environment,
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
