import type { Place } from '../text/span.ts';
import type { YamlNode } from './document.ts';

/** A number that a file states about the machines of a job, and where. */
export interface StatedNumber {
  readonly value: number;
  readonly places: readonly Place[];
}

/** What a job description says of its machines. Absent: not said, or not as one number. */
export interface StatedResources {
  readonly nodes: StatedNumber | undefined;
  readonly gpusPerNode: StatedNumber | undefined;
  /** The GPU's name as the file has it (`H100`), when it has one. */
  readonly gpu: string | undefined;
}

export const nothingStated: StatedResources = { nodes: undefined, gpusPerNode: undefined, gpu: undefined };

/** The entry of a map by key. */
export function child(node: YamlNode | undefined, key: string): YamlNode | undefined {
  return node?.entries.find((entry) => entry.key === key)?.node;
}

/** The node behind a chain of keys. */
export function descendant(node: YamlNode | undefined, ...keys: readonly string[]): YamlNode | undefined {
  return keys.reduce<YamlNode | undefined>(child, node);
}

/** SkyPilot: `num_nodes: 2` and `resources: {accelerators: H100:8}`; choices between accelerators say nothing. */
export function skypilotResources(root: YamlNode): StatedResources {
  const accelerators = descendant(root, 'resources', 'accelerators');
  const nodes = wholeNumber(child(root, 'num_nodes'));
  if (accelerators?.kind === 'map' && accelerators.entries.length === 1) {
    const [only] = accelerators.entries;
    return { nodes, gpusPerNode: wholeNumber(only?.node), gpu: only?.key };
  }
  const data = accelerators?.value.kind === 'known' ? accelerators.value.data : undefined;
  const written = typeof data === 'string' ? /^([\w.-]+)(?::(\d+))?$/.exec(data) : null;
  if (written === null || accelerators === undefined) return { ...nothingStated, nodes };
  const value = written[2] === undefined ? 1 : Number(written[2]);
  return { nodes, gpusPerNode: { value, places: [accelerators.place] }, gpu: written[1] };
}

/** Kubernetes: the GPUs that one container asks for. */
export function containerGpus(container: YamlNode): StatedNumber | undefined {
  for (const list of ['limits', 'requests']) {
    const asked = wholeNumber(descendant(container, 'resources', list, 'nvidia.com/gpu'));
    if (asked !== undefined) return asked;
  }
  return undefined;
}

/**
 * Kubernetes: how many machines the job that holds a container takes: all replicas of a training job (PyTorchJob), the groups with
 * GPUs of a RayCluster, `parallelism` of a Job, `size` of a LeaderWorkerSet.
 * @param ancestors maps around the container, outermost first
 */
export function jobNodes(ancestors: readonly YamlNode[]): StatedNumber | undefined {
  for (const node of [...ancestors].reverse()) {
    const replicas = node.entries.find((entry) => /^\w+ReplicaSpecs$/.test(entry.key))?.node;
    if (replicas !== undefined)
      return sum(
        replicas.entries.map((entry) => child(entry.node, 'replicas')),
        1,
      );
    const size = descendant(node, 'leaderWorkerTemplate', 'size');
    if (size !== undefined) return wholeNumber(size);
    const parallelism = child(node, 'parallelism');
    if (parallelism !== undefined && child(node, 'template') !== undefined) return wholeNumber(parallelism);
  }
  return undefined;
}

/** KubeRay: machines and GPUs of a `rayClusterSpec`: the groups whose containers ask for GPUs. */
export function rayResources(cluster: YamlNode): StatedResources {
  const groups = [child(cluster, 'headGroupSpec'), ...(child(cluster, 'workerGroupSpecs')?.items ?? [])];
  const counts: StatedNumber[] = [];
  let gpus: StatedNumber | undefined;
  for (const group of groups) {
    const containers = descendant(group, 'template', 'spec', 'containers')?.items ?? [];
    const asked = containers.map(containerGpus).find((each) => each !== undefined && each.value > 0);
    if (group === undefined || asked === undefined) continue;
    if (gpus !== undefined && gpus.value !== asked.value) return nothingStated;
    gpus = asked;
    const replicas = child(group, 'replicas');
    const count = replicas === undefined ? { value: 1, places: [] } : wholeNumber(replicas);
    if (count === undefined) return { nodes: undefined, gpusPerNode: gpus, gpu: undefined };
    counts.push(count);
  }
  if (counts.length === 0) return nothingStated;
  return { nodes: total(counts), gpusPerNode: gpus, gpu: undefined };
}

function wholeNumber(node: YamlNode | undefined): StatedNumber | undefined {
  if (node === undefined || node.value.kind !== 'known') return undefined;
  const { data } = node.value;
  const value = typeof data === 'string' && /^\d+$/.test(data) ? Number(data) : data;
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
    ? { value, places: [node.place] }
    : undefined;
}

function sum(nodes: readonly (YamlNode | undefined)[], absent: number): StatedNumber | undefined {
  const counts: StatedNumber[] = [];
  for (const node of nodes) {
    const count = node === undefined ? { value: absent, places: [] } : wholeNumber(node);
    if (count === undefined) return undefined;
    counts.push(count);
  }
  return counts.length === 0 ? undefined : total(counts);
}

function total(counts: readonly StatedNumber[]): StatedNumber {
  return {
    value: counts.reduce((all, count) => all + count.value, 0),
    places: counts.flatMap((count) => count.places),
  };
}
