import type { YamlNode } from './document.ts';
import { jobNodes } from './jobNodes.ts';
import {
  askedGpus,
  child,
  containerGpus,
  descendant,
  dstackResources,
  isDstack,
  isSkypilot,
  nothingStated,
  rayResources,
  type StatedNumber,
  type StatedResources,
  skypilotResources,
  times,
  wholeNumber,
} from './resources.ts';
import { runaiContainer } from './runai.ts';
import { joined } from './words.ts';

const one: StatedNumber = { value: 1, places: [] };

/** What is stated about the machines for the commands of one map. */
export function statedAround(node: YamlNode, ancestors: readonly YamlNode[]): StatedResources {
  if (isSkypilot(node)) return skypilotResources(node);
  if (isDstack(node)) return dstackResources(node);
  const cluster = child(node, 'rayClusterSpec');
  if (cluster !== undefined) return rayResources(cluster);
  if (child(node, 'numNodes') !== undefined) return trainerResources(node);
  if (child(node, 'distribution') !== undefined) return azureResources(node);
  const slots = wholeNumber(descendant(node, 'resources', 'slots_per_trial'));
  if (slots !== undefined) return { ...nothingStated, slots };
  const runai = runaiContainer(node);
  const ofRunai = runai === undefined ? undefined : (child(runai, 'gpuDevices') ?? child(runai, 'gpu'));
  if (runai !== undefined) return { ...nothingStated, gpusPerNode: aboveNone(wholeNumber(ofRunai)) };
  const gpus = aboveNone(containerGpus(node));
  const ofMpi = mpiSlots(ancestors);
  const isCommand = ['command', 'args', 'source'].some((key) => child(node, key) !== undefined);
  if (gpus === undefined && !isCommand) return nothingStated;
  return {
    nodes: jobNodes(ancestors),
    gpusPerNode: gpus,
    gpu: undefined,
    ...(ofMpi === undefined ? {} : { slots: ofMpi }),
  };
}

/**
 * The slots that the operator of an MPIJob writes to the host file, from which mpirun takes its number of processes: `slotsPerWorker`, 1 by
 * default, for each worker (`newConfigMap` in pkg/controller/mpi_job_controller.go of mpi-operator at caa3c47f). Other MPI implementations
 * start one process if no number is given.
 */
function mpiSlots(ancestors: readonly YamlNode[]): StatedNumber | undefined {
  const job = ancestors.findLast((node) => child(node, 'mpiReplicaSpecs') !== undefined);
  const implementation = child(job, 'mpiImplementation');
  if (job === undefined || (implementation !== undefined && joined(implementation.pieces) !== 'OpenMPI'))
    return undefined;
  const perWorker = child(job, 'slotsPerWorker');
  return times(jobNodes([job]), perWorker === undefined ? one : wholeNumber(perWorker));
}

/** The trainer of a TrainJob: `numNodes`, and `resourcesPerNode` in the form of a container's resources. */
function trainerResources(trainer: YamlNode): StatedResources {
  return {
    nodes: wholeNumber(child(trainer, 'numNodes')),
    gpusPerNode: aboveNone(askedGpus(child(trainer, 'resourcesPerNode'))),
    gpu: undefined,
  };
}

/** An Azure ML job: `instance_count` machines. The number of processes on each of them says nothing about its GPUs. */
function azureResources(job: YamlNode): StatedResources {
  return { ...nothingStated, nodes: wholeNumber(descendant(job, 'resources', 'instance_count')) };
}

/** Whatever requests no GPU runs its program elsewhere, like the launcher of an MPIJob. */
function aboveNone(count: StatedNumber | undefined): StatedNumber | undefined {
  return count?.value === 0 ? undefined : count;
}
