import { describe, expect, test } from 'vitest';
import { display } from '../../../server/src/value/word.ts';
import { type Embedded, embedded } from '../../../server/src/yaml/embedded.ts';
import { parseYaml } from '../../../server/src/yaml/parse.ts';

const parts = (text: string): readonly Embedded[] => parseYaml('/job.yaml', text).flatMap(embedded);
const env = (part: Embedded | undefined) =>
  Object.fromEntries([...(part?.env ?? [])].map(([name, word]) => [name, display(word)]));

/** Whether every line of a script is found, character by character, where the part says that it is. */
function expectPlaced(text: string, part: Embedded | undefined): void {
  if (part?.kind !== 'script') throw new Error('no script');
  for (const match of part.text.matchAll(/\S+/g)) {
    const { span } = part.toPlace({ start: match.index, end: match.index + match[0].length });
    expect(text.slice(span.start, span.end)).toBe(match[0]);
  }
}

describe('what is no shell text, or has variables from outside', () => {
  test('a step that runs in Python is passed over', () => {
    const step = (shell: string) => parts(`steps:\n  - run: torchrun train.py\n    shell: ${shell}\n`).length;
    expect([step('python'), step('bash -e {0}'), step('zsh')]).toEqual([0, 1, 1]);
  });

  test('the containers of a PyTorchJob and of a TrainJob are told how many they are', () => {
    const container = '{image: x, command: [torchrun, train.py]}';
    const [part] = parts(
      `kind: PyTorchJob\nspec:\n  pytorchReplicaSpecs:\n    Worker:\n      containers: [${container}]\n`,
    );
    expect(env(part)).toMatchObject({ WORLD_SIZE: '$WORLD_SIZE', PET_NNODES: '$PET_NNODES' });
    const [trainer] = parts(
      'kind: TrainJob\nspec:\n  runtimeRef: {name: torch}\n  trainer: {numNodes: 2, image: x, command: [torchrun, train.py]}\n',
    );
    expect(env(trainer)).toMatchObject({ PET_NPROC_PER_NODE: '$PET_NPROC_PER_NODE' });
  });
});

describe('a script in which Python fills something in', () => {
  const script = (beside: string): string => {
    const lines = [
      'cd /workspace',
      `./run.sh N={nodes} TE={"1" if te else "0"} X=\${N} {'A='+str(a)}`,
      '{ echo {}; }',
    ];
    const [part] = parts(
      `spec:\n  ${beside}\n  script: |-\n${lines.map((line) => `    ${line}\n`).join('')}`,
    );
    return part?.kind === 'script' ? part.text : '';
  };

  test('has variables that nothing sets in place of it', () => {
    const open = '$WORKFLOW_EXPRESSION';
    expect(script('nodes: 1')).toBe(
      `cd /workspace\n./run.sh N=${open} TE=${open} X=\${N} ${open}\n{ echo {}; }`,
    );
  });

  test('is told by a key beside it', () => {
    expect(script('gpus: 8')).toContain('N={nodes}');
  });
});

