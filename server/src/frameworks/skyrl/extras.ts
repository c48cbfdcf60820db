import type { Command } from '../../launch/command.ts';
import { extrasOf, mayInstallOthers, uvRun } from '../../launch/faults/uvProject.ts';
import type { Launch } from '../../launch/launch.ts';
import { textOf, writtenAt } from '../../value/word.ts';
import type { BindingProblem } from '../framework.ts';

/**
 * Reports that `uv run` installs the extra `fsdp` for a launch that trains with Megatron. The two extras exclude each other, and Megatron-core
 * is only in the other one.
 */
export function missingExtra({ command }: Launch): BindingProblem[] {
  const step = uvRun(command);
  if (step === undefined || mayInstallOthers(step)) return [];
  const extras = extrasOf(step);
  const names = extras.map(textOf);
  const wrong = extras[names.indexOf('fsdp')];
  if (wrong === undefined || names.includes(undefined) || names.includes('megatron')) return [];
  const [piece] = wrong.pieces;
  return [
    {
      rule: 'missing-extra',
      place: writtenAt(wrong),
      values: { name: 'fsdp', needed: 'Megatron-core', meant: 'megatron' },
      setting: undefined,
      replacement: piece?.origin.verbatim === true && wrong.pieces.length === 1 ? 'megatron' : undefined,
      severity: 'warning',
      related: [],
    },
  ];
}

/** Whether `uv run` starts the program; unknown if it is, or may be, started by another program or from a job description. */
export function startedByUv({ command, wrappers, place }: Launch): boolean | undefined {
  if (wrappers.includes('uv run')) return true;
  const isAlone = wrappers.length === 0 && command.via.length === 0 && !/\.(?:ya?ml|json)$/.test(place.path);
  return isAlone && !mayReplaceShell(command) ? false : undefined;
}

/** Whether there is room for an `exec` between the assignments before a command and its first word. */
function mayReplaceShell({ words, env, place }: Command): boolean {
  const start = words[0]?.place.span.start ?? place.span.end;
  const ends = [...env.values()].flatMap(({ place: { path, span } }) =>
    path === place.path && span.end <= start ? span.end : [],
  );
  return start - Math.max(place.span.start, ...ends) >= 'exec '.length;
}
