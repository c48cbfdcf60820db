import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const script = '/repository/run.sh';

function lint(text: string, path = script) {
  return lintFile(path, text).findings.filter(
    ({ rule }) => rule === 'home-not-expanded' || rule === 'variable-in-yaml',
  );
}

const launch = (words: string): string =>
  `torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 64 ${words}\n`;

const skyrl = (word: string): string => `D=x\npython -m skyrl.train.entrypoints.main_base ${word}\n`;

const experiment = (fileroot: string): string =>
  `experiment_name: a\ntrial_name: b\ncluster:\n  fileroot: ${fileroot}\n` +
  'rollout:\n  fileroot: ${cluster.fileroot}\nactor:\n  path: m\n';

describe('home-not-expanded', () => {
  it.each([
    [skyrl('trainer.ckpt_path=~/c'), 'trainer.ckpt_path=$HOME/c'],
    [skyrl('trainer.export_path="~/c/$D"'), 'trainer.export_path="$HOME/c/$D"'],
    [skyrl('trainer.policy.model.path="~/m"'), 'trainer.policy.model.path="$HOME/m"'],
  ])('is reported for keys: %s', (text, mended) => {
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []) ?? '';
    expect(fixed).toContain(mended);
    expect(lint(fixed)).toEqual([]);
  });

  it.each([
    ['~/runs', '${oc.env:HOME}/runs'],
    ['$SCRATCH/runs', '${oc.env:SCRATCH}/runs'],
  ])('is reported once for a configuration: %s', (written, mended) => {
    const file = '/repository/train.yaml';
    const [finding, ...more] = lint(experiment(written), file);
    expect(more).toEqual([]);
    expect(finding?.settings).toEqual(['cluster.fileroot']);
    const fixed = applyEdits(experiment(written), finding?.fixes[0]?.edits ?? []) ?? '';
    expect(fixed).toBe(experiment(mended));
    expect(lint(fixed, file)).toEqual([]);
  });

  it.each([
    [launch('--save "~/c"'), '--save "$HOME/c"', '--save'],
    [launch('--load=~/c'), '--load=$HOME/c', '--load'],
    [launch('--load="~/c"'), '--load="$HOME/c"', '--load'],
    [`C="~/c"\n${launch('--load $C')}`, 'C="$HOME/c"\n', '--load'],
    [launch('--data-path 1 "~/c" 2 ~/d'), '--data-path 1 "$HOME/c" 2 ~/d', '--data-path'],
    ['python3 train.py --actor-num-nodes 1 --save "~/c"\n', '--save "$HOME/c"', '--save'],
  ])('is reported and fixed: %s', (text, mended, name) => {
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding?.message).toContain(`${name} does not point into the home directory`);
    const { start = 0, end = 0 } = finding?.place.span ?? {};
    expect(text.slice(start, end)).toBe('~/c');
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []) ?? '';
    expect(fixed).toContain(mended);
    expect(lint(fixed)).toEqual([]);
  });

  it.each([launch("--save '~/c'"), `A='--seed 1 --save ~/c'\n${launch('$A')}`])(
    'is reported without a fix if Bash expands nothing: %s',
    (text) => {
      expect(lint(text)).toMatchObject([{ severity: 'warning', fixes: [] }]);
    },
  );

  it.each([
    launch('--save ~/c'),
    `C=~/c\n${launch('--save $C')}`,
    `export C=~/c\n${launch('--save "$C"')}`,
    launch('--save "$HOME/c"'),
    launch('--save "./~/c"'),
    launch('--wandb-save-dir "~/c"'),
    'python3 train.py --actor-num-nodes 1 --prompt-data "~/c.parquet"\n',
    skyrl('trainer.ckpt_path="$HOME/c"'),
    skyrl('data.train_data="[\'~/c\']"'),
  ])('is not reported: %s', (text) => {
    expect(lint(text)).toEqual([]);
  });
});
