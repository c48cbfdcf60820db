import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unevenStages as script } from '../support/launches.ts';
import { workspaces } from '../support/workspace.ts';

const workspace = workspaces();

describe('a project configuration', () => {
  it.each([
    ['strict', 1],
    ['strict/', 1],
    ['st*', 0],
    ['*/deep', 1],
    ['strict/deep/run.sh', 1],
    ['other', 0],
    ['!other', 1],
    ['!strict', 0],
    ['!strict/deep/', 0],
  ])('overrides files below a folder that is named without a wildcard: %s', (pattern, code) => {
    const made = workspace({
      '.oomlint.yaml': `overrides:\n  - {paths: ["${pattern}"], rules: {layers-divide-stages: error}}\nrules: {layers-divide-stages: info}\n`,
      'strict/deep/run.sh': script,
    });
    expect(made.run(['check', '.', '--only', 'layers-divide-stages']).code).toBe(code);
  });

  it('is the nearest one above the file, with extends and overrides', () => {
    const made = workspace({
      '.oomlint.yaml': 'rules: {layers-divide-stages: warning}\n',
      'team/base.yaml': 'rules: {layers-divide-stages: "off"}\n',
      'team/.oomlint.yaml':
        'extends: base.yaml\noverrides:\n  - {paths: ["strict/**"], rules: {layers-divide-stages: error}}\n',
      'run.sh': script,
      'team/run.sh': script,
      'team/strict/run.sh': script,
    });
    const severity = (path: string): string | undefined =>
      JSON.parse(
        made.run(['check', path, '--format', 'json', '--fail-on', 'never']).out,
      ).files[0].findings.find(
        (finding: { rule: string }) => finding.rule === 'megatron-lm/layers-divide-stages',
      )?.severity;
    expect(severity('run.sh')).toBe('warning');
    expect(severity('team/run.sh')).toBeUndefined();
    expect(severity('team/strict/run.sh')).toBe('error');
  });

  it('is read from pyproject.toml only if it has the table', () => {
    const made = workspace({
      'pyproject.toml': '[project]\nname = "x"\n',
      'a/pyproject.toml': '[tool.oomlint.rules]\nlayers-divide-stages = "off"\n',
      'a/run.sh': script,
    });
    expect(made.run(['check', 'a/run.sh', '--format', 'concise']).out).not.toContain('layers-divide-stages');
  });

  it('reports a bad setting at its position and drops only that one', () => {
    const made = workspace({
      '.oomlint.yaml':
        'rules:\n  layers-divide-stages: loud\n  invalid-choice: off\nmachin: {}\nfail_on: never\n',
      'run.sh': script,
    });
    const done = made.run(['check', 'run.sh']);
    expect(done.code).toBe(2);
    expect(done.err).toMatch(
      /^oomlint: \.oomlint\.yaml:2:25 rules\.layers-divide-stages takes off, info, warning or error, not "loud"$/m,
    );
    expect(done.err).toMatch(
      /^oomlint: \.oomlint\.yaml:4:1 there is no setting called machin \(did you mean machine\?\)$/m,
    );
    const shown = made.run(['config', 'run.sh']);
    expect(shown).toMatchObject({ code: 2, err: expect.stringContaining('.oomlint.yaml:4:1 ') });
    expect(shown.out).toMatch(/^fail_on: never +# \.oomlint\.yaml:5$/m);
  });

  it('reports rules that do not exist, and knows its own', () => {
    const made = workspace({
      '.oomlint.yaml': `rules: {layers-devide-stages: "off", megatron-lm/unknown-option: info, no-nines: info, megatron-lm/no-nines: error}
overrides:
  - {paths: ["a/**"], rules: {slime/layers-divide-stages: info}}
unsuppressible: [layers-divide-stages, nothing]
constraints: [{id: no-nines, framework: megatron-lm, severity: error, when: seed == 9, message: "The seed must not be nine."}]
`,
      'run.sh': script,
    });
    expect(made.run(['check', 'run.sh']).err.trimEnd().split('\n')).toEqual([
      'oomlint: .oomlint.yaml:1:9 no rule is called layers-devide-stages (did you mean layers-divide-stages?)',
      expect.stringContaining('no rule is called megatron-lm/unknown-option'),
      'oomlint: .oomlint.yaml:3:31 no rule is called slime/layers-divide-stages (did you mean megatron-lm/layers-divide-stages?)',
      expect.stringContaining('.oomlint.yaml:4:40 no rule is called nothing'),
    ]);
  });

  it('sets values that scripts leave open, and can define constraints', () => {
    const made = workspace({
      '.oomlint.yaml': `variables: {LAYERS: 30, "1": "4"}
constraints:
  - id: stages-at-most-two
    framework: megatron-lm
    severity: error
    when: pipeline_model_parallel_size > 2
    message: "Our cluster takes two stages, not {pipeline_model_parallel_size}."
    fixes: [{title: Use two stages, set: {pipeline_model_parallel_size: 2}}]
unsuppressible: [stages-at-most-two]
`,
      'run.sh': `# oomlint-disable-file stages-at-most-two, layers-divide-stages -- please\n${script.replace('--num-layers 30', '--num-layers $LAYERS').replace('size 4', 'size $1')}`,
    });
    const findings = JSON.parse(made.run(['check', 'run.sh', '--format', 'json']).out).files[0].findings;
    expect(findings.map((finding: { message: string }) => finding.message)).toContain(
      'Our cluster takes two stages, not 4.',
    );
    const rules = findings.map((finding: { rule: string }) => finding.rule);
    expect(rules).not.toContain('megatron-lm/layers-divide-stages');
    expect(rules).toContain('forbidden-suppression');
    made.run(['check', 'run.sh', '--fix']);
    expect(readFileSync(made.path('run.sh'), 'utf8')).toMatch(
      /^# oomlint-disable-file layers-divide-stages -- please\n/,
    );
  });

  it('says which framework belongs to a constraint that names another one’s option', () => {
    const made = workspace({
      '.oomlint.yaml': `constraints: [{id: one-rank, framework: slime, severity: error, when: tensor_model_parallel_size > 1, message: "One rank is enough."}]
`,
      'run.sh': script,
    });
    expect(made.run(['check', 'run.sh']).err).toContain(
      'no option or derived value is called tensor_model_parallel_size (character 1 of "tensor_model_parallel_size > 1"); a constraint about it has framework: megatron-lm, and holds for slime too',
    );
  });

  it('lets its own constraint name the list element it is about', () => {
    const made = workspace({
      '.oomlint.yaml': `constraints: [{id: no-mlp, framework: megatron-lm, severity: warning, when: 'any_of(recompute_modules, "module", module != "core_attn")', message: "{module} is not recomputed here.", at: [recompute_modules], fixes: [{title: "Leave {module} out", set: {module: core_attn}}]}]
`,
      'run.sh': `${script.trimEnd()} --recompute-granularity selective --recompute-modules core_attn mlp\n`,
    });
    const { out } = made.run(['check', 'run.sh']);
    expect(out).toMatch(/^warning megatron-lm\/no-mlp\n {2}mlp is not recomputed here\./m);
    expect(out).not.toContain('Leave mlp out');
  });

  it('applies its own constraints whatever the upstream version', () => {
    const made = workspace({
      '.oomlint.yaml': `constraints: [{id: no-nines, framework: megatron-lm, severity: error, when: seed == 9, message: "The seed must not be nine."}]
`,
      'run.sh': script.replace('--num-layers 30', '--num-layers 32 --seed 9 --my-flag 1'),
    });
    const { out, code, err } = made.run(['check', 'run.sh', '--format', 'concise']);
    expect(err).toBe('');
    expect(out).toMatch(/warning: --my-flag is not an option/);
    expect(out).toMatch(/error: The seed must not be nine\./);
    expect(made.run(['explain', 'no-nines']).out).toMatch(
      /The seed must not be nine\.[\s\S]*configuration of this project/,
    );
    expect(made.run(['rules', '--framework', 'megatron-lm']).out).toContain('megatron-lm/no-nines');
    expect(code).toBe(1);
  });

  it('links to no page for a rule of its own, in any format', () => {
    const made = workspace({
      '.oomlint.yaml': `constraints: [{id: no-nines, framework: megatron-lm, severity: error, when: seed == 9, message: "The seed must not be nine.", why: "Nine is the other team's."}]
`,
      'run.sh': script.replace('--num-layers 30', '--num-layers 32 --seed 9'),
    });
    for (const format of ['json', 'ndjson', 'sarif', 'rdjson', 'gitlab', 'github', 'junit', 'checkstyle']) {
      const { out } = made.run(['check', 'run.sh', '--format', format]);
      expect(out, format).toContain('no-nines');
      expect(out, format).not.toMatch(/https?:\/\/\S*no-nines/);
    }
    const [{ tool }] = JSON.parse(made.run(['check', 'run.sh', '--format', 'sarif']).out).runs;
    expect(tool.driver.rules.find(({ id }: { id: string }) => id === 'megatron-lm/no-nines')).toMatchObject({
      fullDescription: { text: "Nine is the other team's." },
      help: { text: "Nine is the other team's." },
    });
    const listed = JSON.parse(made.run(['rules', '--format', 'json']).out).rules;
    expect(listed.find(({ id }: { id: string }) => id === 'megatron-lm/no-nines').url).toBeNull();
  });

  it('is shown with the line each part came from', () => {
    const made = workspace({
      '.oomlint.yaml':
        'machine: {gpus_per_node: 8, gpu_memory_gib: 80}\nvariables:\n  "1": /data\nrules: {unknown-option: "off"}\n',
      'team/.oomlint.yaml':
        'extends: ../.oomlint.yaml\nexclude: [old/]\noverrides:\n  - paths: ["old/**"]\n    machine: {gpus_per_node: 4}\n',
    });
    expect(made.run(['config', 'team/old/run.sh'])).toEqual({
      code: 0,
      err: '',
      out: `# team/old/run.sh: team/.oomlint.yaml; not linted (exclude at team/.oomlint.yaml:2)
machine:
  gpu_memory_gib: 80     # .oomlint.yaml:1
  gpus_per_node: 4       # team/.oomlint.yaml:5
variables:
  "1": "/data"           # .oomlint.yaml:3
rules:
  unknown-option: "off"  # .oomlint.yaml:4
fail_on: error           # default
min_certainty: possible  # default
`,
    });
    const { settings, from } = JSON.parse(made.run(['config', 'team/run.sh', '--format', 'json']).out);
    expect(settings.machine).toEqual({ gpu_memory_gib: 80, gpus_per_node: 8 });
    expect(from).toContainEqual({ key: 'machine.gpus_per_node', file: '.oomlint.yaml', line: 1 });
  });

  it('says why a run over the folder passes a file over', () => {
    const made = workspace({
      '.gitignore': 'made.sh\n',
      '.oomlint.yaml': 'exclude: [old.sh]\n',
      'made.sh': script,
      'old.sh': script,
      'run.sh': script,
      'NOTES.md': '# Notes\n',
    });
    const why = (file: string): unknown =>
      JSON.parse(made.run(['config', file, '--format', 'json']).out).unread;
    expect(['run.sh', 'old.sh', 'made.sh', 'NOTES.md', 'gone.sh'].map(why)).toEqual([
      null,
      'excluded',
      'ignored-by-git',
      'no-script',
      'absent',
    ]);
    expect(made.run(['config', 'made.sh']).out).toMatch(
      /^# made\.sh: \.oomlint\.yaml; linted only if you name it, because Git ignores it$/m,
    );
  });

  it('applies to files outside the current folder and without a repository', () => {
    const made = workspace({
      'project/.oomlint.yaml': 'rules: {layers-divide-stages: warning}\nvariables: {PP: 4}\n',
      'project/jobs/run.sh': script.replace('size 4', 'size $PP'),
      'elsewhere/.keep': '',
    });
    rmSync(made.path('.git'), { recursive: true });
    const path = made.path('project/jobs/run.sh');
    for (const folder of ['elsewhere', 'project/jobs', 'project', '.']) {
      const here = made.inside(folder);
      expect(here.run(['config', path]).out, folder).toContain('layers-divide-stages: warning');
      for (const named of [path, made.path('project/jobs'), made.path('project')])
        expect(here.run(['check', named, '--format', 'concise']).out, `${named} from ${folder}`).toMatch(
          /: warning: .*\[megatron-lm\/layers-divide-stages\]/,
        );
      expect(here.run(['resolve', path]).out, folder).toMatch(/^ {4}4 /m);
    }
    const patch = made.inside('project/jobs').run(['check', 'run.sh', '--diff', '--fix-suggested']).out;
    expect(patch).toMatch(/^--- a\/run\.sh$/m);
  });

  it('says that a named file is excluded', () => {
    const made = workspace({ '.oomlint.yaml': 'exclude: [old/]\n', 'old/run.sh': script, 'run.sh': script });
    expect(made.run(['check', 'old/run.sh'])).toMatchObject({
      err: expect.stringContaining('old/run.sh is excluded by the configuration'),
      out: 'There are no files to check.\n',
    });
    expect(made.run(['check', '.']).err).toBe('');
  });

  it('says nothing about files that it excludes', () => {
    const made = workspace({
      '.oomlint.yaml': 'exclude: [data/]\n',
      'run.sh': script,
      'data/huge.yaml': 'a: b\n'.repeat(1_000_000),
      'data/binary.sh': new Uint8Array([1, 0]),
      'latin.sh': new Uint8Array([...Buffer.from('#'), 0xff, ...Buffer.from('\ntorchrun pretrain_gpt.py\n')]),
    });
    expect(made.run(['check', '.', '--fail-on', 'never'])).toMatchObject({
      code: 2,
      err: 'oomlint: latin.sh is not valid UTF-8 (line 1, byte 2)\n',
    });
  });

  it('is written by init, changes nothing as generated, and is never overwritten', () => {
    const made = workspace({ 'run.sh': script });
    const before = made.run(['check', 'run.sh']).out;
    expect(made.run(['init']).code).toBe(0);
    expect(made.run(['check', 'run.sh'])).toMatchObject({ out: before, err: '' });
    expect(made.run(['init']).code).toBe(2);
  });

  it.each([
    ['.oomlint.yml', 'rules: {}\n'],
    ['pyproject.toml', '[tool.oomlint]\nmachine = { nodes = 2 }\n'],
  ])('is not written if %s already has one, which it would override', (name, text) => {
    const made = workspace({ [name]: text });
    expect(made.run(['init'])).toMatchObject({
      code: 2,
      err: `oomlint: ${name} already exists and was not changed\n`,
    });
    expect(existsSync(join(made.folder, '.oomlint.yaml'))).toBe(false);
    expect(workspace({ 'pyproject.toml': '[project]\nname = "x"\n' }).run(['init']).code).toBe(0);
  });
});
