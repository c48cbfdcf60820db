import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CommandResult, sharedCache, type Workspace, workspaces } from '../support/workspace.ts';

const workspace = workspaces();
const cli = resolve(import.meta.dirname, '../../dist/cli.js');
/**
 * Seconds of processor time and MiB of heap that any single input may take. The slowest takes about 4 s on a quiet machine; a busy or slow one
 * gets five times that. Unbounded growth takes minutes on any machine.
 */
const bound = { seconds: 20, heap: 512 };

/** Runs the program with limits that the system enforces, so that a busy machine does not matter. */
function bounded(made: Workspace, args: readonly string[]): CommandResult {
  const script = 'ulimit -t "$0"; exec "$@"';
  const program = [process.execPath, `--max-old-space-size=${bound.heap}`, cli, ...args];
  const done = spawnSync('bash', ['-c', script, String(bound.seconds), ...program], {
    cwd: made.folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', HOME: made.folder, ...sharedCache },
    maxBuffer: 1 << 30,
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 30 --pipeline-model-parallel-size 4';
const areal = (rest: string): string =>
  `experiment_name: a\ntrial_name: b\nrollout:\n  backend: sglang:d4\nactor:\n  backend: fsdp:d4\n  path: x\n${rest}`;
const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** Texts by path. `size` returns the full size of an attack, or one that is just small enough to be read. */
type Attack = (size: (full: number) => number) => { readonly [path: string]: string };

/** Hostile inputs, by what they attempt. */
const attacks: { readonly [name: string]: Attack } = {
  'aliases that double': () => ({
    'a.yaml': areal(
      `bomb0: &b0 [1, 2]\n${range(60)
        .map((at) => `bomb${at + 1}: &b${at + 1} [*b${at}, *b${at}]\n`)
        .join('')}`,
    ),
  }),
  'merges that double': () => ({
    'a.yaml': areal(
      `m0: &m0 {a: 1}\n${range(60)
        .map((at) => `m${at + 1}: &m${at + 1}\n  <<: [*m${at}, *m${at}]\n  k${at}: {<<: *m${at}}\n`)
        .join('')}`,
    ),
  }),
  'thousands of merges of a wide map': () => ({
    'a.yaml': areal(
      `wide: &w {${range(500)
        .map((at) => `k${at}: ${at}`)
        .join(', ')}}\n${range(3000)
        .map((at) => `m${at}: {<<: *w}\n`)
        .join('')}`,
    ),
  }),
  '140,000 blank lines in a script': (size) => ({
    'a.sh': `${launch}\n${'\n'.repeat(size(140_000))}`,
  }),
  'long runs of dashes, equals signs, names and sections': (size) => ({
    'a.sh': `${launch}\n${'-'.repeat(size(140_000))}\n`,
    'e.sh': `${launch}\n${'='.repeat(size(140_000))}\n`,
    'b.sh': `${launch}\n${'train'.repeat(size(28_000))}\n`,
    'c.sh': `${launch}\n${'model.'.repeat(size(24_000))}\n`,
    'd.sh': `${launch}\n${'source $( '.repeat(size(14_000))}\n`,
  }),
  'long runs of redirections, folders, brackets, backquotes and expansions': (size) => ({
    'a.sh': `${launch} ${'<;'.repeat(size(70_000))}\n`,
    'b.sh': `${'/x'.repeat(size(70_000))}\n${launch}\n`,
    'c.sh': `A="${'-['.repeat(size(70_000))}"\n${launch} $A\n`,
    'd.sh': `${launch} ${'`:'.repeat(size(70_000))}\n`,
    'e.sh': `cat <<E\n${'${'.repeat(size(70_000))}\nE\n${launch}\n`,
    'f.sh': `A="${'$(('.repeat(size(40_000))}"\n${launch} $A\n`,
  }),
  'long runs of slashes, blanks, commas and closing brackets': (size) => ({
    'a.sh': `ray job submit -- python3 train.py --actor-num-nodes 1 --hf-checkpoint ${'/'.repeat(size(4_000_000))}x\n`,
    'b.sh': `N=$((${' '.repeat(size(4_000_000))}1))\n${launch} --seed $N\n`,
    'c.yaml': areal(`x: [${','.repeat(size(98_000))}]\n`),
    'd.yaml': areal(`x: [${']'.repeat(size(98_000))}]\n`),
    'e.yaml': areal(`x: [${']'.repeat(size(4_000_000))}]\n`),
  }),
  'comments in a Windows file, and redirections behind pipes, as if each could be read in two ways': () => ({
    'a.yaml':
      `evaluator:\n${'# a comment\n'.repeat(40)}${areal('train_dataset: {batch_size: 30}\n')}`.replaceAll(
        '\n',
        '\r\n',
      ),
    'b.sh': `for i in 1 2; do\n  ${launch.replace('pretrain', '--master_port 29500 pretrain')}${' | cat >a'.repeat(40)}\ndone\n${launch}\n`,
  }),
  'values and keys that are nested deeply': (size) => ({
    'a.sh': `ray job submit --runtime-env-json '${'['.repeat(size(20_000))}' -- python3 train.py --actor-num-nodes 1\n`,
    'b.sh': `uv run --isolated -m skyrl.train.entrypoints.main_base trainer${'.a'.repeat(size(30_000))}=1\n`,
    'c.sh': `uv run --isolated -m skyrl.train.entrypoints.main_base 'trainer.x=${'- '.repeat(size(30_000))}'\n`,
    'd.sh': `X='${'['.repeat(size(20_000))}'\nuv run --extra tinker -m skyrl.tinker.api --base-model x --backend-config "$X"\n`,
    'e.yaml': areal(`gconfig:\n  n_samples${': '.repeat(size(30_000))}\n`),
  }),
  '100,000 flow brackets': (size) => ({ 'a.yaml': areal(`deep: ${'['.repeat(size(100_000))}\n`) }),
  '100,000 flow braces, closed': (size) => ({
    'a.yaml': areal(`deep: ${'{a: '.repeat(size(100_000))}1${'}'.repeat(size(100_000))}\n`),
  }),
  'block lists 100,000 deep': (size) => ({ 'a.yaml': areal(`deep:\n  ${'- '.repeat(size(100_000))}x\n`) }),
  'block maps 2,000 deep': (size) => ({
    'a.yaml': areal(
      range(size(2000))
        .map((at) => `${' '.repeat(at)}k:\n`)
        .join(''),
    ),
  }),
  '80,000 keys': (size) => ({
    'a.yaml': areal(
      range(size(80_000))
        .map((at) => `key${at}: ${at}\n`)
        .join(''),
    ),
  }),
  'interpolations that double': () => ({
    'a.yaml': areal(
      `x0: aaaaaaaa\n${range(60)
        .map((at) => `x${at + 1}: \${x${at}}\${x${at}}\n`)
        .join('')}experiment_name: \${x60}\n`,
    ),
  }),
  'an interpolation of itself': () => ({ 'a.yaml': areal('a: ${b}\nb: ${a}\nc: ${c}\n') }),
  'interpolations 100,000 deep': (size) => ({
    'a.yaml': areal(`x: "${'${'.repeat(size(100_000))}a${'}'.repeat(size(100_000))}"\n`),
  }),
  'lines of 100 MB': (size) => ({
    'a.yaml': areal(`x: ${'a'.repeat(size(100_000_000))}\n`),
    'a.sh': `X=${'a'.repeat(size(100_000_000))}\n${launch} $X\n`,
  }),
  'a YAML line of 4 MB': () => ({ 'a.yaml': areal(`x: ${'a'.repeat(4_190_000)}\n`) }),
  'a quoted YAML line of 4 MB': () => ({ 'a.yaml': areal(`x: "${'a'.repeat(4_190_000)}"\n`) }),
  'a YAML key of 4 MB': () => ({ 'a.yaml': areal(`${'a'.repeat(4_190_000)}: 1\n`) }),
  'a YAML line of 4 MB of blanks': () => ({ 'a.yaml': areal(`x: a${' '.repeat(4_190_000)}b\n`) }),
  'a shell line of 4 MB': () => ({ 'a.sh': `X=${'a'.repeat(4_190_000)}\n${launch} --seed $X\n` }),
  'an option of 4 MB': () => ({ 'a.sh': `${launch} --${'a'.repeat(4_190_000)}\n` }),
  'a shell line of many words': (size) => ({ 'a.sh': `${launch} ${'--seed 1 '.repeat(size(120_000))}\n` }),
  'a shell line of many variables': (size) => ({ 'a.sh': `echo ${'$A'.repeat(size(240_000))}\n${launch}\n` }),
  'a shell line of many commands': (size) => ({ 'a.sh': `${'a;'.repeat(size(240_000))}\n${launch}\n` }),
  'a shell line of many quotes': (size) => ({ 'a.sh': `${launch} --seed ${"''".repeat(size(120_000))}\n` }),
  'a shell line of many escapes': (size) => ({ 'a.sh': `${launch} --seed ${'\\a'.repeat(size(240_000))}\n` }),
  'a shell line of many stars': (size) => ({ 'a.sh': `${launch} --seed ${'*'.repeat(size(240_000))}\n` }),
  'a YAML list of many numbers': (size) => ({ 'a.yaml': areal(`x: [${'1,'.repeat(size(240_000))}]\n`) }),
  'a YAML line of many escapes': (size) => ({ 'a.yaml': areal(`x: "${'\\n'.repeat(size(240_000))}"\n`) }),
  'a sourced file of many words': (size) => ({
    'a.sh': `source ./b.sh\n${launch} "\${ARGS[@]}"\n`,
    'b.sh': `ARGS=(${'--seed 1 '.repeat(size(120_000))})\n`,
  }),
  'a project configuration of many words': (size) => ({
    '.oomlint.yaml': `exclude: [${'a, '.repeat(size(120_000))}]\n`,
    'a.sh': `${launch}\n`,
  }),
  'a pyproject.toml of many words': (size) => ({
    'pyproject.toml': `[tool.oomlint]\nexclude = [${'"a", '.repeat(size(80_000))}]\n`,
    'a.sh': `${launch}\n`,
  }),
  'a baseline of many entries': () => ({
    'baseline.json': `{"version": 1, "findings": [${'{"rule": "a", "path": "a", "fingerprint": "a", "message": "a"},'.repeat(60_000).slice(0, -1)}]}`,
    'a.sh': `${launch}\n`,
  }),
  '100,000 parentheses': (size) => ({ 'a.sh': `${'('.repeat(size(100_000))}\n${launch}\n` }),
  '100,000 command substitutions': (size) => ({
    'a.sh': `X=${'$('.repeat(size(100_000))}echo${')'.repeat(size(100_000))}\n${launch} --seed $X\n`,
  }),
  '100,000 groups': (size) => ({
    'a.sh': `${'{ '.repeat(size(100_000))}:${'; }'.repeat(size(100_000))}\n${launch}\n`,
  }),
  '20,000 nested ifs': (size) => ({
    'a.sh': `${'if true; then\n'.repeat(size(20_000))}:\n${'fi\n'.repeat(size(20_000))}${launch}\n`,
  }),
  '100,000 parameter expansions in each other': (size) => ({
    'a.sh': `X=${'${A:-'.repeat(size(100_000))}x${'}'.repeat(size(100_000))}\n${launch} --seed $X\n`,
  }),
  'arithmetic 100,000 deep': (size) => ({
    'a.sh': `X=$((${'('.repeat(size(100_000))}1${')'.repeat(size(100_000))}))\n${launch} --seed $X\n`,
  }),
  'powers of powers': () => ({
    'a.sh': `X=$((9**9**9**9**9)) Y=$((2**63-1)) Z=$(( -9223372036854775808 / -1 ))\n${launch} --seed $X$Y$Z\n`,
  }),
  'arithmetic that doubles through names': () => ({
    'a.sh': `x0=1\n${range(60)
      .map((at) => `x${at + 1}='x${at}+x${at}'\n`)
      .join('')}${launch} --seed $((x60))\n`,
  }),
  'strings that double': () => ({
    'a.sh': `X=aaaaaaaa\n${'X=$X$X\n'.repeat(60)}${launch} --seed $X\n`,
  }),
  'arrays that double': () => ({
    'a.sh': `A=(a b)\n${'A=("${A[@]}" "${A[@]}")\n'.repeat(60)}${launch} "\${A[@]}"\n`,
  }),
  'braces that multiply': () => ({ 'a.sh': `${launch} ${'{a,b,c,d,e,f,g,h}'.repeat(30)}\n` }),
  'ranges of braces': () => ({
    'a.sh': `${launch} {1..999999999} {1..1000}{1..1000}{1..1000} {a..z}{a..z}{a..z}{a..z}{a..z}{a..z}\n`,
  }),
  'braces 100,000 deep': (size) => ({
    'a.sh': `${launch} ${'{a,'.repeat(size(100_000))}b${'}'.repeat(size(100_000))}\n`,
  }),
  'loops without end': () => ({
    'a.sh': `while true; do while :; do X=1; done; done\nfor ((;;)); do :; done\nuntil false; do :; done\n${launch}\n`,
  }),
  'loops in loops': () => ({
    'a.sh': `${range(8)
      .map((at) => `for v${at} in {1..1000}; do `)
      .join('')}${launch} --seed $v0; ${'done; '.repeat(8)}\n`,
  }),
  'functions that call themselves twice': () => ({
    'a.sh': `f() { f; f; }\ng() { X=$(g; g); }\nf\ng\n${launch}\n`,
  }),
  'fork bombs': () => ({ 'a.sh': `:(){ :|:& };:\n${launch}\n` }),
  'eval of eval': () => ({
    'a.sh': `X='eval "$X" "$X"'\neval "$X"\nY='bash -c "$Y"'\nexport Y\nbash -c "$Y"\n${launch}\n`,
  }),
  'sources that double': () => ({
    'a.sh': `source ./f0.sh\n${launch}\n`,
    ...Object.fromEntries(
      range(40).map((at) => [`f${at}.sh`, `source ./f${at + 1}.sh\nsource ./f${at + 1}.sh\n`]),
    ),
    'f40.sh': 'X=1\n',
  }),
  'a file that sources itself twice': () => ({ 'a.sh': `source ./a.sh\nsource ./a.sh\n${launch}\n` }),
  'scripts that start each other': () => ({
    'a.sh': `bash ./b.sh\nbash ./b.sh\n${launch}\n`,
    'b.sh': `bash ./a.sh\nbash ./a.sh\n${launch}\n`,
  }),
  'branches that double': () => ({
    'a.sh': `${range(60)
      .map((at) => `if [ -n "$U${at}" ]; then A="$A --a${at}"; else A="$A --b${at}"; fi\n`)
      .join('')}${launch} $A\n`,
  }),
  'patterns that backtrack': (size) => ({
    'a.sh': `X=${'a'.repeat(size(20_000))}\nY=\${X//${'*a'.repeat(40)}b/}\nshopt -s extglob\nZ=\${X##+(+(+(a)))b}\n[[ $X =~ ^(a+)+b$ ]] && Q=1\n[[ $X == +(a|aa|aaa)b ]] && Q=2\n${launch} --seed $Y$Z$Q\n`,
  }),
  'filters that backtrack': () => ({
    'a.sh': `X=$(echo ${'a'.repeat(5000)} | sed -E 's/(a*)*b/x/' | grep -E '^(a|a)*$' | grep -oP '(a+)+b' | awk '{ print $1 }')\n${launch} --seed $X\n`,
  }),
  'a here-document of many lines': (size) => ({
    'a.sh': `cat > x.yaml <<EOF\n${'a: b\n'.repeat(size(90_000))}EOF\n${launch}\n`,
  }),
  '30,000 here-documents': (size) => ({ 'a.sh': `${'cat <<A\nx\nA\n'.repeat(size(30_000))}${launch}\n` }),
  '50,000 functions': (size) => ({
    'a.sh': `${range(size(50_000))
      .map((at) => `f${at}() { :; }\n`)
      .join('')}${launch}\n`,
  }),
  '50,000 lines that go on': (size) => ({
    'a.sh': `${launch} \\\n${'  --seed 1 \\\n'.repeat(size(50_000))}\n`,
  }),
  '60,000 suppressions': (size) => ({
    'a.sh': `${'# oomlint-disable-next-line x\n'.repeat(size(60_000))}${launch}\n`,
  }),
  'printf widths': () => ({
    'a.sh': `X=$(printf '%999999999d' 1)\nY=$(printf '%*s' 2000000000 a)\nZ=$(seq 1 99999999999)\nprintf -v W '%0999999999d' 1\n${launch} --seed $X$Y$Z$W\n`,
  }),
  'a sparse array': () => ({
    'a.sh': `A[99999999999]=1\nA[-1]=2\nB=([2147483647]=x)\n${launch} "\${A[@]}" "\${B[@]}" \${!A[@]}\n`,
  }),
  '5,000 launches, more than are looked at': (size) => ({
    'a.sh': `${launch} --seed 1\n`.repeat(size(5_000)),
  }),
  '1,000 commands in a YAML file': () => ({
    'a.yaml': `containers:\n${`  - command: [bash, -c, "${launch}"]\n`.repeat(1_000)}`,
  }),
  '5,000 documents in a YAML file': () => ({ 'a.yaml': `---\n${areal('')}`.repeat(5_000) }),
  'a project configuration of aliases': () => ({
    '.oomlint.yaml': `a: &a [1,1]\n${range(50)
      .map((at) => `b${at}: &b${at} [*${at === 0 ? 'a' : `b${at - 1}`}, *${at === 0 ? 'a' : `b${at - 1}`}]\n`)
      .join('')}`,
    'a.sh': `${launch}\n`,
  }),
  'configurations that extend each other twice': () => ({
    ...Object.fromEntries(
      range(40).map((at) => [`c${at}.yaml`, `extends: [c${at + 1}.yaml, c${at + 1}.yaml]\n`]),
    ),
    'c40.yaml': 'rules: {unknown-option: warning}\n',
    '.oomlint.yaml': 'extends: c0.yaml\n',
    'a.sh': `${launch}\n`,
  }),
  'glob patterns that backtrack in the configuration': () => ({
    '.oomlint.yaml': `exclude: ["${'*a'.repeat(40)}b"]\noverrides:\n  - {paths: ["${'+(a|'.repeat(20)}b${')'.repeat(20)}", "${'**/*a*/'.repeat(20)}x", "{${'a,'.repeat(5000)}b}"], rules: {unknown-option: "off"}}\n`,
    [`${'a'.repeat(120)}.sh`]: `${launch}\n`,
    [`${'a/'.repeat(60)}x.sh`]: `${launch}\n`,
  }),
  'a pattern that backtracks in an own constraint': () => ({
    '.oomlint.yaml': `constraints:\n  - id: slow\n    framework: megatron-lm\n    severity: error\n    when: 'matches(tokenizer_model, "^(a+)+$")'\n    message: slow\n`,
    'a.sh': `${launch} --tokenizer-model ${'a'.repeat(60)}!\n`,
  }),
  'an own constraint 10,000 deep': () => ({
    '.oomlint.yaml': `constraints:\n  - id: deep\n    framework: megatron-lm\n    severity: error\n    when: ${"'"}${'('.repeat(10_000)}seed > 1${')'.repeat(10_000)}${"'"}\n    message: deep\n`,
    'a.sh': `${launch}\n`,
  }),
  'roles of an own constraint that multiply': () => ({
    '.oomlint.yaml': `constraints:\n  - id: wide\n    framework: megatron-lm\n    severity: error\n    each: {${range(
      8,
    )
      .map((at) => `v${at}: [a, b, c, d, e, f, g, h, i, j]`)
      .join(', ')}}\n    when: seed > 1\n    message: wide\n`,
    'a.sh': `${launch}\n`,
  }),
  'comments that each name another rule which does not exist': (size) => ({
    'a.sh': `${range(size(20_000))
      .map((at) => `# oomlint-disable-file rule-number-${at}\n`)
      .join('')}${launch}\n`,
  }),
  'a shell line of many refused values': (size) => ({
    'a.sh': `${launch} ${'--seed x '.repeat(size(10_000))}\n`,
  }),
};

/** The share of an attack's full size that is still read: a full-size attack is mostly reported and skipped. */
const readShare = 0.2;

type Files = ReturnType<Attack>;

/** What is wrong with how the program ended on some files, or undefined if nothing is. */
function faultOver(files: Files): string | undefined {
  const made = workspace(files);
  const more = 'baseline.json' in files ? ['--baseline', 'baseline.json'] : [];
  const done = bounded(made, ['check', '.', '--format', 'json', '--fail-on', 'never', ...more]);
  const ending = `${done.code} ${done.err.slice(0, 2000)}`;
  const expected = more.length > 0 ? /^1 60000 entries of baseline\.json are stale/ : /^[02] /;
  if (!expected.test(ending) || /internal error|could not be linted/.test(done.err)) return ending;
  expect(JSON.parse(done.out)).toMatchObject({ version: 1 });
  return undefined;
}

/** Attacks that share one run of the program, each in its own folder: starting the program takes longer than most of them. */
class Batch {
  readonly #makers: (() => Files)[] = [];
  #isHarmless: boolean | undefined;

  get isFull(): boolean {
    return this.#makers.length >= 10;
  }

  add(make: () => Files): void {
    this.#makers.push(make);
  }

  /** Whether all of them together stay within the bounds of a single one. */
  isHarmless(): boolean {
    this.#isHarmless ??= faultOver(this.#files()) === undefined;
    return this.#isHarmless;
  }

  #files(): Files {
    const named = this.#makers.map((make, at) =>
      // Scripts are started at the root of their repository, where they find each other.
      Object.entries({ '.git/HEAD': '', ...make() }).map(([path, text]) => [`${at}/${path}`, text] as const),
    );
    return Object.fromEntries(named.flat());
  }
}

/** Files that determine how the whole project is linted. */
const projectFiles = /^(?:\.oomlint\.yaml|pyproject\.toml|baseline\.json)$/m;

describe('a hostile input', () => {
  let batch = new Batch();
  const holds = (name: string, make: () => Files): void => {
    const isAlone = projectFiles.test(Object.keys(make()).join('\n'));
    if (batch.isFull) batch = new Batch();
    const own = isAlone ? undefined : batch;
    own?.add(make);
    it(`${name}: finishes within ${bound.seconds} s and ${bound.heap} MiB`, () => {
      if (own?.isHarmless() !== true) expect(faultOver(make())).toBeUndefined();
    });
  };
  for (const [name, make] of Object.entries(attacks)) {
    holds(name, () => make((full) => full));
    if (make.length > 0)
      holds(`${name}, as far as it is read`, () => make((full) => Math.floor(full * readShare)));
  }
});

describe('an oversized file', () => {
  it('is reported, and what uses it is still linted', () => {
    const made = workspace({
      'words.sh': `${launch} ${'--seed 1 '.repeat(180_000)}\n`,
      'uses.sh': `source ./words.sh\n${launch}\n`,
      'long.sh': `# ${'a'.repeat(5_000_000)}\n${launch}\n`,
      'data/values.yaml': `args:\n${'- megatron\n'.repeat(60_000)}`,
    });
    const done = made.run(['check', '.', '--format', 'concise']);
    expect(done).toMatchObject({
      code: 2,
      err: 'oomlint: long.sh is too large (5 MiB; at most 4 MiB are read)\n',
    });
    expect(done.out).toContain(
      'words.sh:1:1: info: This file has more than 100,000 words, so it was not checked. [not-read]',
    );
    expect(done.out).toContain('data/values.yaml:1:1: info:');
    expect(done.out).toMatch(/^uses\.sh:2:.*\[megatron-lm\/layers-divide-stages\]$/m);
  });

  it('is checked up to 500 launches', () => {
    const done = workspace({ 'a.sh': `${launch}\n`.repeat(502) }).run([
      'check',
      'a.sh',
      '--format',
      'concise',
    ]);
    expect(done.out).toContain(
      'a.sh:501:1: info: This file holds more than 500 launches; launches from here on were not checked. [launches-not-read]',
    );
    expect(done.out).toMatch(/^a\.sh:500:.*\[megatron-lm\/layers-divide-stages\]$/m);
    expect(done.out).not.toMatch(/^a\.sh:502:/m);
  });

  it('shows only the beginning of a multi-megabyte value', () => {
    const made = workspace({ 'a.sh': `${launch} --seed ${'x'.repeat(3_000_000)}\n` });
    for (const format of ['text', 'json', 'sarif', 'github'])
      expect(made.run(['check', 'a.sh', '--format', format]).out.length, format).toBeLessThan(100_000);
  });
});
