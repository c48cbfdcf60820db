import { describe, expect, it } from 'vitest';
import { autofix } from '../../../server/src/autofix.ts';
import type { Finding } from '../../../server/src/rules/finding.ts';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { loadKnowledge, testLinter } from '../../support/knowledge.ts';
import { lintFile } from '../../support/lintFile.ts';
import { memoryHost } from '../../support/memoryHost.ts';

const knowledge = loadKnowledge();
const path = '/repository/run.sh';
const program = 'pretrain_gpt.py --num-layers 4 --hidden-size 64 --tensor-model-parallel-size 3';
const launch = `torchrun --nproc_per_node 8 ${program}`;

function lint(text: string) {
  return lintFile(path, text).findings;
}

/** The rules that report slips, and the text with all slips fixed. */
function slipsIn(text: string): { readonly rules: readonly string[]; readonly mended: string | undefined } {
  const slips = lint(text).filter(({ rule }) => /^(?:misspelt-program|unassigned-variable)$/.test(rule));
  const edits = slips.flatMap(({ fixes }: Finding) => fixes[0]?.edits ?? []);
  return { rules: slips.map(({ rule }) => rule), mended: applyEdits(text, edits) };
}

describe('misspelt-program', () => {
  it.each([
    [`torchurn --nproc_per_node 8 ${program}`, launch],
    [`torchrunn --nproc_per_node 8 ${program}`, launch],
    [`srnu -n 8 python ${program}`, `srun -n 8 python ${program}`],
    [`srun -n 8 pyhton ${program}`, `srun -n 8 python ${program}`],
    [`pyhton3 -m torch.distributed.run ${program}`, `python3 -m torch.distributed.run ${program}`],
    [`pyton -m torch.distributed.run ${program}`, `python -m torch.distributed.run ${program}`],
    [`uv rnu torchrun ${program}`, `uv run torchrun ${program}`],
    [`ray job sumbit -- python ${program}`, `ray job submit -- python ${program}`],
  ])('reports %s, and checks what was meant', (text, meant) => {
    const { rules, mended } = slipsIn(text);
    expect(rules).toEqual(['misspelt-program']);
    expect(mended).toBe(meant);
    expect(lint(text).length).toBeGreaterThan(1);
  });

  it.each([
    // A cluster's own wrapper.
    `crun -n 8 python ${program}`,
    `ipython ${program}`,
    `pythno2 ${program}`,
    `torchrun2 --nproc_per_node 8 ${program}`,
    // Nothing that concerns us would be started.
    'pyhton other.py --seed 1',
    'ray job sumbit -- python other.py',
    // The script defines the name.
    `pyhton() { python3 "$@"; }\npyhton ${program}`,
    `shopt -s expand_aliases\nalias pyhton=python3\npyhton ${program}`,
  ])('says nothing about %s', (text) => {
    expect(slipsIn(text).rules).toEqual([]);
  });
});

describe('a launch hidden by a misspelt name', () => {
  it.each([
    ['of the function', `launch() {\n  ${launch}\n}\nlanuch\n`, /\nlaunch\n$/],
    [
      'of a function with a keyword',
      `function start_all {\n  ${launch}\n}\nstart_al 1\n`,
      /\nstart_all 1\n$/,
    ],
    ['of the variable', `run_cmd="${launch}"\necho $run_cmd\neval $run_cmdd\n`, /\neval \$run_cmd\n$/],
  ])('is reported at the name %s', (_, text, mended) => {
    const slips = slipsIn(text);
    expect(slips.rules).toHaveLength(1);
    expect(slips.mended).toMatch(mended);
  });

  it.each([
    ['the function is called elsewhere', `launch() {\n  ${launch}\n}\n[ -n "$1" ] || launch\nlanuch\n`],
    ['the function launches nothing', 'launch() {\n  python other.py\n}\nlanuch\n'],
    ['the names are two', `launch() {\n  ${launch}\n}\nlaunch_all\n`],
    [
      'a comment says who sets the variable',
      `run_cmd="${launch}"\necho $run_cmd\n# run_cmdd: set by the queue\neval $run_cmdd\n`,
    ],
  ])('is not reported if %s', (_, text) => {
    expect(slipsIn(text).rules).toEqual([]);
  });
});

describe('fixing the name of a function', () => {
  it('reveals the launch, whatever is wrong with it', () => {
    const text = `launch() {\n  ${launch}\n}\nlanuch\n`;
    const fixed = autofix(
      [{ path, text }],
      memoryHost({ [path]: text }),
      (host) => testLinter(knowledge, host),
      { suggested: true, wanted: ({ rule }) => rule === 'misspelt-program' },
    );
    expect(fixed.texts.get(path)).toMatch(/\nlaunch\n$/);
    expect(fixed.reports[0]?.findings.map(({ severity }) => severity)).toContain('error');
  });
});