describe('SkyPilot', () => {
  const text = `resources:
  accelerators: H100:8
num_nodes: 2
envs:
  LOGGER: wandb
  EPOCHS: 20
  FLAG: yes
setup: |
  uv sync
run: |
  # train
  torchrun --nnodes $SKYPILOT_NUM_NODES \\
    train.py --epochs $EPOCHS

  echo done
`;
  const [setup, run] = parts(text);

  test('gives setup and run with their places', () => {
    expect([setup?.key, run?.key]).toEqual(['setup', 'run']);
    expectPlaced(text, setup);
    expectPlaced(text, run);
  });

  test('gives environment and machines', () => {
    expect(env(run)).toEqual({
      SKYPILOT_NUM_NODES: '2',
      SKYPILOT_NUM_GPUS_PER_NODE: '8',
      LOGGER: 'wandb',
      EPOCHS: '20',
      FLAG: 'yes',
    });
    expect(run?.env.get('FLAG')?.pieces[0]?.kind).toBe('hole');
    expect([run?.resources.nodes?.value, run?.resources.gpusPerNode?.value, run?.resources.gpu]).toEqual([
      2,
      8,
      'H100',
    ]);
    const place = run?.resources.nodes?.places[0];
    expect(text.slice(place?.span.start, place?.span.end)).toBe('2');
  });

  test('is given what has no value when it launches', () => {
    const [, given] = parts(text.replace('  LOGGER: wandb', '  LOGGER: ""\n  WANDB_API_KEY:'));
    for (const name of ['LOGGER', 'WANDB_API_KEY'])
      expect(given?.env.get(name)?.pieces.map(({ kind }) => kind)).toEqual(['hole']);
    expect(given?.env.get('EPOCHS')?.pieces.map(({ kind }) => kind)).toEqual(['text']);
  });

  test.each([
    ['accelerators: [H100:8, A100:8]', 8, undefined],
    ['accelerators: [H100:8, H100:4]', undefined, 'H100'],
    ['accelerators: {H100: 8, A100: 8}', 8, undefined],
    ['any_of: [{accelerators: H200:8, cloud: aws}, {accelerators: H200:8, cloud: gcp}]', 8, 'H200'],
    ['{accelerators: H100:8, ordered: [{region: a}, {region: b}]}', 8, 'H100'],
    ['ordered: [{accelerators: H200:8}, {cloud: gcp}]', undefined, undefined],
    ['accelerators: [H100:8, tpu:v5:x]', undefined, undefined],
  ])('of a choice counts what all have in common: %s', (resources, gpusPerNode, gpu) => {
    const flow = resources.startsWith('{') ? resources : `{${resources}}`;
    const [only] = parts(`resources: ${flow}\nrun: python train.py\n`);
    expect([only?.resources.gpusPerNode?.value, only?.resources.gpu]).toEqual([gpusPerNode, gpu]);
  });
});

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

  test('are the workers of an MPIJob, and its launcher where that works as well', () => {
    const mpi = (more: string) =>
      `spec: {mpiReplicaSpecs: {Launcher: {replicas: 1, template: ${pod(0)}}, ${worker}}${more}}\n`;
    expect(stated(mpi(''))).toEqual([3, 8]);
    expect(stated(mpi(', runLauncherAsWorker: true'))).toEqual([4, 8]);
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

  test('tell the processes of PyTorch in Azure ML', () => {
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

describe('CI files', () => {
  test('lists of lines are one script, workflow expressions are open', () => {
    const text =
      'train:\n  variables: {A: b}\n  script:\n    - cd x\n    - python train.py --name ${{ github.sha }} --x\n';
    const [part] = parts(text);
    if (part?.kind !== 'script') throw new Error('no script');
    expect(part.text).toBe('cd x\npython train.py --name $WORKFLOW_EXPRESSION --x');
    const at = part.text.indexOf('--x');
    const { span } = part.toPlace({ start: at, end: at + 3 });
    expect(text.slice(span.start, span.end)).toBe('--x');
    expect(env(part)).toEqual({ A: 'b' });
  });

  test('variables of variables are open', () => {
    const [part] = parts(
      'train:\n  variables: {A: "${B}-x", C: "c"}\n  script:\n    - python train.py $A $C\n',
    );
    expect(part?.env.get('A')?.pieces.map(({ kind }) => kind)).toEqual(['hole', 'text']);
    expect(part?.env.get('C')?.pieces.map(({ kind }) => kind)).toEqual(['text']);
  });

  test('environment lists of Compose, folded and quoted scripts', () => {
    const text =
      "services:\n  s:\n    image: i\n    environment: [A=b=c]\n    entrypoint: >-\n      sh -c 'x'\n      y z\njob:\n  run: 'echo ''hi'' there'\n";
    const [folded, quoted] = parts(text);
    expect(folded?.kind === 'script' ? folded.text : '').toBe("sh -c 'x' y z");
    expectPlaced(text, folded);
    expect(env(folded)).toEqual({ A: 'b=c' });
    expect(quoted?.kind === 'script' ? quoted.text : '').toBe("echo 'hi' there");
  });

  test('names and settings that only look like scripts are left alone', () => {
    expect(parts('run: my-experiment\nsetup: {a: 1}\ncommand: null\nscript: 5\n')).toEqual([]);
  });
});

/** What a part runs: the text of a script, or the words of a command. */
const shown = (part: Embedded | undefined) =>
  part === undefined
    ? undefined
    : part.kind === 'script'
      ? part.text.trim()
      : part.words.map(display).join(' ');
const unseen = (text: string, part: Embedded | undefined) =>
  part?.unseen?.map(({ span }) => text.slice(span.start, span.end).trim());

describe('Compose', () => {
  const service = (more: string) => `services:\n  train:\n    image: x\n${more}`;

  test.each([
    [
      '    entrypoint: [torchrun, --nnodes=1]\n    command: [train.py, --lr, "1"]\n',
      'torchrun --nnodes=1 train.py --lr 1',
    ],
    [
      '    entrypoint: torchrun --nnodes=1\n    command: train.py --lr 1\n',
      'torchrun --nnodes=1 train.py --lr 1',
    ],
    ['    entrypoint: [bash, -c]\n    command: ["a b"]\n', 'a b'],
  ])('joins the entry point and the command', (more, expected) => {
    expect(parts(service(more)).map(shown)).toEqual([expected]);
  });

  test.each([
    ['deploy: {resources: {reservations: {devices: [{count: 8, capabilities: [gpu]}]}}}', 8],
    ["deploy: {resources: {reservations: {devices: [{device_ids: ['0', '3'], capabilities: [gpu]}]}}}", 2],
    ['deploy: {resources: {reservations: {devices: [{count: all, capabilities: [gpu]}]}}}', undefined],
    ['gpus: [{count: 4}]', 4],
    ['gpus: all', undefined],
  ])('has the GPUs of %s', (more, gpus) => {
    const [part] = parts(service(`    command: [torchrun, train.py]\n    ${more}\n`));
    expect(part?.resources.gpusPerNode?.value).toBe(gpus);
  });

  test('a service that is built has an image, too', () => {
    const text = 'services:\n  a:\n    build: .\n    command: [torchrun, train.py]\n    env_file: .env\n';
    expect(unseen(text, parts(text)[0])).toEqual(['.env']);
  });
});

describe('jobs of others', () => {
  test('of dstack are told their nodes and GPUs', () => {
    const [part] = parts(
      'type: task\nnodes: 2\nenv: [HF_TOKEN, A=1]\ncommands: [pip install x, torchrun train.py]\nresources: {gpu: H100:80GB:8}\n',
    );
    expect(shown(part)).toBe('pip install x\ntorchrun train.py');
    expect(env(part)).toEqual({ DSTACK_NODES_NUM: '2', DSTACK_GPUS_PER_NODE: '8', A: '1' });
  });

  test('of Determined have the variables of their environment', () => {
    const given = (variables: string) =>
      env(
        parts(`entrypoint: python3 t.py\nenvironment: {image: x, environment_variables: ${variables}}\n`)[0],
      );
    expect(given('[A=1]')).toEqual({ A: '1' });
    expect(given('{cuda: [A=2], cpu: [A=3]}')).toEqual({ A: '2' });
  });

  test('of others have a list of words for a command without an image, too', () => {
    const list = (...items: readonly string[]) => parts(`command: ${JSON.stringify(items)}\n`).map(shown);
    expect(list('torchrun', 'train.py', '--lr', '1')).toEqual(['torchrun train.py --lr 1']);
    expect(list('bash', '-c', 'torchrun train.py')).toEqual(['torchrun train.py']);
    expect(list('pip install x', 'torchrun train.py --lr 1')).toEqual([
      'pip install x\ntorchrun train.py --lr 1',
    ]);
  });

  test('have text for a shell below other keys, too', () => {
    const keys = ['cmd', 'shell', 'bash', 'ansible.builtin.shell', 'ansible.builtin.command'];
    const text = keys.map((key) => `- ${key}: torchrun train.py\n`).join('');
    expect(parts(text).map(shown)).toEqual(keys.map(() => 'torchrun train.py'));
    expect(parts('- cmd: [torchrun, train.py]\n- shell: bash\n')).toEqual([]);
  });

  test('of Beaker have arguments behind their command', () => {
    const text =
      'tasks:\n  - image: {docker: x}\n    command: [torchrun]\n    arguments: [train.py, --lr, "1"]\n';
    expect(parts(text).map(shown)).toEqual(['torchrun train.py --lr 1']);
  });

  test.each([
    ['resources: {accelerators: H100:8, image_id: "docker:x"}\nrun: torchrun t.py\n'],
    ['resources: {slots_per_trial: 8}\nentrypoint: torchrun t.py\n'],
    ['default: {image: x}\ntrain:\n  script: [torchrun t.py]\n'],
    ['image_uri: x\nentrypoint: torchrun t.py\n'],
    ['jobs:\n  a:\n    docker: [{image: x}]\n    steps: [{run: torchrun t.py}]\n'],
  ])('run in an image: %j', (text) => {
    expect(unseen(text, parts(text).at(-1))).toEqual([]);
  });

  test('may read scripts from a ConfigMap', () => {
    const [part, ...others] = parts(
      'kind: ConfigMap\ndata:\n  run.sh: |\n    torchrun train.py\n  a.txt: x y\n',
    );
    expect([shown(part), part?.unseen, others]).toEqual(['torchrun train.py', [], []]);
  });

  test('of Argo hand a script to a shell', () => {
    const script = (shell: string) =>
      parts(`script:\n  image: x\n  command: [${shell}]\n  source: torchrun t.py\n`);
    expect(script('bash').map(shown)).toEqual(['torchrun t.py']);
    expect(script('/usr/bin/python3')).toEqual([]);
  });

  test('of Ray run on the head of their cluster', () => {
    const head =
      '{template: {spec: {containers: [{image: x, env: [{name: A, value: "1"}], envFrom: [{configMapRef: x}]}]}}}';
    const text = `spec:\n  entrypoint: python3 train.py\n  rayClusterSpec: {headGroupSpec: ${head}}\n`;
    const [part] = parts(text);
    expect(env(part)).toEqual({ A: '1' });
    expect(unseen(text, part)).toEqual(['[{configMapRef: x}]']);
  });

  test('of GitLab begin with what is to run before them', () => {
    const own = 'train:\n  before_script: [export A=1]\n  script: [torchrun t.py]\n';
    expect(parts(own).map(shown)).toContain('export A=1\ntorchrun t.py');
    const shared = 'default:\n  before_script: [export A=1]\ntrain:\n  script: [torchrun t.py]\n';
    expect(unseen(shared, parts(shared).at(-1))).toEqual(['[export A=1]']);
  });

  test('of Run:ai have values for fields and items for variables', () => {
    const text = `kind: TrainingWorkload
spec:
  image: {value: x}
  command: {value: torchrun --nproc_per_node=8}
  arguments: {value: "train.py --name 'a b'"}
  gpu: {value: "8"}
  environment: {items: {A: {value: b}}}
`;
    const [part] = parts(text);
    expect(shown(part)).toBe("torchrun --nproc_per_node=8 train.py --name 'a b'");
    expectPlaced(text, part);
    expect(env(part)).toEqual({ A: 'b' });
    expect(part?.resources.gpusPerNode?.value).toBe(8);
    expect(parts(text.replace(/.*command.*\n/, '')).map(shown)).toEqual(["train.py --name 'a b'"]);
    expect(parts(text.replace('"8"', '"0.5"'))[0]?.resources.gpusPerNode).toBeUndefined();
  });

  test('of GitHub have the variables around a step in its text', () => {
    const script = (step: string, more = '') => {
      const [part] = parts(
        `env: {N: 31, V: 1.0, T: "\${{ inputs.t }}"}\njobs:\n  a:\n    steps:\n${more}      - env: {L: "a b"}\n        run: ${step}\n`,
      ).slice(-1);
      return part?.kind === 'script' ? part : undefined;
    };
    const found = script('train --n ${{ env.N }} ${{env.L}} ${{ env.T }} ${{ env.V }} ${{ env.X }}');
    const open = '$WORKFLOW_EXPRESSION';
    expect(found?.text).toBe(`train --n 31 a b ${open} ${open} ${open}`);
    const at = found?.text.indexOf('31') ?? 0;
    expect(found?.toPlace({ start: at, end: at + 2 }).span).toEqual({ start: 9, end: 11 });
    const writing = '      - run: echo N=1 >> "$GITHUB_ENV"\n';
    expect(script('train ${{ env.N }}', writing)?.text).toBe(`train ${open}`);
  });

  test('of GitHub may have variables that a step writes', () => {
    const text = 'steps:\n  - run: echo A=1 >> "$GITHUB_ENV"\n  - run: torchrun t.py\n';
    expect(unseen(text, parts(text).at(-1))).toEqual(['echo A=1 >> "$GITHUB_ENV"']);
    const other = text.replace('GITHUB_ENV', 'OTHER');
    expect(unseen(other, parts(other).at(-1))).toBeUndefined();
  });
});
