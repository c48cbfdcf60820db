/**
 * An expression as the build writes it: a number, string, boolean or null stands for itself; `['n', name]` reads a setting; `['l', …]` is a
 * list; `['c', function, …]` is a call; `['o', operator, left, right]`, `['u', operator, operand]` and `['?', test, then, else]` combine
 * expressions.
 */
export type Expression =
  | number
  | string
  | boolean
  | null
  | readonly ['n', string]
  | readonly ['l', ...Expression[]]
  | readonly ['c', string, ...Expression[]]
  | readonly ['o', string, Expression, Expression]
  | readonly ['u', string, Expression]
  | readonly ['?', Expression, Expression, Expression];

/** How bad it is: upstream refuses it or it cannot fit, it is probably not intended, or it could be better. */
export type Severity = 'error' | 'warning' | 'info';

/**
 * How far a fix can be trusted: `safe` changes neither batch size, parallelism nor numerics; an `example` has a value that users must replace
 * with their own, so it is shown and offered on its own and never applied together with others.
 */
export type Safety = 'safe' | 'suggested' | 'example';

/** A change of settings that a constraint proposes. */
export interface CompiledFix {
  readonly title: string;
  /** Values by option name: data, or an expression. */
  readonly set: { readonly [name: string]: Expression };
  readonly unset: readonly string[];
  /** Environment variables: a string, or null to remove one. Allocator settings are `PYTORCH_ALLOC_CONF.key`. */
  readonly env: { readonly [name: string]: Expression };
  readonly cost: string | undefined;
  readonly safety: Safety;
}

/** A constraint as the build writes it. */
export interface CompiledConstraint {
  readonly id: string;
  readonly severity: Severity;
  /** The severity if the project declares its release of the framework; `until` and `since` then decide whether the rule applies at all. */
  readonly declared?: 'error' | undefined;
  readonly phase: string;
  readonly when: Expression;
  readonly message: string;
  readonly why: string;
  readonly at: readonly string[];
  readonly fixes: readonly CompiledFix[];
  readonly upstream: readonly string[];
  /** The first upstream release that does so, if known: `0.18`. */
  readonly since?: string | undefined;
  /** The last upstream release that does so, if newer ones do not: `1.0.4`. */
  readonly until?: string | undefined;
  /** A text that the `upstream` files contain if they have the check: in a workspace whose files lack the text, there is no check. */
  readonly upstreamHas?: string | undefined;
  /** A text that the `upstream` files only contain once they no longer do what the rule is about. */
  readonly upstreamLacks?: string | undefined;
  /** Verified for the releases that alone take a step it may rest on (`until` of that step). */
  readonly earlier?: true | undefined;
  readonly narrower: readonly string[];
  /** One of the project's own rules: it holds for every version of upstream. */
  readonly isOwn?: true;
  /** The value that `$role` took, when the entry stands for several roles. */
  readonly role: string | undefined;
  readonly tags: readonly string[];
  /** Groups of names: it holds only if at least one name of each group is touched; undefined if there are no such groups. */
  readonly restsOn?: readonly (readonly string[])[] | undefined;
}

/** Memory that a GPU is sure to take, as the build writes it. */
export interface CompiledFloor {
  /** Which GPU: `the fullest training GPU`. */
  readonly gpu: string;
  /** The id of the constraint that reports when it does not fit: if that constraint does not apply, neither does the floor. */
  readonly rule?: string;
  /** When it holds. */
  readonly when: Expression;
  /** It is only likely, not certain, that a GPU takes this much. */
  readonly likely?: true;
  /** What it consists of, in bytes by name. */
  readonly parts: readonly { readonly name: string; readonly bytes: Expression }[];
  /** What comes on top but is never counted, in words. */
  readonly without: readonly string[];
}

/** A step in which upstream itself derives a value: if `when` holds, `set` becomes `to`. Steps run in order. */
export interface CompiledDerivation {
  readonly set: string;
  readonly to: Expression;
  readonly when: Expression;
  readonly because: string | undefined;
  /** Megatron-core's configuration classes take this step, whichever program uses them. */
  readonly core?: true;
  /** The last release that takes the step, if newer ones refuse its input. */
  readonly until?: string;
}
