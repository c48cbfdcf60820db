import type { BindingProblem } from '../framework.ts';
import { problem } from '../problem.ts';
import type { Target } from './interpolation.ts';
import { type ConfigNode, interpolationOf } from './tree.ts';
import type { Strictness } from './unknownKey.ts';

/** The targets of references that OmegaConf rejects. */
export type LostTarget = Extract<
  Target,
  { kind: 'absent' | 'malformed' | 'refused' | 'unregistered' | 'unset' | 'circle' }
>;

const lost: ReadonlySet<Target['kind']> = new Set([
  'absent',
  'malformed',
  'refused',
  'unregistered',
  'unset',
  'circle',
] satisfies LostTarget['kind'][]);

/** Whether OmegaConf rejects a reference with this target. */
export function leadsNowhere(target: Target): target is LostTarget {
  return lost.has(target.kind);
}

/** Why OmegaConf rejects a reference, in a few words. */
function reasonOf(target: LostTarget): string {
  switch (target.kind) {
    case 'malformed':
    case 'refused':
      return target.reason;
    case 'circle':
      return 'it leads back to itself';
    case 'unset':
      return 'Hydra does not start the program here, so it has no configuration';
    case 'absent':
      return target.nullSection === undefined
        ? `there is no ${target.key}${target.meant === undefined ? '' : `, only ${target.meant}`}`
        : `${target.nullSection} is null, so there is no ${target.key}`;
    case 'unregistered':
      return target.meant === undefined
        ? `no resolver is called ${target.name}, unless the program registers one, and a colon gives no default`
        : `no resolver is called ${target.name}, unless the program registers one; an environment variable is ${target.meant}`;
  }
}

/**
 * What to report for a reference that OmegaConf rejects. One that cannot be parsed is reported where it is written; others that lead to it, or
 * into a circle, fail only because of it. The leaf and the key in the problem are for `atTheirReference`.
 * @param path the keys that lead to the node with the reference
 * @param missingSeverity for a missing section, which the command line may still set
 */
export function lostReference(
  target: LostTarget,
  node: ConfigNode,
  name: string,
  path: readonly string[],
  { missingSeverity }: Strictness,
): readonly BindingProblem[] {
  const isCertain =
    target.kind === 'absent' || (target.kind !== 'malformed' && target.leaf === path.join('.'));
  if (!isCertain) return [];
  const named =
    target.kind === 'absent' ? { leaf: target.leaf, key: target.key, meant: target.meant ?? '' } : {};
  const values = { name, value: interpolationOf(node) ?? '', reason: reasonOf(target), ...named };
  const found = problem('invalid-interpolation', node.at.place, values);
  if (target.kind === 'unregistered') return [{ ...found, severity: 'warning' }];
  const isOfNullSection = target.kind === 'absent' && target.nullSection !== undefined;
  return [isOfNullSection ? { ...found, severity: missingSeverity } : found];
}

/**
 * Of the references that lead nowhere, keeps those that name what is missing: all that lead through them fail only because of them. A name in
 * capitals is taken for an environment variable, which OmegaConf reads through a resolver.
 */
export function onlyDirectReferences(problems: readonly BindingProblem[]): BindingProblem[] {
  const direct = new Set(
    problems.flatMap(({ values: { leaf, name } }) => (leaf === name ? (leaf ?? []) : [])),
  );
  return problems.flatMap((problem) => {
    const { leaf, name, key, meant = '' } = problem.values;
    if (leaf === undefined || key === undefined) return [problem];
    if (leaf === name && meant !== '')
      return [{ ...problem, replacement: inItsPlace(problem, key, `\${${meant}}`) }];
    if (leaf === name) return [/^[A-Z_][A-Z0-9_]*$/.test(key) ? asVariable(problem, key) : problem];
    return direct.has(leaf) ? [] : [problem];
  });
}

function asVariable(problem: BindingProblem, key: string): BindingProblem {
  const { values } = problem;
  const { value = '', reason = '' } = values;
  if (!value.includes(`\${${key}}`)) return problem;
  return {
    ...problem,
    values: { ...values, reason: `${reason}; an environment variable is \${oc.env:${key}}` },
    replacement: inItsPlace(problem, key, `\${oc.env:${key}}`),
  };
}

/** The text of a problem's place with another reference in it; undefined if the place is quoted and so longer than its value. */
function inItsPlace(
  { place: { span }, values: { value = '' } }: BindingProblem,
  key: string,
  reference: string,
): string | undefined {
  const text = value.replaceAll(`\${${key}}`, reference);
  return text === value || span.end - span.start !== value.length ? undefined : text;
}
