import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { workspaces } from '../support/workspace.ts';

const workspace = workspaces();
const outside = realpathSync(mkdtempSync(join(tmpdir(), 'oomlint-outside-')));
afterAll(() => rmSync(outside, { recursive: true, force: true }));
writeFileSync(join(outside, 'secret.sh'), 'LAYERS=sk-secret-31\n');
writeFileSync(join(outside, 'secret.yaml'), 'rules: {sk-secret-31: sk-secret-32}\n');

const launch = (layers: string): string =>
  `torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers ${layers} --pipeline-model-parallel-size 4\n`;

describe('files outside the workspace', () => {
  const ways = {
    'an absolute path': `source ${outside}/secret.sh`,
    'a way up': `source ../${outside.split('/').at(-1)}/secret.sh`,
    'many ways up': `source ${'../'.repeat(40)}${outside.slice(1)}/secret.sh`,
    'a link to the file': 'source ./link.sh',
    'a link to the folder': 'source ./folder/secret.sh',
    'a substitution': `LAYERS=$(cat ${outside}/secret.sh)`,
    'a redirection': `read LAYERS < ${outside}/secret.sh`,
    'a list of lines': `mapfile -t LAYERS < folder/secret.sh`,
  };
  for (const [name, line] of Object.entries(ways))
    it(`are not read through ${name}`, () => {
      const made = workspace({ 'run.sh': `cd "$(dirname "$0")"\n${line}\n${launch('$LAYERS')}` });
      symlinkSync(join(outside, 'secret.sh'), made.path('link.sh'));
      symlinkSync(outside, made.path('folder'));
      for (const args of [
        ['check', 'run.sh', '--format', 'json', '--fail-on', 'never'],
        ['resolve', 'run.sh', '--format', 'json'],
      ]) {
        const done = made.run(args);
        expect(done.code).toBe(0);
        expect(`${done.out}${done.err}`).not.toContain('sk-secret');
      }
    });

  it('are not read through extends, and the error is reported at its position', () => {
    for (const target of [
      `${outside}/secret.yaml`,
      `${'../'.repeat(40)}${outside.slice(1)}/secret.yaml`,
      'link.yaml',
    ]) {
      const made = workspace({ '.oomlint.yaml': `extends: ${target}\n`, 'run.sh': launch('32') });
      symlinkSync(join(outside, 'secret.yaml'), made.path('link.yaml'));
      const done = made.run(['check', 'run.sh']);
      expect(done.code).toBe(2);
      expect(done.err).toMatch(/\.oomlint\.yaml:1:\d+ .* does not exist in the workspace/);
      expect(done.err).not.toContain('sk-secret');
    }
  });

  it('are not read through a linked configuration', () => {
    const made = workspace({ 'run.sh': launch('32') });
    symlinkSync(join(outside, 'secret.yaml'), made.path('.oomlint.yaml'));
    const done = made.run(['config', 'run.sh']);
    expect(`${done.out}${done.err}`).not.toContain('sk-secret');
  });

  it('are not found through a link to a folder', () => {
    mkdirSync(join(outside, 'deep'), { recursive: true });
    writeFileSync(join(outside, 'deep/run.sh'), launch('30'));
    const made = workspace({ 'a.sh': launch('32') });
    symlinkSync(outside, made.path('elsewhere'));
    const { files } = JSON.parse(made.run(['check', '.', '--format', 'json', '--fail-on', 'never']).out);
    expect(files.map((file: { path: string }) => file.path)).toEqual(['a.sh']);
  });
});

/** Characters that control a terminal, except line ends. */
function controls(text: string): string[] {
  return (text.match(/\p{Cc}|\u202e/gu) ?? []).filter((control) => control !== '\n');
}

describe('escape sequences in values and names', () => {
  const nasty = '\u001b]0;owned\u0007\u001b[2J\u202e\u009b31m';
  const script = `X=$'\\033]0;owned\\007\\033[2J'\ntorchrun --nproc_per_node 8 pretrain_gpt.py --num-layers "${nasty}" --hidden-sise "$X" --${nasty}x 1 --transformer-impl "${nasty}\n::error::x"\n`;

  for (const format of [
    'text',
    'concise',
    'github',
    'junit',
    'checkstyle',
    'ndjson',
    'json',
    'sarif',
    'gitlab',
    'rdjson',
  ])
    it(`do not reach the reader of ${format}`, () => {
      const made = workspace({ [`a${nasty}.sh`]: script });
      const done = made.run(['check', '.', '--format', format, '--fail-on', 'never'], '', {
        FORCE_COLOR: '0',
      });
      expect(done.code).toBe(0);
      const readByPrograms = !['text', 'concise', 'github'].includes(format);
      expect(controls(done.out).filter((control) => !readByPrograms || control < ' ')).toEqual([]);
      expect(controls(done.err)).toEqual([]);
    });

  it('do not reach the reader of resolve, config, fixes or a faulty configuration', () => {
    const made = workspace({
      'a.sh': script,
      '.oomlint.yaml': `"${'\\e]0;x\\a'}": 1\nrules: {"\\e[2J": "off", x: "\\e[31m"}\nvariables: {"\\e[1m": "\\e[2m"}\nextends: "\\e[3m"\n`,
    });
    for (const args of [
      ['resolve', 'a.sh'],
      ['config', 'a.sh'],
      ['check', 'a.sh', '--fix-suggested'],
      ['explain', nasty],
    ]) {
      const done = made.run(args);
      expect(controls(`${done.out}${done.err}`), args[0]).toEqual([]);
    }
  });
});

