import { spawnSync } from 'node:child_process';
import { evaluateScript } from '../../../server/src/bash/evaluate.ts';
import { planFix } from '../../../server/src/fixes/plan.ts';
import { bindArguments } from '../../../server/src/frameworks/argparse/bind.ts';
import type { Run, Scope } from '../../../server/src/frameworks/framework.ts';
import type { OptionFact } from '../../../server/src/frameworks/knowledge.ts';
import { parseOverride, settingOf } from '../../../server/src/frameworks/omegaconf/overrides.ts';
import type { Command } from '../../../server/src/launch/command.ts';
import { commandOf } from '../../../server/src/launch/embedded.ts';
import type { Launch } from '../../../server/src/launch/launch.ts';
import { nestedShell } from '../../../server/src/launch/wrappers/nested.ts';
import { launchesOf } from '../../../server/src/launch/wrappers/peel.ts';
import type { Fix } from '../../../server/src/rules/finding.ts';
import { applyEdits } from '../../../server/src/text/edit.ts';
import type { Host } from '../../../server/src/value/host.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { type Data, known, unknown } from '../../../server/src/value/value.ts';
import { textOf } from '../../../server/src/value/word.ts';
import { type Embedded, embedded } from '../../../server/src/yaml/embedded.ts';
import { parseYaml } from '../../../server/src/yaml/parse.ts';
import { givenScope, type Proposed, proposed } from './proposal.ts';

const option = (name: string, fact: Partial<OptionFact> = {}): OptionFact => ({
  name,
  flags: [`--${name.replaceAll('_', '-')}`],
  type: 'int',
  default: null,
  source: 'test:1',
  ...fact,
});

const options: readonly OptionFact[] = [
  option('tp', { default: 1 }),
  option('pp', { default: 1 }),
  option('cp', { default: 1 }),
  option('lr', { type: 'float' }),
  option('name', { type: 'str' }),
  option('bf16', { type: 'bool', action: 'store_true', default: false }),
  option('recompute', { type: 'bool', action: 'store_true', default: false }),
  option('no_fusion', {
    name: 'fusion',
    flags: ['--no-fusion'],
    type: 'bool',
    action: 'store_false',
    default: true,
  }),
  option('recompute_method', { type: 'str' }),
  option('recompute_num_layers'),
  option('num_layers'),
  option('hidden_size'),
  option('hidden_dropout', { type: 'float' }),
  option('num_rollout'),
  option('batch_size'),
  option('modules', { type: 'str', nargs: '+' }),
];

/** The files of a small workspace, by path. */
export type Files = { readonly [path: string]: string };

function hostOf(files: Files): Host {
  return {
    read: (path) => files[path],
    kind: (path) =>
      path in files ? 'file' : path === '/w' ? 'directory' : path.startsWith('/w/') ? 'absent' : 'unknown',
    list: () => Object.keys(files).map((path) => path.slice(3)),
    rootOf: () => '/w',
  };
}

/** The run of the first launch of `train.py` in a file, as a framework would bind it. */
function runOf(files: Files, path: string): Run | undefined {
  const launch = launchOf(files, path);
  if (launch === undefined) return undefined;
  const flags = bindArguments(launch.args, { options, allowAbbrev: false, unknown: 'ignore' }).settings;
  const overrides = launch.args.flatMap((word) => {
    const override = parseOverride(word, 'dotlist');
    const isOverride = override.kind === 'override' && override.hasValue && !override.key.startsWith('-');
    return isOverride ? [settingOf(override, override.key)] : [];
  });
  return {
    framework: 'megatron-lm',
    because: 'test',
    launch,
    documents: [],
    place: launch.place,
    settings: [...flags, ...overrides],
    problems: [],
    scopes: [],
    env: new Map(
      [...launch.env].map(([name, word]) => {
        const text = textOf(word);
        return [
          name,
          { value: text === undefined ? unknown('environment', name) : known(text), word, place: word.place },
        ];
      }),
    ),
    worldSize: unknown('outside', 'GPUs'),
    open: false,
    upstreamEntry: true,
  };
}

function launchOf(files: Files, path: string): Launch | undefined {
  const text = files[path] ?? '';
  const commands = path.endsWith('.yaml')
    ? parseYaml(path, text)
        .flatMap(embedded)
        .flatMap((part) => commandsOf(part, files, path))
    : evaluateScript(path, text, { host: hostOf(files), machine: noProfile, nested: nestedShell }).commands;
  for (const command of commands)
    for (const launch of launchesOf(command, noProfile))
      if (textOf(launch.entry.word)?.endsWith('train.py') === true) return launch;
  return undefined;
}

function commandsOf(part: Embedded, files: Files, path: string): readonly Command[] {
  if (part.kind === 'script')
    return evaluateScript(path, part.text, {
      host: hostOf(files),
      machine: noProfile,
      nested: nestedShell,
      locate: part.toPlace,
      environment: part.env,
    }).commands;
  return [commandOf(part)];
}

function scopeOf({ settings }: Run): Scope {
  return givenScope(
    'megatron-lm',
    settings,
    (name) => options.find((each) => each.name === name)?.flags?.[0] ?? name,
  );
}

/** Plans a change of the launch in a file. */
export function planShell(files: Files, path: string, change: Proposed): Fix | undefined {
  const run = runOf(files, path);
  if (run === undefined) throw new Error('no launch of train.py');
  return planFix(proposed(change), run, scopeOf(run), {
    read: (at) => files[at],
    option: (name) => options.find((each) => each.name === name),
  });
}

/** The files after a fix. */
export function applied(files: Files, fix: Fix): Files {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => {
      const after = applyEdits(
        text,
        fix.edits.filter((edit) => edit.path === path),
      );
      if (after === undefined) throw new Error('edits overlap');
      return [path, after];
    }),
  );
}

/** What a file's launch receives: values by name, and its environment. */
export function outcome(
  files: Files,
  path: string,
): { settings: { [name: string]: Data }; env: { [name: string]: string | undefined } } {
  const run = runOf(files, path);
  if (run === undefined) throw new Error('no launch of train.py');
  const settings: { [name: string]: Data } = {};
  for (const { name, value } of run.settings)
    settings[name] = value.kind === 'known' ? value.data : `?${value.label}`;
  const env = Object.fromEntries([...(run.launch?.env ?? [])].map(([name, word]) => [name, textOf(word)]));
  return { settings, env };
}

/** Whether Bash itself can read a text. */
export function bashReads(text: string): boolean {
  return spawnSync('bash', ['-n'], { input: text }).status === 0;
}

const script = '/w/run.sh';

/** The script after a change of its launch, or undefined if there is no fix. */
export function fixedScript(text: string, change: Proposed): string | undefined {
  const files = { [script]: text };
  const fix = planShell(files, script, change);
  return fix === undefined ? undefined : applied(files, fix)[script];
}
