import { describe, expect, test } from 'vitest';
import { display } from '../../../server/src/value/word.ts';

import { env, expectPlaced, parts } from './embeddedParts.ts';

describe('Kubernetes', () => {
  const job = (command: string): string => `kind: PyTorchJob
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      template:
        spec:
          containers:
            - name: pytorch
              image: nvcr.io/nvidia/pytorch:25.04-py3
              env:
                - name: TP
                  value: "4"
                - name: TOKEN
                  valueFrom: {secretKeyRef: {name: a, key: b}}
${command}
              resources:
                limits:
                  nvidia.com/gpu: 8
    Worker:
      replicas: 3
`;

  test('gives command and args as words, with $(NAME) filled in', () => {
    const text = job(
      '              command: [torchrun, pretrain_gpt.py]\n              args: ["--tp", "$(TP)", "$(TOKEN)", "$(NO)", "$$(TP)"]',
    );
    const [part] = parts(text);
    if (part?.kind !== 'command') throw new Error('no command');
    expect(part.words.map(display)).toEqual([
      'torchrun',
      'pretrain_gpt.py',
      '--tp',
      '4',
      '$TOKEN',
      '$(NO)',
      '$(TP)',
    ]);
    const origin = part.words[3]?.pieces[0]?.origin;
    expect(text.slice(origin?.place.span.start, origin?.place.span.end)).toBe('4');
    expect(origin?.via).toHaveLength(1);
    expect([part.resources.nodes?.value, part.resources.gpusPerNode?.value]).toEqual([4, 8]);
  });

  test('leaves open what a template fills in', () => {
    const text = job(
      '              command: [torchrun, "--nnodes=${NODES}", $GPUS, "{{ .Values.tp }}", "{{a}}-{{ b }}", "a$b", "${A:-1}x"]',
    );
    const [part] = parts(text);
    if (part?.kind !== 'command') throw new Error('no command');
    const kinds = part.words.map(({ pieces }) =>
      pieces.map((piece) => (piece.kind === 'hole' ? `<${piece.label}>` : piece.text)).join(''),
    );
    expect(kinds).toEqual([
      'torchrun',
      '--nnodes=<${NODES}>',
      '<$GPUS>',
      '<{{ .Values.tp }}>',
      '<{{a}}>-<{{ b }}>',
      'a$b',
      '<${A:-1}>x',
    ]);
    const place = part.words[1]?.pieces[1]?.origin.place;
    expect(text.slice(place?.span.start, place?.span.end)).toBe('${NODES}');
    const script = job('              command: [bash, -c, "torchrun train.py --x {{ .Values.tp }} ${Y}"]');
    const [embedded] = parts(script);
    expect(embedded?.kind === 'script' ? embedded.text : '').toBe(
      'torchrun train.py --x $WORKFLOW_EXPRESSION ${Y}',
    );
    expectPlaced(
      script.replace('{{ .Values.tp }} ${Y}', '1'),
      parts(script.replace('{{ .Values.tp }} ${Y}', '1'))[0],
    );
  });

  test('gives the text of bash -c as a script', () => {
    const text = job(
      '              command: ["/bin/bash", "-lc"]\n              args:\n                - |\n                  set -e\n                  torchrun train.py --x 1',
    );
    const [part] = parts(text);
    expect(part?.kind === 'script' ? part.text : '').toBe('set -e\ntorchrun train.py --x 1\n');
    expectPlaced(text, part);
  });

  test('takes the options and arguments of the shell into the script', () => {
    const text = job(
      '              command: ["/bin/bash", "-euo", "pipefail", "-c"]\n              args:\n                - |\n                  torchrun train.py "$@"\n                - name\n                - --x\n                - "{{ x }}"\n                - "a b"',
    );
    const [part] = parts(text);
    if (part?.kind !== 'script') throw new Error('no script');
    expect(part.text).toBe(
      'set -eu -o pipefail\nset -- \'--x\' "$WORKFLOW_EXPRESSION" \'a b\'\ntorchrun train.py "$@"\n',
    );
    const at = part.text.indexOf('--x');
    const { span } = part.toPlace({ start: at, end: at + 3 });
    expect(text.slice(span.start, span.end)).toBe('--x');
    const file = job('              command: [bash, -eu, run.sh, -c]');
    expect(parts(file)[0]?.kind).toBe('command');
  });

  test('reads RayJob entry points, groups and runtime environments', () => {
    const text = `kind: RayJob
spec:
  entrypoint: python train.py --x 1
  runtimeEnvYAML: |
    env_vars:
      NCCL_DEBUG: INFO
  rayClusterSpec:
    headGroupSpec:
      template: {spec: {containers: [{name: head, image: ray}]}}
    workerGroupSpecs:
      - replicas: 4
        template:
          spec:
            containers: [{name: w, image: ray, resources: {limits: {nvidia.com/gpu: "8"}}}]
`;
    const [part] = parts(text);
    expectPlaced(text, part);
    expect([part?.resources.nodes?.value, part?.resources.gpusPerNode?.value]).toEqual([4, 8]);
    const place = part?.env.get('NCCL_DEBUG')?.pieces[0]?.origin.place;
    expect(text.slice(place?.span.start, place?.span.end)).toBe('INFO');
  });
});

