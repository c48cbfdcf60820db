import type { YamlNode } from './document.ts';
import {
  child,
  containerGpus,
  descendant,
  type StatedNumber,
  times,
  total,
  wholeNumber,
} from './resources.ts';

const one: StatedNumber = { value: 1, places: [] };

/** What reduces the number of a Job's pods when the cluster is full: Kueue's partial admission. */
const leastParallelism = 'kueue.x-k8s.io/job-min-parallelism';

/**
 * Kubernetes: how many machines the job of a container takes: all replicas of a training job (PyTorchJob), the workers of an MPIJob, the tasks
 * with GPUs of a Volcano Job, `parallelism` of a Job, that of all Jobs of a JobSet, `size` of a LeaderWorkerSet. Undefined if that may change.
 *
 * @param ancestors maps around the container, outermost first
 */
export function jobNodes(ancestors: readonly YamlNode[]): StatedNumber | undefined {
  for (const [at, node] of [...ancestors.entries()].reverse()) {
    const replicas = node.entries.find((entry) => /^\w+ReplicaSpecs$/.test(entry.key))?.node;
    if (replicas !== undefined) return replicaNodes(node, replicas);
    const size = descendant(node, 'leaderWorkerTemplate', 'size');
    if (size !== undefined) return wholeNumber(size);
    const jobs = child(node, 'replicatedJobs');
    if (jobs !== undefined) return jobSetNodes(jobs.items);
    const tasks = child(node, 'tasks')?.items ?? [];
    if (tasks.some((task) => child(task, 'template') !== undefined)) return taskNodes(tasks);
    const isOfSet = ancestors.slice(0, at).some((outer) => child(outer, 'replicatedJobs') !== undefined);
    if (!isOfSet && child(node, 'parallelism') !== undefined && child(node, 'template') !== undefined)
      return descendant(ancestors[at - 1], 'metadata', 'annotations', leastParallelism) === undefined
        ? podsOf(node)
        : undefined;
  }
  return undefined;
}

/** The replicas of a training job; the launcher of an MPIJob only counts if it is configured to work. */
function replicaNodes(job: YamlNode, replicas: YamlNode): StatedNumber | undefined {
  const elastic = child(job, 'elasticPolicy');
  const [least, most] = ['minReplicas', 'maxReplicas'].map((key) => wholeNumber(child(elastic, key))?.value);
  if (least !== most) return undefined;
  const works = child(job, 'runLauncherAsWorker')?.value;
  const isWorking = works?.kind === 'known' && works.data === true;
  const counted = replicas.entries.filter(({ key }) => key !== 'Launcher' || isWorking);
  return sum(counted.map((entry) => countOf(entry.node, 'replicas')));
}

/** The pods of all Jobs of a JobSet, if these are of one kind. */
function jobSetNodes([job, ...others]: readonly YamlNode[]): StatedNumber | undefined {
  if (job === undefined || others.length > 0) return undefined;
  const spec = descendant(job, 'template', 'spec');
  return times(countOf(job, 'replicas'), spec === undefined ? undefined : podsOf(spec));
}

/** The pods of a Job that run at once; undefined if they run one after the other. */
function podsOf(job: YamlNode): StatedNumber | undefined {
  const pods = countOf(job, 'parallelism');
  const completions = child(job, 'completions');
  if (completions === undefined || pods === undefined) return pods;
  const done = wholeNumber(completions);
  if (done === undefined || done.value > pods.value) return undefined;
  return done.value < pods.value ? done : pods;
}

/** The replicas of those tasks of a Volcano Job whose containers request GPUs. */
function taskNodes(tasks: readonly YamlNode[]): StatedNumber | undefined {
  const asking = tasks.filter((task) =>
    descendant(task, 'template', 'spec', 'containers')?.items.some(
      (container) => (containerGpus(container)?.value ?? 0) > 0,
    ),
  );
  return sum(asking.map((task) => wholeNumber(child(task, 'replicas'))));
}

/** A number that defaults to 1. */
function countOf(node: YamlNode, key: string): StatedNumber | undefined {
  const stated = child(node, key);
  return stated === undefined ? one : wholeNumber(stated);
}

function sum(counts: readonly (StatedNumber | undefined)[]): StatedNumber | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 || known.length < counts.length ? undefined : total(known);
}
