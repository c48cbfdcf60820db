import { spawnSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unevenStages as script } from '../support/launches.ts';
import { type Workspace, workspaces } from '../support/workspace.ts';

const workspace = workspaces();

function git(made: Workspace, ...args: string[]): void {
  const done = spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
    cwd: made.folder,
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(done.stderr);
}

describe('a baseline', () => {
  it('accepts existing findings, reports new ones, and complains about stale ones', () => {
    const made = workspace({ 'run.sh': script });
    expect(made.run(['check', '--baseline', 'known.json']).code).toBe(2);
    expect(made.run(['check', '--baseline', 'known.json', '--update-baseline']).code).toBe(0);
    expect(made.run(['check', '--baseline', 'known.json']).code).toBe(0);
    made.write('run.sh', `# a line above\n\n${script}`);
    expect(made.run(['check', '--baseline', 'known.json']).code).toBe(0);
    made.write('run.sh', script.replace('--num-layers 30', '--num-layers 31'));
    const changed = made.run(['check', '--baseline', 'known.json', '--format', 'concise']);
    expect(changed.code).toBe(1);
    expect(changed.err).toMatch(
      /known\.json is stale .*\n {2}run\.sh: .* \[megatron-lm\/layers-divide-stages\]$/m,
    );
    made.write('run.sh', script.replace('--num-layers 30', '--num-layers 32'));
    expect(made.run(['check', '--baseline', 'known.json'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('--prune'),
    });
    const shown = JSON.parse(made.run(['check', '--baseline', 'known.json', '--format', 'json']).out);
    expect(shown.files[0].findings).toMatchObject([
      { rule: 'stale-baseline', path: 'known.json', message: expect.stringContaining('1 entry') },
    ]);
    const settled = (level: string): unknown => {
      made.write('.oomlint.yaml', `rules: {stale-baseline: ${level}}\n`);
      const { code, out } = made.run(['check', '--baseline', 'known.json', '--format', 'concise']);
      return [code, /: (\w+): .*\[stale-baseline\]/.exec(out)?.[1]];
    };
    expect(['off', 'warning', 'error'].map(settled)).toEqual([
      [0, undefined],
      [0, 'warning'],
      [1, 'error'],
    ]);
    expect(made.run(['check', '--baseline', 'known.json', '--prune']).code).toBe(0);
    const left: { rule: string }[] = JSON.parse(readFileSync(made.path('known.json'), 'utf8')).findings;
    expect(left.map(({ rule }) => rule)).not.toContain('megatron-lm/layers-divide-stages');
  });

  it('lists twenty of the stale entries, and prunes all of them', () => {
    const entry = (at: number): object => ({
      rule: 'unknown-option',
      path: `gone-${at}.sh`,
      fingerprint: `${at}`,
      message: 'm',
    });
    const findings = Array.from({ length: 23 }, (_, at) => entry(at));
    const made = workspace({ 'run.sh': 'true\n', 'known.json': JSON.stringify({ version: 1, findings }) });
    const { code, err } = made.run(['check', '--baseline', 'known.json']);
    const lines = err.trim().split('\n');
    expect({ code, first: lines[0], last: lines.at(-1), length: lines.length }).toEqual({
      code: 1,
      first: '23 entries of known.json are stale (--prune removes them):',
      last: '  3 more',
      length: 22,
    });
    expect(made.run(['check', '--baseline', 'known.json', '--prune'])).toMatchObject({
      code: 0,
      err: '23 stale entries removed from known.json\n',
    });
  });

  it('treats a renamed file as a new one until it is updated', () => {
    const made = workspace({ 'run.sh': script });
    const known = ['check', '--baseline', 'known.json'];
    made.run([...known, '--update-baseline']);
    renameSync(made.path('run.sh'), made.path('moved.sh'));
    const moved = made.run([...known, '--format', 'concise']);
    expect(moved.out).toMatch(/^moved\.sh:.* \[megatron-lm\/layers-divide-stages\]$/m);
    expect(moved).toMatchObject({ code: 1, err: expect.stringContaining('run.sh') });
    expect(made.run([...known, '--update-baseline']).code).toBe(0);
    expect(made.run(known)).toMatchObject({ code: 0, err: expect.not.stringContaining('stale') });
  });

  it('keeps accepted findings from being fixed', () => {
    const made = workspace({ 'run.sh': script });
    made.run(['check', '--baseline', 'known.json', '--update-baseline']);
    const fixed = made.run(['check', '--baseline', 'known.json', '--fix-suggested']);
    expect(fixed.code).toBe(0);
    expect(readFileSync(made.path('run.sh'), 'utf8')).toBe(script);
    expect(made.run(['check', '--fix-suggested']).err).toContain('fixed run.sh');
  });

  const uses = `source "$(dirname "$0")/model.sh"\n${script.replace('--num-layers 30', '"${MODEL_ARGS[@]}"')}`;

  it('stores a finding in a shared file once, however many scripts use it and wherever oomlint runs', () => {
    const made = workspace({
      'model.sh': 'MODEL_ARGS=(--num-layers 30)\n',
      'a.sh': uses,
      'b.sh': uses,
      'ci/.keep': '',
    });
    const known = made.path('ci/known.json');
    expect(made.run(['check', '--baseline', known, '--update-baseline']).code).toBe(0);
    const text = readFileSync(known, 'utf8');
    expect(text).not.toContain(made.folder);
    const entries: { rule: string; path: string; via?: string }[] = JSON.parse(text).findings;
    expect(entries.filter(({ rule }) => rule === 'megatron-lm/layers-divide-stages')).toMatchObject([
      { path: '../model.sh', via: '../a.sh' },
    ]);
    made.write('c.sh', uses);
    expect(made.run(['check', '--baseline', known])).toMatchObject({
      code: 0,
      err: expect.stringContaining('accepted'),
    });
    expect(made.inside('ci').run(['check', '..', '--baseline', 'known.json']).code).toBe(0);
    // Checking the shared file does not report the findings that scripts have there.
    expect(made.run(['check', 'model.sh', '--baseline', known]).code).toBe(0);
  });

  it('loses no entries when only some files are updated, or with --since or --min-certainty, and drops deleted files', () => {
    const made = workspace({ 'a.sh': script, 'b.sh': script });
    const count = (): number => JSON.parse(readFileSync(made.path('known.json'), 'utf8')).findings.length;
    made.run(['check', '--baseline', 'known.json', '--update-baseline']);
    const all = count();
    made.run(['check', 'a.sh', '--baseline', 'known.json', '--update-baseline']);
    expect(count()).toBe(all);
    expect(made.run(['check', '--baseline', 'known.json', '--min-certainty', 'certain']).code).toBe(0);
    expect(made.run(['check', 'a.sh', '--baseline', 'known.json']).code).toBe(0);
    rmSync(made.path('b.sh'));
    expect(made.run(['check', '--baseline', 'known.json'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('b.sh'),
    });
    expect(made.run(['check', '--baseline', 'known.json', '--prune']).code).toBe(0);
    expect(count()).toBe(all / 2);
  });

  it('prints no escape sequences from its file', () => {
    const entry = {
      rule: 'a\u001b[2J',
      path: 'gone\u001b]0;x\u0007',
      fingerprint: '1',
      message: '\u009b31m',
    };
    const made = workspace({
      'run.sh': script,
      'known.json': JSON.stringify({ version: 1, findings: [entry] }),
    });
    const done = made.run(['check', '--baseline', 'known.json']);
    expect(done.err).toContain('is stale');
    expect(done.err.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it('can be set in the configuration for runs below its folder', () => {
    const made = workspace({
      'a.sh': script,
      'jobs/.keep': '',
      'team/.oomlint.yaml': 'baseline: known.json\n',
      '.oomlint.yaml': 'extends: team/.oomlint.yaml\n',
    });
    expect(made.run(['check'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('team/known.json does not exist'),
    });
    expect(made.run(['check', '--update-baseline']).code).toBe(0);
    expect(made.run(['check'])).toMatchObject({
      code: 0,
      err: expect.stringContaining('accepted by team/known.json'),
    });
    expect(made.inside('jobs').run(['check', '..'])).toMatchObject({
      code: 0,
      err: expect.stringContaining('/team/known.json'),
    });
    expect(made.run(['check', '--no-config']).code).toBe(1);
    expect(made.run(['config', 'a.sh']).out).toMatch(
      /^baseline: team\/known\.json +# team\/\.oomlint\.yaml:1$/m,
    );
    made.write('b.sh', script);
    expect(made.run(['check']).code).toBe(1);
  });

  it('that is invalid is refused with the reason', () => {
    const made = workspace({ 'run.sh': script, 'known.json': '{"version": 2}', 'broken.json': '{' });
    expect(made.run(['check', '--baseline', 'known.json'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('version'),
    });
    expect(made.run(['check', '--baseline', 'broken.json'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('is not JSON'),
    });
  });
});

describe('changed files', () => {
  it('are those that differ from the branch point, committed or not', () => {
    const made = workspace({ 'a.sh': script, 'b.sh': script, 'c.sh': script });
    spawnSync('rm', ['-rf', '.git'], { cwd: made.folder });
    git(made, 'init', '-q', '-b', 'main');
    git(made, 'add', '.');
    git(made, 'commit', '-qm', 'all');
    git(made, 'checkout', '-qb', 'mine');
    made.write('a.sh', `${script}# mine\n`);
    git(made, 'commit', '-qam', 'mine');
    git(made, 'checkout', '-q', 'main');
    made.write('b.sh', `${script}# theirs\n`);
    git(made, 'commit', '-qam', 'theirs');
    git(made, 'checkout', '-q', 'mine');
    made.write('c.sh', `${script}# not committed\n`);
    const paths = (since: string): string[] =>
      JSON.parse(made.run(['check', '--since', since, '--format', 'json']).out).files.map(
        (file: { path: string }) => file.path,
      );
    expect(paths('main')).toEqual(['a.sh', 'b.sh', 'c.sh']);
    expect(paths('main...')).toEqual(['a.sh', 'c.sh']);
    expect(made.run(['check', '--since', 'nowhere...'])).toMatchObject({ code: 2, out: '' });
  });

  it('are those that differ from a revision, and the scripts that use them', () => {
    const made = workspace({
      'models/a.sh': 'MODEL_ARGS=(--num-layers 30)\n',
      'uses.sh':
        'source "$(dirname "$0")/models/a.sh"\ntorchrun --nproc_per_node 8 pretrain_gpt.py "${MODEL_ARGS[@]}"\n',
      'other.sh': script,
    });
    spawnSync('rm', ['-rf', '.git'], { cwd: made.folder });
    git(made, 'init', '-q');
    git(made, 'add', '.');
    git(made, 'commit', '-qm', 'all');
    const paths = (...args: string[]): string[] =>
      JSON.parse(made.run(['check', ...args, '--format', 'json']).out).files.map(
        (file: { path: string }) => file.path,
      );
    expect(paths('--since', 'HEAD')).toEqual([]);
    made.write('models/a.sh', 'MODEL_ARGS=(--num-layers 31)\n');
    expect(paths('--since', 'HEAD')).toEqual(['models/a.sh', 'uses.sh']);
    symlinkSync('models', made.path('linked'));
    expect(paths('linked', '--since', 'HEAD')).toEqual(['linked/a.sh']);
    rmSync(made.path('linked'));
    expect(paths('--staged')).toEqual([]);
    made.write('unread.sh', 'torchrun pretrain_gpt.py\u0000');
    expect(made.run(['check', '--staged'])).toMatchObject({ code: 0, err: '' });
    expect(made.run(['check', '--since', 'HEAD']).err).toContain('unread.sh is not a text file');
    rmSync(made.path('unread.sh'));
    git(made, 'add', 'models/a.sh');
    expect(paths('--staged')).toEqual(['models/a.sh', 'uses.sh']);
    expect(made.run(['check', '--since', 'nowhere'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('nowhere'),
    });
    git(made, 'commit', '-qm', 'model');
    made.write('uses.sh', `${readFileSync(made.path('uses.sh'), 'utf8')}# more\n`);
    const texts = (): string[] =>
      ['models/a.sh', 'other.sh'].map((name) => readFileSync(made.path(name), 'utf8'));
    const [used, other] = texts();
    made.run(['check', '--since', 'HEAD', '--fix-suggested', '--fail-on', 'never']);
    expect(texts()[0]).not.toBe(used);
    expect(texts()[1]).toBe(other);
  });

  it('include files in submodules that differ from the previously recorded commit', () => {
    const inner = workspace({ 'old.sh': script, 'same.sh': script });
    git(inner, 'init', '-q');
    git(inner, 'add', '.');
    git(inner, 'commit', '-qm', 'all');
    const made = workspace({ 'own.sh': script });
    spawnSync('rm', ['-rf', '.git'], { cwd: made.folder });
    git(made, 'init', '-q');
    const paths = (...args: string[]): string[] =>
      JSON.parse(made.run(['check', ...args, '--format', 'json']).out).files.map(
        (file: { path: string }) => file.path,
      );
    const within = (...args: string[]): void => git(made, '-C', 'sub module', ...args);
    git(made, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.folder, 'sub module');
    expect(paths('--staged')).toEqual(['sub module/old.sh', 'sub module/same.sh']);
    git(made, 'add', '.');
    git(made, 'commit', '-qm', 'all');
    expect(paths('--since', 'HEAD')).toEqual([]);
    made.write('sub module/old.sh', `${script}# more\n`);
    made.write('sub module/new.sh', script);
    const changed = ['sub module/new.sh', 'sub module/old.sh'];
    expect(paths('--since', 'HEAD')).toEqual(changed);
    expect(paths('--staged')).toEqual([]);
    within('add', '.');
    within('commit', '-qm', 'more');
    expect(paths('--since', 'HEAD')).toEqual(changed);
    git(made, 'add', '.');
    expect(paths('--staged')).toEqual(changed);
  });

  it('since a revision that a shallow clone lacks are not guessed, and the reason is given', () => {
    const origin = workspace({ 'run.sh': script });
    git(origin, 'init', '-q');
    git(origin, 'add', '.');
    git(origin, 'commit', '-qm', 'all');
    git(origin, 'commit', '-qm', 'none', '--allow-empty');
    const made = workspace({});
    git(made, 'clone', '-q', '--depth', '1', `file://${origin.folder}`, 'clone');
    const done = made.run(['check', '--since', 'HEAD~1'], '', {}, 'clone');
    expect(done.code).toBe(2);
    expect(done.err).toMatch(/HEAD~1.*shallow.*fetch-depth: 0/);
  });
});
