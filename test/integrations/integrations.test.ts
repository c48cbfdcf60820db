import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ignore from 'ignore';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { thorough } from '../support/thorough.ts';
import { type CommandResult, sharedCache, type Workspace, workspaces } from '../support/workspace.ts';

const workspace = workspaces();
const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const faulty =
  'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 30 --pipeline-model-parallel-size 4 --hidden-size 8 --num-attention-heads 2 --seq-length 8 --max-position-embeddings 8 --micro-batch-size 1\n';

function bash(made: Workspace, script: string, env: { readonly [name: string]: string } = {}): CommandResult {
  const done = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: made.folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', HOME: made.folder, ...sharedCache, ...env },
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

/** A folder for PATH in which `npx` starts the program that was built. */
function withNpx(made: Workspace): { PATH: string } {
  const folder = made.path('.tools');
  mkdirSync(folder, { recursive: true });
  const script = `#!/bin/sh\n[ "$1" = --yes ] && shift\n[ "$1" = oomlint ] || exit 127\nshift\nexec "${process.execPath}" "${root}/dist/cli.js" "$@"\n`;
  writeFileSync(join(folder, 'npx'), script);
  chmodSync(join(folder, 'npx'), 0o755);
  return { PATH: `${folder}:${process.env.PATH ?? ''}` };
}

const actionShape = z.looseObject({
  name: z.string(),
  inputs: z.record(z.string(), z.looseObject({ description: z.string(), default: z.string() })),
  outputs: z.record(z.string(), z.looseObject({ value: z.string() })),
  runs: z.strictObject({
    using: z.literal('composite'),
    steps: z.array(
      z.strictObject({
        name: z.string(),
        id: z.string().optional(),
        shell: z.literal('bash'),
        env: z.record(z.string(), z.string()),
        run: z.string(),
      }),
    ),
  }),
});

describe('the GitHub action', () => {
  const action = actionShape.parse(parse(read('action.yml')));

  /** Runs the steps as GitHub's runner does. */
  function runAction(made: Workspace, inputs: { readonly [name: string]: string }): CommandResult {
    const values: { [name: string]: string } = { 'github.action_path': root };
    for (const [name, { default: value }] of Object.entries(action.inputs))
      values[`inputs.${name}`] = inputs[name] ?? value;
    let last: CommandResult = { code: 0, out: '', err: '' };
    for (const step of action.runs.steps) {
      expect(step.run, 'no expression stands in a script').not.toContain('${{');
      const env: { [name: string]: string } = {
        GITHUB_ACTIONS: 'true',
        GITHUB_OUTPUT: made.path('output.txt'),
        GITHUB_STEP_SUMMARY: made.path('summary.md'),
      };
      for (const [name, value] of Object.entries(step.env))
        env[name] = value.replace(/\$\{\{ (.*?) \}\}/g, (whole, key: string) => values[key] ?? whole);
      last = bash(made, step.run, env);
      if (last.code !== 0) break;
    }
    return last;
  }

  it('annotates, writes a summary and SARIF, and passes on the exit code', () => {
    const made = workspace({ 'jobs/run.sh': faulty, 'other/run.sh': faulty });
    const done = runAction(made, { paths: 'jobs\nmissing-*.sh', sarif: 'out.sarif' });
    expect(done.code).toBe(2);
    const found = runAction(made, {
      paths: 'jobs',
      args: '--min-certainty=certain\n--statistics',
      sarif: 'out.sarif',
    });
    expect(found).toMatchObject({ code: 1, out: expect.stringMatching(/^::error file=jobs\/run\.sh,/m) });
    expect(found.out).not.toContain('other/run.sh');
    expect(readFileSync(made.path('output.txt'), 'utf8')).toBe('exit-code=2\nexit-code=1\n');
    expect(readFileSync(made.path('summary.md'), 'utf8')).toContain('layers-divide-stages');
    expect(JSON.parse(readFileSync(made.path('out.sarif'), 'utf8')).version).toBe('2.1.0');
    expect(runAction(made, { paths: 'jobs', args: '--fail-on=never' }).code).toBe(0);
    expect(runAction(made, { paths: 'jobs', args: '--fail-on never\n--statistics' }).code).toBe(0);
  });

  it('takes a line that is a path with blanks as one path, and splits other lines', () => {
    const made = workspace({
      'my jobs/run.sh': faulty,
      'a/run.sh': faulty,
      'b/run.sh': faulty,
      'c/run.sh': faulty,
    });
    const { out } = runAction(made, { paths: 'my jobs\na  b\n', args: '--min-certainty=certain' });
    expect(new Set(out.match(/(?<=file=)[^,]+/g))).toEqual(
      new Set(['my jobs/run.sh', 'a/run.sh', 'b/run.sh']),
    );
  });

  it('treats inputs as data', () => {
    const made = workspace({ 'run.sh': faulty });
    runAction(made, {
      paths: '$(touch owned) `touch owned` ; touch owned',
      args: '"; touch owned; "',
      since: '$(touch owned)',
    });
    expect(existsSync(made.path('owned'))).toBe(false);
  });

  it('refers only to outputs and inputs that exist', () => {
    expect(action.outputs['exit-code']?.value).toBe('${{ steps.check.outputs.exit-code }}');
    expect(action.runs.steps.map(({ id }) => id)).toContain('check');
  });
});

describe('the pre-commit hooks', () => {
  const hooks = z
    .array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        description: z.string(),
        entry: z.string(),
        language: z.literal('node'),
        types_or: z.array(z.enum(['shell', 'yaml'])),
        require_serial: z.boolean(),
      }),
    )
    .parse(parse(read('.pre-commit-hooks.yaml')));

  it('call a program of the package with existing options', () => {
    const manifest = z.looseObject({
      bin: z.record(z.string(), z.string()),
      scripts: z.record(z.string(), z.string()),
    });
    const { bin, scripts } = manifest.parse(JSON.parse(read('package.json')));
    // pre-commit installs the repository from Git, where npm only prepares it; earlier versions packed it.
    expect(scripts.prepack).toContain('build');
    expect(scripts.prepare).toBe('node tools/prepare.mjs');
    for (const { entry } of hooks) {
      const [program = '', ...args] = entry.split(' ');
      expect(bin[program]).toBe('dist/cli.js');
      const made = workspace({ 'run.sh': faulty, 'ok.yaml': 'a: 1\n' });
      expect(made.run([...args, 'run.sh', 'ok.yaml']).code).toBe(1);
      expect(made.run([...args, 'ok.yaml']).code).toBe(0);
    }
  });

  it('are built only when npm prepares the package for another folder', () => {
    const made = workspace({
      'tools/prepare.mjs': read('tools/prepare.mjs'),
      'tools/build.mjs': 'console.log("built");',
      'node_modules/esbuild/package.json': '{"name": "esbuild", "main": "package.json"}',
    });
    const prepare = (from: string): string => bash(made, 'node tools/prepare.mjs', { INIT_CWD: from }).out;
    expect(prepare(made.folder)).toBe('');
    expect(prepare('/')).toBe('built\n');
  });

  it('are built with packages of their own, even in a global installation', () => {
    const made = workspace({
      'tools/prepare.mjs': read('tools/prepare.mjs'),
      'tools/build.mjs': 'console.log("built");',
      'npm.mjs':
        'console.log(process.argv.slice(2, 4).join(" "), process.env.npm_config_global ?? "not global");',
    });
    const env = { INIT_CWD: '/', npm_config_global: 'true', npm_execpath: made.path('npm.mjs') };
    expect(bash(made, 'node tools/prepare.mjs', env).out).toBe('ci --include=dev not global\nbuilt\n');
  });

  it.runIf(thorough && spawnSync('pre-commit', ['--version']).status === 0)(
    'work in the real pre-commit',
    () => {
      const made = workspace({ 'run.sh': faulty });
      spawnSync('rm', ['-rf', '.git'], { cwd: made.folder });
      const setUp = 'git init -q && git add run.sh';
      expect(bash(made, setUp).code).toBe(0);
      const env = { ...process.env, PRE_COMMIT_HOME: made.path('.cache') };
      const done = spawnSync('pre-commit', ['try-repo', root, 'oomlint', '--files', 'run.sh', '--verbose'], {
        cwd: made.folder,
        encoding: 'utf8',
        env,
      });
      expect(done.stdout).toContain('layers-divide-stages');
      expect(done.status).toBe(1);
    },
    1_800_000,
  );
});

