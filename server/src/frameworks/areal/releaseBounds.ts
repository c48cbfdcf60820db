import data from '../../../../schemas/areal/recognise.json';
import { compareVersions } from '../../expression/functions/versions.ts';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import type { Value } from '../../value/value.ts';
import type { BindingProblem, Run } from '../framework.ts';
import type { ReleaseHints } from '../otherVersion.ts';
import { codeOf } from '../pythonCode.ts';
import type { LaunchForm } from './launchForm.ts';
import { locate } from './located.ts';
import { isBackendOfRole } from './wholeAllocation.ts';

/** The releases that a launch can be for: other releases lack what it starts or imports. */
export type ReleaseBounds = Pick<ReleaseHints, 'newest' | 'oldest'>;

const importBounds: readonly { import: string; oldest?: string; newest?: string }[] = data.imports;

/**
 * The bounds that follow from the launcher and the imports of the training script. Imports inside a block may never run and are ignored; so is
 * everything if no release has all of the imports, since such a script is not one of upstream's.
 */
export function releaseBounds(form: LaunchForm, launch: Launch, host: Host): ReleaseBounds {
  const path = form.script === undefined ? undefined : locate(form.script, launch, host);
  const script = path === undefined ? undefined : host.read(path);
  const launcher = `import areal.${form.oldModule ? '' : 'infra.'}launcher`;
  const lines = importsOf(script ?? '').concat(form.mode === 'controller' ? [] : [launcher]);
  let bounds: ReleaseBounds = {};
  for (const { import: pattern, ...one } of importBounds) {
    if (!lines.some((line) => new RegExp(pattern).test(line))) continue;
    bounds = {
      oldest: furthest(bounds.oldest, one.oldest, 1),
      newest: furthest(bounds.newest, one.newest, -1),
    };
  }
  const { oldest, newest } = bounds;
  if (oldest !== undefined && newest !== undefined && (compareVersions(oldest, newest) ?? 0) > 0) return {};
  return bounds;
}

/** The top-level import statements of a Python source that import from AReaL. */
function importsOf(source: string): readonly string[] {
  return codeOf(source).match(/^(?:from|import)\s+areal\b(?:[^\n]*\([^)]*\)|[^\n]*)/gm) ?? [];
}

/** The later of two releases, or the earlier one if `sign` is -1. */
function furthest(a: string | undefined, b: string | undefined, sign: 1 | -1): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return (compareVersions(a, b) ?? 0) * sign < 0 ? b : a;
}

/**
 * Before each role had its own backend, one string gave the engines and sizes of all roles, even for scripts that are started directly. The
 * releases of that time reject `backend: ???` too, since the key did not exist.
 */
export function isGivenOtherwise(
  { rule, values, isNamed: isKey }: BindingProblem,
  { settings }: Run,
): boolean {
  const isBackend = rule === 'required-option' && isBackendOfRole(values.name ?? '') && isKey !== true;
  return isBackend && settings.some(({ name, value }) => name === 'allocation_mode' && isNamed(value));
}

function isNamed(value: Value): boolean {
  return value.kind === 'unknown' || (typeof value.data === 'string' && value.data !== '');
}
