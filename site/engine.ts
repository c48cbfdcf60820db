import { autofix } from '../server/src/autofix.ts';
import { type FrameworkId, frameworkIds } from '../server/src/frameworks/framework.ts';
import type { Knowledge } from '../server/src/frameworks/knowledge.ts';
import { knowledgeIn } from '../server/src/frameworks/storedKnowledge.ts';
import { createLinter, type FileReport, type Linter } from '../server/src/linter.ts';
import type { Fix } from '../server/src/rules/finding.ts';
import type { CommonRule } from '../server/src/rules/rule.ts';
import { applyEdits } from '../server/src/text/edit.ts';
import type { Host } from '../server/src/value/host.ts';
import { noProfile } from '../server/src/value/machine.ts';

/** The engine over one text. */
export interface Engine {
  lint(path: string, text: string): FileReport;
  /** The text after all suggested fixes. */
  fixAll(path: string, text: string): string;
  /** The text after one fix, which edits no other file; as it is where the fix cannot be made. */
  fixed(text: string, fix: Fix): string;
}

/** A workspace of one file. */
function hostOf(path: string, text: string): Host {
  return {
    read: (at) => (at === path ? text : undefined),
    kind: (at) => (at === path ? 'file' : 'unknown'),
    list: () => undefined,
    rootOf: () => '/playground',
  };
}

/** Makes the engine from the files that the build of the site wrote. @param base folder of the knowledge, with `/` */
export async function loadEngine(base: string): Promise<Engine> {
  const read = async (name: string): Promise<string> => {
    const answer = await fetch(`${base}${name}.json`);
    if (!answer.ok) throw new Error(`${name}.json: ${answer.status}`);
    return answer.text();
  };
  const commonList: CommonRule[] = JSON.parse(await read('common'));
  const loaded = new Map<FrameworkId, Knowledge>(
    await Promise.all(frameworkIds.map(async (id) => [id, knowledgeIn(await read(id))] as const)),
  );
  const commonRules = new Map(commonList.map((rule) => [rule.id, rule]));
  const linterOf = (host: Host): Linter =>
    createLinter({
      host,
      machine: noProfile,
      commonRules,
      knowledgeOf: (id) => {
        const knowledge = loaded.get(id);
        if (knowledge === undefined) throw new Error(`no knowledge of ${id}`);
        return knowledge;
      },
    });
  return {
    lint: (path, text) => linterOf(hostOf(path, text)).lint(path, text),
    fixAll: (path, text) =>
      autofix([{ path, text }], hostOf(path, text), linterOf, { suggested: true }).texts.get(path) ?? text,
    fixed: (text, fix) => applyEdits(text, fix.edits) ?? text,
  };
}
