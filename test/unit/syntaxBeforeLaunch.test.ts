import { describe, expect, it } from 'vitest';
import { lintFile } from '../support/lintFile.ts';

const path = '/repository/run.sh';
const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --no-such-option 1\n';

function report(text: string, others: { readonly [path: string]: string } = {}) {
  return lintFile(path, text, others);
}

/** The rules of the findings, each with the text that it points at. */
function found(text: string, others: { readonly [path: string]: string } = {}): readonly string[] {
  return report(text, others).findings.map(({ rule, place }) => {
    const line = (others[place.path] ?? text).slice(0, place.span.start).split('\n').length;
    return `${rule} ${place.path}:${line}`;
  });
}

describe('a syntax error before the launch', () => {
  it.each([
    ['a place to fill in', `X=1\nCHECKPOINT=<Path to checkpoint>\n${launch}`, 2],
    ['several of them', `A=<one>\nB=<two>\nC=<three>\n${launch}`, 1],
    ['one behind which the parser gives up', `A=1\nCHECKPOINT=<Path (e.g. /345m)>\n${launch}`, 2],
    ['two such', `CHECKPOINT=<Path (e.g. /345m)>\nVOCAB=<Path (e.g. /v)>\n${launch}`, 1],
    ['in the launch itself', `torchrun pretrain_gpt.py --num-layers 4 --load <Path to checkpoint>\n`, 1],
    ['a quote in it', `torchrun --nproc_per_node 8 pretrain_gpt.py \\\n --num-layers 4 --load "a\n`, 2],
    ['a function whose end is missing', `A=1\nlog() {\n  echo "$1"\n${launch}`, 2],
    ['an if without its end', `A=1\nif [ -f x ]; then\n  echo a\n${launch}`, 2],
    ['a loop without its end', `while true; do\n  break\n${launch}`, 1],
    ['a case without its end', `f() {\n  case $1 in\n    a) echo a ;;\n}\n${launch}`, 4],
    ['a condition without its end', `A=1\n[[ -f x\n${launch}`, 3],
    ['one that takes the launch for a pattern', `case $1 in\n  a) echo a ;;\n${launch}`, 3],
    ['a function in parentheses without its end', `f() (\n  echo a\n${launch}`, 1],
    ['one whose end stands in a comment', `log() { echo "$1" # to the log; }\n${launch}`, 1],
    ['a launch in a function', `A=<one>\nrun() {\n${launch}}\nrun\n`, 1],
  ])('is the only finding: %s', (_, text, line) => {
    expect(found(text)).toEqual([`shell-syntax ${path}:${line}`]);
    expect(report(text).findings[0]?.severity).toBe('error');
  });

  it('names the markers of an unfinished merge', () => {
    const text = `<<<<<<< HEAD\nA=1\n=======\nA=2\n>>>>>>> main\n${launch}`;
    expect(found(text)).toEqual([`conflict-marker ${path}:1`]);
  });

  it('names the markers of a merge in the middle of a command', () => {
    const text =
      'torchrun --nproc_per_node 8 pretrain_gpt.py \\\n<<<<<<< HEAD\n  --num-layers 4 \\\n=======\n  --num-layers 8 \\\n>>>>>>> main\n  --hidden-size 8\n';
    expect(found(text)).toEqual([`conflict-marker ${path}:2`]);
  });

  it('continues a command after both sides of a merge', () => {
    const text =
      'torchrun --nproc_per_node 8 own.py \\\n<<<<<<< HEAD\n  --bf16 \\\n=======\n  --fp16 \\\n>>>>>>> main\n  --num-layers 4 --hidden-size 8 --tensor-model-parallel-size 2 --micro-batch-size 1\n';
    expect(found(text)).toEqual([`conflict-marker ${path}:2`]);
  });

  it('is reported for a command that continues after its line', () => {
    const text =
      'torchrun --nproc_per_node 8 pretrain_gpt.py \\\n  --load <a> (b) \\\n  --num-layers 4 --hidden-size 8\n';
    expect(found(text)).toEqual([`shell-syntax ${path}:2`]);
  });

  it('names the placeholder', () => {
    const messageOf = (text: string) => report(`${text}\n${launch}`).findings[0]?.message;
    expect(messageOf('CHECKPOINT=<Path to checkpoint>')).toContain('<Path to checkpoint>');
    expect(messageOf('echo <(a) "')).not.toContain('placeholder');
  });

  it('starts nothing', () => {
    const { launches, runs } = report(`CHECKPOINT=<Path>\n${launch}`);
    expect([...launches, ...runs]).toEqual([]);
  });

  it.each([
    ['no launch of ours follows', 'A=<one>\npython3 convert.py --num-layers 4\n# pretrain_gpt.py\n'],
    ['Bash leaves before it', `exit 0\nA=<one>\n${launch}`],
    ['the launch stands in a text', `A=<one>\ncat <<'EOF'\n${launch}EOF\n`],
    ['there is none', `A="<one>"\nB=\${C:-<two>}\n#<three>\necho pretrain_gpt.py\n`],
  ])('is not reported if %s', (_, text) => {
    expect(found(text)).toEqual([]);
  });

  it('does not hide other findings of a launch before it', () => {
    const rules = found(`${launch}A=<one>\n`);
    expect(rules).toContain(`shell-syntax ${path}:2`);
    expect(rules.some((rule) => rule.startsWith('unknown-option'))).toBe(true);
  });

  it('can be suppressed', () => {
    expect(found(`# oomlint-disable-next-line shell-syntax\nA=<one>\n${launch}`)).toEqual([]);
  });

  it('is reported for a launch in a file sourced after it', () => {
    const others = { '/repository/launch.sh': launch };
    const { findings, sources } = report('A=<one>\nsource ./launch.sh\n', others);
    expect(findings.map(({ rule }) => rule)).toEqual(['shell-syntax']);
    expect(sources).toEqual(['/repository/launch.sh']);
  });
});