describe('names built into JavaScript', () => {
  const names = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
  ];

  it('are ordinary keys in YAML', () => {
    for (const name of names) {
      const text = `experiment_name: a\ntrial_name: b\n${name}: {polluted: 1, ${name}: {polluted: 2}}\nrollout:\n  backend: sglang:d4\n  ${name}: 1\nactor:\n  backend: fsdp:d4\n  path: x\n  <<: {${name}: {polluted: 3}}\n`;
      const made = workspace({ 'a.yaml': text });
      const done = made.run(['check', 'a.yaml', '--format', 'json', '--fail-on', 'never']);
      expect(done).toMatchObject({ code: 0, err: '' });
      const findings: { rule: string; message: string }[] = JSON.parse(done.out).files[0].findings;
      expect(
        findings.filter(({ message }) => message.includes(`rollout.${name}`)).length,
        name,
      ).toBeGreaterThan(0);
    }
  });

  it('are ordinary variables, options and functions in scripts', () => {
    for (const name of names) {
      const text = `export ${name}=30\ndeclare -A M=([${name}]=30)\ntorchrun --nproc_per_node 8 pretrain_gpt.py --num-layers $${name} --num-layers \${M[${name}]} --pipeline-model-parallel-size 4 --${name} 1 --hidden-size \${${name}:-4} +${name}.${name}=1\n${name}() { :; }\n${name}\n`;
      const made = workspace({ 'a.sh': text });
      const done = made.run(['check', 'a.sh', '--format', 'json', '--fail-on', 'never']);
      expect(done, name).toMatchObject({ code: 0, err: '' });
      expect(done.out).toContain('layers-divide-stages');
      expect(made.run(['resolve', 'a.sh']).out).toMatch(/--num-layers .*\n\s+30 /);
    }
  });

  it('are ordinary project settings, or mean nothing', () => {
    for (const name of names.filter((name) => name !== '__proto__')) {
      const made = workspace({
        '.oomlint.yaml': `variables: {${name}: "30"}\nmachine: {versions: {${name}: "1"}}\nextra_options: [--${name}]\n`,
        'a.sh': `torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers $${name} --pipeline-model-parallel-size 4 --${name}\n`,
      });
      const done = made.run(['check', 'a.sh', '--format', 'json', '--fail-on', 'never']);
      expect(done, name).toMatchObject({ code: 0, err: '' });
      expect(done.out, name).toContain('layers-divide-stages');
      expect(done.out, name).not.toContain(`--${name} is not an option`);
      const wrong = workspace({
        '.oomlint.yaml': `${name}: {x: 1}\nmachine: {${name}: 1}\nrules: {${name}: "off"}\n`,
        'a.sh': launch('32'),
      });
      expect(wrong.run(['check', 'a.sh']), name).toMatchObject({
        code: 2,
        err: expect.stringContaining(`no rule is called ${name}\n`),
      });
    }
  });

  it('in a configuration change nothing else', () => {
    const made = workspace({
      '.oomlint.yaml':
        '__proto__: {fail_on: never}\nrules: {__proto__: {unknown-option: "off"}}\nvariables: {__proto__: {LAYERS: "30"}}\n',
      'a.sh': `${launch('$LAYERS').trimEnd()} --no-such-option\n`,
    });
    const done = made.run(['check', 'a.sh', '--format', 'concise']);
    expect(done.code).not.toBe(0);
    expect(done.out).toContain('[unknown-option]');
    expect(done.out).not.toContain('layers-divide-stages');
  });

  it('are neither rules nor baselines', () => {
    const made = workspace({
      'a.sh': `# oomlint-disable-file __proto__ -- x\n${launch('32')}`,
      'b.json': '{"__proto__": {"version": 1, "findings": []}}',
    });
    expect(made.run(['explain', 'constructor']).code).toBe(2);
    expect(made.run(['check', 'a.sh', '--format', 'concise', '--fail-on', 'never']).out).toContain(
      'unknown-suppression',
    );
    expect(made.run(['check', 'a.sh', '--baseline', 'b.json']).code).toBe(2);
    expect(made.run(['check', 'a.sh', '--format', 'constructor']).code).toBe(2);
    expect(made.run(['rules', '--framework', '__proto__']).code).toBe(2);
  });
});
