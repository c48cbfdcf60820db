import type { Launch } from '../../launch/launch.ts';
import { known, unknown, type Value } from '../../value/value.ts';
import { folderAbove } from '../above.ts';
import type { BindingContext } from '../framework.ts';
import { importPaths } from '../otherVersion.ts';
import { codeOf } from '../pythonCode.ts';
import type { Program } from './programs.ts';

/** Where skyrl-gym registers the environments that it brings. */
const registrations = 'skyrl-gym/skyrl_gym/envs/__init__.py';

/** The names of environments that a program can make: those of the skyrl-gym in the workspace, else upstream's; unknown where it registers its own. */
export function environmentsOf(program: Program, launch: Launch, { host, knowledge }: BindingContext): Value {
  if (program.ownEnvironments !== false) return unknown('outside', program.module);
  const folder = folderAbove(importPaths(launch), registrations, host);
  const source = folder === undefined ? undefined : host.read(`${folder}/${registrations}`);
  if (source === undefined)
    return known(knowledge.options.find(({ name }) => name === 'entry.environments')?.default ?? null);
  const calls = [...codeOf(source).matchAll(/(?<![\w.])register\(\s*(?:id\s*=\s*["']([^"']+)["'])?/g)];
  const names = calls.flatMap(([, name]) => name ?? []);
  return names.length > 0 && names.length === calls.length ? known(names) : unknown('outside', registrations);
}
