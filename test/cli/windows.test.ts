import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unevenStages as script } from '../support/launches.ts';
import { type CommandResult, cli, sharedCache, type Workspace, workspaces } from '../support/workspace.ts';

const preload = resolve(import.meta.dirname, 'windows/asWindows.cjs');
const make = workspaces();

/** Windows disks: `c:` holds a repository at `Work`. Texts by path below the disks. */
function disks(files: { readonly [path: string]: string }): Workspace {
  const made = make({ 'c:/git/git.exe': '', 'c:/Work/.git/HEAD': '', ...files });
  // The workspace itself is not a repository here: it lies above all drives.
  rmSync(made.path('.git'), { recursive: true });
  return made;
}

function environment(made: Workspace, cwd: string): { readonly [name: string]: string } {
  return {
    AS_WINDOWS: made.folder,
    AS_WINDOWS_CWD: cwd,
    PATH: 'relative;C:\\nothing;"C:\\git"',
    ...sharedCache,
  };
}

interface Given {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: { readonly [name: string]: string };
}

/** Runs the built program as if on Windows; every path that it passes to the system must be one that Windows accepts. */
function run(
  made: Workspace,
  args: readonly string[],
  { cwd = 'C:\\Work', input = '', env = {} }: Given = {},
): CommandResult {
  const done = spawnSync(process.execPath, ['--require', preload, cli, ...args], {
    cwd: made.folder,
    input,
    encoding: 'utf8',
    env: { ...environment(made, cwd), HOME: made.folder, ...env },
    maxBuffer: 1 << 28,
  });
  expect(done.stderr).not.toContain('not a path of Windows');
  return { code: done.status, out: done.stdout, err: done.stderr };
}

const rule = 'megatron-lm/layers-divide-stages';
const concise = ['--no-cache', '--format', 'concise'];
/** The files that a report names, without duplicates. */
const files = ({ out }: CommandResult): string[] => [...new Set(out.match(/^[^\n]*?(?=:\d+:\d+: )/gm))];

