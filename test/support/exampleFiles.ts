import { isMap, isScalar, parseDocument } from 'yaml';
import { machineProfile } from '../../server/src/config/machine.ts';
import type { BaseEntry, ExampleEntry } from '../../server/src/rules/constraintFile.ts';
import { type MachineProfile, noProfile } from '../../server/src/value/machine.ts';
import { argumentLines } from '../../tools/docs/argumentLines.ts';

/** An example as the files that a user would have. */
export interface ExampleFiles {
  readonly script: string;
  /** The configuration that the script names. */
  readonly yaml: { readonly name: string; readonly text: string } | undefined;
  readonly machine: MachineProfile;
}

/** Text quoted so that Bash and people can read it; plain if it needs no quotes. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `"${text.replace(/(["\\$`])/g, '\\$1')}"`;
}

function merged(base: string, fragment: string | undefined): string {
  if (fragment === undefined) return base;
  const document = parseDocument(base);
  const add = (path: readonly unknown[], node: unknown): void => {
    if (!isMap(node)) document.setIn(path, node);
    else for (const { key, value } of node.items) add([...path, isScalar(key) ? key.value : key], value);
  };
  add([], parseDocument(fragment).contents);
  return document.toString({ lineWidth: 0 });
}

/** The configuration of an example; if a framework's base launch has none, single examples still can. */
function yamlOf(
  base: BaseEntry,
  example: { readonly base: string; readonly yaml?: string | undefined },
): ExampleFiles['yaml'] {
  if (base.yaml_name === undefined)
    return example.yaml === undefined ? undefined : { name: 'configuration.yaml', text: example.yaml };
  const text = example.base === 'none' ? (example.yaml ?? '') : merged(base.yaml ?? '', example.yaml);
  return { name: base.yaml_name, text };
}

/** The files of an example of a constraint: the base launch with the example's settings on top. */
export function exampleFiles(base: BaseEntry, example: ExampleEntry): ExampleFiles {
  const more =
    typeof example === 'string'
      ? {
          args: example,
          yaml: undefined,
          env: {},
          versions: {},
          machine: {},
          base: 'default',
          world_size: undefined,
          launch: undefined,
        }
      : example;
  const worldSize = more.world_size ?? base.world_size;
  const gpus = Math.min(8, worldSize);
  const launch = (more.launch ?? base.launch)
    .replaceAll('{gpus_per_node}', String(gpus))
    .replaceAll('{nodes}', String(Math.ceil(worldSize / gpus)));
  const env: { readonly [name: string]: string } =
    more.base === 'none' ? more.env : { ...base.env, ...more.env };
  const args = [...(more.base === 'none' ? [] : argumentLines(base.args)), ...argumentLines(more.args)];
  const script = [
    '#!/bin/bash',
    ...Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}`),
    [launch, ...args].join(' \\\n  '),
    '',
  ].join('\n');
  const machine = machineProfile({ ...more.machine, versions: more.versions });
  return {
    script,
    yaml: yamlOf(base, more),
    machine: 'profile' in machine ? machine.profile : noProfile,
  };
}
