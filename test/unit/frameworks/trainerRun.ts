import { resolve } from 'node:path';
import type {
  BindingContext,
  Framework,
  FrameworkId,
  Run,
} from '../../../server/src/frameworks/framework.ts';
import type { Knowledge } from '../../../server/src/frameworks/knowledge.ts';
import type { Launch } from '../../../server/src/launch/launch.ts';
import { launchesOf } from '../../../server/src/launch/wrappers/peel.ts';
import { checkRun } from '../../../server/src/rules/check.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { parseYaml } from '../../../server/src/yaml/parse.ts';
import { readKnowledge } from '../../../tools/knowledge/read.ts';
import { memoryHost } from '../../support/memoryHost.ts';
import { command } from '../launch/command.ts';

const { frameworks } = readKnowledge(resolve(import.meta.dirname, '../../../schemas'));

function knowledgeOf(id: FrameworkId): Knowledge {
  const found = frameworks.get(id);
  if (found === undefined) throw new Error(`no knowledge of ${id}`);
  return found.knowledge;
}

/** What exists besides the command line. */
export interface Given {
  readonly env?: { readonly [name: string]: string };
  /** Texts by absolute path, below `/w`. */
  readonly files?: { readonly [path: string]: string };
  readonly extraOptions?: readonly string[];
}

/** The single launch of a command line. */
export function launchOf(line: string, given: Given = {}): Launch {
  const launch = launchesOf(command(line, { env: given.env ?? {} }), noProfile)[0];
  if (launch === undefined) throw new Error(`no launch in ${line}`);
  return launch;
}

/** Why a framework claims a command line, or undefined. */
export function recognised(
  framework: Framework,
  line: string,
  files: { readonly [path: string]: string } = {},
): string | undefined {
  return framework.recogniseLaunch(launchOf(line), memoryHost(files, '/w'));
}

/** A command line as a framework binds it. */
export function bound(framework: Framework, line: string, given: Given = {}): Run {
  const launch = launchOf(line, given);
  const host = memoryHost(given.files ?? {}, '/w');
  const because = framework.recogniseLaunch(launch, host);
  if (because === undefined) throw new Error(`not recognised: ${line}`);
  const context: BindingContext = {
    host,
    machine: noProfile,
    knowledge: knowledgeOf(framework.id),
    knowledgeOf,
    document: (path) => {
      const text = host.read(path);
      return text === undefined ? undefined : parseYaml(path, text)[0];
    },
    extraOptions: given.extraOptions ?? [],
  };
  return framework.bindLaunch(launch, because, context);
}

/** Severity and rule of everything that the constraints find in a run. */
export function found(run: Run): readonly string[] {
  const findings = checkRun(run, {
    knowledgeOf,
    optionsOf: (knowledge) => new Map(knowledge.options.map((option) => [option.name, option])),
    planFix: () => undefined,
  });
  return findings.map((finding) => `${finding.severity} ${finding.rule}`);
}

/** What a name holds in the trainer's own scope (or another one): the value, or `?` if it is unknown. */
export function effective(run: Run, name: string, set: FrameworkId = run.framework): unknown {
  const value = run.scopes.find((scope) => scope.set === set)?.lookup(name)?.value;
  return value?.kind === 'known' ? value.data : '?';
}

/** Rule, name and hint of the problems of binding. */
export function problems(run: Run): readonly string[] {
  return run.problems.map((problem) => {
    const { name = '', hint = '' } = problem.values;
    return `${problem.severity ?? ''} ${problem.rule} ${name}${hint}`;
  });
}