describe('the Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');

  it('copies what exists and is not ignored', () => {
    const ignored = ignore().add(read('.dockerignore'));
    for (const line of lines) {
      const [instruction, ...words] = line.split(/\s+/);
      if (instruction !== 'COPY' || words[0]?.startsWith('--from')) continue;
      for (const path of words.slice(0, -1).filter((word) => word !== '.')) {
        expect(existsSync(join(root, path)), path).toBe(true);
        expect(ignored.ignores(path)).toBe(false);
      }
    }
    const needed = ['server', 'schemas', 'tools', 'client', 'syntaxes', 'package.json', 'tsconfig.json'];
    for (const path of needed) expect(ignored.ignores(path), path).toBe(false);
  });

  it('copies only build output from its stages, and does not run as root', () => {
    const stages = lines.filter((line) => line.startsWith('FROM')).map((line) => / AS (\w+)/.exec(line)?.[1]);
    for (const [, stage, path] of read('Dockerfile').matchAll(/^COPY --from=(\w+) \/build\/(\S+)/gm)) {
      expect(stages).toContain(stage);
      expect(existsSync(join(root, path ?? ''))).toBe(true);
    }
    expect(lines.findLast((line) => line.startsWith('USER'))).toBe('USER node');
  });

  it('gives the program its package.json and dist and nothing else', () => {
    const made = workspace({ 'run.sh': faulty });
    const script = `mkdir opt && cp ${root}/package.json opt/ && cp -r ${root}/dist opt/ && ln -s ../opt/dist/cli.js opt/oomlint && node opt/oomlint check run.sh --format concise`;
    expect(bash(made, script)).toMatchObject({
      code: 1,
      out: expect.stringContaining('layers-divide-stages'),
    });
  });
});

