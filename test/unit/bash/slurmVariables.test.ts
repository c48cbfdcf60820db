import { describe, expect, test } from 'vitest';
import { evaluate, lines, shown } from './support.ts';

const job = (...directives: readonly string[]): string =>
  ['#!/bin/bash', ...directives.map((directive) => `#SBATCH ${directive}`), ''].join('\n');

const bySize = 'if [ "$SLURM_NNODES" -gt 1 ]; then TP=16; else TP=8; fi\npython t.py $TP $SLURM_NNODES';

describe('a condition on a number that Slurm sets', () => {
  test.each([
    ['takes the side of the job as it is written', ['--nodes=1'], ['python t.py 8 <$SLURM_NNODES>']],
    ['in the short form', ['-N 4'], ['python t.py 16 <$SLURM_NNODES>']],
    ['in the short form without a blank', ['-N4'], ['python t.py 16 <$SLURM_NNODES>']],
    ['by the last of several lines', ['--nodes=4', '--nodes 1'], ['python t.py 8 <$SLURM_NNODES>']],
  ])('%s', (_, directives, expected) => {
    expect(lines(`${job(...directives)}${bySize}`)).toEqual(expected);
  });

  test.each([
    ['where nothing says how many', ['--ntasks=8']],
    ['of a range', ['--nodes=1-4']],
    ['of a job of several parts', ['--nodes=1', 'hetjob', '--nodes=4']],
  ])('follows both branches %s', (_, directives) => {
    expect([...lines(`${job(...directives)}${bySize}`)].sort()).toEqual([
      'python t.py 16 <$SLURM_NNODES>',
      'python t.py 8 <$SLURM_NNODES>',
    ]);
  });

  test.each([
    '# sbatch --nodes=16 train.sh 70B',
    '# bash_sbatch -p gpu \\\n#   -N 16 train.sh',
    '#  sbatch -N <nodes> $0',
  ])('follows both branches if users are told to give sbatch another number: %s', (comment) => {
    expect(lines(`${job('--nodes=1')}${comment}\n${bySize}`)).toHaveLength(2);
  });

  test.each([
    '# sbatch --nodes=1 train.sh',
    '# sbatch train.sh --nodes=16',
    '# sbatch --ntasks=16 train.sh',
    '# salloc -N 16',
  ])('takes the branch of the job if they are not: %s', (comment) => {
    expect(lines(`${job('--nodes=1')}${comment}\n${bySize}`)).toEqual(['python t.py 8 <$SLURM_NNODES>']);
  });

  test('follows both sides where the job is started with options', () => {
    const files = { '/repo/job.sh': `${job('--nodes=1')}${bySize}` };
    expect(lines('sbatch --nodes=$N job.sh', { files }).slice(1)).toHaveLength(2);
  });

  test('follows both branches if the step has its own number, else only one', () => {
    const step = (options: string) => `${job('--nodes=1')}srun ${options}bash -c '${bySize}'`;
    expect(lines(step('-N 2 ')).slice(1)).toHaveLength(2);
    expect(lines(step('')).slice(1)).toEqual(['python t.py 8 <$SLURM_NNODES>']);
  });

  test('computes with it', () => {
    const text =
      'GPUS=$((SLURM_JOB_NUM_NODES * 8))\n(( GPUS > 8 )) && X=big || X=small\npython t.py $X $GPUS';
    expect(lines(`${job('--nodes=2')}${text}`)).toEqual(['python t.py big <$((SLURM_JOB_NUM_NODES * 8))>']);
  });

  test('compares it as text', () => {
    const text = 'case $SLURM_NTASKS in 16) X=a;; *) X=b;; esac\npython t.py $X';
    expect(lines(`${job('--ntasks=16')}${text}`)).toEqual(['python t.py a']);
  });

  test('reports what it assumes', () => {
    const [command] = evaluate(`${job('--nodes=1')}${bySize}`).commands;
    expect(command?.assumptions.map(({ text }) => text)).toEqual(['SLURM_NNODES is 1, as #SBATCH asks']);
  });

  test('passes a guard that requires another number', () => {
    const guard = '[ "$SLURM_NNODES" -ge 2 ] || exit 1\npython t.py';
    const [command] = evaluate(`${job('--nodes=1')}${guard}`).commands;
    expect(command?.words.map(shown)).toEqual(['python', 't.py']);
    expect(command?.assumptions[0]?.kind).toBe('guard');
  });
});

describe('what a job sees of a job array', () => {
  const named = 'python t.py run${SLURM_ARRAY_TASK_ID:+_$SLURM_ARRAY_TASK_ID} ${SLURM_RESTART_COUNT:-0}';

  test.each([
    ['nothing where there is none', '#!/bin/bash\n#SBATCH --nodes=2\n', 'python t.py run 0'],
    ['its number', '#!/bin/bash\n#SBATCH --array=0-3\n', 'python t.py run_<$SLURM_ARRAY_TASK_ID> 0'],
    [
      'its number in the short form',
      '#!/bin/bash\n#SBATCH -a 0-3\n',
      'python t.py run_<$SLURM_ARRAY_TASK_ID> 0',
    ],
  ])('%s', (_, head, expected) => {
    expect(lines(`${head}${named}`)).toEqual([expected]);
  });

  test('its number if sbatch is given the array', () => {
    const files = { '/repo/job.sh': `#!/bin/bash\n${named}` };
    expect(lines('sbatch --array=0-3 job.sh', { files }).at(-1)).toBe(
      'python t.py run_<$SLURM_ARRAY_TASK_ID> 0',
    );
  });
});

describe('the nodes of a job', () => {
  const nodes = 'scontrol show hostnames "$SLURM_JOB_NODELIST"';

  test.each([
    [
      `N=($(${nodes})); python t.py \${#N[@]} \${N[0]} x`,
      'python t.py <${#N[@]}> <$(scontrol show hostnames …)> x',
    ],
    [
      `mapfile -t N < <(${nodes}); python t.py \${#N[@]} \${N[0]}`,
      'python t.py <${#N[@]}> <$(scontrol show hostnames …)>',
    ],
    [`python t.py $(${nodes} | wc -l) x`, `python t.py <$(${nodes} | wc -l)> x`],
    [`N=($(${nodes})); [ \${#N[@]} -eq 1 ] && python one.py || python many.py`, 'python many.py'],
  ])('may be any number, but at least one: %s', (text, expected) => {
    expect(lines(text)).toContain(expected);
  });

  test.each(['head -n 1', 'head -1', 'head -n1', 'sed -n 1p', "awk 'NR==1'"])(
    'have a first one: %s',
    (program) => {
      expect(lines(`H=$(${nodes} | ${program}); python t.py --addr $H --x`)).toContain(
        `python t.py --addr <$(${nodes} | ${program})> --x`,
      );
    },
  );

  test('leave known lines printed before them known', () => {
    const text = `{ echo a; echo "$HOST"; ${nodes}; } > f; python t.py $(head -n 1 < f)`;
    expect(lines(text)).toContain('python t.py a');
  });
});
