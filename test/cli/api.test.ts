import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type * as contract from '../../server/api.d.ts';
import { workspaces } from '../support/workspace.ts';

const workspace = workspaces();
const root = resolve(import.meta.dirname, '../..');
const script =
  'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 30 --pipeline-model-parallel-size $PP\n';

async function library(): Promise<typeof contract> {
  return await import(pathToFileURL(join(root, 'dist/api.mjs')).href);
}

describe('the library', () => {
  it('lints the same files as the command line, with the same result', async () => {
    const { lint } = await library();
    const made = workspace({ 'run.sh': script, '.oomlint.yaml': 'variables: {PP: 4}\n' });
    const { problems, ...report } = await lint(['.'], { cwd: made.folder });
    expect(problems).toEqual([]);
    const printed = made.run(['check', '.', '--format', 'json', '--fail-on', 'never']).out;
    expect(JSON.parse(JSON.stringify(report))).toEqual(JSON.parse(printed));
    expect(report.files.at(-1)?.findings.map(({ rule }) => rule)).toContain(
      'megatron-lm/layers-divide-stages',
    );
    const without = await lint(['.'], { cwd: made.folder, useConfig: false });
    expect(without.files.at(-1)?.findings.map(({ rule }) => rule)).not.toContain(
      'megatron-lm/layers-divide-stages',
    );
  });

  it('lints texts that are not on disk, and reports what cannot be read', async () => {
    const { lint } = await library();
    const made = workspace({ '.oomlint.yaml': 'variables: {PP: 4}\nrules: 1\n' });
    const report = await lint(['absent.sh', { path: 'new/run.sh', text: script }], { cwd: made.folder });
    expect(report.problems).toEqual([
      'absent.sh does not exist',
      expect.stringContaining('.oomlint.yaml:2:'),
    ]);
    expect(report.files.map(({ path }) => path)).toEqual(['new/run.sh']);
    expect(report.files[0]?.findings[0]?.path).toBe('new/run.sh');
  });

  it('says what it takes where JavaScript gives it something else', async () => {
    const { lint } = await library();
    await expect(Reflect.apply(lint, undefined, ['run.sh'])).rejects.toThrow(
      'lint takes a list of paths and texts, as in lint([path])',
    );
  });

  it('finds the configuration that a script names among texts that are not on disk', async () => {
    const { lint } = await library();
    const texts = [
      { path: 'run.sh', text: 'python3 train.py --config grpo.yaml gconfig.lora_name=x\n' },
      { path: 'train.py', text: 'config, _ = load_expr_config(args, GRPOConfig)\nPPOTrainer(config)\n' },
      { path: 'grpo.yaml', text: 'rollout:\n  backend: sglang:d4\nactor:\n  backend: fsdp:d4\n' },
    ];
    const report = await lint(texts, { cwd: workspace({}).folder });
    const reported = report.files.flatMap(({ findings }) => findings.map(({ rule }) => rule));
    expect(reported).toContain('override-needs-plus');
    expect(reported).not.toContain('missing-config');
  });

  it('reads its knowledge of a framework once, however often it is asked', async () => {
    const count = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const read = fs.readFileSync;
      let reads = 0;
      fs.readFileSync = (path, ...rest) => {
        if (String(path).includes('knowledge')) reads++;
        return read(path, ...rest);
      };
      syncBuiltinESMExports();
      const { lint } = await import(process.argv[1]);
      const counts = [];
      for (let call = 0; call < 3; call++) {
        const { summary } = await lint([{ path: 'run.sh', text: process.argv[2] }]);
        counts.push([summary.errors, reads]);
      }
      console.log(JSON.stringify(counts));`;
    const asked = spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        count,
        pathToFileURL(join(root, 'dist/api.mjs')).href,
        script.replace('$PP', '4'),
      ],
      { encoding: 'utf8' },
    );
    const counts: readonly (readonly [number, number])[] = JSON.parse(asked.stdout);
    const [first] = counts;
    expect(first?.[0]).toBeGreaterThan(0);
    expect(first?.[1]).toBeGreaterThan(0);
    expect(counts).toEqual([first, first, first]);
  });

  it('resolves with the project’s values, and explains rules', async () => {
    const api = await library();
    const made = workspace({ 'run.sh': script, '.oomlint.yaml': 'variables: {PP: 4}\n' });
    const { launches } = await api.resolve('run.sh', { cwd: made.folder });
    expect(launches[0]?.argv.at(-1)).toBe('4');
    expect(JSON.parse(made.run(['resolve', 'run.sh', '--format', 'json']).out).launches[0].argv.at(-1)).toBe(
      '4',
    );
    await expect(api.resolve('absent.sh', { cwd: made.folder })).rejects.toThrow('absent.sh does not exist');
    expect(api.explain('layers-divide-stages').map(({ id }) => id)).toContain(
      'megatron-lm/layers-divide-stages',
    );
    expect(api.explain('nothing')).toEqual([]);
    expect(api.version).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
  });
});

interface Packed {
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

function packed(): Packed {
  const done = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
  });
  const parsed: Packed[] | { [name: string]: Packed } = JSON.parse(done.stdout);
  const [first] = Object.values(parsed);
  if (first === undefined) throw new Error(done.stderr);
  return first;
}

describe('the npm package', () => {
  it('contains what is needed, in less than 1.5 MB', () => {
    const { size, files } = packed();
    expect(size).toBeLessThan(1_500_000);
    const paths = files.map(({ path }) => path);
    for (const needed of [
      'package.json',
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'dist/cli.js',
      'dist/thread.js',
      'dist/package.json',
      'dist/api.mjs',
      'dist/program.cjs',
      'dist/api.d.mts',
      'dist/config.schema.json',
      'dist/build-id',
      'dist/THIRD-PARTY-NOTICES.txt',
      'dist/knowledge/slime.json',
      'dist/knowledge/common.json',
    ])
      expect(paths).toContain(needed);
    const allowed =
      /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|docs\/json\.md|dist\/(?:cli\.js|thread\.js|api\.d\.mts|api\.mjs|program\.cjs|package\.json)|dist\/config\.schema\.json|dist\/build-id|dist\/THIRD-PARTY-NOTICES\.txt|dist\/knowledge\/[\w-]+\.json)$/;
    expect(paths.filter((path) => !allowed.test(path))).toEqual([]);
  });

  it('has no dependencies, and includes the licences of what it bundles', () => {
    const manifest: { [field: string]: unknown } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    );
    for (const field of ['dependencies', 'optionalDependencies', 'peerDependencies'])
      expect(manifest[field]).toBeUndefined();
    const notices = readFileSync(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of ['commander', 'unbash', 'vscode-languageserver', 'yaml', 'zod'])
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((?:MIT|ISC)\\)$`, 'm'));
  });

  it('works, with its types, where npm installs it', () => {
    const made = workspace();
    const home = made.path('node_modules/oomlint');
    for (const { path } of packed().files) {
      mkdirSync(join(home, path, '..'), { recursive: true });
      writeFileSync(join(home, path), readFileSync(join(root, path)));
    }
    symlinkSync(join(root, 'node_modules/typescript'), made.path('node_modules/typescript'));
    made.write('run.sh', script);
    made.write(
      'use.mts',
      `import { lint, type LintResult, resolve, explain, version } from 'oomlint';\nconst result: LintResult = await lint(['run.sh']);\nconst where: number | undefined = result.files[0]?.findings[0]?.range.start.line;\nconsole.log(version, where, (await resolve('run.sh')).launches.length, explain('unknown-option')[0]?.id);\n`,
    );
    made.write(
      'use.mjs',
      `import { lint } from 'oomlint';\nconsole.log((await lint(['run.sh'])).summary.files);\n`,
    );
    const types = spawnSync(
      process.execPath,
      [
        join(root, 'node_modules/typescript/bin/tsc'),
        '--noEmit',
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2022',
        '--lib',
        'es2022,dom',
        '--types',
        '',
        'use.mts',
      ],
      { cwd: made.folder, encoding: 'utf8' },
    );
    expect(types.stdout).toBe('');
    const used = spawnSync(process.execPath, ['use.mjs'], { cwd: made.folder, encoding: 'utf8' });
    expect(`${used.stdout}${used.stderr}`).toBe('1\n');
    const run = spawnSync(process.execPath, [join(home, 'dist/cli.js'), '--version'], { encoding: 'utf8' });
    expect(run.stdout.trim()).toMatch(/^\d+\.\d+\.\d+/);
  });
});