describe('machines of a job', () => {
  const pod = (gpus = 8) =>
    `{spec: {containers: [{image: x, command: [torchrun, train.py], resources: {limits: {nvidia.com/gpu: ${gpus}}}}]}}`;
  const stated = (text: string) => {
    const found = parts(text).find(({ resources: { gpusPerNode } }) => gpusPerNode !== undefined);
    return [found?.resources.nodes?.value, found?.resources.gpusPerNode?.value];
  };
  const job = (spec: string) => `kind: Job\nmetadata: {name: x}\nspec: {${spec}, template: ${pod()}}\n`;
  const operator = (replicas: string, more = '') => `spec: {pytorchReplicaSpecs: {${replicas}}${more}}\n`;
  const worker = `Worker: {replicas: 3, template: ${pod()}}`;

  test('are all replicas of a PyTorchJob, unless their number may change', () => {
    expect(stated(operator(`Master: {template: ${pod()}}, ${worker}`))).toEqual([4, 8]);
    expect(stated(operator(worker, ', elasticPolicy: {minReplicas: 3, maxReplicas: 3}'))).toEqual([3, 8]);
    expect(stated(operator(worker, ', elasticPolicy: {minReplicas: 1, maxReplicas: 3}'))).toEqual([
      undefined,
      8,
    ]);
  });

  test('are the workers of an MPIJob, and its launcher if that works as well', () => {
    const mpi = (more: string) =>
      `spec: {mpiReplicaSpecs: {Launcher: {replicas: 1, template: ${pod(0)}}, ${worker}}${more}}\n`;
    expect(stated(mpi(''))).toEqual([3, 8]);
    expect(stated(mpi(', runLauncherAsWorker: true'))).toEqual([4, 8]);
    const slots = (more: string): unknown => parts(mpi(more)).map(({ resources }) => resources.slots?.value);
    expect(slots(', slotsPerWorker: 8')).toEqual([24, 24]);
    expect(slots('')).toEqual([3, 3]);
    expect(slots(', slotsPerWorker: 8, mpiImplementation: OpenMPI')).toEqual([24, 24]);
    expect(slots(', slotsPerWorker: 8, mpiImplementation: Intel')).toEqual([undefined, undefined]);
    expect(slots(', slotsPerWorker: "{{ slots }}"')).toEqual([undefined, undefined]);
  });

  test('are the pods of a Job that run at once', () => {
    expect(stated(job('parallelism: 4'))).toEqual([4, 8]);
    expect(stated(job('parallelism: 4, completions: 4'))).toEqual([4, 8]);
    expect(stated(job('parallelism: 4, completions: 2'))).toEqual([2, 8]);
    expect(stated(job('parallelism: 4, completions: 9'))).toEqual([undefined, 8]);
    const partial = '{name: x, annotations: {kueue.x-k8s.io/job-min-parallelism: "2"}}';
    expect(stated(job('parallelism: 4').replace('{name: x}', partial))).toEqual([undefined, 8]);
  });

  test('are those of all Jobs of a JobSet', () => {
    const set = (...jobs: readonly string[]) => `spec: {replicatedJobs: [${jobs.join(', ')}]}\n`;
    const of = (spec: string, replicas = '') =>
      `{name: w, ${replicas}template: {spec: {${spec}template: ${pod()}}}}`;
    expect(stated(set(of('parallelism: 4, ', 'replicas: 2, ')))).toEqual([8, 8]);
    expect(stated(set(of('', 'replicas: 2, ')))).toEqual([2, 8]);
    expect(stated(set(of('parallelism: 4, '), of('')))).toEqual([undefined, 8]);
  });

  test('are the tasks with GPUs of a Volcano Job', () => {
    const tasks = (...replicas: readonly string[]) =>
      `spec: {minAvailable: 1, tasks: [{replicas: 1, template: ${pod(0)}}, ${replicas.map((each) => `{${each}template: ${pod()}}`).join(', ')}]}\n`;
    expect(stated(tasks('replicas: 1, ', 'replicas: 2, '))).toEqual([3, 8]);
    expect(stated(tasks('replicas: 1, ', ''))).toEqual([undefined, 8]);
  });

  test('follow from the plugins of a Volcano Job', () => {
    const task = (name: string, replicas: number | string, more = ''): string =>
      `{name: ${name}, replicas: ${replicas}, template: {spec: {${more}containers: [{image: x, command: [torchrun, train.py]}]}}}`;
    const variables = (plugins: string, ...tasks: readonly string[]): { [name: string]: unknown } =>
      env(parts(`spec: {plugins: {${plugins}}, tasks: [${tasks.join(', ')}]}\n`)[0]);
    const [master, worker] = [task('master', 1), task('worker', 3)];
    expect(variables('pytorch: []', master, worker).WORLD_SIZE).toBe('4');
    expect(variables('pytorch: ["--master=head", "--port=1"]', task('head', 1), worker).WORLD_SIZE).toBe('4');
    expect(variables('pytorch: []', worker).WORLD_SIZE).not.toBe('3');
    expect(variables('pytorch: []', master, task('worker', '"{{ n }}"')).WORLD_SIZE).not.toMatch(/^\d/);
    expect(variables('svc: []', master, worker).WORLD_SIZE).toBeUndefined();
    expect(variables('svc: []', task('gpu-node', 3), master)).toMatchObject({
      VC_GPU_NODE_NUM: '3',
      VC_MASTER_NUM: '1',
    });
    expect(variables('svc: []', task('w', 3, 'hostname: h, ')).VC_W_NUM).toBeUndefined();
  });

  test('are what a TrainJob has', () => {
    const trainer =
      'image: x, command: [torchrun, train.py], numNodes: 2, resourcesPerNode: {limits: {nvidia.com/gpu: 4}}';
    expect(stated(`spec: {runtimeRef: {name: t}, trainer: {${trainer}}}\n`)).toEqual([2, 4]);
  });

  test('are the hosts of the groups of a RayJob, unless an autoscaler chooses', () => {
    const ray = (group: string, more = '') =>
      `spec: {entrypoint: python train.py, rayClusterSpec: {${more}headGroupSpec: {rayStartParams: {num-gpus: "0"}, template: ${pod()}}, workerGroupSpecs: [{${group}template: ${pod()}}]}}\n`;
    expect(stated(ray('replicas: 2, '))).toEqual([2, 8]);
    expect(stated(ray('replicas: 2, numOfHosts: 2, '))).toEqual([4, 8]);
    expect(stated(ray('replicas: 1, minReplicas: 3, '))).toEqual([3, 8]);
    expect(stated(ray('minReplicas: 3, '))).toEqual([3, 8]);
    expect(stated(ray(''))).toEqual([undefined, 8]);
    const scaled = ray('replicas: 2, minReplicas: 1, maxReplicas: 4, ', 'enableInTreeAutoscaling: true, ');
    expect(stated(scaled)).toEqual([undefined, 8]);
    expect(stated(ray('replicas: 2, rayStartParams: {num-gpus: "4"}, '))).toEqual([2, 4]);
  });

  test('give the number of PyTorch processes in Azure ML', () => {
    const azure = (type: string) =>
      env(
        parts(
          `command: python train.py --x 1\ndistribution: {type: ${type}, process_count_per_instance: 8}\nresources: {instance_count: 2}\n`,
        )[0],
      ).WORLD_SIZE;
    expect(azure('pytorch')).toBe('16');
    expect(azure('mpi')).toBe('$WORLD_SIZE');
  });
});
