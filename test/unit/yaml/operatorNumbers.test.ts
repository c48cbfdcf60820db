import { describe, expect, test } from 'vitest';

import { env, parts, shown } from './embeddedParts.ts';

/** The variables that tell a container the number of processes. */
const variables = (text: string) => {
  const { PET_NNODES, PET_NPROC_PER_NODE, WORLD_SIZE } = env(parts(text)[0]);
  return [PET_NNODES, PET_NPROC_PER_NODE, WORLD_SIZE];
};

const pod = '{spec: {containers: [{image: x, command: [torchrun, train.py]}]}}';
const unknown = ['$PET_NNODES', '$PET_NPROC_PER_NODE', '$WORLD_SIZE'];

describe('the operator of a PyTorchJob', () => {
  const job = (spec: string, replicas = `Master: {replicas: 1, template: ${pod}}, Worker: {replicas: 3}`) =>
    `kind: PyTorchJob\nspec: {${spec}pytorchReplicaSpecs: {${replicas}}}\n`;

  test('counts pods times the processes given for each, a string since 1.7', () => {
    expect(variables(job('nprocPerNode: "8", '))).toEqual(['4', '8', '32']);
    expect(variables(job('nprocPerNode: 8, '))).toEqual(unknown);
  });

  test('counts only pods if their processes are not given', () => {
    const pods = ['$PET_NNODES', '$PET_NPROC_PER_NODE', '4'];
    expect(variables(job(''))).toEqual(pods);
    expect(variables(job('nprocPerNode: auto, '))).toEqual(pods);
    expect(variables(job('nprocPerNode: $(N), '))).toEqual(unknown);
  });

  test('leaves unknown the total without a master, and whatever may change', () => {
    const worker = `Worker: {replicas: 3, template: ${pod}}`;
    expect(variables(job('nprocPerNode: "8", ', worker))).toEqual(['3', '8', '$WORLD_SIZE']);
    expect(variables(job('elasticPolicy: {minReplicas: 3, maxReplicas: 3}, nprocPerNode: "8", '))).toEqual(
      unknown,
    );
    const more = `Master: {template: ${pod}}, Worker: {replicas: "{{ n }}"}`;
    expect(variables(job('nprocPerNode: "8", ', more))[0]).toBe('$PET_NNODES');
  });

  test('is overridden by what the container sets itself', () => {
    const own = `Master: {replicas: 1, template: ${pod.replace('image: x', 'image: x, env: [{name: WORLD_SIZE, value: "2"}]')}}`;
    expect(variables(job('', own))[2]).toBe('2');
  });
});

describe('the operator of a TrainJob', () => {
  const job = (runtime: string, more = '') =>
    `kind: TrainJob\nspec: {runtimeRef: {name: ${runtime}}, trainer: {image: x, command: [torchrun, train.py], numNodes: 2${more}}}\n`;

  test('passes its numbers to torchrun on a runtime made for that', () => {
    expect(variables(job('torch-distributed', ', numProcPerNode: 8'))).toEqual(['2', '8', '$WORLD_SIZE']);
    expect(variables(job('torch-distributed'))).toEqual(['2', '$PET_NPROC_PER_NODE', '$WORLD_SIZE']);
    expect(variables(job('ours', ', numProcPerNode: 8'))).toEqual(unknown);
  });
});

describe('machines', () => {
  const gpus = (text: string) => parts(text)[0]?.resources.gpusPerNode?.value;

  test('of Kubernetes may have AMD GPUs', () => {
    const container = (resources: string) =>
      `containers: [{image: x, command: [torchrun, train.py], resources: {${resources}}}]\n`;
    expect(gpus(container('limits: {amd.com/gpu: 8}'))).toBe(8);
    expect(gpus(container('requests: {amd.com/gpu: "4"}'))).toBe(4);
    expect(gpus(container('limits: {example.com/nic: 8}'))).toBeUndefined();
  });

  test('of dstack may give the parts of their GPUs in any order', () => {
    const task = (gpu: string) =>
      gpus(`type: task\ncommands: [torchrun train.py]\nresources: {gpu: ${gpu}}\n`);
    expect(['80GB:8', 'A100:40GB:4', '8:H100', '4', '"4"'].map(task)).toEqual([8, 4, 8, 4, 4]);
    expect(['H100', 'H100:2..8', '24GB..80GB', 'H100:2..'].map(task)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('of Vertex AI take the words of their container from its arguments alone', () => {
    const pool =
      'containerSpec: {imageUri: x, args: [bash, -c, "torchrun --nproc_per_node 8 train.py --lr 1"]}\n';
    expect(parts(pool).map(shown)).toEqual(['torchrun --nproc_per_node 8 train.py --lr 1']);
  });
});
