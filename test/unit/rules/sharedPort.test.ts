import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';

function lint(text: string) {
  return lintFile(path, text).findings.filter(({ rule }) => rule === 'port-of-another-launch');
}

const program = 'pretrain_gpt.py --num-layers 4 --hidden-size 64';
const first = `torchrun --nproc_per_node 4 ${program} > a.log 2>&1 &\n`;
const second = `torchrun --nproc_per_node 4 ${program}\n`;

describe('port-of-another-launch', () => {
  it.each([
    first + second,
    `${first}sleep 5\nCUDA_VISIBLE_DEVICES=4,5,6,7 ${second}`,
    `for s in 1 2; do\n  torchrun ${program} --seed $s \\\n    2>&1 | tee $s.log &\ndone\nwait\n`,
    `nohup ${first}${first}wait\n`,
  ])('is reported once and fixed: %s', (text) => {
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding?.message).toContain('29500');
    expect(finding?.certainty).toBe('possible');
    expect(lint(applyEdits(text, finding?.fixes[0]?.edits ?? []) ?? '')).toEqual([]);
  });

  it('is reported at a port that is given twice', () => {
    const text = (first + second).replaceAll('--nproc', '--master_port 6000 --nproc');
    const [finding] = lint(text);
    expect(finding?.place.span.start).toBe(text.lastIndexOf('6000'));
  });

  it.each([
    first,
    `${first}wait\n${second}`,
    `${second}${second}`,
    `${first}torchrun --master_port 29501 ${program}\n`,
    `${first}torchrun --standalone ${program}\n`,
    `srun ${first}srun ${second}`,
    `ssh node0 ${first}${second}`,
    `if [ "$1" = a ]; then\n${first}else\n${second}fi\n`,
    `for s in 1 2; do\n  ${first}  wait\ndone\n`,
    `for s in 1 2; do\n  torchrun --master_port $((29500 + s)) ${program} &\ndone\n`,
    `torchrun --nnodes 2 --node_rank 0 ${program} &\ntorchrun --nnodes 2 --node_rank 1 ${program}\n`,
    `${first.replace(' &\n', ' && ')}${second}`,
  ])('is not reported: %s', (text) => {
    expect(lint(text)).toEqual([]);
  });
});
