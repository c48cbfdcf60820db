import { describe, expect, it } from 'vitest';
import { lintFile } from '../../support/lintFile.ts';

const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 9';

/** Steps of a workflow, each of which is a script. */
const workflow = (scripts: readonly string[]): string =>
  `jobs:\n  a:\n    steps:\n${scripts.map((script) => `      - run: |\n          ${script}\n`).join('')}`;

/** Lines of the findings about how far a file is read, and of the first and last launch that have findings. */
function reported(text: string) {
  const { findings } = lintFile('/repository/.github/workflows/a.yaml', text);
  const lineOf = (start: number): number => text.slice(0, start).split('\n').length;
  const lines = (rule: RegExp): readonly number[] =>
    findings.filter((finding) => rule.test(finding.rule)).map(({ place }) => lineOf(place.span.start));
  return { unread: lines(/^launches-not-read$/), launches: lines(/sequence-length-required/) };
}

describe('scripts in one file', () => {
  // Some 50,000 steps, after which the launch is still found.
  const long = `for i in {1..99}; do for j in {1..99}; do X=$((i * j)); Y=$X; done; done; ${launch}`;

  it('are all followed if they are many, but short', () => {
    const { unread, launches } = reported(workflow(Array.from({ length: 100 }, () => launch)));
    expect(unread).toEqual([]);
    expect(launches).toHaveLength(100);
  });

  it('are followed up to a limit if they are long, and the rest is reported as not read', () => {
    const { unread, launches } = reported(workflow(Array.from({ length: 60 }, () => long)));
    expect(launches.length).toBeGreaterThan(10);
    expect(launches.length).toBeLessThan(59);
    expect(unread).toEqual([(launches.at(-1) ?? 0) + 1]);
  });
});

describe('a file with too many words', () => {
  const many = Array.from({ length: 60_000 }, (_, at) => `  key${at}: srun a b`).join('\n');
  const reported = (text: string): readonly string[] =>
    lintFile('/repository/a.yaml', text).findings.map(({ rule }) => rule);

  it.each([
    ['a configuration', `env:\n${many}\nrun: srun x\n`],
    ['a job', `kind: Job\nspec:\n${many}\ncommand: x\n`],
    [
      'a definition and a job',
      `kind: CustomResourceDefinition\n---\nkind: Job\nspec:\n${many}\ncommand: x\n`,
    ],
    ['a definition and a configuration', `kind: CustomResourceDefinition\n---\nenv:\n${many}\ncommand: x\n`],
  ])('is reported if it may be relevant: %s', (_, text) => {
    expect(reported(text)).toEqual(['not-read']);
  });

  it.each([
    [
      'a definition',
      `# Copyright\napiVersion: v1\nkind: CustomResourceDefinition\nspec:\n${many}\ncommand: x\n`,
    ],
    [
      'two',
      `---\nkind: "CustomResourceDefinition" # a\nspec:\n${many}\n---\nkind: ClusterRole\ncommand: x\n`,
    ],
    ['an interface', `openapi: 3.0.0\npaths:\n${many}\ncommand: x\n`],
  ])('is skipped if it is certainly not: %s', (_, text) => {
    expect(reported(text)).toEqual([]);
  });
});

describe('a script that nests thousands of constructs', () => {
  const many = 4_000;
  it.each([
    ['patterns in patterns', `[[ a == ${'@('.repeat(many)}a${')'.repeat(many)} ]]`],
    ['coprocesses in coprocesses', `${'coproc '.repeat(many)}a`],
  ])('is reported as not checked: %s', (_, nested) => {
    const { findings } = lintFile('/repository/run.sh', `${nested}\n${launch}\n`);
    expect(findings.map(({ rule }) => rule)).toEqual(['nested-too-deeply']);
  });

  it('is checked, fixes included, where only an expression nests', () => {
    const deep = `for i in $(seq 1 "$t"); do (( i <= d${'='.repeat(10_000)} )); done`;
    const stages = `${launch} --pipeline-model-parallel-size 2`;
    const { findings } = lintFile('/repository/run.sh', `${deep}\n${stages}\n`);
    const finding = findings.find(({ rule }) => rule === 'megatron-lm/layers-divide-stages');
    expect(finding?.fixes.length).toBeGreaterThan(0);
  });
});
