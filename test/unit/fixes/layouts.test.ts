import { describe, expect, test } from 'vitest';
import { autofix } from '../../../server/src/autofix.ts';
import type { Finding, Fix } from '../../../server/src/rules/finding.ts';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { parseYaml } from '../../../server/src/yaml/parse.ts';
import { loadKnowledge, testLinter } from '../../support/knowledge.ts';
import { memoryHost } from '../../support/memoryHost.ts';

const knowledge = loadKnowledge();

type Files = { readonly [path: string]: string };

const lint = (files: Files, path: string): readonly Finding[] =>
  testLinter(knowledge, memoryHost(files)).lint(path, files[path] ?? '').findings;
const errors = (findings: readonly Finding[]): number =>
  findings.filter(({ severity }) => severity === 'error').length;

/** The files after a fix. */
function fixed(files: Files, { edits }: Fix): Files {
  const changed = [...new Set(edits.map(({ path }) => path))].map((path) => [
    path,
    applyEdits(
      files[path] ?? '',
      edits.filter((edit) => edit.path === path),
    ),
  ]);
  return { ...files, ...Object.fromEntries(changed) };
}

const comments = (text: string): readonly string[] => text.match(/#c\d+/g) ?? [];

/** Checks every fix of a file's findings, and that applying all safe ones, or all, leaves nothing to be done. */
function checkFixes(files: Files, path: string): number {
  const before = lint(files, path);
  let count = 0;
  for (const finding of before)
    for (const fix of finding.fixes) {
      count += 1;
      const what = `${finding.rule}: ${fix.title}\n${files[path] ?? ''}`;
      const after = fixed(files, fix);
      const text = after[path] ?? '';
      const old = files[path] ?? '';
      if (path.endsWith('.yaml'))
        expect(
          parseYaml(path, text).flatMap(({ problems }) => problems),
          what,
        ).toEqual([]);
      if (old.includes('\r\n')) expect(/[^\r]\n/.test(text), what).toBe(false);
      expect(text.endsWith('\n'), what).toBe(old.endsWith('\n'));
      const removed = fix.edits.flatMap(({ span }) => comments(old.slice(span.start, span.end)));
      expect(comments(text), what).toEqual(comments(old).filter((each) => !removed.includes(each)));
      const now = lint(after, path);
      const isSame = ({ rule, message }: Finding): boolean =>
        rule === finding.rule && message === finding.message;
      expect(now.filter(isSame).length, what).toBeLessThan(before.filter(isSame).length);
      expect(errors(now), what).toBeLessThanOrEqual(errors(before));
    }
  for (const suggested of [false, true]) {
    const all = (now: Files) =>
      autofix([{ path, text: now[path] ?? '' }], memoryHost(now), (host) => testLinter(knowledge, host), {
        suggested,
      });
    const once = { ...files, ...Object.fromEntries(all(files).texts) };
    expect([...all(once).texts]).toEqual([]);
  }
  return count;
}

/** An AReaL configuration with several faults: a misspelt key, one without effect, a refused one and a duplicate. */
const configuration = `experiment_name: math
trial_name: first
seed: 1
tokenizer_path: /m/ours
cluster:
  n_nodes: 1
  n_gpus_per_node: 8
  fileroot: /shared
scheduler:
  type: local
rollout:
  backend: sglang:d4
  max_concurent_rollouts: 128
  max_head_offpolicyness: 2
actor:
  backend: fsdp:d4
  path: /m/ours
  dtype: bfloat16
  dtype: bfloat16
  ppo_n_minibatches: 3
  group_size: 0
  optimizer:
    lr: 1.0e-6
    warmup_steps_proportion: 2
gconfig:
  n_samples: 8
  top_p: 1.5
train_dataset:
  batch_size: 6
  path: org/math
  type: rl
`;

let number = 0;
const marked = (line: string): string => {
  number += 1;
  return /: \S/.test(line) ? `${line} #c${number}` : line;
};
const lines = (text: string, change: (line: string) => string): string =>
  text.split('\n').map(change).join('\n');

const layouts: { readonly [name: string]: (text: string) => string } = {
  'with comments': (text) => lines(text, marked),
  'with comments on lines of their own': (text) =>
    lines(text, (line) => (line === '' ? line : `${/^ */.exec(line)?.[0] ?? ''}#c${number++}\n${line}`)),
  'from Windows': (text) => lines(text, marked).replaceAll('\n', '\r\n'),
  'indented by 4': (text) => text.replace(/^(?: {2})+/gm, (indent) => indent + indent),
  'with quoted keys': (text) => text.replace(/^( *)(\w+):/gm, '$1"$2":'),
  'with flow maps': (text) =>
    text.replace(/^(\w+):\n((?: {2}\w+: \S.*\n)+)(?! )/gm, (_, key: string, inner: string) => {
      number += 1;
      return `${key}: {${inner.trim().replace(/\n */g, ', ')}} #c${number}\n`;
    }),
  'as one of several documents': (text) => `# first\n--- #c0\n${text}...\n`,
  'without a line end': (text) => text.trimEnd(),
  'with values elsewhere': (text) =>
    `shared: &n 6 #c0\n${text.replace('batch_size: 6', 'batch_size: *n').replace('n_samples: 8', `n_samples: \${seed}`)}`,
};

describe('fixes of a configuration', () => {
  for (const [name, layout] of Object.entries(layouts))
    test(name, () => {
      expect(
        checkFixes({ '/repository/grpo.yaml': layout(configuration) }, '/repository/grpo.yaml'),
      ).toBeGreaterThan(3);
    });

  test('remove the unintended one of two equal keys', () => {
    const text = configuration.replace('type: rl', 'type: rl # why\n  max_length: 1\n  max_length: 2');
    const files = { '/repository/grpo.yaml': text };
    const twice = lint(files, '/repository/grpo.yaml').filter(({ rule }) => rule === 'duplicate-key');
    expect(twice.map(({ fixes }) => fixes.map(({ title, safety }) => `${safety}: ${title}`))).toEqual([
      ['safe: Remove the second dtype'],
      ['example: Keep the last max_length', 'example: Keep the first max_length'],
    ]);
    const after = twice[1]?.fixes.map((fix) => fixed(files, fix)['/repository/grpo.yaml']);
    expect(after).toEqual([text.replace('  max_length: 1\n', ''), text.replace('  max_length: 2\n', '')]);
  });
});

const flags = [
  '--num-layers 8 --hidden-size 512 --num-attention-heads 8 --seq-length 512 --max-position-embeddings 512',
  '--micro-batch-size 1 --train-iters 5 --lr 1e-4 --lr 1e-4 --mock-data --tokenizer-type NullTokenizer --vocab-size 100',
  '--sequence-parallel --transformer-impl local --context-parallel-size 2 --num-query-groups 0 --swiglu-',
  '--bf16 --accumulate-allreduce-grads-in-fp32 --use-rotary-position-embeddings',
].flatMap((each) => each.split(/ (?=--)/));
const command = 'torchrun --nproc_per_node 8 --nnodes 1 pretrain_gpt.py';
const script = (indent: string): string =>
  [command, ...flags.map((flag) => `  ${flag}`)].join(` \\\n${indent}`);
const job = `kind: Job
spec:
  containers:
  - image: i #c1
    command: ["bash", "-c"]
    args:
    - |
      ${script('      ')}
    resources: {limits: {nvidia.com/gpu: 8}} #c2
`;

const launches: { readonly [path: string]: { readonly [path: string]: string } } = {
  'run.sh': { 'run.sh': `${script('')}\n` },
  'twice.sh': { 'twice.sh': `C="${flags.join(' ')}" #c1\n${command} $C\necho next #c2\n${command} $C\n` },
  'function.sh': { 'function.sh': `go() {\n  ${script('  ')} "$@"\n}\ngo\ngo #c1\n` },
  'array.sh': {
    'array.sh': `. ./args.sh\n${command} "\${ARGS[@]}"\n`,
    'args.sh': `ARGS=(\n${flags.map((flag, index) => `  ${flag} #c${index}`).join('\n')}\n)\n`,
  },
  'heredoc.sh': { 'heredoc.sh': `sbatch <<'END'\n#!/bin/bash\n${script('')}\nEND\necho done #c1\n` },
  'job.yaml': { 'job.yaml': job },
  'windows.yaml': { 'windows.yaml': job.replaceAll('\n', '\r\n') },
  'words.yaml': {
    'words.yaml': `kind: Pod\nspec:\n  containers:\n  - image: i\n    command:\n${`${command} ${flags.join(' ')}`
      .split(' ')
      .map((word, index) => `    - ${/^[\d.]/.test(word) ? `"${word}"` : word} #c${index}\n`)
      .join('')}`,
  },
};

describe('fixes of a launch', () => {
  for (const [path, files] of Object.entries(launches))
    test(path, () => {
      const all = Object.entries(files).map(([name, text]) => [`/repository/${name}`, text]);
      expect(checkFixes(Object.fromEntries(all), `/repository/${path}`)).toBeGreaterThan(1);
    });
});
