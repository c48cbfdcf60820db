import { autofix } from '../server/src/autofix.ts';
import { type FrameworkId, frameworkIds, titleOf } from '../server/src/frameworks/framework.ts';
import type { Knowledge } from '../server/src/frameworks/knowledge.ts';
import { knowledgeIn } from '../server/src/frameworks/storedKnowledge.ts';
import { createLinter, type Linter } from '../server/src/linter.ts';
import { noColours } from '../server/src/report/palette.ts';
import { whenOf } from '../server/src/report/phase.ts';
import { resolveText } from '../server/src/report/resolve.ts';
import type { Finding } from '../server/src/rules/finding.ts';
import type { CommonRule } from '../server/src/rules/rule.ts';
import type { Host } from '../server/src/value/host.ts';
import { noProfile } from '../server/src/value/machine.ts';
import type { Look, LookedFinding } from './look.ts';

/** The engine over one text. */
export interface Engine {
  look(path: string, text: string): Look;
  /** The text after all suggested fixes. */
  fixAll(path: string, text: string): string;
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
  const knowledgeOf = (id: FrameworkId): Knowledge => {
    const knowledge = loaded.get(id);
    if (knowledge === undefined) throw new Error(`no knowledge of ${id}`);
    return knowledge;
  };
  const linterOf = (host: Host): Linter =>
    createLinter({ host, machine: noProfile, commonRules, knowledgeOf });
  return {
    look: (path, text) => {
      const begun = performance.now();
      const report = linterOf(hostOf(path, text)).lint(path, text);
      return {
        frameworks: [...new Set(report.runs.map(({ framework }) => titleOf(framework)))],
        findings: report.findings.filter(({ place }) => place.path === path).map(lookedFinding),
        resolved: resolveText(report, {
          palette: noColours,
          knowledgeOf,
          read: () => text,
          shorten: (at) => at.replace('/playground/', ''),
        }),
        took: performance.now() - begun,
      };
    },
    fixAll: (path, text) =>
      autofix([{ path, text }], hostOf(path, text), linterOf, { suggested: true }).texts.get(path) ?? text,
  };
}

function lookedFinding({ rule, severity, certainty, message, phase, place, fixes }: Finding): LookedFinding {
  const when = whenOf(phase);
  return {
    rule,
    severity,
    certainty,
    message,
    when: when === 'never' ? undefined : when,
    span: place.span,
    fixes: fixes
      .filter(({ edits }) => edits.every(({ path }) => path === place.path))
      .map(({ title, safety, cost, edits }) => ({
        title,
        safety,
        cost,
        edits: edits.map(({ span, newText }) => ({ span, newText })),
      })),
  };
}
