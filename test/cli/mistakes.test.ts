import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, workspaces } from '../support/workspace.ts';

const workspace = workspaces();
const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py';

describe('mistakes of users', () => {
  it('a missing file is reported with exit code 2', () => {
    const done = workspace().run(['check', 'absent.sh']);
    expect(done).toMatchObject({ code: 2, err: 'oomlint: absent.sh does not exist\n' });
  });

  it('a file whose type is clear from neither name nor first line is reported as skipped if nothing else is checked', () => {
    const files = { launch: `${launch} --bf16\n`, 'run.sh': `${launch} --bf16\n` };
    const made = workspace(files);
    expect(made.run(['check', 'launch'])).toMatchObject({
      code: 0,
      err: 'launch was skipped: neither its name nor a first line with #! makes it a shell script or YAML. To lint it as a script: oomlint check - < launch\n',
    });
    expect(made.run(['check', 'launch', 'run.sh']).err).toBe('');
    expect(made.run(['check', '-'], files.launch).err).toBe('');
  });

  it('-v prints the version, as in many other programs', () => {
    const made = workspace();
    expect(made.run(['-v'])).toEqual(made.run(['--version']));
    expect(made.run(['check', '-v']).code).toBe(2);
  });

  it('a path without a command is answered with the command that lints it', () => {
    const made = workspace({ 'scripts/run.sh': `${launch} --bf16\n` });
    expect(made.run(['scripts'])).toMatchObject({
      code: 2,
      err: "oomlint: unknown command 'scripts'\n(to lint it: oomlint check scripts)\n",
    });
    expect(made.run(['chek']).err).toContain('Did you mean check?');
    writeFileSync(join(made.folder, '-run.sh'), `${launch} --bf16\n`);
    expect(made.run(['check', '-run.sh'])).toMatchObject({
      code: 2,
      err: "oomlint: unknown option '-run.sh'\n(to lint it: oomlint check ./-run.sh)\n",
    });
    expect(made.run(['chek', '--help'])).toEqual({
      code: 2,
      out: '',
      err: "oomlint: unknown command 'chek'\n(oomlint --help lists the commands)\n",
    });
  });

  it.each([
    ['--rule', '--only'],
    ['--quiet', '--min-severity error'],
    ['--output-format=json', '--format'],
    ['-q', '--min-severity error'],
  ])('an option of another linter is answered with its name here: %s', (option, own) => {
    const [name] = option.split('=');
    const err = `oomlint: unknown option '${option}'\n(here it is ${own})\n`;
    expect(workspace().run(['check', option])).toMatchObject({ code: 2, err });
    expect(workspace().run(['rules', `${name}`]).err).not.toContain('here it is');
    expect(workspace().run(['check', '--help']).out).toContain(`${own.split(' ')[0]} `);
  });

  it.each([
    [['check', '--formt', 'json'], "unknown option '--formt'\n(Did you mean --format?)", 'check'],
    [['rules', '--format', 'jsn'], '--format cannot be jsn; choose from text, json', 'rules'],
    [['completion', 'tcsh'], 'shell cannot be tcsh; choose from bash, zsh, fish, powershell', 'completion'],
    [['check', '--staged', '--since', 'HEAD'], '--staged and --since cannot be combined', 'check'],
    [
      ['check', '--list-files', '--output', 'json=a'],
      '--list-files and --output cannot be combined',
      'check',
    ],
    [['check', '--list-files', '--format', 'json'], '--list-files and --format cannot be combined', 'check'],
    [['explain'], "missing required argument 'rule'", 'explain'],
    [
      ['help', 'lint'],
      'command cannot be lint; choose from check, watch, resolve, explain, rules, init, config, lsp, completion',
      'help',
    ],
  ])('a wrong option or argument is reported with its command’s help: %j', (words, said, command) => {
    const err = `oomlint: ${said}\n(oomlint ${command} --help lists its options)\n`;
    expect(workspace().run(words)).toMatchObject({ code: 2, err });
  });

  it.each([
    [['check', ''], 'a path is empty'],
    [['check', '--since', '--output=x'], '--since needs a Git revision, not --output=x'],
    [['check', '--since', ''], '--since needs a Git revision, not an empty string'],
    [
      ['check', '--stdin-filename', 'a.sh'],
      '--stdin-filename is for standard input; to lint that, use - as the path',
    ],
    [
      ['check', '--min-severity', 'error', '--max-warnings', '0'],
      '--max-warnings and --min-severity error cannot be combined: findings that are left out never fail',
    ],
    [
      ['check', '--min-severity', 'warning', '--fail-on', 'info'],
      '--fail-on info and --min-severity warning cannot be combined: findings that are left out never fail',
    ],
    [
      ['check', '--list-files', '-'],
      '--list-files cannot be combined with standard input (-), which is no file',
    ],
    [['check', '-', '--stdin-filename', ''], '--stdin-filename needs a name, not an empty string'],
    [['check', '--output', 'json=./run.sh'], '--output: ./run.sh is one of the files to lint'],
    [['check', '--output', 'json=a', '--output', 'sarif=./a'], '--output: ./a is used for two reports'],
  ])('arguments with another meaning are reported: %j', (words, said) => {
    const made = workspace({ 'run.sh': `${launch} --bf16\n` });
    expect(made.run(words)).toMatchObject({ code: 2, err: `oomlint: ${said}\n` });
  });

  it('a pattern that excludes files is answered with the setting that does so', () => {
    expect(workspace({ 'run.sh': launch }).run(['check', '*.sh', '!run.sh']).err).toContain(
      'oomlint: !run.sh matches no file; `exclude` in .oomlint.yaml leaves files out\n',
    );
  });

  it('watching a missing path ends with an error', () => {
    expect(workspace().run(['watch', 'absent'])).toMatchObject({
      code: 2,
      err: 'oomlint: absent does not exist\n',
    });
  });

  it('a report cannot be written into a folder that does not exist', () => {
    const made = workspace({ 'a.sh': 'echo\n' });
    expect(made.run(['check', '--output', 'sarif=no/a.sarif'])).toMatchObject({
      code: 2,
      err: 'oomlint: no/a.sarif cannot be written: there is no folder no\n',
    });
  });

  it.each([
    ['{', "is not JSON: Expected property name or '}' in JSON at position 1"],
    ['[]', 'is not a baseline: the whole takes a map, not an empty list'],
    ['{"findings": []}', 'is not a baseline: version is missing'],
    ['{"version": 1, "findings": [{"rule": 3}]}', 'is not a baseline: findings.0.rule takes a text, not 3'],
  ])('an invalid baseline file is reported: %s', (text, said) => {
    const made = workspace({ 'a.sh': 'echo\n', 'b.json': text });
    const { code, err } = made.run(['check', '--baseline', 'b.json']);
    expect(err).toContain(`oomlint: the baseline b.json ${said}`);
    expect(code).toBe(2);
  });

  it('a configuration key that is set twice is reported', () => {
    const made = workspace({
      'a.sh': 'echo\n',
      '.oomlint.yaml': 'machine: {nodes: 1}\nmachine: {nodes: 2}\n',
    });
    expect(made.run(['check'])).toMatchObject({
      code: 2,
      err: 'oomlint: .oomlint.yaml:2:1 machine is set twice; this one, the last, applies\n',
    });
  });

  it('a configuration that is not YAML is reported only once', () => {
    const made = workspace({ 'a.sh': 'echo\n', '.oomlint.yaml': 'machine:\n\tnodes: 1\n' });
    expect(made.run(['check'])).toMatchObject({
      code: 2,
      err: 'oomlint: .oomlint.yaml:2:1 YAML cannot be indented with tabs; use spaces.\n',
    });
  });

  it('a configuration, or one that it extends, that cannot be read is not reported as missing', () => {
    const made = workspace({ 'a.sh': 'echo\n', '.oomlint.yaml': 'extends: base\n' });
    made.write('base', Uint8Array.of(0xff, 0xfe, 0));
    const why = 'cannot be read: it is not UTF-8 text, is too large, or may not be read\n';
    expect(made.run(['check', 'a.sh'])).toMatchObject({
      code: 2,
      err: `oomlint: .oomlint.yaml:1:10 extends: base ${why}`,
    });
    made.write('.oomlint.yaml', Uint8Array.of(0xff, 0xfe, 0));
    expect(made.run(['check', 'a.sh'])).toMatchObject({
      code: 2,
      err: `oomlint: .oomlint.yaml:1:1 this file ${why}`,
    });
  });

  it('--config is reported as unknown, not as the opposite of --no-config', () => {
    expect(workspace().run(['check', '--config', 'x.yaml'])).toMatchObject({
      code: 2,
      err: "oomlint: unknown option '--config'\n(the nearest .oomlint.yaml above a file holds for it)\n",
    });
  });

  it('a closed stderr pipe does not change the exit code', () => {
    const script = `{ sleep 0.2; '${process.execPath}' '${cli}' "$@"; } 2>&1 >/dev/null | true; echo "\${PIPESTATUS[0]}"`;
    const codeOf = (...words: string[]): string =>
      spawnSync('bash', ['-c', script, 'bash', ...words], { cwd: workspace().folder, encoding: 'utf8' })
        .stdout;
    expect(codeOf()).toBe('2\n');
    expect(codeOf('chekc')).toBe('2\n');
    expect(codeOf('check', '.')).toBe('0\n');
  });

  it('--color and --no-color decide whether the report is coloured', () => {
    const made = workspace({ 'a.sh': `${launch} --bf16\n` });
    expect(made.run(['check', '--color']).out).toContain('\u001b[');
    expect(made.run(['check', '--color', '--no-color']).out).not.toContain('\u001b[');
    expect(made.run(['explain', 'unknown-option', '--color']).out).toContain('\u001b[');
  });

  it('a deleted current folder is reported', () => {
    const made = workspace({ 'gone/a.sh': 'echo\n' });
    const script = `cd gone && rm -r ../gone && exec "${process.execPath}" "$0" check`;
    const done = spawnSync('sh', ['-c', script, join(import.meta.dirname, '../../dist/cli.js')], {
      cwd: made.folder,
      encoding: 'utf8',
    });
    expect(done).toMatchObject({
      status: 2,
      stderr: 'oomlint: the current folder no longer exists\n',
    });
  });

  it('a pattern without a match is reported', () => {
    const done = workspace().run(['check', 'configs/*.yaml']);
    expect(done).toMatchObject({ code: 2, err: 'oomlint: configs/*.yaml matches no file\n' });
  });

  it('a binary file is not text', () => {
    const done = workspace({ 'model.sh': new Uint8Array([0x23, 0x21, 0, 1, 2]) }).run(['check', 'model.sh']);
    expect(done.code).toBe(2);
    expect(done.err).toBe('oomlint: model.sh is not a text file (a zero byte at offset 2)\n');
  });

  it('UTF-16, as Windows editors and shells write it, is reported as such', () => {
    const bytes = new Uint8Array(Buffer.from('\uFEFF#!/bin/bash\n', 'utf16le'));
    const done = workspace({ 'wide.sh': bytes }).run(['check', 'wide.sh']);
    expect(done).toMatchObject({ code: 2, err: 'oomlint: wide.sh is in UTF-16 LE; only UTF-8 is read\n' });
  });

  it('invalid UTF-8 is reported with its line and byte', () => {
    const bytes = new Uint8Array([...Buffer.from('echo a\necho '), 0xff, 0x0a]);
    const done = workspace({ 'latin.sh': bytes }).run(['check', 'latin.sh']);
    expect(done).toMatchObject({ code: 2, err: 'oomlint: latin.sh is not valid UTF-8 (line 2, byte 6)\n' });
  });

  it('what cannot be read in a folder is told of only where it may be ours, and what is named always', () => {
    const made = workspace({
      'run.sh': `${launch} --bf16\n`,
      'setup.sh': new Uint8Array([...Buffer.from('echo caf'), 0xe9, 0x0a]),
      'data/table.yaml': new Uint8Array([...Buffer.from('a: b'), 0, 0x0a]),
      'data/wide.yaml': new Uint8Array(Buffer.from('\uFEFFa: b\n', 'utf16le')),
      'data/huge.yaml': '- {a: b}\n'.repeat(600_000),
    });
    expect(made.run(['check', '.', '--fail-on', 'never'])).toMatchObject({ code: 0, err: '' });
    expect(made.run(['check', 'setup.sh']).code).toBe(2);
    made.write('wide.sh', new Uint8Array(Buffer.from(`\uFEFF${launch}\n`, 'utf16le')));
    expect(made.run(['check', '.', '--fail-on', 'never'])).toMatchObject({
      code: 2,
      err: 'oomlint: wide.sh is in UTF-16 LE; only UTF-8 is read\n',
    });
  });

  it('a file of 50 MB is not read', () => {
    const done = workspace({ 'huge.yaml': 'a: b\n'.repeat(10 * 1024 * 1024) }).run(['check', 'huge.yaml']);
    expect(done.code).toBe(2);
    expect(done.err).toBe('oomlint: huge.yaml is too large (50 MiB; at most 4 MiB are read)\n');
  });

  it('reading an endless device or input is given up', () => {
    const made = workspace({});
    symlinkSync('/dev/zero', made.path('zeros.sh'));
    const limit = 'is too large (at most 4 MiB are read)\n';
    expect(made.run(['check', 'zeros.sh'])).toMatchObject({ code: 2, err: `oomlint: zeros.sh ${limit}` });
    expect(made.run(['check', '-'], 'echo\n'.repeat(2_000_000))).toMatchObject({
      code: 2,
      err: `oomlint: standard input ${limit}`,
    });
  });

  it('a file or folder whose name is not valid UTF-8 is reported', () => {
    const made = workspace({});
    const named = (end: string): Buffer =>
      Buffer.concat([Buffer.from(`${made.folder}/`), Buffer.from([0xff]), Buffer.from(end)]);
    writeFileSync(named('.sh'), launch);
    mkdirSync(named('.d'));
    const { code, err } = made.run(['check', '.']);
    expect({ code, err }).toEqual({
      code: 2,
      err: 'oomlint: \uFFFD.d does not exist (is its name UTF-8?)\noomlint: \uFFFD.sh does not exist (is its name UTF-8?)\n',
    });
  });

  it('a YAML syntax error in a configuration is reported at its position', () => {
    const yaml =
      'experiment_name: a\ntrial_name: b\nactor:\n  backend: fsdp:d4\n  path: [x\nrollout:\n  backend: sglang:d4\n';
    const done = workspace({ 'grpo.yaml': yaml }).run(['check', 'grpo.yaml', '--format', 'concise']);
    expect(done.code).toBe(1);
    expect(done.out).toMatch(/^grpo\.yaml:[56]:\d+: error: .*\[yaml-syntax\]$/m);
  });

  it('Git conflict markers are reported as such', () => {
    const yaml = `experiment_name: a\ntrial_name: b\n<<<<<<< HEAD\nactor:\n  backend: fsdp:d4\n=======\nactor:\n  backend: fsdp:d8\n>>>>>>> other\nrollout:\n  backend: sglang:d4\n`;
    const done = workspace({ 'grpo.yaml': yaml }).run(['check', 'grpo.yaml', '--format', 'concise']);
    expect(done.out).toMatch(/^grpo\.yaml:3:\d+: error: .*conflict/im);
  });

  it('a source loop terminates', () => {
    const files = { 'a.sh': `source ./b.sh\n${launch} --bf16\n`, 'b.sh': 'source ./a.sh\nTP=2\n' };
    const done = workspace(files).run(['check', 'a.sh']);
    expect(done.code).not.toBe(2);
    expect(done.err).toBe('');
  });

  it('a dangling link is distinguished from a missing file', () => {
    const made = workspace();
    symlinkSync('gone.sh', made.path('link.sh'));
    const err = 'oomlint: link.sh is a link to gone.sh, which does not exist\n';
    expect(made.run(['check', 'link.sh'])).toMatchObject({ code: 2, err });
  });

  it('a loop of links is reported, and a folder that contains itself is walked once', () => {
    const made = workspace({ 'run.sh': `${launch} --bf16\n` });
    symlinkSync('loop.sh', made.path('loop.sh'));
    symlinkSync('.', made.path('again'));
    expect(made.run(['check', 'loop.sh'])).toMatchObject({
      code: 2,
      err: 'oomlint: loop.sh is a loop of symbolic links\n',
    });
    expect(made.run(['check', '.', '--fail-on', 'never']).out).toContain('Looked at 1 file');
  });

  it.skipIf(process.getuid?.() === 0)('an unreadable folder is reported, the rest is linted', () => {
    const made = workspace({ 'run.sh': `${launch} --bf16\n` });
    mkdirSync(made.path('secret'));
    chmodSync(made.path('secret'), 0);
    const done = made.run(['check', '.', '--fail-on', 'never']);
    chmodSync(made.path('secret'), 0o700);
    expect(done).toMatchObject({ code: 2, err: 'oomlint: secret cannot be read: permission denied\n' });
    expect(done.out).toContain('Looked at 1 file');
  });

  it('an unknown command, option or format is answered with the available ones', () => {
    const made = workspace();
    expect(made.run(['chek']).code).toBe(2);
    expect(made.run(['check', '--formt', 'json'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--format'),
    });
    expect(made.run(['check', '--format', 'xml'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('sarif'),
    });
    expect(made.run(['explain', 'unknown-optoin'])).toMatchObject({
      code: 2,
      err: 'oomlint: no rule is called unknown-optoin. Did you mean unknown-option?\n(oomlint rules lists them)\n',
    });
  });

  it('a faulty profile is reported with its position', () => {
    const made = workspace({ 'machine.yaml': 'gpus_per_node: many\n', 'broken.yaml': 'a: [1\n' });
    expect(made.run(['check', '--profile', 'machine.yaml']).err).toContain('machine.yaml:1:16 gpus_per_node');
    expect(made.run(['check', '--profile', 'broken.yaml'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('broken.yaml:'),
    });
    expect(made.run(['check', '--profile', 'absent.yaml'])).toMatchObject({
      code: 2,
      err: 'oomlint: absent.yaml does not exist\n',
    });
  });

  it.runIf(existsSync('/dev/full'))('output to a full disk is a failure', () => {
    const made = workspace({ 'run.sh': `${launch} --bf16\n` });
    const script = `"${process.execPath}" "$0" check "$1" > /dev/full`;
    const done = spawnSync('sh', ['-c', script, cli, join(made.folder, 'run.sh')], { encoding: 'utf8' });
    expect(done.stderr).toBe('oomlint: standard output cannot be written: the disk is full\n');
    expect(done.status).toBe(2);
  });

  it('files without our frameworks get no findings', () => {
    const made = workspace({
      'build.sh': 'set -e\nif [ "$1" = x ; then\n  echo "broken $(\n',
      'ci.yaml': 'jobs: {build: {steps: [{run: "make"}]}}\n',
    });
    const done = made.run(['check', '.']);
    expect(done.code).toBe(0);
    expect(done.out).toContain('no launch or configuration of a known framework');
  });
});
