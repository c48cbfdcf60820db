import { describe, expect, test } from 'vitest';
import { evaluate, lines, shown } from './support.ts';

describe('shell text within commands', () => {
  test('bash -c, srun bash -c and sbatch keep the chain of wrappers and the environment', () => {
    const { commands } = evaluate(`export TP=2
CMD="python t.py --tp $TP"
bash -c "$CMD"
srun -N 2 bash -c "export X=1; $CMD \\$1 '\\$2'" zero one
sbatch <<EOF
#!/bin/bash
#SBATCH --nodes=4 # four
#SBATCH -J "a b"
srun python t.py --nodes \\$SLURM_NNODES
EOF`);
    const commandTexts = commands.map(({ words, env, via, directives }) => [
      words.map(shown).join(' '),
      [...env.keys()].join(' '),
      via.length,
      directives.map(shown).join(' '),
    ]);
    expect(commandTexts).toEqual([
      ['python t.py --tp 2', 'TP', 1, ''],
      ["srun -N 2 bash -c export X=1; python t.py --tp 2 $1 '$2' zero one", 'TP', 0, ''],
      ['python t.py --tp 2 one $2', 'TP X', 1, ''],
      ['sbatch', 'TP', 0, ''],
      ['srun python t.py --nodes <$SLURM_NNODES>', 'TP', 1, '--nodes=4 -J a b'],
    ]);
  });

  test('holes in the text stay holes of the inner words', () => {
    expect(lines('CMD="python t.py --x $X --y $1"; bash -c "$CMD"; eval "$CMD --z"')).toEqual([
      'python t.py --x <$X*> --y <$1>',
      'python t.py --x <$X*> --y <$1> --z',
    ]);
  });
});

describe('a job put into a queue', () => {
  test.each(['sbatch --parsable', 'qsub -V'])('%s prints its number: the job writes elsewhere', (queue) => {
    const files = { '/repo/scripts/job.sh': '#!/bin/bash\necho hello; python train.py' };
    expect(lines(`cd /repo; ID=$(${queue} scripts/job.sh); python x.py "$ID"`, { files })).toEqual([
      `${queue} scripts/job.sh`,
      'python train.py',
      `python x.py <$(${queue} scripts/job.sh)>`,
    ]);
  });
});

describe('a script that only has sbatch as an argument', () => {
  test('writes where it is called', () => {
    const files = { '/repo/scripts/job.sh': '#!/bin/bash\necho hello' };
    expect(lines('cd /repo; python x.py "$(bash scripts/job.sh sbatch)"', { files })).toEqual([
      'python x.py hello',
    ]);
  });
});
