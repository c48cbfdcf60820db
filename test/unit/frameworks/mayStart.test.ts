import { describe, expect, it } from 'vitest';
import { mayStart } from '../../../server/src/frameworks/mayStart.ts';
import { loadKnowledge } from '../../support/knowledge.ts';
import { memoryHost } from '../../support/memoryHost.ts';
import { ruleExamples } from '../../support/ruleExamples.ts';

const files = {
  '/repository/run.sh': '',
  '/repository/tools/convert.py': 'import torch\n',
  '/repository/tools/own.py': 'from megatron.bridge.training import pretrain\n',
  '/repository/scripts/flags.sh': 'ARGS="--tensor-model-parallel-size 8"\n',
  '/repository/scripts/convert.sh': 'python tools/convert.py "$@"\n',
};
const may = (text: string, given: readonly string[] = []): boolean =>
  mayStart('/repository/run.sh', text, given, memoryHost(files));

describe('scripts that may start a program of a framework', () => {
  it.each([
    ['a trainer', 'torchrun pretrain_gpt.py --bf16'],
    ['flags that tell one', 'python3 main.py --tensor-model-parallel-size 8 --micro-batch-size 1'],
    ['such flags in a text that it sources', 'source scripts/flags.sh; python3 tools/convert.py $ARGS'],
    ['flags of slime', 'python3 train.py --rollout-batch-size 32'],
    ['keys of SkyRL', 'python -m my.program trainer.policy.model.path=x'],
    ['a configuration', 'python3 examples/math.py --config x.yaml'],
    ["Relax's program", 'ray job submit -- python3 relax/entrypoints/train.py'],
    ["Bridge's program", 'python scripts/training/run_recipe.py --recipe x'],
    ['overrides of Bridge', 'python tools/convert.py train.train_iters=5'],
    ['a program that imports Bridge', 'uv run python tools/own.py'],
    ['such a program by its whole path', 'uv run python /repository/tools/own.py'],
    ['a program whose name is put together', 'python "tools/$NAME.py"'],
    ['a program that is not there, from another folder', 'cd tools && python elsewhere.py'],
    ['a module whose name is put together', 'python -m "$MODULE"'],
    ['an option whose name is put together', 'python tools/convert.py --$NAME 8'],
    [
      'options whose names are put together',
      'python tools/convert.py --{tensor,pipeline}-model-parallel-size=8',
    ],
    ['options that are printed', 'python tools/convert.py $(printf -- "--%s 8 " $NAMES)'],
    ['overrides whose keys are put together', 'T=trainer; python -m my.program $T.policy.model.path=x'],
    ['overrides of Bridge with keys put together', 'python tools/convert.py model.$NAME=5'],
    ['words from a file', 'python tools/convert.py $(cat words.txt)'],
    ['words from a file, line by line', 'while read -r w; do python tools/convert.py "$w"; done < words.txt'],
    ['words from a part of a file', 'python tools/convert.py $(grep -v "^#" words.txt)'],
    ['a script that is not there', 'python tools/convert.py; bash more.sh'],
  ])('%s', (_, text) => {
    expect(may(text)).toBe(true);
  });

  it('a program recognised only by its folder', () => {
    const text = 'python "$(dirname "$0")/run_script.py" -m llama3';
    const folder = '/repository/scripts/performance';
    const host = memoryHost({ [`${folder}/run.sh`]: text, [`${folder}/run_script.py`]: '' });
    expect(mayStart(`${folder}/run.sh`, text, [], host)).toBe(true);
    expect(mayStart('/repository/run.sh', text, [], memoryHost({ '/repository/run_script.py': '' }))).toBe(
      false,
    );
  });

  it('arguments from outside', () => {
    expect(may('python tools/convert.py "$1"')).toBe(false);
    expect(may('python tools/convert.py "$1"', ['--tensor-model-parallel-size'])).toBe(true);
  });
});

describe('the bad example of each rule', () => {
  it('may start a program, so it is linted', () => {
    const scripts = ruleExamples(loadKnowledge()).filter(({ script }) => script.endsWith('.sh'));
    expect(scripts.length).toBeGreaterThan(1_000);
    for (const { rule, script, files: given } of scripts)
      expect(mayStart(script, given[script] ?? '', [], memoryHost(given)), rule).toBe(true);
  });
});

describe('scripts that start no such program', () => {
  it.each([
    ['a converter of the workspace', 'python tools/convert.py --hf-model x'],
    ['a script that starts one', 'for m in a b; do bash scripts/convert.sh $m; done'],
    ['a converter of an image', 'python /opt/tools/convert.py --hf-model x'],
    ['one within text for a shell', 'srun bash -c "python /opt/convert_x.py" < /dev/null'],
    [
      'filters behind a pipe',
      'N=$(hostname -I | tr " " "\\n" | grep -v x | head -1); python tools/convert.py $N',
    ],
    ['a search that only asks', 'if grep -q x words.txt; then python tools/convert.py; fi'],
    ['nothing in Python', 'make && ./build/serve'],
    ['what only a comment names', '# as skyrl/train.py does, by --tensor-model-parallel-size\n./submit x'],
  ])('%s', (_, text) => {
    expect(may(text)).toBe(false);
  });
});
