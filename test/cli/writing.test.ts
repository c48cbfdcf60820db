import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
} from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replaceText, temporaryMark } from '../../server/src/cli/write.ts';
import { writeFixes } from '../../server/src/cli/writeFixes.ts';
import { arealConfig } from '../lsp/texts.ts';
import { thorough } from '../support/thorough.ts';
import { type Workspace, workspaces } from '../support/workspace.ts';

const workspace = workspaces();
const cli = resolve(import.meta.dirname, '../../dist/cli.js');
const isRoot = process.getuid?.() === 0;

/** A script with one fault that a fix removes. */
const broken = `torchrun --nproc_per_node 8 pretrain_gpt.py \\
  --num-layers 32 --hidden-size 4096 --num-attention-heads 32 --seq-length 4096 --max-position-embeddings 4096 \\
  --micro-batch-size 1 --global-batch-size 256 --train-iters 10 --eval-interval 1000 --lr 1e-4 --bf16 \\
  --recompute-granularity full --tokenizer-type NullTokenizer --vocab-size 128000 --mock-data
`;

const many = thorough ? 500 : 60;
const rounds = thorough ? 100 : 10;

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

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}

/** Waits until a run begins to write into a folder. */
function firstWrite(folder: string): Promise<void> {
  return new Promise((done) => {
    const watcher = watch(folder, (_, name) => {
      if (name?.includes(temporaryMark) !== true) return;
      watcher.close();
      done();
    });
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null)
    await new Promise<void>((done) => child.once('exit', () => done()));
}

/**
 * Fixes a script on its own file system of 16 KiB, which only the run sees (a Linux mount namespace).
 * @param prepare what a shell does there first
 * @returns undefined if nothing can be mounted
 */
function onOwnDisk(
  prepare: string,
): { code: number | null; err: string; text: string; names: readonly string[] } | undefined {
  const made = workspace({ 'run.sh': broken, 'disk/.keep': '' });
  const script = `mount -t tmpfs -o size=16k tmpfs disk && cp run.sh disk && cd disk || exit 99
${prepare}
"$0" "$1" check run.sh --fix-suggested > /dev/null; code=$?
cat run.sh > ../text; ls -A > ../names
exit $code`;
  const done = spawnSync('unshare', ['-rm', 'bash', '-c', script, process.execPath, cli], {
    cwd: made.folder,
    encoding: 'utf8',
  });
  if (done.error !== undefined || !existsSync(made.path('names'))) return undefined;
  return {
    code: done.status,
    err: done.stderr,
    text: readFileSync(made.path('text'), 'utf8'),
    names: readFileSync(made.path('names'), 'utf8').trim().split('\n'),
  };
}

describe('a fixing run', () => {
  it(`that is killed at any moment leaves each of ${many} files old or new, and the next run cleans up`, async () => {
    const after = fixed(broken);
    expect(after).not.toBe(broken);
    const made = workspace();
    const names = Array.from({ length: many }, (_, at) => `run-${at}.sh`);
    for (const name of names) made.write(name, broken);
    const begun = performance.now();
    const first = start(made, '.', '--fix-suggested');
    await firstWrite(made.folder);
    const found = performance.now();
    await ended(first);
    const [finding, writing] = [found - begun, performance.now() - found];
    for (const name of names) expect(readFileSync(made.path(name), 'utf8')).toBe(after);
    let halfway = 0;
    // If a run writes faster or slower than the first one did, it takes more rounds to stop one halfway.
    for (let round = 0; round < rounds || (halfway === 0 && round < 10 * rounds); round++) {
      for (const name of names) made.write(name, broken);
      const child = start(made, '.', '--fix-suggested');
      // Finding the fixes takes most of the time, but the writing at the end is what matters, so three of four rounds wait for it.
      if (round % 4 === 0) await pause((finding + writing) * Math.random());
      else {
        await firstWrite(made.folder);
        await pause(writing * Math.random());
      }
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
    expect(halfway).toBeGreaterThan(0);
    // At full length a busy machine needs more than an hour.
  }, 10_800_000);

  it('removes what a dead run left behind, and nothing else', () => {
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

  it('skips a file that changed since it was read', () => {
    const made = workspace({ 'run.sh': broken, 'same.sh': broken });
    symlinkSync('run.sh', made.path('link.sh'));
    made.write('run.sh', `${broken}# more\n`);
    for (const name of ['run.sh', 'link.sh'])
      expect(replaceText(made.path(name), broken, 'fixed\n')).toBe(
        'was changed by another program in the meantime, and was not overwritten',
      );
    expect(readFileSync(made.path('run.sh'), 'utf8')).toBe(`${broken}# more\n`);
    expect(replaceText(made.path('same.sh'), broken, 'fixed\n')).toBeUndefined();
    expect(readFileSync(made.path('same.sh'), 'utf8')).toBe('fixed\n');
    rmSync(made.path('run.sh'));
    expect(replaceText(made.path('link.sh'), broken, 'fixed\n')).toBe('does not exist');
    expect(temporaries(made.folder)).toEqual([]);
  });

  it('writes files that a fix changes together either all or not at all', () => {
    const made = workspace({ 'run.sh': 'a\n', 'c.yaml': 'b\n', 'other.sh': 'c\n' });
    const [run, config, other] = [made.path('run.sh'), made.path('c.yaml'), made.path('other.sh')];
    const read = (path: string): string => readFileSync(path, 'utf8');
    const fixed = {
      texts: new Map([run, config, other].map((path) => [path, 'fixed\n'])),
      applied: [[run, config], [other]].map((paths) => ({
        path: paths[0] ?? '',
        paths,
        rule: 'r',
        title: 't',
      })),
      reports: [],
    };
    const original = new Map([
      [run, 'a\n'],
      [config, 'b\n'],
      [other, 'c\n'],
    ]);
    made.write('c.yaml', 'b\n# of somebody else\n');
    expect(writeFixes(fixed, (path) => original.get(path))).toEqual(
      new Map([
        [run, 'is left as it is: a fix would change it together with c.yaml'],
        [config, 'was changed by another program in the meantime, and was not overwritten'],
      ]),
    );
    expect([run, config, other].map(read)).toEqual(['a\n', 'b\n# of somebody else\n', 'fixed\n']);
    made.write('c.yaml', 'b\n');
    expect(writeFixes(fixed, (path) => original.get(path))).toEqual(new Map());
    expect([run, config].map(read)).toEqual(['fixed\n', 'fixed\n']);
  });

  it('edits no other file for a text on standard input', () => {
    const config = arealConfig().replace('gconfig:\n', 'gconfig:\n  min_new_tokens: 5\n');
    const made = workspace({ 'c.yaml': config });
    const script =
      '#!/bin/bash\npython3 examples/math/gsm8k_rl.py --config c.yaml gconfig.max_new_tokens=64 +scheduler.type=local\n';
    const done = made.run(['check', '-', '--stdin-filename', 'run.sh', '--fix'], script);
    expect(done.out).toBe(script);
    expect(done.err).toContain('areal/min-new-tokens-unread');
    expect(done.err).not.toContain('fixed c.yaml');
    expect(readFileSync(made.path('c.yaml'), 'utf8')).toBe(config);
  });

  it('skips a read-only file and says so', () => {
    const made = workspace({ 'run.sh': broken });
    made.write('other.sh', broken);
    chmodSync(made.path('run.sh'), 0o555);
    const done = made.run(['check', '.', '--fix-suggested', '--format', 'concise']);
    expect(done).toMatchObject({
      code: 2,
      err: expect.stringContaining('oomlint: run.sh cannot be written: it is read-only'),
    });
    expect(done.err).toMatch(/^fixed other\.sh: /m);
    expect(done.err).not.toMatch(/^fixed run\.sh: /m);
    expect(done.out).toMatch(/^run\.sh:.*\[megatron-lm\/full-recompute-needs-method\]$/m);
    expect(done.out).not.toMatch(/^other\.sh:.*\[megatron-lm\/full-recompute-needs-method\]$/m);
    expect(readFileSync(made.path('run.sh'), 'utf8')).toBe(broken);
  });

  it.skipIf(isRoot)('says that a folder forbids writing', () => {
    const made = workspace({ 'jobs/run.sh': broken });
    chmodSync(made.path('jobs'), 0o555);
    const done = made.run(['check', 'jobs/run.sh', '--fix-suggested']);
    chmodSync(made.path('jobs'), 0o755);
    expect(done).toMatchObject({ code: 2, err: expect.stringContaining('permission denied') });
    expect(readFileSync(made.path('jobs/run.sh'), 'utf8')).toBe(broken);
  });

  it.skipIf(!isRoot)('keeps the owner when run as root', () => {
    const made = workspace({ 'run.sh': broken });
    chownSync(made.path('run.sh'), 1234, 1235);
    made.run(['check', 'run.sh', '--fix-suggested']);
    expect(readFileSync(made.path('run.sh'), 'utf8')).not.toBe(broken);
    expect(statSync(made.path('run.sh'))).toMatchObject({ uid: 1234, gid: 1235 });
  });

  const disks = [
    ['full disk', 'head -c 64k /dev/zero > filler 2> /dev/null', 'the disk is full', ['filler', 'run.sh']],
    ['read-only file system', 'mount -o remount,ro .', 'the file system is read-only', ['run.sh']],
  ] as const;
  for (const [name, prepare, reason, names] of disks)
    it(`on a ${name} says so, loses nothing and leaves nothing behind`, ({ skip }) => {
      const done = onOwnDisk(prepare);
      if (done === undefined) return skip('no file system can be mounted here');
      const err = expect.stringContaining(`oomlint: run.sh cannot be written: ${reason}`);
      expect(done).toEqual({ code: 2, err, text: broken, names });
    });

  it('that may not write files that large says so and loses nothing', () => {
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

  it('keeps the old baseline and report if the new one cannot be written in full', () => {
    const made = workspace({ 'baseline.json': '{"version": 1, "findings": []}\n', 'report.json': 'old' });
    for (let at = 0; at < 9; at++) made.write(`run-${at}.sh`, broken);
    const limited = (...args: string[]): string =>
      spawnSync('bash', ['-c', 'ulimit -f 1; exec "$0" "$@"', process.execPath, cli, 'check', ...args], {
        cwd: made.folder,
        encoding: 'utf8',
      }).stderr;
    expect(limited('--baseline', 'baseline.json', '--update-baseline')).toContain(
      'cannot be written: the file would',
    );
    expect(limited('--output', 'json=report.json')).toContain('cannot be written: the file would');
    expect(readFileSync(made.path('baseline.json'), 'utf8')).toBe('{"version": 1, "findings": []}\n');
    expect(readFileSync(made.path('report.json'), 'utf8')).toBe('old');
    expect(temporaries(made.folder)).toEqual([]);
  });

  it('replaces a report through a link, keeping its permissions, and writes to a device', () => {
    const made = workspace({ 'run.sh': broken, 'report.json': 'old' });
    chmodSync(made.path('report.json'), 0o640);
    symlinkSync('report.json', made.path('link.json'));
    symlinkSync('absent.json', made.path('dangling.json'));
    const outputs = ['link.json', 'dangling.json', '/dev/null'].flatMap((file) => [
      '--output',
      `json=${file}`,
    ]);
    expect(made.run(['check', 'run.sh', '--fail-on', 'never', ...outputs]).code).toBe(0);
    const written = readFileSync(made.path('report.json'), 'utf8');
    expect(JSON.parse(written)).toMatchObject({ version: 1 });
    expect(statSync(made.path('report.json')).mode & 0o777).toBe(0o640);
    expect(readFileSync(made.path('absent.json'), 'utf8')).toBe(written);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    expect(temporaries(made.folder)).toEqual([]);
  });

  it('in parallel with others on the same files ends with the fixed texts', async () => {
    const after = fixed(broken);
    const made = workspace();
    const names = Array.from({ length: 20 }, (_, at) => `run-${at}.sh`);
    for (const name of names) made.write(name, broken);
    const runs = [1, 2, 3].map(() => start(made, '.', '--fix-suggested'));
    for (const run of runs) await ended(run);
    for (const name of names) expect(readFileSync(made.path(name), 'utf8')).toBe(after);
    expect(temporaries(made.folder)).toEqual([]);
  });

  it('keeps a byte order mark, Windows line endings and a missing final newline', () => {
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

  it('writes a hard-linked file under its own name only', () => {
    const made = workspace({ 'run.sh': broken });
    linkSync(made.path('run.sh'), made.path('other.txt'));
    made.run(['check', 'run.sh', '--fix-suggested']);
    expect(readFileSync(made.path('run.sh'), 'utf8')).not.toBe(broken);
    expect(readFileSync(made.path('other.txt'), 'utf8')).toBe(broken);
  });
});
