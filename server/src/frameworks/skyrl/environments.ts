import data from '../../../../schemas/skyrl/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import { known, unknown, type Value } from '../../value/value.ts';
import { folderAbove } from '../above.ts';
import type { BindingContext } from '../framework.ts';
import { importPaths } from '../importPaths.ts';
import type { Knowledge } from '../knowledge.ts';
import { codeOf } from '../pythonCode.ts';
import { declaredFields } from '../pythonFields.ts';
import type { Program } from './programs.ts';

/** Where skyrl-gym registers the environments it ships. */
const registrations = `${data.environments}/__init__.py`;

/**
 * The names of environments that a program can create: those of the skyrl-gym in the workspace, else upstream's; unknown if the program
 * registers its own.
 */
export function environmentsOf(program: Program, launch: Launch, { host, knowledge }: BindingContext): Value {
  if (program.ownEnvironments !== false) return unknown('outside', program.module);
  const folder = folderAbove(importPaths(launch), registrations, host);
  const source = folder === undefined ? undefined : host.read(`${folder}/${registrations}`);
  if (source === undefined) return known(upstreamEnvironments(knowledge));
  const calls = [...codeOf(source).matchAll(/(?<![\w.])register\(\s*(?:id\s*=\s*["']([^"']+)["'])?/g)];
  const names = calls.flatMap(([, name]) => name ?? []);
  return names.length > 0 && names.length === calls.length ? known(names) : unknown('outside', registrations);
}

/** The names of the environments that upstream's skyrl-gym brings. */
export function upstreamEnvironments({ options }: Knowledge): readonly string[] {
  const names = options.find(({ name }) => name === 'entry.environments')?.default;
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

/** The fields that the workspace's skyrl-gym declares for an environment; empty if it has no such folder. */
export function environmentFields(
  name: string,
  launch: Launch,
  { host }: BindingContext,
): ReadonlySet<string> {
  const folder = folderAbove(importPaths(launch), registrations, host);
  return declaredFields(
    folder === undefined ? '' : (host.read(`${folder}/${data.environments}/${name}/env.py`) ?? ''),
  );
}
