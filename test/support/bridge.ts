import { resolve } from 'node:path';
import type { BindingContext, FrameworkId, Run } from '../../server/src/frameworks/framework.ts';
import type { Knowledge } from '../../server/src/frameworks/knowledge.ts';
import { megatronBridge } from '../../server/src/frameworks/megatron-bridge/framework.ts';
import type { Launch } from '../../server/src/launch/launch.ts';
import { launchesOf } from '../../server/src/launch/wrappers/peel.ts';
import { checkRun } from '../../server/src/rules/check.ts';
import type { Finding } from '../../server/src/rules/finding.ts';
import { type MachineProfile, noProfile } from '../../server/src/value/machine.ts';
import { parseYaml } from '../../server/src/yaml/parse.ts';
import { readKnowledge } from '../../tools/knowledge/read.ts';
import { command } from '../unit/launch/command.ts';
import { memoryHost } from './memoryHost.ts';

const { frameworks } = readKnowledge(resolve(import.meta.dirname, '../../schemas'));

export function knowledgeOf(id: FrameworkId): Knowledge {
  const found = frameworks.get(id);
  if (found === undefined) throw new Error(`no knowledge of ${id}`);
  return found.knowledge;
}

export function contextOf(
  files: { readonly [path: string]: string },
  machine: MachineProfile,
): BindingContext {
  const host = memoryHost(files, '/w');
  return {
    host,
    machine,
    knowledge: knowledgeOf('megatron-bridge'),
    knowledgeOf,
    document: (path) => {
      const text = host.read(path);
      return text === undefined ? undefined : parseYaml(path, text)[0];
    },
    extraOptions: [],
  };
}

export const runner = 'scripts/training/run_recipe.py --recipe r_config --mode pretrain';

interface Given {
  readonly env?: { readonly [name: string]: string };
  readonly files?: { readonly [path: string]: string };
  readonly machine?: MachineProfile;
}

export function launchOf(line: string, given: Given = {}): Launch {
  const launch = launchesOf(command(line, { env: given.env ?? {} }), noProfile)[0];
  if (launch === undefined) throw new Error(`no launch in ${line}`);
  return launch;
}

/** The run of a launch of Bridge. */
export function bound(line: string, given: Given = {}): Run {
  const context = contextOf(given.files ?? {}, given.machine ?? noProfile);
  const launch = launchOf(line, given);
  const because = megatronBridge.recogniseLaunch(launch, context.host);
  if (because === undefined) throw new Error(`not recognised: ${line}`);
  return megatronBridge.bindLaunch(launch, because, context);
}

/** What the constraints find in a run. */
export function findingsOf(run: Run): readonly Finding[] {
  return checkRun(run, {
    knowledgeOf,
    optionsOf: (knowledge) => new Map(knowledge.options.map((option) => [option.name, option])),
    planFix: () => undefined,
  });
}

/** The findings of a run, each as `severity rule`. */
export function found(run: Run): readonly string[] {
  return findingsOf(run).map((finding) => `${finding.severity} ${finding.rule}`);
}

/** What a name holds in the run's own scope: the value, or `?` if it is unknown. */
export function effective(run: Run, name: string): unknown {
  const value = run.scopes[0]?.lookup(name)?.value;
  return value?.kind === 'known' ? value.data : '?';
}
