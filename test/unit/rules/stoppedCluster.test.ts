import { describe, expect, it } from 'vitest';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';
const submit =
  'ray job submit --address="http://127.0.0.1:8265" -- python3 train.py --num-rollout 8 --rollout-batch-size 8 --actor-num-nodes 1\n';

function reported(text: string, more: { readonly [path: string]: string } = {}) {
  return lintFile(path, text, more)
    .findings.filter(({ rule }) => rule === 'job-without-cluster')
    .map(({ severity, message, place: { span }, related }) => [
      `${severity}: ${message}`,
      text.slice(span.start, span.end),
      ...related.map(({ place }) => text.slice(place.span.start, place.span.end)),
    ]);
}

describe('a job for a cluster of Ray that its script has stopped', () => {
  it('is reported whatever arrays of options hold in between', () => {
    const options = 'ARGS=(\n   --load $DIR/model\n   --save "$DIR/model"\n)\n';
    expect(reported(`ray stop --force\n${options}${submit}`)).toHaveLength(1);
  });

  it('is reported with what stops it', () => {
    expect(
      reported(
        `pkill -9 sglang\nray stop --force\n# ray start --head\npkill -9 ray\npkill -f train.py\nset -ex\nexport A=$B\n${submit}`,
      ),
    ).toEqual([
      [
        'warning: Nothing takes jobs at http://127.0.0.1:8265: the script stops Ray and does not start it again.',
        expect.stringContaining('127.0.0.1:8265'),
        'ray stop --force',
      ],
    ]);
  });

  it.each([
    ['started again', `ray stop\nray start --head\n${submit}`],
    ['started by a function', `start_ray_head() { :; }\nray stop\nstart_ray_head\n${submit}`],
    ['perhaps started by another script', `ray stop\nbash prepare.sh\n${submit}`],
    [
      'perhaps started by a script in the background',
      `ray stop\nnohup bash "$DIR/boot.sh" > log 2>&1 &\n${submit}`,
    ],
    ['perhaps started by a script with variables', `ray stop\nPORT=1 timeout 60 python3 boot.py\n${submit}`],
    ['perhaps started by a script of another folder', `ray stop\n"$DIR"/boot.sh\n${submit}`],
    ['perhaps started by a variable', `ray stop\n$PREPARE\n${submit}`],
    [
      'perhaps started by a script that is asked about',
      `ray stop\nif ! ./boot.sh; then exit 1; fi\n${submit}`,
    ],
    ['perhaps started from another node', `ray stop\nssh worker "./prepare"\n${submit}`],
    ['stopped only if that is asked for', `if [ -n "$RESET" ]; then\n  ray stop\nfi\n${submit}`],
    ['stopped afterwards', `${submit}ray stop\n`],
    ['somewhere else', `ray stop\n${submit.replace('127.0.0.1', 'head')}`],
    ['never stopped', submit],
    ['stopped by a script that is only written', `cat > stop.sh <<'EOF'\nray stop\nEOF\n${submit}`],
    ['stopped by a function that is not called', `clean_up() {\nray stop\n}\n${submit}`],
  ])('is none where Ray is %s', (_, text) => {
    expect(reported(text)).toEqual([]);
  });

  it('is none where a sourced file may start Ray', () => {
    const text = `ray stop\nsource ./cluster.sh\n${submit}`;
    expect(reported(text, { '/repository/cluster.sh': 'ray start --head\n' })).toEqual([]);
    expect(reported(text, { '/repository/cluster.sh': 'A=1\n' })).toHaveLength(1);
  });
});
