import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cli, workspaces } from '../support/workspace.ts';

const workspace = workspaces();

const script = `#!/bin/bash
export CUDA_DEVICE_MAX_CONNECTIONS=1
export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True
PP=2   # two stages
torchrun --nproc_per_node 8 --nnodes 2 pretrain_gpt.py \\
  --num-layers 32 --hidden-size 4096 --num-attention-heads 32 \\
  --seq-length 4096 --max-position-embeddings 4096 \\
  --micro-batch-size 1 --global-batch-size 256 --train-iters 1000 --lr 1e-4 --bf16 \\
  --tokenizer-type NullTokenizer --vocab-size 128000 --mock-data \\
  --pipeline-model-parallel-size $PP \\
  --cpu-offloading-num-layers 4
`;

describe('oomlint check', () => {
  it('exits 1 for errors and 0 with --fail-on never, in every format', () => {
    const made = workspace({ 'run.sh': script });
    for (const format of [
      'text',
      'json',
      'concise',
      'sarif',
      'github',
      'gitlab',
      'junit',
      'checkstyle',
      'rdjson',
      'ndjson',
    ]) {
      expect(made.run(['check', 'run.sh', '--format', format]).code, format).toBe(1);
      expect(made.run(['check', 'run.sh', '--format', format, '--fail-on', 'never']).code, format).toBe(0);
    }
  });

  it('lists the files that it would lint', () => {
    const made = workspace({
      'run.sh': script,
      'notes.txt': 'none',
      'old/run.sh': script,
      'out/run.sh': script,
      'model.yaml': 'a: 1\n',
      '.gitignore': 'out/\n',
      '.oomlint.yaml': 'exclude: [old/]\n',
    });
    const { code, out } = made.run(['check', '--list-files', '.', 'notes.txt']);
    expect([code, out.split('\n')]).toEqual([0, ['.oomlint.yaml', 'model.yaml', 'run.sh', '']]);
    expect(made.run(['check', '--list-files', 'nothing.sh'])).toMatchObject({ code: 2, out: '' });
    expect(made.run(['check', '--list-files', '--fix']).err).toContain(
      '--list-files and --fix cannot be combined',
    );
  });

  it('reports findings of the given severity or above, and fixes no others', () => {
    const made = workspace({
      'run.sh': script.replace('$PP', '$PP --tensor-model-parallel-size 1 --sequence-parallel'),
    });
    const severities = (...args: string[]): string[] => {
      const { out } = made.run(['check', 'run.sh', '--format', 'json', ...args]);
      const report: { files: { findings: { severity: string }[] }[] } = JSON.parse(out);
      return [...new Set(report.files.flatMap(({ findings }) => findings.map(({ severity }) => severity)))];
    };
    expect(severities().sort()).toEqual(['error', 'info', 'warning']);
    expect(severities('--min-severity', 'info').sort()).toEqual(['error', 'info', 'warning']);
    expect(severities('--min-severity', 'warning').sort()).toEqual(['error', 'warning']);
    expect(severities('--min-severity', 'error', '--fail-on', 'error')).toEqual(['error']);
    const diff = ['check', 'run.sh', '--diff'];
    expect(made.run(diff).out).toContain('-  --pipeline-model-parallel-size $PP --tensor');
    expect(made.run([...diff, '--min-severity', 'warning']).out).toBe('');
  });

  it('counts unused suppressions as warnings with --report-unused', () => {
    const made = workspace({ 'run.sh': `# oomlint-disable-file few-micro-batches -- why\n${script}` });
    const unused = (...args: string[]): boolean =>
      made.run(['check', '--min-severity', 'warning', ...args]).out.includes('unused-suppression');
    expect([unused(), unused('--report-unused')]).toEqual([false, true]);
  });

  it('reads standard input under a given name, and finds its neighbours by it', () => {
    const made = workspace({ 'scripts/models/tiny.sh': 'MODEL_ARGS=(--num-layers 30)\n' });
    const text =
      'source "$(dirname "$0")/models/tiny.sh"\ntorchrun --nproc_per_node 8 pretrain_gpt.py "${MODEL_ARGS[@]}" --pipeline-model-parallel-size 4\n';
    const done = made.run(
      ['check', '-', '--stdin-filename', 'scripts/run.sh', '--format', 'json', '--fail-on', 'never'],
      text,
    );
    const report = JSON.parse(done.out);
    expect(report.files[0].path).toBe('scripts/run.sh');
    expect(report.files[0].findings.map((finding: { path: string }) => finding.path)).toContain(
      'scripts/models/tiny.sh',
    );
  });

  it('reports no missing neighbour for unnamed standard input, and reads those in the current folder', () => {
    const made = workspace({ 'models/tiny.sh': 'MODEL_ARGS=(--num-layers 30)\n' });
    const text = (model: string): string =>
      `source "$(dirname "\${BASH_SOURCE[0]}")/models/${model}.sh"\ntorchrun --nproc_per_node 8 pretrain_gpt.py "\${MODEL_ARGS[@]}" --pipeline-model-parallel-size 4\n`;
    const run = (model: string, ...name: string[]): string =>
      made.run(['check', '-', '--format', 'concise', ...name], text(model)).out;
    expect(run('absent')).not.toMatch(/missing-source|: error:/);
    expect(run('absent', '--stdin-filename', 'run.sh')).toContain('[missing-source]');
    expect(run('tiny')).toContain('[megatron-lm/layers-divide-stages]');
  });

  it('finds the neighbours of files outside the current folder', () => {
    const made = workspace({
      'project/models/tiny.sh': 'MODEL_ARGS=(--num-layers 30)\n',
      'project/run.sh':
        'source "$(dirname "$0")/models/tiny.sh"\ntorchrun --nproc_per_node 8 pretrain_gpt.py "${MODEL_ARGS[@]}" --pipeline-model-parallel-size 4\n',
      'elsewhere/x': '',
    });
    rmSync(made.path('.git'), { recursive: true });
    const elsewhere = made.inside('elsewhere');
    for (const named of [made.path('project/run.sh'), made.path('project')]) {
      const report = JSON.parse(
        elsewhere.run(['check', named, '--format', 'json', '--fail-on', 'never']).out,
      );
      const rules = report.files.flatMap((file: { findings: { rule: string }[] }) =>
        file.findings.map(({ rule }) => rule),
      );
      expect(rules).toContain('megatron-lm/layers-divide-stages');
    }
    expect(elsewhere.run(['resolve', made.path('project/run.sh')]).out).toContain('--num-layers');
  });

  it('honours .gitignore while walking, and reads ignored files and folders that are named', () => {
    const made = workspace({
      '.gitignore': 'old/\n',
      'old/.gitignore': '*.bak.sh\n',
      'old/jobs/run.sh': script,
      'old/jobs/run.bak.sh': script,
      'new/run.sh': script,
    });
    const found = (...paths: string[]): string[] =>
      JSON.parse(made.run(['check', ...paths, '--format', 'json']).out).files.map(
        (file: { path: string }) => file.path,
      );
    expect(found()).toEqual(['new/run.sh']);
    expect(found('old/jobs/run.sh')).toEqual(['old/jobs/run.sh']);
    for (const folder of ['old', 'old/jobs']) expect(found(folder)).toEqual(['old/jobs/run.sh']);
  });

  it('prints a patch that git applies, and changes nothing itself', () => {
    const made = workspace({ 'run.sh': script });
    const done = made.run(['check', 'run.sh', '--diff', '--fix-suggested']);
    expect(readFileSync(made.path('run.sh'), 'utf8')).toBe(script);
    expect(done.out).toContain('--- a/run.sh');
    spawnSync('git', ['init', '-q'], { cwd: made.folder });
    const applied = spawnSync('git', ['apply', '-'], { cwd: made.folder, input: done.out, encoding: 'utf8' });
    expect(applied.stderr).toBe('');
    const after = JSON.parse(made.run(['check', 'run.sh', '--format', 'json', '--fail-on', 'never']).out);
    expect(after.summary.errors).toBe(0);
  });

  it('prints one patch under the real name of a file, whatever links lead to it', () => {
    const made = workspace({ 'real/run.sh': script });
    symlinkSync('real/run.sh', made.path('link.sh'));
    symlinkSync('real', made.path('jobs'));
    spawnSync('git', ['init', '-q'], { cwd: made.folder });
    const patch = made.run(['check', 'link.sh', 'jobs/run.sh', '--diff', '--fix-suggested']).out;
    expect(patch.match(/^diff .*/gm)).toEqual(['diff --git a/real/run.sh b/real/run.sh']);
    const applied = spawnSync('git', ['apply', '-'], { cwd: made.folder, input: patch, encoding: 'utf8' });
    expect(applied.stderr).toBe('');
    expect(readFileSync(made.path('real/run.sh'), 'utf8')).not.toBe(script);
  });

  it('fixes in place: keeps mode, links, comments, and the rest byte for byte', () => {
    const made = workspace({ 'real/run.sh': script });
    chmodSync(made.path('real/run.sh'), 0o750);
    symlinkSync('real/run.sh', made.path('link.sh'));
    const done = made.run(['check', 'link.sh', '--fix-suggested']);
    expect(done.code).toBe(0);
    expect(done.err).toContain('fixed link.sh:');
    expect(lstatSync(made.path('link.sh')).isSymbolicLink()).toBe(true);
    expect(statSync(made.path('real/run.sh')).mode & 0o777).toBe(0o750);
    const text = readFileSync(made.path('real/run.sh'), 'utf8');
    expect(text).toContain('# two stages');
    const changed = text.split('\n').filter((line) => !script.split('\n').includes(line));
    expect(changed.length).toBeLessThanOrEqual(4);
    expect(spawnSync('bash', ['-n', made.path('real/run.sh')]).status).toBe(0);
  });

  it('changes a file outside through a link only if the link is named', () => {
    const outside = workspace({ 'far.sh': script });
    const made = workspace({ 'run.sh': script });
    symlinkSync(outside.path('far.sh'), made.path('jobs.sh'));
    spawnSync('git', ['init', '-q'], { cwd: made.folder });
    const patch = made.run(['check', '--diff', '--fix-suggested']).out;
    expect(patch.match(/^diff .*/gm)).toEqual(['diff --git a/run.sh b/run.sh']);
    const done = made.run(['check', '--fix-suggested', '--format', 'concise']);
    expect(done.out).toMatch(/^jobs\.sh:.* error: /m);
    expect(readFileSync(made.path('run.sh'), 'utf8')).not.toBe(script);
    expect(readFileSync(outside.path('far.sh'), 'utf8')).toBe(script);
    made.run(['check', 'jobs.sh', '--fix-suggested']);
    expect(readFileSync(outside.path('far.sh'), 'utf8')).toBe(readFileSync(made.path('run.sh'), 'utf8'));
  });

  it('does not apply suggested fixes with --fix', () => {
    const made = workspace({ 'run.sh': script });
    made.run(['check', 'run.sh', '--fix']);
    expect(readFileSync(made.path('run.sh'), 'utf8')).toContain('--pipeline-model-parallel-size $PP');
  });

  it('writes additional reports to files', () => {
    const made = workspace({ 'run.sh': script });
    made.run(['check', 'run.sh', '--output', 'sarif=out.sarif', '--output', 'junit=out.xml', '.']);
    expect(JSON.parse(readFileSync(made.path('out.sarif'), 'utf8')).version).toBe('2.1.0');
    expect(readFileSync(made.path('out.xml'), 'utf8')).toContain('<testsuites');
  });

  it('uses colours only when wanted', () => {
    const made = workspace({ 'run.sh': script });
    const escapeCharacter = String.fromCharCode(27);
    expect(made.run(['check', 'run.sh']).out).not.toContain(escapeCharacter);
    expect(made.run(['check', 'run.sh'], '', { FORCE_COLOR: '1' }).out).toContain(`${escapeCharacter}[`);
    expect(made.run(['check', 'run.sh'], '', { FORCE_COLOR: 'false' }).out).not.toContain(escapeCharacter);
    expect(made.run(['check', 'run.sh'], '', { NO_COLOR: '1', FORCE_COLOR: '' }).out).not.toContain(
      escapeCharacter,
    );
  });

  it.runIf(process.platform === 'linux')('draws in ASCII when the terminal shows no UTF-8', () => {
    const made = workspace({ 'run.sh': script });
    const shownIn = (locale: string, flags = ''): string =>
      spawnSync(
        'script',
        ['-qec', `"${process.execPath}" "${cli}" check run.sh --no-color ${flags}`, '/dev/null'],
        {
          cwd: made.folder,
          input: '',
          encoding: 'utf8',
          env: { PATH: process.env.PATH ?? '', HOME: made.folder, LC_ALL: locale },
        },
      ).stdout;
    expect(shownIn('C')).toContain('+- run.sh:');
    expect(shownIn('C')).toMatch(/^[\0-\x7f]*$/);
    expect(shownIn('C', '--diff >/dev/null')).toContain('+- run.sh:');
    expect(shownIn('C', '--diff >/dev/null')).not.toContain('╭');
    expect(shownIn('C.UTF-8')).toContain('╭');
    expect(made.run(['check', 'run.sh'], '', { LC_ALL: 'C' }).out).toContain('╭─ run.sh:');
  });

  it.runIf(process.platform === 'linux')(
    'says in a terminal that the language server waits for an editor',
    () => {
      const { folder } = workspace();
      const { stdout } = spawnSync('script', ['-qec', `"${process.execPath}" "${cli}" lsp`, '/dev/null'], {
        cwd: folder,
        input: '',
        encoding: 'utf8',
        timeout: 20_000,
      });
      expect(stdout).toContain('oomlint: waiting for an editor on standard input');
      const piped = spawnSync(process.execPath, [cli, 'lsp'], { cwd: folder, input: '', encoding: 'utf8' });
      expect(piped.stderr).toBe('');
    },
  );

  it.each(['40', '60', '80', '100'])('prints help that fits %s columns', (columns) => {
    const made = workspace();
    for (const args of [['--help'], ['check', '--help'], ['rules', '--help']]) {
      const [text = ''] = made.run(args, '', { COLUMNS: columns }).out.split('\nExamples:\n');
      const [usage = '', ...lines] = text.split('\n');
      expect(usage).toMatch(/^Usage: oomlint /);
      expect(lines.filter((line) => line.length > Number(columns))).toEqual([]);
    }
  });

  it('keeps its report within 80 columns', () => {
    const lines = workspace({ 'run.sh': script }).run(['check', 'run.sh']).out.split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});

it('the built program handles non-ASCII characters', () => {
  const made = workspace({ 'run.sh': `${script.trimEnd()} …\n` });
  expect(made.run(['check', 'run.sh', '--format', 'concise']).out).toContain('[left-out]');
});

describe('suppressions', () => {
  const finding = 'cpu-offload-needs-one-stage';
  const rules = (text: string): string[] =>
    JSON.parse(
      workspace({ 'run.sh': text }).run(['check', 'run.sh', '--format', 'json']).out,
    ).files[0].findings.map((found: { rule: string }) => found.rule);

  it('work on the line above a command, on the line itself and for the file', () => {
    expect(rules(script)).toContain(`megatron-lm/${finding}`);
    for (const text of [
      script.replace('torchrun', `# oomlint-disable-next-line ${finding} -- measured\ntorchrun`),
      script.replace('# two stages', `# oomlint-disable-line megatron-lm/${finding} -- measured`),
      `# oomlint-disable-file ${finding} -- measured\n${script}`,
    ])
      expect(rules(text)).not.toContain(`megatron-lm/${finding}`);
  });

  it('work in a file that several scripts source, for all of them', () => {
    const launch = script.replace(/^PP=2.*$/m, 'source stages.sh');
    const found = (stages: string): string[][] => {
      const made = workspace({ 'one.sh': launch, 'two.sh': launch, 'stages.sh': stages });
      const { files } = JSON.parse(made.run(['check', '.', '--format', 'json']).out);
      return files.map(({ findings }: { findings: { rule: string }[] }) => findings.map(({ rule }) => rule));
    };
    expect(found('PP=2\n').flat()).toContain(`megatron-lm/${finding}`);
    const accepted = found(`PP=2  # oomlint-disable-line ${finding} -- measured\n`).flat();
    expect(accepted).not.toContain(`megatron-lm/${finding}`);
    expect(accepted).not.toContain('unused-suppression');
    expect(found(`# oomlint-disable-next-line ${finding} -- elsewhere\nX=1\nPP=2\n`).flat()).toContain(
      `megatron-lm/${finding}`,
    );
  });

  it('are reported when they name no rule, an unknown one, or one without findings', () => {
    expect(rules(`# oomlint-disable-file\n${script}`)).toContain('unscoped-suppression');
    expect(rules(`# oomlint-disable-file no-such-rule -- x\n${script}`)).toContain('unknown-suppression');
    expect(rules(`# oomlint-disable-file invalid-choice -- x\n${script}`)).toContain('unused-suppression');
  });

  it.each([
    ['# oomlint-disable-nextline x', 'oomlint-disable-next-line'],
    ['# oomlint-disable-lines x', 'oomlint-disable-line'],
    ['# oomlint: disable=x', 'oomlint-disable-next-line'],
    ['# oomlint-ignore x', 'oomlint-disable-next-line'],
    ['# oomlint-ignore-file x', 'oomlint-disable-file'],
    ['# oomlint disable-next-line x', 'oomlint-disable-next-line'],
    ['# oomlint-enable x', 'oomlint-disable-next-line'],
    ['# oomlint-disabel-next-line x', 'oomlint-disable-next-line'],
    ['# oomlint-disable-nxt-line x', 'oomlint-disable-next-line'],
    ['# Oomlint-Disable-File x', 'oomlint-disable-file'],
    ['# oomlint disable=x', 'oomlint-disable-next-line'],
  ])('are reported when they are misspelt: %s', (comment, meant) => {
    const made = workspace({ 'run.sh': `${comment}\n${script}` });
    const { out } = made.run(['check', 'run.sh', '--format', 'concise']);
    expect(out).toMatch(
      new RegExp(`1:3: warning: .* the comment is ${meant} RULE. \\[misspelt-suppression\\]`),
    );
  });

  it.each([
    [`${finding}, invalid-choice -- x`, `${finding} -- x`],
    [`invalid-choice, unknown-option ${finding} -- x`, `${finding} -- x`],
    [`unknown-option, ${finding}, invalid-choice`, finding],
    [finding.replace('needs', 'neds'), finding],
    [`${finding.replace('needs', 'neds')}, ${finding}`, `${finding.replace('needs', 'neds')}, ${finding}`],
  ])('are fixed when they name an unused or a misspelt rule: %s', (written, mended) => {
    const comment = '# oomlint-disable-file';
    const made = workspace({ 'run.sh': `${comment} ${written}\n${script}` });
    made.run(['check', 'run.sh', '--fix-suggested']);
    expect(readFileSync(made.path('run.sh'), 'utf8').split('\n')[0]).toBe(`${comment} ${mended}`);
  });

  it('are fixed with the separator that other linters put before the rule', () => {
    const made = workspace({ 'run.sh': `# oomlint: disable=x\n${script}X=1 # oomlint-ignore: x\n` });
    const { files } = JSON.parse(made.run(['check', 'run.sh', '--format', 'json']).out);
    const edits = files[0].findings
      .filter(({ rule }: { rule: string }) => rule === 'misspelt-suppression')
      .map(({ fixes }: { fixes: { edits: unknown[] }[] }) => fixes[0]?.edits[0]);
    expect(edits).toEqual([
      {
        path: 'run.sh',
        range: { start: { line: 1, column: 3 }, end: { line: 1, column: 20 } },
        newText: 'oomlint-disable-next-line ',
      },
      {
        path: 'run.sh',
        range: { start: { line: 13, column: 7 }, end: { line: 13, column: 23 } },
        newText: 'oomlint-disable-line ',
      },
    ]);
  });

  it.each([':', ': ', '=', ' : '])('may have the separator of other linters before the rule: %j', (sign) => {
    const found = rules(`# oomlint-disable-file${sign}invalid-choice -- x\n${script}`);
    expect(found).toContain('unused-suppression');
    expect(found).not.toContain('unknown-suppression');
  });
});

describe('a script that runs what another one passes to it', () => {
  const words =
    'python pretrain_gpt.py --num-layers 8 --micro-batch-size 1 --tensor-model-parallel-size 3 --num-attention-heads 4';

  it.each([
    ['its arguments', `bash part.sh ${words}\n`, 'set -e\nexec "$@"\n'],
    ['one argument', `bash part.sh "${words}"\n`, 'eval "$1"\n'],
    ['a variable', `export CMD="${words}"\nbash part.sh\n`, 'bash -c "$CMD"\n'],
  ])('is followed through %s', (_, whole, part) => {
    const made = workspace({ 'run.sh': whole, 'part.sh': part });
    const { files } = JSON.parse(made.run(['check', 'run.sh', '--format', 'json']).out);
    expect(files[0].frameworks).toEqual(['megatron-lm']);
  });
});
