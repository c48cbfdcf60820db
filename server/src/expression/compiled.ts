/**
 * An expression as the build writes it: a number, string, boolean or null stands for itself;
 * `['n', name]` reads a setting; `['l', …]` is a list; `['c', function, …]` calls; `['o', operator, left, right]`,
 * `['u', operator, operand]` and `['?', test, then, else]` combine.
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

/** How bad it is: upstream refuses it or it cannot fit, it is likely not meant, or it could be better. */
export type Severity = 'error' | 'warning' | 'info';

/**
 * How far a fix may be trusted: `safe` changes neither batch size, parallelism nor numerics; an `example` has a value that the user has to
 * replace by their own, so that it is shown and offered one by one, and never applied with others.
 */
export type Safety = 'safe' | 'suggested' | 'example';

/** A change of settings that a constraint proposes. */
export interface CompiledFix {
  readonly title: string;
  /** Values by option name: data, or an expression. */
  readonly set: { readonly [name: string]: Expression };
  readonly unset: readonly string[];
  /** Environment variables: a text, or null to remove it. Allocator settings are `PYTORCH_ALLOC_CONF.key`. */
  readonly env: { readonly [name: string]: Expression };
  readonly cost: string | undefined;
  readonly safety: Safety;
}

/** A constraint as the build writes it. */
export interface CompiledConstraint {
  readonly id: string;
  readonly severity: Severity;
  /** The severity where the project declares its release of the framework; `until` and `since` then tell whether the rule holds at all. */
  readonly declared?: 'error' | undefined;
  readonly phase: string;
  readonly when: Expression;
  readonly message: string;
  readonly why: string;
  readonly at: readonly string[];
  readonly fixes: readonly CompiledFix[];
  readonly upstream: readonly string[];
  /** The first release of upstream that does so, where that is known: `0.18`. */
  readonly since?: string | undefined;
  /** The last release of upstream that does so, where a newer one does not: `1.0.4`. */
  readonly until?: string | undefined;
  /** A text that the files of `upstream` hold where they have the check: in a workspace whose files do not, there is none. */
  readonly toldBy?: string | undefined;
  /** It is seen to hold for releases that alone take a step which it may rest on (`until` of that step). */
  readonly earlier?: true | undefined;
  readonly narrower: readonly string[];
  /** A rule of the project's own: it holds whichever version of upstream is there. */
  readonly isOwn?: true;
  /** The value that `$role` took, when the entry stands for several roles. */
  readonly role: string | undefined;
  readonly tags: readonly string[];
  /** Groups of names: of each group one must be touched for it to hold; undefined when there are none such. */
  readonly restsOn?: readonly (readonly string[])[] | undefined;
}

/** Memory that a GPU is sure to take, as the build writes it. */
export interface CompiledFloor {
  /** Which GPU: `the fullest training GPU`. */
  readonly gpu: string;
  /** The id of the constraint that tells where it does not fit: where that does not hold, the floor does not either. */
  readonly rule?: string;
  /** When it holds. */
  readonly when: Expression;
  /** Only where it is likely that a GPU takes as much, not certain. */
  readonly likely?: true;
  /** What it consists of, in bytes by name. */
  readonly parts: readonly { readonly name: string; readonly bytes: Expression }[];
  /** What comes on top and is never counted, in words. */
  readonly without: readonly string[];
}

/** A step of upstream's own settling of values: when `when` holds, `set` becomes `to`. In order. */
export interface CompiledDerivation {
  readonly set: string;
  readonly to: Expression;
  readonly when: Expression;
  readonly because: string | undefined;
  /** Megatron-core's configuration classes take the step, whatever program uses them. */
  readonly core?: true;
  /** The last release that takes the step, where newer ones refuse what it reads. */
  readonly until?: string;
}
