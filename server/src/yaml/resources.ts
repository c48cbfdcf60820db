import type { Place } from '../text/span.ts';
import type { YamlNode } from './document.ts';
import { gpuResources } from './jobKeys.ts';

/** A number that a file states about the machines of a job, and where. */
export interface StatedNumber {
  readonly value: number;
  readonly places: readonly Place[];
}

/** What a job description says about its machines. Absent: not stated, or not as one number. */
export interface StatedResources {
  readonly nodes: StatedNumber | undefined;
  readonly gpusPerNode: StatedNumber | undefined;
  /** GPUs on all nodes together. */
  readonly slots?: StatedNumber | undefined;
  /** The GPU's name as written in the file (`H100`), if it has one. */
  readonly gpu: string | undefined;
}

/** A file that says nothing about what it runs on. */
export const nothingStated: StatedResources = { nodes: undefined, gpusPerNode: undefined, gpu: undefined };

/** The entry of a map by key. */
export function child(node: YamlNode | undefined, key: string): YamlNode | undefined {
  return node?.entries.find((entry) => entry.key === key)?.node;
}

/** The node at a chain of keys. */
export function descendant(node: YamlNode | undefined, ...keys: readonly string[]): YamlNode | undefined {
  return keys.reduce<YamlNode | undefined>(child, node);
}

/**
 * SkyPilot: `num_nodes: 2` and `resources: {accelerators: H100:8}`. For a choice (`any_of`, `ordered`, a list or map of accelerators), what all
 * options have in common counts.
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

/** Kubernetes and Compose: the GPUs that one container requests. */
export function containerGpus(container: YamlNode): StatedNumber | undefined {
  const reserved =
    descendant(container, 'deploy', 'resources', 'reservations', 'devices') ?? child(container, 'gpus');
  return reserved === undefined ? askedGpus(child(container, 'resources')) : reservedGpus(reserved);
}

/** Kubernetes: the GPUs in a map of `limits` and `requests`. */
export function askedGpus(resources: YamlNode | undefined): StatedNumber | undefined {
  for (const list of ['limits', 'requests'])
    for (const name of gpuResources) {
      const asked = wholeNumber(descendant(resources, list, name));
      if (asked !== undefined) return asked;
    }
  return undefined;
}

/** Compose: the GPUs of `devices: [{count: 8, capabilities: [gpu]}]`, or of a list of ids. */
function reservedGpus({ items }: YamlNode): StatedNumber | undefined {
  const [device, ...others] = items;
  if (device === undefined || others.length > 0) return undefined;
  const ids = child(device, 'device_ids');
  if (ids !== undefined)
    return ids.kind === 'list' ? { value: ids.items.length, places: [ids.place] } : undefined;
  return wholeNumber(child(device, 'count'));
}

/** dstack: `nodes: 2` and `resources: {gpu: H100:8}`; the parts of a GPU's text come in any order, and bare digits are the count. */
export function dstackResources(task: YamlNode): StatedResources {
  const nodes = wholeNumber(child(task, 'nodes'));
  const gpu = descendant(task, 'resources', 'gpu');
  const text = gpu?.value.kind === 'known' && typeof gpu.value.data === 'string' ? gpu.value.data : '';
  const [count, ...others] = text.split(':').filter((part) => /^[\d.]+$/.test(part));
  const stated =
    gpu === undefined || count === undefined
      ? (wholeNumber(gpu) ?? wholeNumber(child(gpu, 'count')))
      : others.length > 0 || count.includes('.')
        ? undefined
        : { value: Number(count), places: [gpu.place] };
  return { nodes, gpusPerNode: stated, gpu: undefined };
}

/** Whether a map is a task of dstack. */
export function isDstack(node: YamlNode): boolean {
  const type = child(node, 'type')?.value;
  return type?.kind === 'known' && type.data === 'task' && child(node, 'commands') !== undefined;
}

/** KubeRay: machines and GPUs of a `rayClusterSpec`: those of the groups whose containers request GPUs, or that are configured to have some. */
export function rayResources(cluster: YamlNode): StatedResources {
  const scales = child(cluster, 'enableInTreeAutoscaling')?.value;
  const isFixed = scales === undefined || (scales.kind === 'known' && scales.data === false);
  const workers = child(cluster, 'workerGroupSpecs')?.items ?? [];
  const counts: (StatedNumber | undefined)[] = [];
  let gpus: StatedNumber | undefined;
  for (const group of [child(cluster, 'headGroupSpec'), ...workers]) {
    const asked = group === undefined ? undefined : groupGpus(group);
    if (group === undefined || asked === undefined || asked.value === 0) continue;
    if (gpus !== undefined && gpus.value !== asked.value) return nothingStated;
    gpus = asked;
    counts.push(workers.includes(group) ? groupNodes(group, isFixed) : { value: 1, places: [] });
  }
  const known = counts.filter((count) => count !== undefined);
  if (known.length === 0 || known.length < counts.length) return { ...nothingStated, gpusPerNode: gpus };
  return { nodes: total(known), gpusPerNode: gpus, gpu: undefined };
}

/** The GPUs that Ray has on a machine of a group: those of its container, unless its start parameters say otherwise. */
function groupGpus(group: YamlNode): StatedNumber | undefined {
  const stated = descendant(group, 'rayStartParams', 'num-gpus');
  if (stated !== undefined) return wholeNumber(stated);
  const containers = descendant(group, 'template', 'spec', 'containers')?.items ?? [];
  return containers.map(containerGpus).find((each) => each !== undefined && each.value > 0);
}

/** The machines of a worker group: as many as requested, within its bounds; undefined if an autoscaler chooses. */
function groupNodes(group: YamlNode, isFixed: boolean): StatedNumber | undefined {
  const [least, most] = ['minReplicas', 'maxReplicas'].map((key) => wholeNumber(child(group, key)));
  const replicas = child(group, 'replicas');
  const wanted = replicas === undefined ? least : wholeNumber(replicas);
  if (wanted === undefined || (!isFixed && (least === undefined || least.value !== most?.value)))
    return undefined;
  const hosts = child(group, 'numOfHosts');
  const bounded =
    least !== undefined && wanted.value < least.value
      ? least
      : most !== undefined && wanted.value > most.value
        ? most
        : wanted;
  return hosts === undefined ? bounded : times(bounded, wholeNumber(hosts));
}

/** The number that a scalar is, even if written as a string; undefined for anything else. */
export function wholeNumber(node: YamlNode | undefined): StatedNumber | undefined {
  if (node === undefined || node.value.kind !== 'known') return undefined;
  const { data } = node.value;
  const value = typeof data === 'string' && /^\d+$/.test(data) ? Number(data) : data;
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
    ? { value, places: [node.place] }
    : undefined;
}

/** The product of two numbers, if both are known. */
export function times(a: StatedNumber | undefined, b: StatedNumber | undefined): StatedNumber | undefined {
  return a === undefined || b === undefined
    ? undefined
    : { value: a.value * b.value, places: [...a.places, ...b.places] };
}

/** The sum of some numbers. */
export function total(counts: readonly StatedNumber[]): StatedNumber {
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
