import type { BindingProblem } from '../framework.ts';
import type { Target } from './interpolation.ts';

/** What a reference leads to where OmegaConf stops at it. */
export type LostTarget = Extract<Target, { kind: 'absent' | 'malformed' | 'unregistered' | 'circle' }>;

/** Why OmegaConf stops at a reference, in a few words. */
export function reasonOf(target: LostTarget): string {
  switch (target.kind) {
    case 'malformed':
      return target.reason;
    case 'circle':
      return 'it leads back to itself';
    case 'absent':
      return `there is no ${target.key}`;
    case 'unregistered':
      return target.meant === undefined
        ? `no resolver is called ${target.name}, unless the program registers one, and a colon gives no default`
        : `no resolver is called ${target.name}, unless the program registers one; an environment variable is ${target.meant}`;
  }
}

/** What a problem says of the reference behind it, for `atTheirReference`: the leaf that has it, and what it names. */
export function missing(target: Target): { readonly leaf?: string; readonly key?: string } {
  return target.kind === 'absent' ? { leaf: target.leaf, key: target.key } : {};
}

/**
 * Of references that lead nowhere those that name what is missing: all that lead through them fail only because of them. A name in
 * capitals is that of an environment variable, which OmegaConf reads through a resolver.
 */
export function atTheirReference(problems: readonly BindingProblem[]): BindingProblem[] {
  const direct = new Set(
    problems.flatMap(({ values: { leaf, name } }) => (leaf === name ? (leaf ?? []) : [])),
  );
  return problems.flatMap((problem) => {
    const { leaf, name, key } = problem.values;
    if (leaf === undefined || key === undefined) return [problem];
    if (leaf === name) return [/^[A-Z_][A-Z0-9_]*$/.test(key) ? asVariable(problem, key) : problem];
    return direct.has(leaf) ? [] : [problem];
  });
}

function asVariable(problem: BindingProblem, key: string): BindingProblem {
  const { place, values } = problem;
  const { value = '', reason = '' } = values;
  const meant = value.replaceAll(`\${${key}}`, `\${oc.env:${key}}`);
  if (meant === value) return problem;
  // In quotes the place is longer than the value.
  const stands = place.span.end - place.span.start === value.length;
  return {
    ...problem,
    values: { ...values, reason: `${reason}; an environment variable is \${oc.env:${key}}` },
    replacement: stands ? meant : undefined,
  };
}
