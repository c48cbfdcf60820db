import { describe, expect, test } from 'vitest';
import { statedMachine } from '../../../server/src/launch/embedded.ts';
import { noProfile } from '../../../server/src/value/machine.ts';

import { env, expectPlaced, parts, shown, unseen } from './embeddedParts.ts';

describe('jobs of other platforms', () => {
  test('of dstack get their nodes and GPUs', () => {
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

  test('of Determined have that many slots on all machines together', () => {
    const [part] = parts('entrypoint: torchrun t.py\nresources: {slots_per_trial: 16}\n');
    expect(part?.resources).toMatchObject({ slots: { value: 16 }, gpusPerNode: undefined, nodes: undefined });
    const machine = part === undefined ? undefined : statedMachine(noProfile, part);
    expect(machine).toEqual({ ...noProfile, slots: 16 });
  });

  test('of others may also have a list of words as a command without an image', () => {
    const list = (...items: readonly string[]) => parts(`command: ${JSON.stringify(items)}\n`).map(shown);
    expect(list('torchrun', 'train.py', '--lr', '1')).toEqual(['torchrun train.py --lr 1']);
    expect(list('bash', '-c', 'torchrun train.py')).toEqual(['torchrun train.py']);
    expect(list('pip install x', 'torchrun train.py --lr 1')).toEqual([
      'pip install x\ntorchrun train.py --lr 1',
    ]);
  });

  test('may also have shell text below other keys', () => {
    const keys = ['cmd', 'shell', 'bash', 'ansible.builtin.shell', 'ansible.builtin.command', 'bash_command'];
    const text = keys.map((key) => `- ${key}: torchrun train.py\n`).join('');
    expect(parts(text).map(shown)).toEqual(keys.map(() => 'torchrun train.py'));
    expect(parts('- cmd: [torchrun, train.py]\n- shell: bash\n')).toEqual([]);
  });

  test('of Beaker have arguments after their command', () => {
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

  test('of a LeaderWorkerSet get the size of their group', () => {
    const [part] = parts(
      'leaderWorkerTemplate:\n  size: 2\n  workerTemplate:\n    containers: [{image: x, command: [torchrun, t.py]}]\n',
    );
    expect(env(part)).toEqual({ LWS_GROUP_SIZE: '2' });
  });

  test('of GitLab include the texts that they refer to', () => {
    const text = (path: string): string =>
      `.a:\n  script: [export A=1, cd /w]\n.b:\n  script:\n    - !reference [.a, script]\n    - export B=1\ntrain:\n  script:\n    - !reference [${path}]\n    - torchrun t.py\n`;
    expect(shown(parts(text('.b, script')).at(-1))).toBe('export A=1\ncd /w\nexport B=1\ntorchrun t.py');
    const round = shown(parts(text('train, script')).at(-1)) ?? '';
    expect(round.startsWith('. "$WORKFLOW_EXPRESSION"\n')).toBe(true);
    expect(shown(parts(text('.c, script')).at(-1))).toBe('. "$WORKFLOW_EXPRESSION"\ntorchrun t.py');
  });

  test.each([
    ['envVars: [{name: A, value: "1"}]'],
    ['env_variables: {A: 1}'],
    ['env_variables: [{key: A, value: "1"}]'],
  ])('of other platforms may also have variables: %s', (variables) => {
    expect(env(parts(`command: torchrun t.py\n${variables}\n`)[0])).toEqual({ A: '1' });
  });

  test('of Compose turn $$ into $, and have variables from outside', () => {
    const service = (command: string) =>
      parts(`services:\n  a:\n    image: x\n    environment: {TP: "2"}\n    command: ${command}\n`).map(
        shown,
      );
    expect(service(`[bash, -c, "torchrun t.py --tp $$TP --pp $PP \${TP} $TP"]`)).toEqual([
      'torchrun t.py --tp $TP --pp $PP $WORKFLOW_EXPRESSION $WORKFLOW_EXPRESSION',
    ]);
    expect(service('torchrun t.py --tp $TP --pp $$PP')).toEqual([
      'torchrun t.py --tp $WORKFLOW_EXPRESSION --pp $PP',
    ]);
    const pod = 'spec:\n  containers: [{image: x, command: [bash, -c, "a $$TP"]}]\n';
    expect(parts(pod).map(shown)).toEqual(['a $$TP']);
  });

  test('may read scripts from a ConfigMap', () => {
    const [part, ...others] = parts(
      'kind: ConfigMap\ndata:\n  run.sh: |\n    torchrun train.py\n  a.txt: x y\n',
    );
    expect([shown(part), part?.unseen, others]).toEqual(['torchrun train.py', [], []]);
  });

  test('of Argo pass a script to a shell', () => {
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

  test('of GitLab begin with their before_script', () => {
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

  test('of GitHub expand the variables around a step in its text', () => {
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
