import type { CompiledFix, Expression, Safety } from '../expression/compiled.ts';
import { evaluate, evaluateTruth, type Lookup } from '../expression/evaluate.ts';
import { render } from '../expression/message.ts';
import { isMap, UNKNOWN } from '../expression/result.ts';
import { isNode } from '../expression/tree.ts';
import type { Run, Scope, Setting } from '../frameworks/framework.ts';
import type { Place } from '../text/span.ts';
import type { Data } from '../value/value.ts';
import type { Fix } from './finding.ts';

/** A fix with its values computed, ready for the edit planner. */
export interface PlannedChange {
  readonly title: string;
  readonly set: ReadonlyMap<string, Data>;
  readonly unset: readonly string[];
  /** Entries of `set` that only take over the value of another setting, which is removed: new names, each with the old one. */
  readonly renamed?: ReadonlyMap<string, string>;
  /** Entries of `set` that copy the value of another setting, which stays: names, each with the other one. */
  readonly copied?: ReadonlyMap<string, string>;
  readonly env: ReadonlyMap<string, string | null>;
  readonly cost: string | undefined;
  readonly safety: Safety;
  /** Written settings to remove, whether or not the scope knows them. */
  readonly remove?: readonly Setting[];
  /** An expansion of a whole array that must be quoted. */
  readonly quote?: Place;
  /** A calculation that Bash leaves as text but should compute. */
  readonly compute?: Place;
  /** Names of the settings that the finding rests on, the main one first; new settings are added next to them. */
  readonly near?: readonly string[];
}

/** The change that makes Bash compute a value that it leaves as text. */
export function computation(place: Place): PlannedChange {
  const none = { set: new Map(), unset: [], env: new Map(), cost: undefined };
  return { ...none, title: 'Let Bash compute it, within $(( ))', safety: 'suggested', compute: place };
}

/** Turns a change of settings into edits of the text; undefined if the text does not allow it. */
export type FixPlanner = (change: PlannedChange, run: Run, scope: Scope) => Fix | undefined;

/** A fix with its expressions computed; undefined if one of them is unknown. */
export function plannedChange(fix: CompiledFix, lookup: Lookup): PlannedChange | undefined {
  const set = new Map<string, Data>();
  const renamed = new Map<string, string>();
  const copied = new Map<string, string>();
  for (const [name, expression] of Object.entries(fix.set)) {
    const value = evaluate(expression, lookup);
    if (value === UNKNOWN) return undefined;
    set.set(name, value);
    const old = nameIn(expression, lookup);
    if (old !== undefined && old !== name) (fix.unset.includes(old) ? renamed : copied).set(name, old);
  }
  const env = new Map<string, string | null>();
  for (const [name, expression] of Object.entries(fix.env)) {
    const value = evaluate(expression, lookup);
    if (value === UNKNOWN || isMap(value) || Array.isArray(value)) return undefined;
    env.set(name, value === null ? null : String(value));
  }
  const title = render(fix.title, lookup);
  return { title, set, unset: fix.unset, renamed, copied, env, cost: fix.cost, safety: fix.safety };
}

/** The name whose effective or requested value an expression is; for `a ? b : c` that of the branch taken. */
function nameIn(expression: Expression, lookup: Lookup): string | undefined {
  if (!isNode(expression)) return undefined;
  if (expression[0] === 'n') return expression[1];
  if (expression[0] === '?') {
    const truth = evaluateTruth(expression[1], lookup);
    return truth === UNKNOWN ? undefined : nameIn(expression[truth ? 2 : 3], lookup);
  }
  const [kind, called, argument] = expression;
  return kind === 'c' && called === 'asked' && argument !== undefined ? nameIn(argument, lookup) : undefined;
}
