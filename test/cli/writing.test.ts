import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryMark } from '../../server/src/cli/write.ts';
import { thorough } from '../support/thorough.ts';
import { type Workspace, workspaces } from '../support/workspace.ts';

const workspace = workspaces();
const cli = resolve(import.meta.dirname, '../../dist/cli.js');
const isRoot = process.getuid?.() === 0;

/** A script with one fault that a fix removes. */
const broken = `torchrun --nproc_per_node 8 pretrain_gpt.py \\
  --num-layers 32 --hidden-size 4096 --num-attention-heads 32 --seq-length 4096 --max-position-embeddings 4096 \\
  --micro-batch-size 1 --global-batch-size 256 --train-iters 10 --lr 1e-4 --bf16 \\
  --recompute-granularity full --tokenizer-type NullTokenizer --vocab-size 128000 --mock-data
`;

const many = thorough ? 500 : 60;
const rounds = thorough ? Number(process.env.OOMLINT_KILL_ROUNDS ?? 100) : 4;

function fixed(text: string): string {
  const made = workspace({ 'run.sh': text });
  made.run(['check', 'run.sh', '--fix-suggested', '--fail-on', 'never']);
  return readFileSync(made.path('run.sh'), 'utf8');
}

function temporaries(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.includes(temporaryMark));
}

