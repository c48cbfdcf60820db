import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';

function lint(text: string, rule: string) {
  return lintFile(path, text).findings.filter((finding) => finding.rule === rule);
}

const job = (words: string): string => `ray job submit --address=x ${words} --num-rollout 8\n`;
const training = (words: string): string => `torchrun ${words} --num-layers 4\n`;

describe('values of options', () => {
  const valuesIn = (text: string): readonly string[] =>
    lint(`${text}\n`, 'invalid-value').map(({ message }) => message);
  const trained = 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4';

  it.each([
    [
      `srun --nodes=two ${trained}`,
      '--nodes takes a number of nodes, or the fewest and the most as in 2-4, not two.',
    ],
    [`srun -N 2 -n8x ${trained}`, '-n takes a number of tasks, not 8x.'],
    [`srun --time 5h ${trained}`, '--time takes minutes, or a time as 24:00:00 or 1-12, not 5h.'],
    [`sbatch -t 5h --wrap "${trained}"`, '-t takes minutes, or a time as 24:00:00 or 1-12, not 5h.'],
    [
      `ray job submit --entrypoint-num-gpus all -- ${trained}`,
      '--entrypoint-num-gpus takes a number, not all.',
    ],
    [`mpirun -np eight ${trained}`, '-np takes a number of processes, not eight.'],
  ])('that a launcher refuses are reported: %s', (text, message) => {
    expect(valuesIn(text)).toEqual([message]);
  });

  it.each([
    `srun -N 2-4 -n 1k --time=1-12:00:00 --ntasks-per-node 8 -c "$CPUS" ${trained}`,
    `srun --nodes=2,4:6 -t INFINITE ${trained}`,
    `sbatch --time=30 --nodes "$N" --wrap "${trained}"`,
    `ray job submit --entrypoint-num-gpus 0.5 --entrypoint-memory 1000 -- ${trained}`,
    `mpirun -np 8 -x A=b ${trained}`,
  ])('that it accepts are not: %s', (text) => {
    expect(valuesIn(text)).toEqual([]);
  });
});

describe('missing-value of a launcher', () => {
  it.each([
    ['--nproc_per_node pretrain_gpt.py', '--nproc_per_node', ': torchrun reads pretrain_gpt.py as one'],
    ['--nnodes 1 --log-dir pretrain_gpt.py', '--log-dir', ': torchrun reads pretrain_gpt.py as one'],
    ['--nproc_per_node --nnodes 1 pretrain_gpt.py', '--nproc_per_node', ''],
  ])('is reported for torchrun %s', (words, name, detail) => {
    const text = training(`${words} --tensor-model-parallel-size 16`);
    const [finding, ...more] = lint(text, 'missing-value');
    expect(more).toEqual([]);
    expect(finding?.message).toBe(`${name} needs a value${detail}.`);
    const { start, end } = finding?.place.span ?? { start: 0, end: 0 };
    expect(text.slice(start, end)).toBe(name);
    // What the program gets is still checked, but the number of processes is unknown.
    expect(lint(text, 'megatron-lm/sequence-length-required')).toHaveLength(1);
    const isPerNode = name === '--nproc_per_node';
    expect(lint(text, 'megatron-lm/world-size-divides')).toHaveLength(isPerNode ? 0 : 1);
    expect(lint(text, 'unknown-option')).toEqual([]);
  });

  it.each([
    '--nproc_per_node 8 --log_dir logs.py pretrain_gpt.py',
    '--nproc_per_node=8 --node_rank -1 pretrain_gpt.py',
    '--nproc_per_node $GPUS pretrain_gpt.py',
  ])('is not reported for torchrun %s', (words) => {
    expect(lint(training(words), 'missing-value')).toEqual([]);
  });
});

describe('an option beside one that excludes it', () => {
  const reported = (text: string) =>
    lint(text, 'exclusive-options').map(({ severity, message }) => `${severity} ${message}`);

  it.each([
    [training('--no-python -m pretrain_gpt'), ['error -m cannot be combined with --no-python.']],
    [
      job("--runtime-env-json '{}' --runtime-env e.yaml -- python3 train.py"),
      ['error --runtime-env cannot be combined with --runtime-env-json.'],
    ],
    [
      `srun --mem=1T --mem-per-gpu=4G ${training('pretrain_gpt.py')}`,
      ['error --mem-per-gpu cannot be combined with --mem.'],
    ],
    [
      `srun -c 8 --cpus-per-gpu 4 ${training('pretrain_gpt.py')}`,
      ['warning --cpus-per-gpu cannot be combined with -c from Slurm 23.11 on.'],
    ],
    [training('--module pretrain_gpt'), []],
    [`srun --mem=1T --mem=2T ${training('pretrain_gpt.py')}`, []],
    [`srun --gres=nvme:1 --gpus-per-node=8 ${training('pretrain_gpt.py')}`, []],
  ])('is reported: %s', (text, messages) => {
    expect(reported(text)).toEqual(messages);
  });

  it.each([
    ['srun --mem=1T --mem-per-gpu=4G ', 'srun --mem=1T ', 'srun --mem-per-gpu=4G '],
    ['srun --mem 1T --mem-per-gpu 4G ', 'srun --mem 1T ', 'srun --mem-per-gpu 4G '],
    [
      'srun \\\n  --mem 1T \\\n  --mem-per-gpu 4G \\\n  ',
      'srun \\\n  --mem 1T \\\n  ',
      'srun \\\n  --mem-per-gpu 4G \\\n  ',
    ],
  ])('is removed, or the other one is: %j', (text, ...mended) => {
    const launch = training('pretrain_gpt.py');
    const [finding] = lint(text + launch, 'exclusive-options');
    expect(finding?.fixes.map(({ title }) => title)).toEqual(['Remove --mem-per-gpu', 'Remove --mem']);
    expect(finding?.fixes.map(({ edits }) => applyEdits(text + launch, edits))).toEqual(
      mended.map((words) => words + launch),
    );
  });

  it('is kept if its value is written elsewhere', () => {
    const [finding] = lint(
      `M='--mem 1T'\nsrun $M --mem-per-gpu=4G ${training('pretrain_gpt.py')}`,
      'exclusive-options',
    );
    expect(finding?.fixes.map(({ title }) => title)).toEqual(['Remove --mem-per-gpu']);
  });
});

describe('what a launcher refuses on one path through a script', () => {
  const fork = (first: string, second: string): string =>
    `if [ "$(hostname)" = first ]; then\n  RANK=${first}\nelse\n  RANK=${second}\nfi\n`;
  const launch = training('--nproc_per_node 8 --nnodes 2 --node_rank $RANK --master_addr a pretrain_gpt.py');

  it.each([
    ['a warning where another path is fine', `${fork('0', '""')}${launch}`, 'warning', 'likely'],
    ['an error where all paths have it', `${fork('""', "''")}${launch}`, 'error', 'certain'],
    ['an error without a question', `RANK=\n${launch}`, 'error', 'certain'],
  ])('is %s', (_, text, severity, certainty) => {
    const [finding, ...more] = lint(text, 'missing-value');
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ severity, certainty });
    expect(finding?.message).toContain('--node_rank needs a value');
  });
});
