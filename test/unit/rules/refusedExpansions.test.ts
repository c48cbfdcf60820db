import { describe, expect, it } from 'vitest';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';

function reported(text: string) {
  return lintFile(path, text)
    .findings.filter(({ rule }) => rule === 'refused-expansion' || rule === 'shell-syntax')
    .map(({ rule, message, place: { span } }) => `${rule} ${text.slice(span.start, span.end)}: ${message}`);
}

const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 64';

function bad(written: string): string {
  return `refused-expansion ${written}: ${written} is not an expansion that Bash knows: it skips the command. Nothing is launched.`;
}

describe('an expansion that Bash refuses', () => {
  it.each(['${args.lr}', '${A[@]]}', '${A{@}', '${A[@}', '${}', '${:-1e-4}', '${:1:2}', '${LR:}'])(
    'is reported if it stops a launch: %s',
    (written) => {
      expect(reported(`${launch} --lr ${written}\n`)).toEqual([bad(written)]);
      expect(reported(`${launch} --lr "${written}"\n`)).toEqual([bad(written)]);
    },
  );

  it('is reported with two braces if the script has the variable', () => {
    expect(reported(`LR=1\n${launch} --lr \${{LR}}\n`)).toHaveLength(1);
    expect(reported(`LR=1\n${launch} --lr \${{LR}}\n`)[0]).toContain(
      '${{LR}} is not an expansion that Bash knows',
    );
    expect(reported(`${launch} --lr \${{LR}}\n`)).toEqual([]);
    expect(reported(`LR=1\n${launch} --lr \${{ LR }}\n`)).toEqual([]);
  });

  it('is reported beside a launch that starts', () => {
    expect(reported(`${launch}\n${launch} --lr \${args.lr}\n`)).toEqual([bad('${args.lr}')]);
  });

  it('is reported once for each command that it stops', () => {
    expect(reported(`${launch} --lr \${a.b}\n${launch} --lr \${c.d}\n`)).toEqual([
      bad('${a.b}'),
      bad('${c.d}'),
    ]);
  });

  it('is reported in what a launch is built from', () => {
    expect(reported(`set -e\nLR=\${args.lr}\n${launch} --lr $LR\n`)).toEqual([bad('${args.lr}')]);
  });

  it('is reported if nothing sets a parameter under set -u', () => {
    const text = `set -u\nrun() { ${launch} --lr "$2"; }\nrun 1e-4\n`;
    expect(reported(text)).toEqual([
      'refused-expansion $2: Nothing sets $2 here, so set -u ends the script. Nothing is launched.',
    ]);
  });

  it('is reported if a function lacks an argument that it requires', () => {
    const text = `run() { local lr=\${1:?a rate}; ${launch} --lr $lr; }\nrun\n`;
    expect(reported(text)).toEqual([
      'refused-expansion ${1:?a rate}: Nothing sets $1 here, so ${1:?} ends the script. Nothing is launched.',
    ]);
  });

  it.each([
    `set -u\n${launch} --lr $LR\n`,
    `run() { ${launch} --lr "\${1:?a rate}"; }\nrun 1e-4\n(run) || echo usage\n`,
    `run() { ${launch} --lr "\${1:?a rate}"; }\nrun "$@"\n`,
    `${launch} --lr "\${1:?a rate}"\n`,
    `run() { ${launch} --lr "$2"; }\nrun 1e-4\n`,
    `echo \${args.lr}\n${launch}\n`,
    `# \${args.lr}\n${launch}\n`,
    `${launch} --lr '\${args.lr}'\n`,
    `cat <<'EOF'\n\${args.lr}\nEOF\n${launch}\n`,
    `if [ "\${args.lr}" ]; then echo yes; fi\n${launch}\n`,
    'echo ${args.lr}\n',
  ])('is not reported: %s', (text) => {
    expect(reported(text)).toEqual([]);
  });
});

describe('an unclosed expansion', () => {
  it.each([
    [`${launch} \${A[@]\n`, '$'],
    [`${launch} \${A[@] \\\n  --bf16\n`, '$'],
    [`${launch} "\${A[@]" --bf16\n`, '$'],
    [`${launch} --save \${DIR:-/ckpt --bf16\n`, '$'],
  ])('stops Bash from reading on: %s', (text, at) => {
    expect(reported(text)).toEqual([`shell-syntax ${at}: Bash stops reading here: \${ is never closed.`]);
  });
});
