import { describe, expect, it } from 'vitest';
import { workspaces } from '../support/workspace.ts';

const workspace = workspaces();

describe('oomlint resolve', () => {
  it('shows the command word by word with the positions each word came through', () => {
    const script =
      'export CUDA_DEVICE_MAX_CONNECTIONS=1\nPP=2 # stages\ntorchrun --nproc_per_node 8 --nnodes 2 pretrain_gpt.py \\\n  --num-layers 32 --pipeline-model-parallel-size $PP \\\n  --cpu-offloading-num-layers 4\n';
    const made = workspace({ 'run.sh': script });
    const text = made.run(['resolve', 'run.sh']).out;
    expect(text).toContain('GPUs: 16, through torchrun');
    expect(text).toMatch(/^ +2 +2:4 → 4:50$/m);
    const json = JSON.parse(made.run(['resolve', 'run.sh', '--format', 'json']).out);
    expect(json.launches[0]).toMatchObject({
      framework: 'megatron-lm',
      worldSize: 16,
      line: 3,
      via: ['torchrun'],
    });
    expect(json.launches[0].argv.slice(-2)).toEqual(['--cpu-offloading-num-layers', '4']);
    expect(json.launches[0].env.CUDA_DEVICE_MAX_CONNECTIONS).toBe('1');
  });

  it('shows the least memory a GPU needs, its parts, and that it is no peak', () => {
    const script = `#!/bin/bash
#SBATCH --gres=gpu:a100:8
torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 1024 --num-attention-heads 8 --ffn-hidden-size 4096 --seq-length 64 \\
  --max-position-embeddings 64 --micro-batch-size 1 --mock-data --bf16 --train-iters 5 --lr 1e-4`;
    const made = workspace({ 'run.sh': `${script}\n`, 'open.sh': `${script} "$@"\n` });
    const parameters = 4 * (4 * 1024 * 1024 + 2 * 1024 * 4096);
    const { launches } = JSON.parse(made.run(['resolve', 'run.sh', '--format', 'json']).out);
    const [floor] = launches[0].memory;
    expect(floor).toMatchObject({
      gpu: 'the fullest training GPU',
      available: 80 * 2 ** 30,
      certainty: 'certain',
    });
    const [weights, gradients, optimizer, activations] = floor.parts;
    expect(weights).toEqual({ name: 'weights', bytes: 2 * parameters });
    expect(gradients).toEqual({ name: 'gradients', bytes: 4 * parameters });
    expect(optimizer).toEqual({ name: 'optimizer', bytes: 12 * parameters });
    expect(floor.atLeast).toBe(18 * parameters + activations.bytes);
    expect(floor.notCounted).toContain('the CUDA context');
    const text = made.run(['resolve', 'run.sh']).out;
    expect(text).toContain(
      '  memory: at least 0.85 of 80 GiB on the fullest training GPU: weights 0.09,\n    gradients 0.18, optimizer 0.56, activations 0.00\n',
    );
    expect(text).toContain('    not the peak; not counted: buffers of kernels');
    expect(made.run(['resolve', 'open.sh']).out).toContain('  memory: likely at least 0.85 of 80 GiB');
  });

  it('shows the least memory a configuration needs, though it starts nothing', () => {
    const made = workspace({
      'a.yaml':
        'experiment_name: e\ntrial_name: t\nactor: {path: Qwen/Qwen2.5-0.5B-Instruct, backend: "fsdp:d4", dtype: bfloat16, optimizer: {lr: 1.0e-5}}\n',
    });
    const { launches, configurations } = JSON.parse(made.run(['resolve', 'a.yaml', '--format', 'json']).out);
    expect(launches).toEqual([]);
    expect(configurations[0]).toMatchObject({ framework: 'areal', memory: [{ certainty: 'certain' }] });
    expect(configurations[0].memory[0].gpu).toBe('the fullest GPU of the actor');
    expect(made.run(['resolve', 'a.yaml']).out).toMatch(
      /nothing is started here\.\n {2}memory: at least \d\.\d\d GiB on the fullest GPU of the actor: weights/,
    );
  });

  it('shows commands of unknown frameworks, whatever the file name, and in files that the configuration excludes', () => {
    const made = workspace({
      launch: 'N=3\npython x.py --steps $N\n',
      'old/run.sh': 'python y.py\n',
      '.oomlint.yaml': 'exclude: [old/**]\n',
    });
    expect(made.run(['resolve', 'launch']).out).toMatch(/not a known framework\n[\s\S]* 3 +1:3 → 2:21\n/);
    expect(made.run(['resolve', 'old/run.sh']).out).toContain('y.py');
    expect(made.run(['check', 'launch']).out).not.toContain('x.py');
  });

  it('reads standard input, and says what a configuration is', () => {
    const made = workspace({ 'c.yaml': 'actor_rollout_ref: {}\n' });
    expect(made.run(['resolve', '-'], 'torchrun pretrain_gpt.py --num-layers 4\n').out).toContain(
      'stdin.sh:1  Megatron-LM (runs pretrain_gpt.py through torchrun)',
    );
    expect(made.run(['resolve', 'c.yaml']).out).toBe('c.yaml: nothing is started here.\n');
    const areal = workspace({
      'a.yaml': 'experiment_name: e\ntrial_name: t\nactor:\n  path: m\n  optimizer: {lr: 1e-5}\n',
    });
    expect(areal.run(['resolve', 'a.yaml']).out).toMatch(
      /^a\.yaml: a configuration of AReaL \(.+\); nothing is started here\.\n$/,
    );
  });

  it('says where unknown words may come', () => {
    const made = workspace({
      'run.sh':
        'source "$X/m.sh"\npython3 train.py --actor-num-nodes 1 --rollout-batch-size 8 ${MODEL_ARGS[@]} "$@"\npython3 x.py\n',
    });
    const text = made.run(['resolve', 'run.sh']).out;
    expect(text).toContain(
      '\n  assuming that $X/m.sh, which cannot be read, changes nothing that matters here\n',
    );
    expect(text).toMatch(/\n {2}more words may come: \$\{MODEL_ARGS\[@\]\} at 2:61, \S*\$@\S* at 2:\d+\n/);
    expect(text.match(/more words/g)?.length).toBe(1);
  });

  it('says which words unreadable text may have reassigned', () => {
    const made = workspace({
      'run.sh':
        'LAYERS=8\nsource "$CONFIG"\nHEADS=4\ntorchrun pretrain_gpt.py --num-layers $LAYERS --num-attention-heads $HEADS\n',
    });
    const text = made.run(['resolve', 'run.sh']).out;
    expect(text).toMatch(/\n +8 +1:8 → 4:39, unless text that cannot be read sets it anew\n/);
    expect(text).toMatch(/\n +4 +3:7 → 4:\d+\n/);
    const [launch] = JSON.parse(made.run(['resolve', 'run.sh', '--format', 'json']).out).launches;
    expect(launch.doubtful.map((at: number) => launch.argv[at])).toEqual(['8']);
  });

  it('says when it gives up on a script', () => {
    const made = workspace({ 'run.sh': 'while true; do A=$((A + 1)); done\n' });
    expect(made.run(['resolve', 'run.sh']).out).toMatch(/^run.sh is not followed to its end/);
    expect(JSON.parse(made.run(['resolve', 'run.sh', '--format', 'json']).out).complete).toBe(false);
  });

  it('shows unknown words with the reason', () => {
    const made = workspace({
      'run.sh': 'torchrun --nproc_per_node 8 pretrain_gpt.py --load "$1" --save "$(hostname)"\n',
    });
    const [launch] = JSON.parse(made.run(['resolve', 'run.sh', '--format', 'json']).out).launches;
    expect(launch.argv).toContainEqual({ unknown: 'positional', text: '$1' });
    expect(launch.argv).toContainEqual({ unknown: 'command-output', text: '$(hostname)' });
  });
});
