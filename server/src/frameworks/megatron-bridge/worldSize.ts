import data from '../../../../schemas/megatron-bridge/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import { isTorchrun } from '../../launch/wrappers/torchrun.ts';
import { known, unknown, type Value } from '../../value/value.ts';
import type { Setting } from '../framework.ts';
import type { Program } from './recognise.ts';

/**
 * GPUs of the job. Without a launcher in the text the program may still run in many processes (srun around the whole script), so only a
 * launcher's numbers count. The benchmarks and the program that submits a job are given the numbers.
 */
export function worldSizeOf(launch: Launch, program: Program, settings: ReadonlyMap<string, Setting>): Value {
  const asked = (name: string): number | undefined => {
    const value = settings.get(name)?.value;
    return value?.kind === 'known' && /^\d+$/.test(String(value.data)) ? Number(value.data) : undefined;
  };
  if (program === 'performance') {
    const gpus = asked('performance.num_gpus');
    if (gpus !== undefined) return known(gpus);
  }
  if (program === 'submit') {
    const [nodes, gpus] = [asked('submit.nodes'), asked('submit.gpus_per_node')];
    return nodes === undefined || gpus === undefined
      ? unknown('outside', 'number of GPUs')
      : known(nodes * gpus);
  }
  const started =
    launch.wrappers.some((wrapper) => isTorchrun(wrapper) || data.processLaunchers.includes(wrapper)) ||
    launch.worldSizeWords.length > 0;
  return started ? launch.worldSize : unknown('outside', 'number of GPUs');
}
