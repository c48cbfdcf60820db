import { describe, expect, test } from 'vitest';

import { env, expectPlaced, parts, shown, unseen } from './embeddedParts.ts';

describe('what is not shell text, or has variables from outside', () => {
  test('a step that runs in Python is skipped', () => {
    const step = (shell: string) => parts(`steps:\n  - run: torchrun train.py\n    shell: ${shell}\n`).length;
    expect([step('python'), step('bash -e {0}'), step('zsh')]).toEqual([0, 1, 1]);
  });

  test('the containers of a PyTorchJob and of a TrainJob get their number as variables', () => {
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

describe('a script that Python fills in', () => {
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

  test('has unset variables in place of what is filled in', () => {
    const open = '$WORKFLOW_EXPRESSION';
    expect(script('nodes: 1')).toBe(
      `cd /workspace\n./run.sh N=${open} TE=${open} X=\${N} ${open}\n{ echo {}; }`,
    );
  });

  test('is recognised by a key beside it', () => {
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

  test('leaves variables without a value open, as they are set at launch', () => {
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
  ])('with a choice counts what all have in common: %s', (resources, gpusPerNode, gpu) => {
    const flow = resources.startsWith('{') ? resources : `{${resources}}`;
    const [only] = parts(`resources: ${flow}\nrun: python train.py\n`);
    expect([only?.resources.gpusPerNode?.value, only?.resources.gpu]).toEqual([gpusPerNode, gpu]);
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

  test('a service that is built also has an image', () => {
    const text = 'services:\n  a:\n    build: .\n    command: [torchrun, train.py]\n    env_file: .env\n';
    expect(unseen(text, parts(text)[0])).toEqual(['.env']);
  });
});