describe('a syntax error in another file', () => {
  const model = '/repository/model.sh';
  const conflict =
    'MODEL_ARGS=(\n  --num-layers 4\n)\n<<<<<<< HEAD\nMODEL_ARGS+=(--bf16)\n=======\n>>>>>>> main\n';
  const syntax = (text: string, others: { readonly [path: string]: string }): readonly string[] =>
    found(text, others).filter((line) => /^(?:shell-syntax|conflict-marker)/.test(line));

  it('is reported where it is, once', () => {
    const text = `set -e\nsource ./model.sh\ntorchrun pretrain_gpt.py "\${MODEL_ARGS[@]}"\nsource model.sh\n`;
    expect(syntax(text, { [model]: conflict })).toEqual([`conflict-marker ${model}:4`]);
  });

  it('is the only error if it hides what the launch needs', () => {
    const text = `source ./model.sh\ntorchrun --nproc_per_node 8 pretrain_gpt.py "\${MODEL_ARGS[@]}"\n`;
    const broken = 'A=1\n<<<<<<< HEAD\nMODEL_ARGS=(--num-layers 4)\n=======\n>>>>>>> main\n';
    const errors = report(text, { [model]: broken }).findings.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ rule }) => rule)).toEqual(['conflict-marker']);
  });

  it('is reported through other files', () => {
    const text = `source ./all.sh\n${launch}`;
    const others = { '/repository/all.sh': 'source ./model.sh\n', [model]: 'A=1\nB=<two>\nC=<three>\n' };
    expect(syntax(text, others)).toEqual([`shell-syntax ${model}:2`]);
  });

  it('is reported for a script that is started', () => {
    expect(syntax(`bash ./model.sh\n${launch}`, { [model]: 'A=<one>\npython3 x.py\n' })).toEqual([
      `shell-syntax ${model}:1`,
    ]);
  });

  it.each([
    ['no launch is ours', 'source ./model.sh\npython3 x.py\n', conflict],
    [
      'the file is for another program',
      `sbatch ./model.sh\n${launch}`,
      '#!/usr/bin/env python3\nprint((1))\n',
    ],
    ['there is none', `source ./model.sh\n${launch}`, 'A="<<<<<<< HEAD"\n'],
    ['the file is not read', `cat ./model.sh\n${launch}`, conflict],
  ])('is not reported if %s', (_, text, other) => {
    expect(syntax(text, { [model]: other })).toEqual([]);
  });
});

describe('an unclosed construct', () => {
  const messageAt = (text: string): readonly string[] =>
    report(text)
      .findings.filter(({ rule }) => rule === 'shell-syntax')
      .map(({ message, place }) => `${text.slice(0, place.span.start).split('\n').length} ${message}`);
  const stops = 'Bash stops reading here:';

  it.each([
    [
      'a quote before the next',
      `A="x\nB="y z"\nC="(w)"\n${launch}`,
      `1 ${stops} this " is closed only by the next one, in line 2.`,
    ],
    [
      'a quote in the launch',
      `A=1\n${launch.trim()} --load "a \\\n --save "b(c)"\n`,
      `2 ${stops} this " is closed only by the next one, in line 3.`,
    ],
    [
      'a quote of the other kind',
      `JSON='{\n  \\"a\\": 1\n}"\n${launch}`,
      `1 ${stops} this ' is never closed.`,
    ],
    [
      'an array',
      `A=(\n  --x 1\nB=(\n  --y\n)\n${launch}`,
      '1 Bash reads what follows as words of this list: A=( is never closed.',
    ],
    ['a sum', `A=(\n --x $((N*2\n)\n${launch}`, `2 ${stops} $(( is never closed.`],
  ])('is reported where it begins: %s', (_, text, message) => {
    expect(messageAt(text)).toEqual([message]);
  });

  it.each([
    ['quotes over lines, with an error elsewhere', `A="x\n  y="z""\nB=<one>\n${launch}`, `3 ${stops}`],
    [
      'text of a here-document and comments',
      `# don't\ncat <<EOF\nit's "\nEOF\nB=<one>\n${launch}`,
      `5 ${stops}`,
    ],
    ['quotes within a substitution', `A="$(dirname "$0")"\nB=<one>\n${launch}`, `2 ${stops}`],
  ])('is not taken for the cause: %s', (_, text, message) => {
    expect(messageAt(text).map((found) => found.slice(0, message.length))).toEqual([message]);
  });
});
