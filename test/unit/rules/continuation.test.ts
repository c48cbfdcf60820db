import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';

function report(text: string) {
  return lintFile(path, text);
}

function lint(text: string) {
  return report(text).findings.filter(({ rule }) => rule === 'missing-continuation');
}

describe('missing-continuation', () => {
  it('is reported if the line above options lost its backslash, and the fix joins them', () => {
    const text =
      'ARGS=(--num-layers 4)\ntorchrun --nproc_per_node 8 pretrain_gpt.py --bf16\n  "${ARGS[@]}" \\\n  --lr 1e-4\n';
    const [finding] = lint(text);
    expect(finding?.message).toContain('--num-layers');
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []);
    expect(fixed).toBe(text.replace('--bf16\n', '--bf16 \\\n'));
    expect(lint(fixed ?? '')).toEqual([]);
  });

  it('is reported if a comment cuts off the program that a job is submitted for', () => {
    const text =
      'ray job submit \\\n  --address=http://127.0.0.1:8265 \\\n  # -- python3 train.py\n  -- python3 train_async.py --colocate --actor-num-nodes 1\n';
    const [finding] = lint(text);
    expect(text.slice(finding?.place.span.start)).toMatch(/^-- python3 train_async/);
    expect(lint(text.replace(/ {2}#.*\n/, ''))).toEqual([]);
  });

  it.each([
    [
      'where overrides lost the backslash above them',
      'a=b\n  trainer.x=1',
      'a=b \\\n  trainer.x=1',
      /^The command ends/,
    ],
    ['where a blank is behind it', 'a=b \\ \n  trainer.x=1', 'a=b \\\n  trainer.x=1', /^Whitespace after/],
    ['where several are', 'a=b \\ \t \r\n  trainer.x=1', 'a=b \\\r\n  trainer.x=1', /^Whitespace after/],
    ['where an empty line is', 'a=b \\\n\n  +trainer.x=1', 'a=b \\\n  +trainer.x=1', /^An empty line/],
  ])('is fixed %s', (_, broken, mended, message) => {
    const line = (rest: string): string => `python -m skyrl.train.entrypoints.main_base ${rest} \\\n  b=c\n`;
    const text = line(broken);
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding?.message).toMatch(message);
    expect(applyEdits(text, finding?.fixes[0]?.edits ?? [])).toBe(line(mended));
    expect(lint(line(mended))).toEqual([]);
  });

  it.each([
    ['> log', true],
    ['2>&1', true],
    ['"a|b" ${X}', true],
    ['2>&1 | tee log', false],
    ['> log 2>&1 &', false],
    ['&& echo done', false],
    ['|| exit 1', false],
    [';', false],
    ['\nfi', false],
  ])('continues after a line that ends in %s: %s', (end, goesOn) => {
    const command = `torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 ${end}`;
    const text = `${end === '\nfi' ? `if true; then ${command}` : command}\n--bf16\n`;
    const [finding] = lint(text);
    expect(finding?.fixes.map((fix) => applyEdits(text, fix.edits))).toEqual(
      goesOn ? [text.replace('\n--bf16', ' \\\n--bf16')] : [],
    );
  });

  it('is shown at a backslash followed by a space', () => {
    const text = 'python -m skyrl.train.entrypoints.main_base a=b \\ \n  trainer.x=1\n';
    const { start, end } = lint(text)[0]?.place.span ?? { start: 0, end: 0 };
    expect(text.slice(start, end)).toBe('\\ ');
  });

  it('reports a comment after a backslash once, and nothing on the words it makes', () => {
    const program = 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 8';
    const text = `${program} \\ # of them\n  --hidden-size 512\n`;
    const findings = report(text).findings.filter(({ rule }) => !rule.includes('/'));
    expect(findings.map(({ rule }) => rule)).toEqual(['missing-continuation']);
    const { start, end } = findings[0]?.place.span ?? { start: 0, end: 0 };
    expect(text.slice(start, end)).toBe('\\ # of them');
    expect(findings[0]?.message).toMatch(/^A comment after this backslash/);
    expect(applyEdits(text, findings[0]?.fixes[0]?.edits ?? [])).toBe(
      `# of them\n${program} \\\n  --hidden-size 512\n`,
    );
  });

  it('does not blame the line above if that is a separate comment', () => {
    const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py --bf16 --micro-batch-size 1';
    const [finding] = lint(
      `${launch}\nexport A=1\n# with checkpoints, later:\n--save ./c \\\n  --load ./c\n`,
    );
    expect(finding).toMatchObject({
      message: 'No command goes on to this line, so Bash takes --save for a separate command.',
      fixes: [],
    });
  });

  it.each(['${MORE[@]}', '"${MORE[@]}"'])('names the array whose first word starts the line: %s', (array) => {
    const text = `MORE=(--save ./c)\ntorchrun --nproc_per_node 8 pretrain_gpt.py --bf16\n  ${array} \\\n  --lr 1\n`;
    expect(lint(text)[0]?.message).toBe(
      `The command ends on the line above, so Bash takes --save, the first word of ${array}, for a separate command.`,
    );
  });

  it('moves comments inside a command above it', () => {
    const text =
      'X=1\n  torchrun --nproc_per_node 8 pretrain_gpt.py --bf16 \\ # fast\n    # --load $X \\\n    --lr 1e-4 \\\n    --adam-beta1 0.9\n';
    const broken = text.replace('\\ # fast', '# fast');
    const fixed = applyEdits(broken, lint(broken)[0]?.fixes[0]?.edits ?? []);
    expect(fixed).toBe(
      'X=1\n  # fast\n  # --load $X \\\n  torchrun --nproc_per_node 8 pretrain_gpt.py --bf16 \\\n    --lr 1e-4 \\\n    --adam-beta1 0.9\n',
    );
  });

  it('reports a command that ends at several lines once, with one fix joining them all', () => {
    const program = 'torchrun --nproc_per_node 8 pretrain_gpt.py';
    const text = `${program} --bf16 \\\n  # size\n  --num-layers 8 \\\n  # rate\n  --lr 1e-4 \\ \n  --seed 1\n`;
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding?.message).toBe(
      'A comment ends the command above, so Bash takes --num-layers for a separate command, and so it does with 2 more lines below.',
    );
    expect(finding?.related.map(({ message }) => message)).toEqual([
      '--lr begins another command here',
      '--seed begins another command here',
    ]);
    expect(finding?.fixes.map(({ title }) => title)).toEqual([
      'Move the comments above the command, and continue it on all its lines',
    ]);
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []);
    expect(fixed).toBe(
      `# size\n# rate\n${program} --bf16 \\\n  --num-layers 8 \\\n  --lr 1e-4 \\\n  --seed 1\n`,
    );
    expect(lint(fixed ?? '')).toEqual([]);
  });

  it('reports the ends of two commands separately', () => {
    const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py --bf16\n  --lr 1e-4\n';
    expect(lint(`${launch}echo\n${launch}`).length).toBe(2);
  });

  it('leaves comments in place if the command does not start its line', () => {
    const text = 'if true; then torchrun --nproc_per_node 8 pretrain_gpt.py --bf16 # fast\n  --lr 1e-4; fi\n';
    expect(lint(text)[0]?.fixes).toEqual([]);
  });

  it.each([
    ['an assignment for a command', 'seed=1 echo done'],
    ['an assignment', 'seed=1'],
    ['a program whose name has a dot', 'report.sh a=b'],
    ['one that is given a setting', './run.sh=1'],
  ])('is silent for %s below a launch', (_, line) => {
    expect(lint(`python -m skyrl.train.entrypoints.main_base a=b\n${line}\n`)).toEqual([]);
  });

  it.each([
    ['torchrun --nproc_per_node 8\n', 'torchrun --nproc_per_node 8 \\\n'],
    ['torchrun --nproc_per_node 8 \\ \n', 'torchrun --nproc_per_node 8 \\\n'],
    ['torchrun --nproc_per_node 8 \\\u00a0\n', 'torchrun --nproc_per_node 8 \\\n'],
    ['torchrun --nproc_per_node 8 \\\n\n', 'torchrun --nproc_per_node 8 \\\n'],
    ['python3\n', 'python3 \\\n'],
  ])('is reported between a launcher and its program: %j', (launcher, mended) => {
    const program = '  pretrain_gpt.py --num-layers 4 --hidden-size 64\n';
    const [finding, ...more] = lint(launcher + program);
    expect(more).toEqual([]);
    expect(finding?.message).toContain('so Bash takes pretrain_gpt.py for a separate command');
    expect(applyEdits(launcher + program, finding?.fixes[0]?.edits ?? [])).toBe(mended + program);
    expect(report(launcher + program).runs.length).toBe(1);
  });

  it.each([
    'torchrun $ARGS\npretrain_gpt.py --num-layers 4\n',
    'torchrun --nproc_per_node 8 other.py\n./pretrain_gpt.py --num-layers 4\n',
    'echo start\n./pretrain_gpt.py --num-layers 4\n',
    'torchrun --nproc_per_node 8\npython3 pretrain_gpt.py --num-layers 4\n',
  ])('is not reported for separate programs: %j', (text) => {
    expect(lint(text)).toEqual([]);
  });

  it('reads as overrides what Bash took for assignments', () => {
    const text =
      'python -m skyrl.train.entrypoints.main_base trainer.strategy=fsdp2\nnonsense=1 \\\n  trainer.logger=console\n';
    expect(rulesOf(text)).toContain('missing-continuation');
    expect(
      report(text)
        .findings.map(({ message }) => message)
        .join(),
    ).toContain('nonsense');
  });

  it('is silent for a complete command', () => {
    expect(lint('torchrun --nproc_per_node 8 pretrain_gpt.py --bf16 \\\n  --lr 1e-4\n')).toEqual([]);
  });

  const complete =
    'M=(--num-layers 4 --hidden-size 64)\ntorchrun --nproc_per_node 8 pretrain_gpt.py \\\n  --bf16 \\\n  "${M[@]}" \\\n  --num-attention-heads 4 \\\n  --micro-batch-size 1\n';
  const rulesOf = (text: string): readonly string[] =>
    report(text)
      .findings.map(({ rule }) => rule)
      .sort();

  it.each([
    ['after the first options', complete.replace('--bf16 \\\n', '--bf16\n')],
    ['twice', complete.replace('--bf16 \\\n', '--bf16\n').replace('heads 4 \\\n', 'heads 4\n')],
    ['by a comment', complete.replace('--bf16 \\\n', '--bf16 \\\n  # the model\n')],
  ])('is the only finding about what it cuts off: %s', (_, cut) => {
    expect(cut).not.toBe(complete);
    const distinct = [...new Set(rulesOf(cut))];
    expect(distinct).toEqual([...new Set(['missing-continuation', ...rulesOf(complete)])].sort());
  });

  it('leaves what would really start unchanged', () => {
    const [launch] = report(complete.replace('--bf16 \\\n', '--bf16\n')).launches;
    expect(launch?.args).toHaveLength(1);
  });

  it('does not reach past another command', () => {
    const text = 'torchrun --nproc_per_node 8 pretrain_gpt.py --bf16\necho\n  --num-layers 4\n';
    expect(rulesOf(text)).toContain('megatron-lm/shape-required');
  });
});

