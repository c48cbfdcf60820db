import type { CompiledConstraint, Severity } from '../expression/compiled.ts';
import type { FrameworkId } from '../frameworks/framework.ts';
import { beginning } from '../text/beginning.ts';

/** A rule that code checks (schemas/common/rules/). */
export interface CommonRule {
  readonly id: string;
  readonly severity: Severity;
  readonly phase: string;
  /** False if no comment can suppress it. */
  readonly suppressible?: false;
  readonly message: string;
  readonly why: string;
  /** What the offered fixes do. */
  readonly fixes: readonly string[];
}

/** Common rules by id. */
export type CommonRules = ReadonlyMap<string, CommonRule>;

/** What the user sees of a rule, however it is checked. */
export interface RuleFacts {
  /** `megatron-lm/cpu-offloading-needs-one-pipeline-stage`, or `unknown-option` for a common rule. */
  readonly id: string;
  readonly framework: FrameworkId | undefined;
  readonly severity: Severity;
  /** The severity if the project declares its release, when it differs. */
  readonly declared?: Severity;
  readonly phase: string;
  readonly message: string;
  readonly why: string;
  readonly upstream: readonly string[];
  /** The first upstream release that does so, if known. */
  readonly since?: string;
  /** The last upstream release that does so, if newer ones do not. */
  readonly until?: string;
  readonly fixes: readonly string[];
  /** What each of the fixes costs; null for nothing worth mentioning. */
  readonly costs?: readonly (string | null)[];
}

/** Longest value that a message shows in full, in characters: lists of choices are shorter. */
const longestValue = 500;

/** Fills the `{name}` parts of a common rule's message. Very long values are cut. */
export function fillMessage(message: string, values: { readonly [name: string]: string }): string {
  return message.replace(/\{([a-z_]+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return value.length > longestValue ? `${beginning(value, longestValue - 1)}…` : value;
  });
}

/** The facts of a constraint as a rule. */
export function ruleOfConstraint(framework: FrameworkId, constraint: CompiledConstraint): RuleFacts {
  return {
    id: `${framework}/${constraint.id}`,
    framework,
    severity: constraint.severity,
    ...(constraint.declared === undefined ? {} : { declared: constraint.declared }),
    phase: constraint.phase,
    message: constraint.message,
    why: constraint.why,
    upstream: constraint.upstream,
    ...(constraint.since === undefined ? {} : { since: constraint.since }),
    ...(constraint.until === undefined ? {} : { until: constraint.until }),
    fixes: constraint.fixes.map(({ title }) => title),
    costs: constraint.fixes.map(({ cost }) => cost ?? null),
  };
}
