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

/**
 * SkyPilot: `num_nodes: 2` and `resources: {accelerators: H100:8}`. Of a choice (`any_of`, `ordered`, a list or map of accelerators) counts
 * what all have in common.
 */
export function skypilotResources(root: YamlNode): StatedResources {
  const resources = child(root, 'resources');
  const choices = [
    ...(child(resources, 'any_of')?.items ?? []),
    ...(child(resources, 'ordered')?.items ?? []),
  ];
  const common = child(resources, 'accelerators');
  const asked =
    choices.length === 0
      ? acceleratorsOf(common)
      : choices.flatMap((choice) => {
          const own = child(choice, 'accelerators') ?? common;
          return own === undefined ? [nothingAsked] : acceleratorsOf(own);
        });
  const nodes = wholeNumber(child(root, 'num_nodes'));
  const [first, ...others] = asked;
  if (first === undefined) return { ...nothingStated, nodes };
  const sameCount = others.every(({ count }) => count?.value === first.count?.value);
  return {
    nodes,
    gpusPerNode:
      first.count === undefined || !sameCount
        ? undefined
        : { value: first.count.value, places: asked.flatMap(({ count }) => count?.places ?? []) },
    gpu: others.every(({ gpu }) => gpu === first.gpu) ? first.gpu : undefined,
  };
}

interface Accelerators {
  readonly gpu: string | undefined;
  readonly count: StatedNumber | undefined;
}

const nothingAsked: Accelerators = { gpu: undefined, count: undefined };

/** `H100:8`, `H100`, `{H100: 8}`, or a choice of several. */
function acceleratorsOf(node: YamlNode | undefined): readonly Accelerators[] {
  if (node === undefined) return [];
  if (node.kind === 'map')
    return node.entries.map((entry) => ({ gpu: entry.key, count: wholeNumber(entry.node) }));
  if (node.kind === 'list') return node.items.flatMap(acceleratorsOf);
  const data = node.value.kind === 'known' ? node.value.data : undefined;
  const written = typeof data === 'string' ? /^([\w.-]+)(?::(\d+))?$/.exec(data) : null;
  if (written === null) return [nothingAsked];
  const value = written[2] === undefined ? 1 : Number(written[2]);
  return [{ gpu: written[1], count: { value, places: [node.place] } }];
}

/** Kubernetes and Compose: the GPUs that one container asks for. */
export function containerGpus(container: YamlNode): StatedNumber | undefined {
  const reserved =
    descendant(container, 'deploy', 'resources', 'reservations', 'devices') ?? child(container, 'gpus');
  if (reserved !== undefined) return reservedGpus(reserved);
  for (const list of ['limits', 'requests']) {
    const asked = wholeNumber(descendant(container, 'resources', list, 'nvidia.com/gpu'));
    if (asked !== undefined) return asked;
  }
  return undefined;
}

/** Compose: the GPUs of `devices: [{count: 8, capabilities: [gpu]}]`, or of the ids of some. */
function reservedGpus({ items }: YamlNode): StatedNumber | undefined {
  const [device, ...others] = items;
  if (device === undefined || others.length > 0) return undefined;
  const ids = child(device, 'device_ids');
  if (ids !== undefined)
    return ids.kind === 'list' ? { value: ids.items.length, places: [ids.place] } : undefined;
  return wholeNumber(child(device, 'count'));
}

/** dstack: `nodes: 2` and `resources: {gpu: H100:8}`; a number of GPUs stands behind their name and their memory. */
function dstackResources(task: YamlNode): StatedResources {
  const nodes = wholeNumber(child(task, 'nodes'));
  const gpu = descendant(task, 'resources', 'gpu');
  const text = gpu?.value.kind === 'known' && typeof gpu.value.data === 'string' ? gpu.value.data : '';
  const count = /^[A-Za-z][\w.-]*(?::\d+GB)?:(\d+)$/.exec(text)?.[1];
  const stated =
    gpu === undefined || count === undefined
      ? wholeNumber(child(gpu, 'count'))
      : { value: Number(count), places: [gpu.place] };
  return { nodes, gpusPerNode: stated, gpu: undefined };
}

/** Whether a map is a task of dstack. */
export function isDstack(node: YamlNode): boolean {
  const type = child(node, 'type')?.value;
  return type?.kind === 'known' && type.data === 'task' && child(node, 'commands') !== undefined;
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

/** Whether a map is a task of SkyPilot. */
export function isSkypilot(node: YamlNode): boolean {
  const script = child(node, 'run') ?? child(node, 'setup');
  return (
    script !== undefined && (child(node, 'resources') !== undefined || child(node, 'num_nodes') !== undefined)
  );
}

/** What is said of the machines for the commands of one map. */
export function statedAround(node: YamlNode, ancestors: readonly YamlNode[]): StatedResources {
  if (isSkypilot(node)) return skypilotResources(node);
  if (isDstack(node)) return dstackResources(node);
  const cluster = child(node, 'rayClusterSpec');
  if (cluster !== undefined) return rayResources(cluster);
  const gpus = containerGpus(node);
  if (
    gpus === undefined &&
    descendant(node, 'command') === undefined &&
    descendant(node, 'args') === undefined &&
    descendant(node, 'source') === undefined
  )
    return nothingStated;
  return { nodes: jobNodes(ancestors), gpusPerNode: gpus, gpu: undefined };
}
