import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EnvironmentFacts } from '../frameworks/environment.ts';
import type { FrameworkId } from '../frameworks/framework.ts';
import type { Knowledge, KnowledgeSource } from '../frameworks/knowledge.ts';
import type { Written } from '../frameworks/storedConstraints.ts';
import { knowledgeIn } from '../frameworks/storedKnowledge.ts';
import type { CommonRule, CommonRules } from '../rules/rule.ts';

/** The folder of the compiled knowledge, next to the programs that the build wrote. */
export function knowledgeFolder(): string {
  return join(fileURLToPath(new URL('.', import.meta.url)), 'knowledge');
}

function pathOf(folder: string, name: string): string {
  return join(folder, `${name}.json`);
}

/** A file that the build wrote, which is ASCII (tools/knowledge/store.ts): reading it as such takes half the time. */
function readWritten(folder: string, name: string): string {
  return readFileSync(pathOf(folder, name), 'latin1');
}

/** The same, but only small parts become strings: V8's heap grows by more than the strings that it holds. */
function readParts(folder: string, name: string): Written {
  const bytes = readFileSync(pathOf(folder, name));
  return {
    length: bytes.length,
    slice: (start, end) => bytes.toString('latin1', start, end),
    indexOf: (lineEnd, start) => bytes.indexOf(lineEnd, start),
  };
}

/**
 * Loads the knowledge that the build wrote, each framework when it is first needed.
 * @param folder the folder with `<framework>.json` and `common.json`
 */
export function diskKnowledge(folder: string): KnowledgeSource {
  const loaded = new Map<FrameworkId, Knowledge>();
  return (framework) => {
    const known = loaded.get(framework);
    if (known !== undefined) return known;
    const read = knowledgeIn(readParts(folder, framework));
    loaded.set(framework, read);
    return read;
  };
}

/** Loads the rules that are checked by code. */
export function diskCommonRules(folder: string): CommonRules {
  const rules: CommonRule[] = JSON.parse(readWritten(folder, 'common'));
  return new Map(rules.map((rule) => [rule.id, rule]));
}

/** The part of the compiled knowledge that linters need. */
export interface InstalledKnowledge {
  readonly knowledgeOf: KnowledgeSource;
  readonly commonRules: CommonRules;
}

/** Loads what linters need. Linters that share the result read each framework and compile its constraints only once. */
export function installedKnowledge(folder: string): InstalledKnowledge {
  return { knowledgeOf: diskKnowledge(folder), commonRules: diskCommonRules(folder) };
}

/** Loads the facts about environment variables. */
export function diskEnvironment(folder: string): EnvironmentFacts {
  return JSON.parse(readWritten(folder, 'environment'));
}
