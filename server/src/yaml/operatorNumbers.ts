import type { YamlNode } from './document.ts';
import { jobNodes } from './jobNodes.ts';
import { child, descendant, type StatedNumber, times, total, wholeNumber } from './resources.ts';
import { joined } from './words.ts';

/**
 * What an operator tells each process of its job about their number, in variables, if the file determines that.
 *
 * @param job the map with `pytorchReplicaSpecs`, `runtimeRef` or `distribution`
 */
export function operatorNumbers(job: YamlNode): ReadonlyMap<string, StatedNumber> {
  const numbers: Readonly<Record<string, StatedNumber | undefined>> = {
    ...ofReplicas(job),
    ...ofTrainer(job),
    ...ofAzure(job),
  };
  return new Map(
    Object.entries(numbers).flatMap(([name, number]) => (number === undefined ? [] : [[name, number]])),
  );
}

/**
 * A PyTorchJob with a master: WORLD_SIZE counts its pods, times the number of processes if stated. That number is a string since release 1.7,
 * which also sets torchrun's own variables (pkg/controller.v1/pytorch/envvar.go); earlier releases have no such field.
 */
function ofReplicas(job: YamlNode): Readonly<Record<string, StatedNumber | undefined>> {
  const replicas = child(job, 'pytorchReplicaSpecs');
  if (replicas === undefined || child(job, 'elasticPolicy') !== undefined) return {};
  const pods = jobNodes([job]);
  const stated = child(job, 'nprocPerNode');
  const each = wholeNumber(stated);
  const isLed = child(replicas, 'Master') !== undefined;
  if (stated === undefined || each === undefined) {
    const isByDevices = stated === undefined || ['auto', 'gpu', 'cpu'].includes(joined(stated.pieces));
    return isByDevices && isLed ? { WORLD_SIZE: pods } : {};
  }
  const isText = stated.value.kind === 'known' && typeof stated.value.data === 'string';
  if (!isText) return {};
  return {
    PET_NNODES: pods,
    PET_NPROC_PER_NODE: each,
    ...(isLed ? { WORLD_SIZE: times(pods, each) } : {}),
  };
}

/** A TrainJob on a torchrun runtime, which gets torchrun's variables (pkg/runtime/framework/plugins/torch/torch.go). */
function ofTrainer(job: YamlNode): Readonly<Record<string, StatedNumber | undefined>> {
  const runtime = descendant(job, 'runtimeRef', 'name');
  if (runtime === undefined || !joined(runtime.pieces).startsWith('torch-distributed')) return {};
  const trainer = child(job, 'trainer');
  return {
    PET_NNODES: wholeNumber(child(trainer, 'numNodes')),
    PET_NPROC_PER_NODE: wholeNumber(child(trainer, 'numProcPerNode')),
  };
}

/** How many processes Azure ML starts for PyTorch; it tells each of them. */
function ofAzure(job: YamlNode): Readonly<Record<string, StatedNumber | undefined>> {
  const type = descendant(job, 'distribution', 'type');
  if (type === undefined || joined(type.pieces).toLowerCase() !== 'pytorch') return {};
  const processes = times(
    wholeNumber(descendant(job, 'resources', 'instance_count')),
    wholeNumber(descendant(job, 'distribution', 'process_count_per_instance')),
  );
  return { WORLD_SIZE: processes };
}

/**
 * What the plugins of a Volcano Job tell its containers about their number (pkg/controllers/job/plugins of volcano at ed72c7c8): `pytorch` counts the pods of
 * its master and its workers, `svc` those of each task.
 *
 * @param job the map with `plugins` and `tasks`
 */
export function volcanoNumbers(job: YamlNode): ReadonlyMap<string, StatedNumber> {
  const tasks = child(job, 'tasks')?.items ?? [];
  const pytorch = descendant(job, 'plugins', 'pytorch');
  const numbers = new Map<string, StatedNumber>();
  const pods = pytorch === undefined ? undefined : podsOfPytorch(pytorch, tasks);
  if (pods !== undefined) numbers.set('WORLD_SIZE', pods);
  if (descendant(job, 'plugins', 'svc') === undefined) return numbers;
  for (const task of tasks) {
    const name = nameOf(task);
    const replicas = wholeNumber(child(task, 'replicas'));
    const isOneHost = descendant(task, 'template', 'spec', 'hostname') !== undefined;
    if (name !== undefined && replicas !== undefined && replicas.value > 0 && !isOneHost)
      numbers.set(`VC_${name.replaceAll('-', '_').toUpperCase()}_NUM`, replicas);
  }
  return numbers;
}

/**
 * The pods of the master and the workers, whose names arguments may change; undefined if the plugin does nothing or the numbers are not stated.
 */
function podsOfPytorch({ items }: YamlNode, tasks: readonly YamlNode[]): StatedNumber | undefined {
  const named = new Map([
    ['master', 'master'],
    ['worker', 'worker'],
  ]);
  for (const { pieces } of items) {
    const [, name = '', value] = /^--?([\w-]+)=(.*)$/.exec(joined(pieces)) ?? [];
    if (value === undefined) return undefined;
    named.set(name, value);
  }
  const of = (role: string): YamlNode | undefined => tasks.find((task) => nameOf(task) === named.get(role));
  const [master, worker] = [of('master'), of('worker')];
  if (master === undefined) return undefined;
  const counts = [master, ...(worker === undefined ? [] : [worker])].map((task) =>
    wholeNumber(child(task, 'replicas')),
  );
  const known = counts.filter((count) => count !== undefined);
  return known.length < counts.length ? undefined : total(known);
}

function nameOf(task: YamlNode): string | undefined {
  const name = child(task, 'name')?.value;
  return name?.kind === 'known' && typeof name.data === 'string' ? name.data : undefined;
}
