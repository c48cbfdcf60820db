import type { BindingProblem } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { arity } from './actions.ts';
import type { FlagIndex } from './classify.ts';
import type { OtherRelease } from './parser.ts';

/** The part of a problem that its flag decides. */
export type Said = Pick<BindingProblem, 'rule' | 'values' | 'replacement'>;

/** What to say of a flag that another release has. */
export function flagOfOtherRelease(flag: string, { hint, renamedTo, gone }: OtherRelease): Said {
  return {
    rule: renamedTo !== undefined ? 'renamed-option' : gone ? 'removed-option' : 'unknown-option',
    values: { name: flag, renamed: renamedTo ?? '', hint },
    replacement: renamedTo,
  };
}

/** ` (since 0.15)`: the first release of the option that has taken the place of a deprecated one; empty when it is old. */
export function sinceOf({ renamedTo }: OptionFact, index: FlagIndex): string {
  const since = index.byFlag.get(renamedTo?.split(' ', 1)[0] ?? '')?.since;
  return since === undefined ? '' : ` (since ${since})`;
}

/** The text that can stand in the place of a deprecated flag, with its values left as they are; undefined when they would not fit. */
export function successorOf(option: OptionFact, index: FlagIndex): string | undefined {
  const [flag, ...values] = option.renamedTo?.split(' ') ?? [];
  const successor = flag === undefined ? undefined : index.byFlag.get(flag);
  if (successor === undefined) return undefined;
  const [least, most] = arity(successor);
  const [taken] = arity(option);
  const fits = values.length > 0 ? taken === 0 && values.length >= least : taken >= least && taken <= most;
  return fits && values.length <= most ? option.renamedTo : undefined;
}
