import data from '../../../../schemas/common/token-budgets.json';
import { resultOf } from '../../expression/evaluate.ts';
import type { Run, Scope } from '../../frameworks/framework.ts';

/** Token budgets per GPU or micro-batch. */
const budgets: readonly {
  readonly name: RegExp;
  /** Settings whose sum is the longest sequence that must fit; the first known of several alternatives. */
  readonly longest: readonly (readonly string[])[];
  /** A setting that multiplies the budget. */
  readonly times?: string;
}[] = data.budgets.map(({ budget, ...rest }) => ({ ...rest, name: new RegExp(budget) }));

function numberIn(scopes: readonly Scope[], name: string): number | undefined {
  for (const scope of scopes) {
    const found = scope.lookup(name);
    const value = found === undefined ? undefined : resultOf(found.value);
    if (typeof value === 'number' && value > 0) return value;
  }
  return undefined;
}

/** How many of the longest sequences fit into a token budget (`2 × 4096 tokens`), or undefined if unknown. */
export function sequencesIn(run: Run, name: string, tokens: number): string | undefined {
  const found = budgets.find((budget) => budget.name.test(name));
  if (found === undefined) return undefined;
  const times = found.times === undefined ? 1 : numberIn(run.scopes, found.times);
  if (times === undefined) return undefined;
  for (const names of found.longest) {
    const parts = names.map((part) => numberIn(run.scopes, part));
    if (parts.some((part) => part === undefined)) continue;
    const length = parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);
    const count = (tokens * times) / length;
    return `${count >= 10 ? Math.floor(count) : Number(count.toFixed(1))} × ${length} tokens`;
  }
  return undefined;
}
