import { parseAllocationMode } from '../../expression/functions/allocation.ts';
import type { BindingProblem } from '../framework.ts';
import { Interpolation } from './interpolation.ts';
import { type Branch, interpolationOf } from './tree.ts';

/**
 * The older launchers build the inference server's section from the file alone, without defaults: a reference in it must lead to a key that the
 * file has (areal/infra/launcher/sglang_server.py:271, areal/api/cli_args.py:2980).
 */
export function rawReferences(root: Branch): BindingProblem[] {
  const mode = root.entries.get('allocation_mode');
  const text = mode?.kind === 'leaf' && mode.value.kind === 'known' ? mode.value.data : undefined;
  const parsed = typeof text === 'string' ? parseAllocationMode(text) : undefined;
  const engine = parsed?.ok === true ? parsed.value.generation?.backend : undefined;
  const section = engine === undefined ? undefined : root.entries.get(engine);
  if (engine === undefined || section?.kind !== 'map') return [];
  const interpolation = new Interpolation(root, undefined);
  const problems: BindingProblem[] = [];
  for (const [key, node] of section.entries) {
    const reference = interpolationOf(node);
    if (reference === undefined) continue;
    const target = interpolation.resolve(reference, [engine, key]);
    if (target.kind !== 'absent') continue;
    problems.push({
      rule: 'invalid-interpolation',
      place: node.at.place,
      values: {
        name: `${engine}.${key}`,
        value: reference,
        reason: `the launcher reads it from the file, which has no ${target.key}`,
      },
      setting: undefined,
      replacement: undefined,
      severity: 'error',
      related: [],
    });
  }
  return problems;
}
