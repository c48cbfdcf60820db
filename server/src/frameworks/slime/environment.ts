import type { Launch } from '../../launch/launch.ts';
import { unknown } from '../../value/value.ts';
import type { Effective } from '../framework.ts';

/** Whether the job gets variables that the text does not show: its runtime environment is a file, or a text that is computed when the script runs. */
export function hasHiddenEnvironment({ unseenVariables }: Launch): boolean {
  return (unseenVariables ?? []).length > 0;
}

/** Facts of a launch whose environment is partly hidden: a variable that the text does not set is unknown, not absent. */
export function withHiddenEnvironment(
  facts: (name: string) => Effective | undefined,
): (name: string) => Effective | undefined {
  return (name) => {
    const fact = facts(name);
    if (fact === undefined || !/^(env|alloc_conf)\./.test(name)) return fact;
    return fact.value.kind === 'known' && fact.value.data === null
      ? { ...fact, value: unknown('command-output', 'the runtime environment of the job') }
      : fact;
  };
}
