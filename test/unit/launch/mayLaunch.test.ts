import { describe, expect, it } from 'vitest';
import { mayLaunch, mayLaunchGiven, reachOf } from '../../../server/src/launch/mayLaunch.ts';
import { memoryHost } from '../../support/memoryHost.ts';

const files = {
  '/repository/run.sh': '',
  '/repository/scripts/train.sh': 'torchrun pretrain_gpt.py\n',
  '/repository/scripts/build.sh': 'make -j\n',
  '/repository/scripts/both.sh': 'bash scripts/build.sh; bash scripts/both.sh\n',
};
const may = (text: string): boolean => mayLaunch(reachOf('/repository/run.sh', text, memoryHost(files)));

describe('scripts that run their arguments', () => {
  it.each([
    'exec "$@"',
    'numactl -N 1 "$@"',
    'set -e\n"$@"',
    'eval "$1"',
    'bash -c "$CMD"',
    'if true; then $CMD; fi',
    'N=$1; CMD=$2\nsrun -n $N \\\n  $CMD',
    'nohup $CMD > run.log 2>&1 &',
    'time $*',
  ])('%s', (text) => {
    expect(mayLaunchGiven(reachOf('/repository/run.sh', text, memoryHost(files)))).toBe(true);
  });

  it('do not include scripts that only build', () => {
    expect(
      mayLaunchGiven(
        reachOf('/repository/run.sh', 'make -j "$N"\ncp "$A" b; time make; echo "$A"\n', memoryHost(files)),
      ),
    ).toBe(false);
  });
});

describe('scripts that may start one of our frameworks', () => {
  it.each([
    ['a Python program', 'python3 "$DIR/train.py" --lr 1'],
    ['a launcher', 'torchrun --nproc_per_node 8 "$SCRIPT"'],
    ['a module behind an unknown interpreter', '$PY -m skyrl.train.main_base'],
    ['a script that does', 'cd scripts && bash scripts/train.sh'],
    ['a script by its whole path', 'bash /repository/scripts/train.sh'],
    ['a script found from its folder', 'source "$' + '{HERE}/scripts/train.sh"'],
    ['a script that is not there', 'bash ../elsewhere/run.sh'],
    ['a script on another machine', 'ssh "$HOST" bash; scp "$HOST":scripts/train.sh .'],
    ['a script named by a variable', 'bash "$SCRIPT"'],
    ['a sourced file without an ending', 'source ./settings'],
    ['scripts named by a pattern', 'for f in jobs/*.sh; do bash "$f"; done'],
    ['a suppression comment', '# oomlint-disable-file'],
  ])('%s', (_, text) => {
    expect(may(text)).toBe(true);
  });
});

describe('scripts that start none of our frameworks', () => {
  it.each([
    ['copying and building', 'set -e\nmkdir -p out\ncp a b\nmake\n'],
    ['installing', 'python -m pip install -e .\nexport PYTHONPATH=/x\n'],
    ['Python text', 'VERSION=$(python3 -c "import torch; print(torch.__version__)")\n'],
    ['a script that starts nothing', 'bash scripts/build.sh'],
    ['scripts that call each other', './scripts/both.sh'],
    ['a comment about one', '# bash scripts/train.sh\nls\n'],
    ['a script from the web', 'curl -fsSL https://example.com/install.sh -o x\n'],
    ['jq and grep', "jq '[.[] | select(. == 1)]' x; grep 'run\\.sh' y\n"],
    ['jq with comparisons', "jq -e 'all(.[]; . >= 32 and . < 127 or (. > 159))' x\n"],
  ])('%s', (_, text) => {
    expect(may(text)).toBe(false);
  });
});
