import data from '../../../../schemas/common/torchrun.json';
import type { Chain, Step } from './chain.ts';

/** The options that tell torchrun how many nodes and processes there are and how they meet. */
export const torchrunOptions = data.options;

/** The port at which the processes of a node meet, unless torchrun is given a different one. */
export const usualPort = data.usualPort;

/** The prefix of the variables that can replace torchrun's options. */
export const torchrunVariables = data.variables;

const calls: ReadonlySet<string> = new Set(data.calls);

/** Whether a wrapper of that name is PyTorch's own torchrun, in any of the ways to call it. */
export function isTorchrun(name: string): boolean {
  return calls.has(name);
}

/** The torchrun that starts the program of a command; undefined if something else does. */
export function torchrunOf({ steps }: Chain): Step | undefined {
  const step = steps.at(-1);
  return step !== undefined && isTorchrun(step.name) ? step : undefined;
}