describe('lost-override', () => {
  const launch = 'python3 -m skyrl.train.entrypoints.main_base \\\n  trainer.epochs=1';
  const found = (text: string) => report(text).findings.filter(({ rule }) => rule === 'lost-override');

  it.each(['environment=gsm8k', 'environment=gsm8k \\\n  trial_name=x', 'environment="gsm8k"\n  seed=3'])(
    'is reported if %j follows a launch that lost its backslash, and the fix joins them',
    (rest) => {
      const text = `${launch}\n  ${rest}\n`;
      const [finding] = found(text);
      expect(text.slice(finding?.place.span.start, finding?.place.span.end)).toBe('environment');
      const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []);
      expect(fixed).toBe(text.replace('epochs=1\n', 'epochs=1 \\\n'));
      expect(found(fixed ?? '')).toHaveLength(rest.includes('seed') ? 1 : 0);
    },
  );

  it.each([
    ['the variable is read', `${launch}\n  seed=1\necho $seed`],
    ['the line begins where the launch does', `${launch}\nseed=1`],
    ['the launch ends with an option', `${launch} \\\n  --flag\n  seed=1`],
    ['an empty line is between the two', `${launch}\n\n  seed=1`],
    ['what continues below is reported for a command', `${launch}\n  seed=1 \\\n  trainer.x=1`],
    ['it is the environment of another command', `${launch}\n  seed=1 bash other.sh "\${seed}"`],
  ])('is not reported if %s', (_, text) => {
    expect(found(`${text}\n`)).toEqual([]);
  });
});
