import type { Environment, NestedShell } from '../../bash/options.ts';
import { chainOf } from './chain.ts';
import { leavesFolder, throughSteps } from './environment.ts';
import { submitter } from './rayJob.ts';

const kinds = { 'shell-text': 'text', 'shell-file': 'file', 'shell-input': 'input' } as const;

/** Finds the shell behind the wrappers of a command (`srun`, `docker run`, …). */
export const nestedShell: NestedShell = (words) => {
  const { end, steps } = chainOf(words);
  const environment = (outer: Environment): Environment => throughSteps(outer, steps);
  if (end.kind === 'shell-text' || end.kind === 'shell-file' || end.kind === 'shell-input') {
    const { index, switches = '' } = end;
    const isText = end.kind === 'shell-text';
    const skip = isText ? end.skip : 0;
    const isLine = isText && end.isLine === true;
    const isTyped = isText && end.isTyped === true;
    const isQueued = steps.some(({ wrapper }) => wrapper.queues === true);
    const isPerhapsExpanded = isText && steps.some(({ name }) => name === submitter);
    const isElsewhere = steps.some(leavesFolder);
    return {
      kind: kinds[end.kind],
      index,
      skip,
      isLine,
      isTyped,
      switches,
      environment,
      isQueued,
      isPerhapsExpanded,
      isElsewhere,
    };
  }
  return undefined;
};
