import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';
const megatron = 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 8 --bf16';
const skyrl = 'python -m skyrl.train.entrypoints.main_base trainer.logger=console';

describe('a calculation that Bash leaves as text', () => {
  it.each([
    [`TP=2\n${megatron} --hidden-size $TP*8\n`, '$TP*8', '$(($TP*8))', 'invalid-value'],
    [`TP=2\n${megatron} --hidden-size=\${TP}*8\n`, '${TP}*8', '$((${TP}*8))', 'invalid-value'],
    [`TP=2\n${megatron} --hidden-size "$TP * 8"\n`, '$TP * 8', '$(($TP * 8))', 'invalid-value'],
    [`H='2*8'\n${megatron} --hidden-size $H\n`, '$H\n', '$(($H))\n', 'invalid-value'],
    [`TP=2\nARGS=(--hidden-size $TP*8)\n${megatron} "\${ARGS[@]}"\n`, '$TP*8', '$(($TP*8))', 'invalid-value'],
    [`N=4\n${skyrl} trainer.train_batch_size=$N*8\n`, '$N*8', '$(($N*8))', 'skyrl/size-not-a-number'],
  ])('is reported as a whole, with what computes it: %s', (text, written, computed, rule) => {
    const found = lintFile(path, text).findings.find((one) => one.rule === rule);
    expect(found?.message).toMatch(/ Bash computes within \$\(\( \)\) only: \d ?\* ?8 is (16|32)\.$/);
    const { start, end } = found?.place.span ?? { start: 0, end: 0 };
    expect(text.slice(start, end)).toBe(written.trimEnd());
    const fixed = applyEdits(text, found?.fixes[0]?.edits ?? []);
    expect(fixed).toBe(text.replace(written, computed.replaceAll('$', '$$$$')));
    expect(lintFile(path, fixed ?? '').findings.filter((one) => one.rule === rule)).toEqual([]);
  });

  it.each(['--hidden-size $TP-8', '--hidden-size $TP*0x8', '--save $TP*8'])(
    'is not seen in what may be meant otherwise: %s',
    (words) => {
      const { findings } = lintFile(path, `TP=2\n${megatron} ${words}\n`);
      expect(findings.filter(({ message }) => message.includes('computes within'))).toEqual([]);
    },
  );
});
