import type { Place } from '../../text/span.ts';
import { absenceOf, type Decision, type Fork } from './fork.ts';
import type { Plan } from './plan.ts';

/** A part of the script that runs because of a decision or an assumption. */
export interface Region {
  readonly needs: readonly string[];
  readonly decision: Decision | undefined;
  readonly place: Place;
  readonly commandsBefore: number;
}

/** What plans for other paths need to know of a path. */
interface Path {
  readonly plan: Plan;
  /** The names that are given on it. */
  readonly given: ReadonlySet<string>;
  readonly decisions: readonly Decision[];
}

/** The plan of a path on which some names are not given, whatever requires them. */
export function withoutNames({ plan, given }: Path, names: readonly string[], place: Place): Plan {
  const choices = new Map(plan.choices);
  for (const name of names) if (!given.has(name)) choices.set(absenceOf(name, place).key, 1);
  return { ...plan, choices };
}

/** The plan of a path with some names given. */
export function givingNames({ plan }: Path, names: readonly string[], place: Place): Plan {
  return { ...plan, given: new Map([...plan.given, ...names.map((name) => [name, place] as const)]) };
}

/** Plans for paths that bypass a region: what it lacks is given, or its question gets another answer. */
export function passingPlans(path: Path, { needs, decision, place }: Region): readonly Plan[] {
  const { plan, given, decisions } = path;
  const missing = needs.filter((name) => !given.has(name));
  if (missing.length > 0 && decision === undefined) {
    const all = givingNames(path, missing, place);
    const each = missing.map((name) => givingNames(path, [name], place));
    return [missing.length === 1 ? all : { ...all, otherwise: each }];
  }
  if (decision === undefined) return [];
  const { key, sides } = decision.fork;
  const index = decisions.findIndex((made) => made.fork.key === key);
  const earlier = decisions.slice(0, Math.max(0, index));
  const before = new Map(plan.choices);
  for (const made of earlier) before.set(made.fork.key, made.choice);
  const open = new Set(earlier.filter(({ fork }) => isOpen(plan, fork)).map(({ fork }) => fork.key));
  const plans: Plan[] = [];
  for (let choice = decision.choice + 1; choice < sides.length; choice += 1) {
    plans.push({
      given: plan.given,
      choices: new Map(before).set(key, choice),
      guards: new Set(plan.guards).add(key),
      open,
    });
  }
  return plans;
}

/** Whether no other path follows the other sides of a decision of a path. */
function isOpen({ choices, open }: Plan, { key }: Fork): boolean {
  return !choices.has(key) || open.has(key);
}

/** The plans that differ from a path in the last of their decisions. */
export function siblingsOf({ plan, decisions }: Path): readonly Plan[] {
  const plans: Plan[] = [];
  const open: Plan['open'] = new Set();
  const before = new Map<string, number>(plan.choices);
  // What was chosen after a decision says nothing about its other sides.
  const upTo = new Map<string, number>();
  for (const { fork, choice } of decisions) {
    const choices = plan.open.has(fork.key) ? upTo : before;
    if (isOpen(plan, fork)) {
      for (let other = 0; other < fork.sides.length; other += 1) {
        if (other !== choice) plans.push({ ...plan, choices: new Map(choices).set(fork.key, other), open });
      }
    }
    before.set(fork.key, choice);
    upTo.set(fork.key, choice);
  }
  return plans;
}
