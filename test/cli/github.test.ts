import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CommandResult, workspaces } from '../support/workspace.ts';

const workspace = workspaces();

const script = `torchrun --nproc_per_node 8 pretrain_gpt.py \\
  --num-layers 30 --hidden-size 4096 --num-attention-heads 32 --seq-length 4096 --max-position-embeddings 4096 \\
  --micro-batch-size 1 --global-batch-size 256 --train-iters 10 --lr 1e-4 --bf16 --pipeline-model-parallel-size 4 \\
  --tokenizer-type NullTokenizer --vocab-size 128000 --mock-data
`;

describe('in GitHub Actions', () => {
  it('annotations are the default, and a job summary is appended', () => {
    const made = workspace({ 'run.sh': script, 'summary.md': 'before\n' });
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: made.path('summary.md') };
    const done = made.run(['check', 'run.sh'], '', env);
    expect(done.code).toBe(1);
    expect(done.out).toMatch(/^::error file=run\.sh,line=\d+,/m);
    expect(readFileSync(made.path('summary.md'), 'utf8')).toMatch(
      /^before\n## oomlint\n[\s\S]*\| error \| run/,
    );
  });

  it('a requested format is used, without a summary', () => {
    const made = workspace({ 'run.sh': script });
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: made.path('summary.md') };
    const done: CommandResult = made.run(['check', 'run.sh', '--format', 'concise'], '', env);
    expect(done.out).not.toContain('::error');
    expect(made.run(['check', 'run.sh', '--format', 'concise']).out).toBe(done.out);
    expect(() => readFileSync(made.path('summary.md'))).toThrow();
  });

  it('paths are relative to the checkout, even in a step that runs in a subfolder', () => {
    const made = workspace({ 'jobs/run.sh': script, 'summary.md': '' });
    const env = {
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: made.folder,
      GITHUB_STEP_SUMMARY: made.path('summary.md'),
      CI_PROJECT_DIR: made.folder,
    };
    const run = (...args: string[]): string => made.run(['check', ...args], '', env, 'jobs').out;
    expect(run()).toMatch(/^::error file=jobs\/run\.sh,line=\d+,/m);
    expect(readFileSync(made.path('summary.md'), 'utf8')).toContain('| error | jobs/run\\.sh:');
    expect(run('--format', 'sarif')).toContain('"uri": "jobs/run.sh"');
    expect(run('--format', 'gitlab')).toContain('"path": "jobs/run.sh"');
    expect(run('--format', 'concise')).toMatch(/^run\.sh:/m);
    const elsewhere = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: '/absent' };
    expect(made.run(['check'], '', elsewhere, 'jobs').out).toMatch(/^::error file=run\.sh,/m);
  });

  it('an unwritable summary is reported and does not change the exit code', () => {
    const made = workspace({ 'run.sh': script });
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: made.path('absent/summary.md') };
    const done = made.run(['check', 'run.sh'], '', env);
    expect(done).toMatchObject({
      code: 1,
      err: expect.stringContaining('absent/summary.md cannot be written: there is no folder'),
    });
  });
});

describe('a patch', () => {
  it('can be applied from a subfolder, as it names files as Git does', () => {
    const made = workspace();
    spawnSync('rm', ['-rf', '.git'], { cwd: made.folder });
    spawnSync('git', ['init', '-q'], { cwd: made.folder });
    mkdirSync(made.path('jobs'));
    writeFileSync(made.path('jobs/run.sh'), script);
    const program = `node ${JSON.stringify(`${import.meta.dirname}/../../dist/cli.js`)}`;
    const command = `${program} check run.sh --diff --fix-suggested 2> /dev/null | git apply -`;
    const done = spawnSync('bash', ['-o', 'pipefail', '-c', command], {
      cwd: made.path('jobs'),
      encoding: 'utf8',
    });
    expect(done.stderr).toBe('');
    expect(readFileSync(made.path('jobs/run.sh'), 'utf8')).not.toBe(script);
  });
});
