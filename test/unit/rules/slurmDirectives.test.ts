import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';
const rules = [
  'batch-script-without-shebang',
  'ignored-directive',
  'variable-in-directive',
  'time-in-minutes',
  'unknown-option',
  'invalid-value',
  'exclusive-options',
];

function lint(text: string, file = path) {
  return lintFile(file, text).findings.filter(({ rule }) => rules.includes(rule));
}

const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 64\n';

/** A batch script with a line among its directives. */
const job = (line: string): string => `#!/bin/bash\n#SBATCH -J x\n${line}\n\n${launch}`;

describe('a #SBATCH line', () => {
  it.each([
    ['  #SBATCH --nodes=2', '#SBATCH --nodes=2', 'ignored-directive', 'there is a space before it'],
    ['#sbatch --nodes=2', '#SBATCH --nodes=2', 'ignored-directive', 'in capitals'],
    ['#SBATCH --node=2', '#SBATCH --nodes=2', 'unknown-option', 'Did you mean --nodes?'],
    ['#SBATCH --ntask-per-node=2', '#SBATCH --ntasks-per-node=2', 'unknown-option', 'Did you mean'],
    ['#SBATCH --time=24', '#SBATCH --time=24:00:00', 'time-in-minutes', '--time=24 is a limit of 24 minutes'],
    ['#SBATCH -t 8', '#SBATCH -t 8:00:00', 'time-in-minutes', '8 hours are 8:00:00'],
  ])('is reported and fixed: %s', (line, mended, rule, message) => {
    const [finding, ...more] = lint(job(line));
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ rule });
    expect(finding?.message).toContain(message);
    expect(applyEdits(job(line), finding?.fixes[0]?.edits ?? [])).toBe(job(mended));
    expect(lint(job(mended))).toEqual([]);
  });

  it.each([
    [
      '#SBATCH --nodes=two',
      'error invalid-value',
      '--nodes takes a number of nodes, or the fewest and the most as in 2-4, not two.',
    ],
    ['#SBATCH --nodes=4-2', 'error invalid-value', 'not 4-2.'],
    ['#SBATCH --mem=64GiB', 'error invalid-value', '--mem takes whole MiB, or'],
    ['#SBATCH --mem-per-cpu=1.5G', 'error invalid-value', 'not 1.5G.'],
    [
      '#SBATCH --exclusive=true',
      'error invalid-value',
      '--exclusive takes user, mcs or topo, or no value at all',
    ],
    ['#SBATCH --open-mode=write', 'error invalid-value', '--open-mode takes append or truncate'],
    [
      '#SBATCH --time=24h',
      'error invalid-value',
      '--time takes minutes, or a time as 24:00:00 or 1-12, not 24h.',
    ],
    ['#SBATCH -N $N', 'error variable-in-directive', '-N gets $N literally.'],
    ['#SBATCH --output=${HOME}/x', 'warning variable-in-directive', '--output gets ${HOME}/x literally.'],
  ])('has no obvious fix: %s', (line, head, message) => {
    const found = lint(job(line));
    expect(found.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual([head]);
    expect(found[0]?.message).toContain(message);
    expect(found[0]?.fixes).toEqual([]);
  });

  it.each(['template.sbatch', 'templates/run.sh', 'job.slurm.tmpl', 'sbatch_template.sh'])(
    'is filled in beforehand, in a file called %s',
    (name) => {
      const file = `/repository/${name}`;
      expect(lint(job('#SBATCH --nodes=$nodes\n#SBATCH --output=${logs}/%j.out'), file)).toEqual([]);
      expect(lint(job('#SBATCH --time=24h'), file)).toHaveLength(1);
      expect(lint(job('#SBATCH --nodes=$nodes'), `/repository/contemplated.sh`)).toHaveLength(1);
    },
  );

  it.each([
    '#SBATCH --time=1-',
    '#SBATCH --time=-1',
    '#SBATCH --time={time_limit}',
    '#SBATCH --nodes={{nodes}}',
    '#SBATCH --mem={{ memory }}',
    '#SBATCH --nodes=2-4',
    '#SBATCH --nodes=1,3-5',
    '#SBATCH --mem=0',
    '#SBATCH --mem=64GB',
    '#SBATCH --exclusive=user',
    '#SBATCH --exclusive',
    '#SBATCH --ntasks-per-node=1 --gpus-per-task=8',
    '#SBATCH --mem=1G\n#SBATCH hetjob\n#SBATCH --mem-per-cpu=1G',
  ])('is accepted: %s', (line) => {
    expect(lint(job(line))).toEqual([]);
  });

  it('is reported once for all after the first command, and they are moved', () => {
    const text = `#!/bin/bash\n#SBATCH -J x\nset -e\n#SBATCH --nodes=2\n#SBATCH --exclusive\n${launch}`;
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding?.message).toBe(
      'sbatch does not read this: it comes after the first command, as 1 more does.',
    );
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []);
    expect(fixed).toBe(
      `#!/bin/bash\n#SBATCH -J x\n#SBATCH --nodes=2\n#SBATCH --exclusive\nset -e\n${launch}`,
    );
  });

  it('needs a shebang in the first line of the script', () => {
    const text = `# a job\n#SBATCH --nodes=2\n${launch}`;
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ rule: 'batch-script-without-shebang', severity: 'warning' });
    expect(applyEdits(text, finding?.fixes[0]?.edits ?? [])).toBe(`#!/bin/bash\n${text}`);
  });

  it.each([
    '#SBATCH --nodes=2-4 --ntasks 16 --exclusive --requeue',
    '#SBATCH --nodes 2 --gres=gpu:h100:8 --mem=0',
    '#SBATCH -N2 -t 1-12 -o %x-%j.out',
    '#SBATCH --time=90',
    '#SBATCH --time=infinite --exclusiv',
    '#SBATCH --site-plugin=1 # of this cluster',
    '##SBATCH --nodes=two',
    '# SBATCH --nodes=two',
    '   # indented\n#SBATCH --nodes=2',
  ])('is left alone: %s', (line) => {
    expect(lint(job(line))).toEqual([]);
  });

  it('is left alone in a here-document, and if none of our frameworks is launched', () => {
    expect(lint(`#!/bin/bash\nsbatch <<EOF\n#!/bin/bash\n#SBATCH --nodes=2\nEOF\n${launch}`)).toEqual([]);
    expect(lint('#!/bin/bash\n#SBATCH --nodes=two\necho hi\n')).toEqual([]);
  });

  it('is reported beside another one that newer Slurm releases refuse with it', () => {
    const found = lint(job('#SBATCH --gres=gpu:h100:8\n#SBATCH --gpus-per-node=8'));
    expect(found).toMatchObject([
      {
        rule: 'exclusive-options',
        severity: 'info',
        message: '--gpus-per-node cannot be combined with --gres from Slurm 26.05 on.',
      },
    ]);
  });

  it('is removed with its whole line if another one excludes it', () => {
    const text = job('#SBATCH --mem=64G\n#SBATCH --mem-per-cpu=4G');
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      severity: 'error',
      message: '--mem-per-cpu cannot be combined with --mem.',
    });
    expect(finding?.fixes.map(({ title, edits }) => [title, applyEdits(text, edits)])).toEqual([
      ['Remove --mem-per-cpu', job('#SBATCH --mem=64G')],
      ['Remove --mem', job('#SBATCH --mem-per-cpu=4G')],
    ]);
    const one = job('#SBATCH --mem=64G --mem-per-cpu=4G');
    expect(applyEdits(one, lint(one)[0]?.fixes[1]?.edits ?? [])).toBe(job('#SBATCH --mem-per-cpu=4G'));
  });
});