describe('docs/ci.md', () => {
  const page = read('docs/ci.md');
  const block = (title: string): string => {
    const found = new RegExp(`\`\`\`\\w+ ${title}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1];
    if (found === undefined) throw new Error(`no block ${title}`);
    return found;
  };

  it('GitLab’s script writes the reports that its job names', () => {
    const job = z
      .strictObject({
        image: z.string(),
        script: z.array(z.string()),
        artifacts: z.strictObject({ when: z.literal('always'), reports: z.record(z.string(), z.string()) }),
      })
      .parse(parse(block('gitlab')).oomlint);
    const made = workspace({ 'run.sh': faulty });
    expect(bash(made, job.script.join('\n'), withNpx(made)).code).toBe(1);
    expect(Object.keys(job.artifacts.reports)).toEqual(['codequality', 'junit']);
    for (const path of Object.values(job.artifacts.reports))
      expect(readFileSync(made.path(path), 'utf8')).toContain('layers-divide-stages');
  });

  it('Jenkins’ step writes the report that it records', () => {
    const script = /sh '([^']*)'/.exec(block('jenkins'))?.[1] ?? '';
    const pattern = /pattern: '([^']*)'/.exec(block('jenkins'))?.[1] ?? '';
    const made = workspace({ 'run.sh': faulty });
    expect(bash(made, script, withNpx(made)).code).toBe(1);
    expect(readFileSync(made.path(pattern), 'utf8')).toContain('layers-divide-stages');
  });

  it('reviewdog gets input it can read', () => {
    const made = workspace({ 'run.sh': faulty });
    const env = withNpx(made);
    writeFileSync(made.path('.tools/reviewdog'), '#!/bin/sh\ncat > got.json\necho "$@"\n');
    chmodSync(made.path('.tools/reviewdog'), 0o755);
    const done = bash(made, block('reviewdog'), env);
    expect(done).toMatchObject({ code: 0, out: '-f=rdjson -reporter=github-pr-review\n' });
    expect(JSON.parse(readFileSync(made.path('got.json'), 'utf8')).source.name).toBe('oomlint');
  });

  it('the five-minute setup ends green', () => {
    const made = workspace({ 'run.sh': faulty });
    const first = /```bash\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    expect(first.trim().split('\n').length).toBe(5);
    expect(bash(made, first, withNpx(made))).toMatchObject({ code: 0 });
    made.write('new.sh', faulty);
    expect(made.run(['check']).code).toBe(1);
  });
});