describe('on Windows', () => {
  it.each([
    ['a drive', 'C:\\Work\\jobs\\run.sh', 'jobs/run.sh'],
    ['slashes', 'c:/Work/jobs/run.sh', 'jobs/run.sh'],
    ['backslashes', 'jobs\\run.sh', 'jobs/run.sh'],
    ['a folder', 'jobs', 'jobs/run.sh'],
    ['letters of another case', 'JOBS\\Run.SH', 'jobs/run.sh'],
    ['the root of the drive', '\\Work\\jobs', 'jobs/run.sh'],
    ['the long form', '\\\\?\\C:\\Work\\jobs\\run.sh', 'jobs/run.sh'],
    ['a pattern with backslashes', 'jobs\\*.sh', 'jobs/run.sh'],
    ['a pattern on a drive', 'C:\\work\\**\\*.SH', 'jobs/run.sh'],
    ['another drive', 'D:\\other\\run.sh', 'D:/other/run.sh'],
    ['a pattern on another drive', 'd:/other/*.sh', 'D:/other/run.sh'],
    ['a share', '\\\\machine\\share\\run.sh', '//machine/share/run.sh'],
    ['a folder of a share', '//machine/share', '//machine/share/run.sh'],
  ])('%s names files', (_, path, shown) => {
    const made = disks({
      'c:/Work/jobs/run.sh': script,
      'd:/other/run.sh': script,
      'unc/machine/share/run.sh': script,
    });
    const done = run(made, ['check', path, ...concise]);
    expect(files(done)).toEqual([shown]);
    expect(done).toMatchObject({ code: 1, out: expect.stringContaining(rule) });
  });

  it('a file with two names is linted once, and a missing one is reported by the name given', () => {
    const made = disks({ 'c:/Work/run.sh': script });
    const twice = run(made, ['check', 'run.sh', 'C:\\WORK\\RUN.SH', ...concise]);
    expect(twice.out.match(/layers-divide-stages/g)).toHaveLength(1);
    expect(run(made, ['check', 'no\\such.sh']).err).toContain('no\\such.sh does not exist');
    expect(run(made, ['check', 'no\\*.sh']).err).toContain('no\\*.sh matches no file');
    expect(run(made, ['C:\\Work\\run.sh']).err).toContain('oomlint check C:\\Work\\run.sh');
  });

  it('settings, ignored files and sourced files are found, from any folder', () => {
    const made = disks({
      'c:/Work/.gitignore': 'out/\r\n',
      'c:/Work/.oomlint.yaml': 'exclude: [old/]\r\nrules: {"megatron-lm/few-micro-batches": "off"}\r\n',
      'c:/Work/out/run.sh': script,
      'c:/Work/old/run.sh': script,
      'c:/Work/models/m.sh': 'MODEL_ARGS=(--num-layers 30)\r\n',
      'c:/Work/jobs/run.sh':
        'source "$(dirname "$0")/../models/m.sh"\r\ntorchrun --nproc_per_node 8 pretrain_gpt.py "${MODEL_ARGS[@]}" --pipeline-model-parallel-size 4\r\n',
    });
    const done = run(made, ['check', ...concise, '--only', rule]);
    expect(done.out).toMatch(/^models\/m\.sh:1:\d+: error: 30 layers .*$/m);
    expect(files(done)).toEqual(['models/m.sh']);
    expect(run(made, ['config', 'old\\run.sh']).out).toContain(
      '# old/run.sh: .oomlint.yaml; not linted (exclude at .oomlint.yaml:1)',
    );
    expect(run(made, ['resolve', 'jobs\\run.sh']).out).toContain('models/m.sh:1');
    const inside = run(made, ['check', '..\\JOBS', ...concise, '--only', rule], { cwd: 'c:\\WORK\\Models' });
    expect(files(inside)).toEqual(['m.sh']);
  });

  it('fixes are written with the existing line endings, and as a patch', () => {
    const text = script.replaceAll('\n', '\r\n');
    const made = disks({ 'c:/Work/jobs/run.sh': text });
    const patch = run(made, ['check', 'jobs\\run.sh', '--fix-suggested', '--diff']).out;
    expect(patch).toContain('--- a/jobs/run.sh\n+++ b/jobs/run.sh\n');
    const done = run(made, ['check', 'JOBS\\run.sh', '--fix-suggested', '--only', rule]);
    expect(done.err).toMatch(/^fixed jobs\/run\.sh: /m);
    const fixed = readFileSync(made.path('c:/Work/jobs/run.sh'), 'utf8');
    expect(fixed).not.toBe(text);
    expect(fixed.match(/\n/g)?.length).toBe(fixed.match(/\r\n/g)?.length);
  });

  it('reports, profiles and baselines are read and written at the given paths', () => {
    const made = disks({
      'c:/Work/jobs/run.sh': script,
      'd:/lab/machine.yaml': 'gpus_per_node: 8\r\n',
      'd:/lab/x.sh': script,
    });
    const outputs = ['--output', 'sarif=D:\\lab\\report.sarif', '--output', 'json=out.json'];
    run(made, ['check', '--profile', 'D:\\lab\\machine.yaml', ...outputs, 'jobs', 'D:\\lab\\x.sh']);
    const sarif = readFileSync(made.path('d:/lab/report.sarif'), 'utf8');
    expect(sarif).toContain('"uri": "jobs/run.sh"');
    expect(sarif).toContain('"uri": "file:///D:/lab/x.sh"');
    const json = JSON.parse(readFileSync(made.path('c:/Work/out.json'), 'utf8'));
    expect(json.files.map(({ path }: { path: string }) => path)).toEqual(['jobs/run.sh', 'D:/lab/x.sh']);
    const refused = run(made, ['check', '--output', 'sarif=no\\folder\\r.sarif']);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('there is no folder no/folder') });
    expect(run(made, ['check', '--output', 'sarif=JOBS\\RUN.SH']).err).toContain(
      'is one of the files to lint',
    );
    const known = ['check', '--baseline', 'ci\\..\\known.json'];
    expect(run(made, [...known, '--update-baseline']).code).toBe(0);
    expect(JSON.parse(readFileSync(made.path('c:/Work/known.json'), 'utf8')).findings[0].path).toBe(
      'jobs/run.sh',
    );
    expect(run(made, [...known, 'JOBS\\RUN.sh'], { cwd: 'C:\\WORK' }).code).toBe(0);
  });

  it('a baseline and its fingerprints are the same as on Linux', () => {
    const made = disks({ 'c:/Work/jobs/run.sh': script.replaceAll('\n', '\r\n') });
    run(made, [
      'check',
      'jobs',
      '--baseline',
      'known.json',
      '--update-baseline',
      '--skip',
      'windows-line-ends',
    ]);
    const other = make({ 'jobs/run.sh': script });
    other.write('known.json', readFileSync(made.path('c:/Work/known.json')));
    expect(other.run(['check', 'jobs', '--baseline', 'known.json', '--fail-on', 'info'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('windows-line-ends'),
    });
    other.run(['check', 'jobs', '--baseline', 'known.json', '--prune']);
    expect(other.run(['check', 'jobs', '--baseline', 'known.json', '--fail-on', 'info']).code).toBe(0);
  });

  it('the settings file is written once, and standard input is read to its end', () => {
    const made = disks({ 'c:/Work/jobs/keep.sh': '' });
    expect(run(made, ['init'])).toMatchObject({ code: 0 });
    expect(readFileSync(made.path('c:/Work/.oomlint.yaml'), 'utf8')).toContain('machine');
    expect(run(made, ['init'])).toMatchObject({ code: 2 });
    const stdin = run(made, ['check', '-', '--stdin-filename', 'jobs\\new.sh', ...concise], {
      input: script,
    });
    expect(files(stdin)).toEqual(['jobs/new.sh']);
  });

  it('files that Git reports as changed are found, and only the git on PATH is started', () => {
    const made = disks({ 'c:/Work/old.sh': script });
    rmSync(made.path('c:/Work/.git'), { recursive: true });
    const git = (...args: string[]): void => {
      const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
      const done = spawnSync('git', [...identity, ...args], { cwd: made.path('c:/Work'), encoding: 'utf8' });
      expect(done.status, done.stderr).toBe(0);
    };
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    made.write('c:/Work/jobs/new.sh', script);
    const since = (cwd: string): CommandResult =>
      run(made, ['check', '--since', 'HEAD', ...concise, '.'], { cwd });
    expect(files(since('C:\\Work'))).toEqual(['jobs/new.sh']);
    expect(files(since('c:\\WORK\\Jobs'))).toEqual(['new.sh']);
    const env = { PATH: 'relative;C:\\nothing' };
    made.write('c:/Work/git.exe', '');
    expect(run(made, ['check', '--since', 'HEAD'], { env }).err).toContain('no folder of PATH holds git.exe');
  });

  it('annotations name files as GitHub does', () => {
    const made = disks({ 'c:/Work/jobs/run.sh': script });
    const env = {
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: 'C:\\Work',
      GITHUB_STEP_SUMMARY: 'C:\\Work\\summary.md',
    };
    const done = run(made, ['check', '.'], { cwd: 'C:\\Work\\jobs', env });
    expect(done.out).toContain('file=jobs/run.sh');
    expect(readFileSync(made.path('c:/Work/summary.md'), 'utf8')).toContain('jobs/run\\.sh:3');
  });

  it('several threads and cached reports agree with one thread', () => {
    const scripts = Object.fromEntries(
      Array.from({ length: 90 }, (_, at) => [
        `c:/Work/jobs/run-${at}.sh`,
        script.replace('--num-layers 30', `--num-layers ${31 + 4 * at}`),
      ]),
    );
    const made = disks(scripts);
    const env = { XDG_CACHE_HOME: made.path('cache') };
    const first = run(made, ['check', '--format', 'concise'], { env });
    expect(files(first)).toHaveLength(90);
    expect(run(made, ['check', '--format', 'concise'], { env })).toEqual(first);
    expect(run(made, ['check', ...concise], { env })).toEqual(first);
  });

  it('a changed file is linted again', async () => {
    const made = disks({ 'c:/Work/jobs/run.sh': script });
    const child = spawn(process.execPath, ['--require', preload, cli, 'watch', 'jobs'], {
      cwd: made.folder,
      env: environment(made, 'C:\\Work'),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    const until = (end: string): Promise<void> =>
      new Promise((done) => {
        const look = (): void => {
          if (said.includes(end)) done();
        };
        for (const stream of [child.stdout, child.stderr]) stream.on('data', look);
        look();
      });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    try {
      await until('Watching');
      said = '';
      writeFileSync(
        posix.join(made.folder, 'c:/Work/jobs/run.sh'),
        script.replace('--num-layers 30', '--num-layers 31'),
      );
      await until('31 layers');
      expect(said).toContain('changed: jobs/run.sh');
      expect(said).not.toContain('not a path of Windows');
    } finally {
      child.kill('SIGKILL');
    }
  });
});
