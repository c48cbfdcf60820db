import type { Environment, NestedShell } from '../bash/options.ts';
import { chainOf } from './chain.ts';
import { throughSteps } from './environment.ts';

/** Finds the shell behind the wrappers of a command (`srun`, `docker run`, …). */
export const nestedShell: NestedShell = (words) => {
  const { end, steps } = chainOf(words);
  const environment = (outer: Environment): Environment => throughSteps(outer, steps);
  if (end.kind === 'shell-text') return { kind: 'text', index: end.index, skip: end.skip, environment };
  if (end.kind === 'shell-file') return { kind: 'file', index: end.index, skip: 0, environment };
  if (end.kind === 'shell-input') return { kind: 'input', index: end.index, skip: 0, environment };
  return undefined;
};