describe('completions', () => {
  it('for bash offer commands, options and values', () => {
    const made = workspace();
    made.write('oomlint.bash', made.run(['completion', 'bash']).out);
    const complete = (...words: string[]): string => {
      const list = words.map((word) => `'${word}'`).join(' ');
      const rules = 'oomlint() { printf "error   slime/a-rule\\ninfo    b-rule\\n2 rules\\n"; }';
      const script = `${rules}; source ./oomlint.bash; COMP_WORDS=(oomlint ${list}); COMP_CWORD=${words.length}; _oomlint || true; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return bash(made, script).out.trim();
    };
    expect(complete('ch')).toBe('check');
    expect(complete('check', '--min-c')).toBe('--min-certainty');
    expect(complete('check', '--fail-on', 'w')).toBe('warning');
    expect(complete('check', '--format', 'sa')).toBe('sarif');
    expect(complete('check', '--format', '=', 'sa')).toBe('sarif');
    expect(complete('check', '--min-certainty', '=').split('\n')).toEqual(['certain', 'likely', 'possible']);
    expect(complete('check', '--output', 'sa')).toBe('sarif=');
    expect(complete('check', '--output', '=', 'j').split('\n')).toEqual(['json=', 'junit=']);
    expect(complete('check', '--output', 'sarif', '=', 'rep')).toBe('');
    expect(complete('check', '--only', 'slime/')).toBe('slime/a-rule');
    expect(complete('check', 'x')).toBe('');
    expect(complete('completion', 'z')).toBe('zsh');
    expect(complete('explain', '').split('\n')).toEqual(['slime/a-rule', 'a-rule', 'b-rule']);
    expect(complete('explain', 'slime/')).toBe('slime/a-rule');
    expect(complete('rules', '--framework', 'sk').split('\n')).toEqual(['skyrl', 'skyrl-train']);
  });

  it('for zsh also accept a value after =', () => {
    const script = workspace().run(['completion', 'zsh']).out;
    expect(script).toMatch(/'--format=\[[^\]]*\]:value:\(text /);
    expect(script).toMatch(/'--baseline=\[/);
    expect(script).toMatch(/'--output=\[[^\]]*\]:value:\{compset [^}]* text= /);
    expect(script).toMatch(/'--staged\[/);
  });

  it('for zsh work the first time their file is loaded', () => {
    if (spawnSync('zsh', ['--version']).status !== 0) return;
    const made = workspace();
    made.write('_oomlint', made.run(['completion', 'zsh']).out);
    const script =
      'fpath=(. $fpath); autoload -Uz _oomlint; _describe() { print -r -- "$1" }; words=(oomlint ch); CURRENT=2; _oomlint';
    const done = spawnSync('zsh', ['-fc', script], { cwd: made.folder, encoding: 'utf8' });
    expect(done).toMatchObject({ stdout: 'command\n', stderr: '' });
  });

  it('for zsh and fish list every command and option', () => {
    const made = workspace();
    for (const shell of ['zsh', 'fish']) {
      const script = made.run(['completion', shell]).out;
      for (const command of ['check', 'resolve', 'explain', 'rules', 'init', 'config', 'watch'])
        expect(script).toContain(command);
      expect(script).toMatch(/min-certainty/);
      if (spawnSync(shell, ['--version']).status === 0) {
        made.write(`completion.${shell}`, script);
        expect(spawnSync(shell, ['-n', made.path(`completion.${shell}`)]).status).toBe(0);
      }
    }
    expect(made.run(['completion', 'tcsh']).code).toBe(2);
  });

  it('of PowerShell name every option of a command and its values, in quotes and brackets that are closed', () => {
    const made = workspace();
    const script = made.run(['completion', 'powershell']).out;
    const flags = made.run(['check', '--help']).out.match(/--[a-z][a-z-]+(?=[ <,])/g) ?? [];
    const [options = ''] = /'check' \{ \$offered = \[ordered\]@\{.*/.exec(script) ?? [];
    for (const flag of flags) expect(options).toContain(`'${flag}' = '`);
    expect(script).toContain(`'check --min-certainty' { $offered = [ordered]@{ 'certain' = 'certain'; `);
    expect(script).toContain(`'check --output' { $offered = [ordered]@{ 'text=' = 'text='; `);
    expect(script).toContain(`'check --only' { $offered = & $rules }`);
    const code = script.replace(/'(?:[^'‘’‚‛]|'')*'/g, '');
    const open: string[] = [];
    for (const [bracket] of code.replace(/"[^"]*"/g, '').matchAll(/[()[\]{}]/g))
      if ('([{'.includes(bracket)) open.push(bracket);
      else expect(`${open.pop()}${bracket}`).toMatch(/^(?:\(\)|\[\]|\{\})$/);
    expect(open).toEqual([]);
    expect(code).not.toMatch(/['‘’‚‛]/);
  });
});

describe('help', () => {
  it('of each command says what it does, its options and the exit codes of check', () => {
    const made = workspace();
    for (const command of ['check', 'resolve', 'explain', 'rules', 'init', 'config', 'watch', 'completion']) {
      const { code, out } = made.run([command, '--help']);
      expect(code).toBe(0);
      expect(out).toMatch(/^Usage: oomlint \w+/);
      for (const line of out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
    }
    expect(made.run(['check', '--help']).out).toMatch(/Exit code: 0\s.*\s1\s.*\s2\s/s);
  });
});