function start(made: Workspace, ...args: string[]): ChildProcess {
  return spawn(process.execPath, [cli, 'check', ...args, '--fail-on', 'never'], {
    cwd: made.folder,
    stdio: 'ignore',
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null)
    await new Promise<void>((done) => child.once('exit', () => done()));
}

describe('a fixing run', () => {
  it(`that is killed at any moment leaves each of ${many} files old or new, and the next run clears up`, async () => {
    const after = fixed(broken);
    expect(after).not.toBe(broken);
    const made = workspace();
    const names = Array.from({ length: many }, (_, at) => `run-${at}.sh`);
    for (const name of names) made.write(name, broken);
    const begun = performance.now();
    await ended(start(made, '.', '--fix-suggested'));
    const whole = performance.now() - begun;
    for (const name of names) expect(readFileSync(made.path(name), 'utf8')).toBe(after);
    let halfway = 0;
    for (let round = 0; round < rounds; round++) {
      for (const name of names) made.write(name, broken);
      const child = start(made, '.', '--fix-suggested');
      // Most of the time goes into finding the fixes; the writing at the end is what matters here.
      await new Promise((done) => setTimeout(done, whole * (0.3 + 0.7 * Math.random())));
      child.kill('SIGKILL');
      await ended(child);
      let done = 0;
      for (const name of names) {
        const text = readFileSync(made.path(name), 'utf8');
        expect(text === broken || text === after, `${name}: ${text}`).toBe(true);
        if (text === after) done++;
      }
      if (done > 0 && done < many) halfway++;
    }
    await ended(start(made, '.', '--fix-suggested'));
    for (const name of names) expect(readFileSync(made.path(name), 'utf8')).toBe(after);
    expect(temporaries(made.folder)).toEqual([]);
    if (thorough) expect(halfway).toBeGreaterThan(0);
  }, 900_000);

  it('removes what a dead run left, and nothing else', () => {
    const machine = hostname().replace(/[^\w.]/g, '_');
    const dead = spawnSync(process.execPath, ['-e', '0']).pid;
    const left = `.run.sh${temporaryMark}${machine}-${dead}`;
    const alive = `.run.sh${temporaryMark}${machine}-${process.pid}`;
    const elsewhere = `.run.sh${temporaryMark}other-${dead}`;
    const made = workspace({ 'run.sh': broken, [left]: 'x', [alive]: 'x', [elsewhere]: 'x' });
    made.run(['check', 'run.sh']);
    expect(temporaries(made.folder).length).toBe(3);
    made.run(['check', 'run.sh', '--fix']);
    expect(temporaries(made.folder).sort()).toEqual([alive, elsewhere].sort());
  });

  it('leaves a read-only file alone and says so', () => {
    const made = workspace({ 'run.sh': broken });
    chmodSync(made.path('run.sh'), 0o555);
    const done = made.run(['check', 'run.sh', '--fix-suggested']);
    expect(done).toMatchObject({
      code: 2,
      err: expect.stringContaining('oomlint: run.sh cannot be written: it is read-only'),
    });
    expect(readFileSync(made.path('run.sh'), 'utf8')).toBe(broken);
  });

  it.skipIf(isRoot)('says that a folder forbids it', () => {
    const made = workspace({ 'jobs/run.sh': broken });
    chmodSync(made.path('jobs'), 0o555);
    const done = made.run(['check', 'jobs/run.sh', '--fix-suggested']);
    chmodSync(made.path('jobs'), 0o755);
    expect(done).toMatchObject({ code: 2, err: expect.stringContaining('permission denied') });
    expect(readFileSync(made.path('jobs/run.sh'), 'utf8')).toBe(broken);
  });

  it.skipIf(!isRoot)('keeps the owner when it runs as root', () => {
    const made = workspace({ 'run.sh': broken });
    chownSync(made.path('run.sh'), 1234, 1235);
    made.run(['check', 'run.sh', '--fix-suggested']);
    expect(readFileSync(made.path('run.sh'), 'utf8')).not.toBe(broken);
    expect(statSync(made.path('run.sh'))).toMatchObject({ uid: 1234, gid: 1235 });
  });

  it('on a full disk says so, loses nothing and leaves nothing behind', ({ skip }) => {
    const made = workspace();
    mkdirSync(made.path('small'));
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', made.path('small')]).status !== 0)
      return skip('tmpfs cannot be mounted here');
    try {
      writeFileSync(made.path('small/run.sh'), broken);
      const filler = Buffer.alloc(64 * 1024);
      spawnSync('dd', ['if=/dev/zero', `of=${made.path('small/filler')}`, 'bs=1k', 'count=64'], {
        input: filler,
      });
      const done = made.run(['check', 'small/run.sh', '--fix-suggested']);
      expect(done).toMatchObject({
        code: 2,
        err: expect.stringContaining('oomlint: small/run.sh cannot be written: the disk is full'),
      });
      expect(readFileSync(made.path('small/run.sh'), 'utf8')).toBe(broken);
      expect(temporaries(made.path('small'))).toEqual([]);
    } finally {
      spawnSync('umount', [made.path('small')]);
    }
  });

  it('that may not write files of that size says so and loses nothing', () => {
    const text = `${broken}# ${'x'.repeat(4096)}\n`;
    const made = workspace({ 'run.sh': text });
    const done = spawnSync(
      'bash',
      ['-c', `ulimit -f 2; exec "$0" "$1" check run.sh --fix-suggested`, process.execPath, cli],
      { cwd: made.folder, encoding: 'utf8' },
    );
    expect(done.stderr).toContain(
      'run.sh cannot be written: the file would be larger than the system allows',
    );
    expect(done.status).toBe(2);
    expect(readFileSync(made.path('run.sh'), 'utf8')).toBe(text);
    expect(temporaries(made.folder)).toEqual([]);
  });

  it('beside others on the same files ends with the fixed texts', async () => {
    const after = fixed(broken);
    const made = workspace();
    const names = Array.from({ length: 20 }, (_, at) => `run-${at}.sh`);
    for (const name of names) made.write(name, broken);
    const runs = [1, 2, 3].map(() => start(made, '.', '--fix-suggested'));
    for (const run of runs) await ended(run);
    for (const name of names) expect(readFileSync(made.path(name), 'utf8')).toBe(after);
    expect(temporaries(made.folder)).toEqual([]);
  });

  it('keeps a byte order mark, Windows line ends and a missing last line end', () => {
    const example = readFileSync(
      resolve(import.meta.dirname, '../../examples/areal/gsm8k_grpo.yaml'),
      'utf8',
    );
    const made = workspace({ 'grpo.yaml': `\ufeff${example.replaceAll('\n', '\r\n')}# end` });
    const before = readFileSync(made.path('grpo.yaml'), 'utf8');
    made.run(['check', 'grpo.yaml', '--fix-suggested', '--fail-on', 'never']);
    const after = readFileSync(made.path('grpo.yaml'), 'utf8');
    expect(after).not.toBe(before);
    expect(after.startsWith('\ufeff')).toBe(true);
    expect(after.endsWith('# end')).toBe(true);
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it('writes the file behind a hard link under its own name only', () => {
    const made = workspace({ 'run.sh': broken });
    linkSync(made.path('run.sh'), made.path('other.txt'));
    made.run(['check', 'run.sh', '--fix-suggested']);
    expect(readFileSync(made.path('run.sh'), 'utf8')).not.toBe(broken);
    expect(readFileSync(made.path('other.txt'), 'utf8')).toBe(broken);
  });
});
