import { describe, expect, it } from 'vitest';
import { withoutEditorData } from '../../server/src/cli/withoutEditorData.ts';
import type { FileReport } from '../../server/src/linter.ts';
import { columnsOf } from '../../server/src/report/columns.ts';
import { distinctFindings } from '../../server/src/report/distinct.ts';
import { editLines } from '../../server/src/report/editLines.ts';
import { noColours } from '../../server/src/report/palette.ts';
import { textReport } from '../../server/src/report/text.ts';
import { loadKnowledge, testLinter } from '../support/knowledge.ts';
import { memoryHost } from '../support/memoryHost.ts';

const knowledge = loadKnowledge();

function reportOf(files: { readonly [path: string]: string }, path: string): FileReport {
  return testLinter(knowledge, memoryHost(files)).lint(path, files[path] ?? '');
}

/** The text report of one script at `/repository/run.sh`, without the findings of other rules. */
function shown(script: string, rule: string, width = 80): string {
  const report = reportOf({ '/repository/run.sh': script }, '/repository/run.sh');
  const findings = report.findings.filter((finding) => finding.rule === rule);
  expect(findings.length).toBeGreaterThan(0);
  return textReport([{ ...report, findings }], {
    palette: noColours,
    width,
    shorten: (path) => path.replace('/repository/', ''),
    read: () => script,
  });
}

const rest = '--hidden-size 8 --num-attention-heads 1';

describe('agrees with JSON.parse on texts with and without a mistake', () => {
  it('shows the positions, what a label adds, when it shows, and the lines that the first fix changes', () => {
    const script = `PP=4\ntorchrun --nproc_per_node 8 pretrain_gpt.py \\\n  --num-layers 30 ${rest} \\\n  --pipeline-model-parallel-size $PP\n`;
    expect(shown(script, 'megatron-lm/layers-divide-stages')).toBe(`error megatron-lm/layers-divide-stages
  30 layers cannot be shared evenly by 4 pipeline stages.
  ╭─ run.sh:3:16
3 │   --num-layers 30 --hidden-size 8 --num-attention-heads 1 \\
  │                ^^
  ┆
1 │ PP=4
  │    ^ --pipeline-model-parallel-size = 4
  │
  = shows: at startup (certain)
  = suggestion: Give the last stage what is left (cost: stages that wait for
                each other)
3 -   --num-layers 30 --hidden-size 8 --num-attention-heads 1 \\
3 +   --num-layers 30 --decoder-last-pipeline-num-layers 6 --hidden-size 8 --n…
  = suggestion: Use one pipeline stage (through PP on line 1) (cost: more memory
                per GPU for weights)

Looked at 1 file; all recognised (launches and configurations: Megatron-LM 1).
1 error; 1 fixable with --fix-suggested.
\`oomlint explain RULE\` explains a rule.
`);
  });

  it('marks the right characters, even after wide and combining ones', () => {
    const script = `NAME="训练🚀é e\u0301"; torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 30 ${rest} --pipeline-model-parallel-size 4\n`;
    const lines = shown(script, 'megatron-lm/layers-divide-stages', 200).split('\n');
    const at = lines.findIndex((line) => line.includes('--num-layers 30'));
    const before = (lines[at] ?? '').slice(0, (lines[at] ?? '').indexOf('30'));
    expect((lines[at + 1] ?? '').indexOf('^^')).toBe(columnsOf(before));
    expect(columnsOf('训练🚀é e\u0301')).toBe(9);
  });

  it('shows where a line is cut, even within the marked part', () => {
    const script =
      'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 32 --hidden-size 8 --num-attention-heads 1\n';
    const [line = '', marks = ''] = shown(script, 'megatron-lm/sequence-length-required', 60)
      .split('\n')
      .filter((each) => /torchrun|\^/.test(each));
    expect(line).toMatch(/^1 │ torchrun .*…$/);
    expect(columnsOf(line)).toBeLessThanOrEqual(60);
    expect(columnsOf(marks)).toBe(columnsOf(line) - 1);
  });

  it('fits its width, even with long lines', () => {
    const script = `X=${'训'.repeat(300)}; torchrun --nproc_per_node 8 pretrain_gpt.py ${'--seed 1 '.repeat(40)} --num-layers 30 ${rest} --pipeline-model-parallel-size 4 ${'--seed 1 '.repeat(40)}\n`;
    for (const width of [40, 80, 120])
      for (const line of shown(script, 'megatron-lm/layers-divide-stages', width).split('\n'))
        expect(columnsOf(line), line).toBeLessThanOrEqual(width);
  });
});

describe('a cut line', () => {
  it.each(['', 'x'])('never shows half a character, wherever it is cut %#', (between) => {
    const name = '🚀'.repeat(60);
    const script = `NAME=${name}${between} L=30; torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers $L ${rest} --pipeline-model-parallel-size 4 # ${name}\n`;
    for (const width of [40, 41, 80, 81])
      expect(shown(script, 'megatron-lm/layers-divide-stages', width)).not.toMatch(/\p{Cs}/u);
  });
});

describe('the summary of a long report', () => {
  it('names the rules with at least ten findings, most frequent first, and fits its width', () => {
    const report = reportOf(
      {
        '/repository/run.sh': `torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 30 ${rest} --pipeline-model-parallel-size 4\n`,
      },
      '/repository/run.sh',
    );
    const [finding] = report.findings;
    if (finding === undefined) throw new Error('no finding');
    const times = (rule: string, count: number): FileReport => ({
      ...report,
      findings: Array.from({ length: count }, () => ({ ...finding, rule })),
    });
    const plain = { palette: noColours, width: 200, shorten: (path: string) => path, read: () => '' };
    const last = (...reports: FileReport[]): string =>
      textReport(reports, { ...plain, offersStatistics: true })
        .trimEnd()
        .split('\n')
        .slice(-2)
        .join('\n');
    expect(textReport([times('often', 10)], plain)).toMatch(/\nMost often: often 10\.\n`oomlint explain/);
    const divided = report.findings.filter(({ rule }) => rule === 'megatron-lm/layers-divide-stages');
    const narrow = textReport([{ ...report, findings: divided }], {
      palette: noColours,
      width: 30,
      shorten: (path) => path,
      read: () => '',
    }).split('\n');
    expect(narrow.slice(narrow.indexOf('1 error;')).slice(0, 2)).toEqual([
      '1 error;',
      '1 fixable with --fix-suggested.',
    ]);
    const applied = textReport([{ ...report, findings: divided }], { ...plain, applied: 'suggested' });
    expect(applied).toContain('\n1 error; 1 whose fix would cause new findings.\n');
    expect(last(times('seldom', 9))).not.toContain('Most often');
    expect(last(times('seldom', 9), times('often', 10), times('usual', 12))).toBe(
      'Most often: usual 12, often 10; --statistics counts every rule.\n`oomlint explain RULE` explains a rule.',
    );
  });
});

describe('advice that many files get', () => {
  const script = `torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 30 ${rest} --pipeline-model-parallel-size 4\n`;
  const { findings, ...report } = reportOf({ '/repository/run.sh': script }, '/repository/run.sh');
  const [finding] = findings;
  if (finding === undefined) throw new Error('no finding');
  const advised = (rule: string, severity: 'info' | 'warning', count: number): FileReport => ({
    ...report,
    findings: Array.from({ length: count }, () => ({ ...finding, rule, severity })),
  });
  const said = (reports: readonly FileReport[], foldsAdvice: boolean): string =>
    textReport(reports, {
      palette: noColours,
      width: 200,
      shorten: (path) => path,
      read: () => script,
      foldsAdvice,
    });
  const times = (text: string, heading: string): number => text.split(`${heading}\n`).length - 1;

  it('is shown the first few times, and then counted', () => {
    const reports = [advised('a', 'info', 8), advised('a', 'info', 5), advised('b', 'info', 10)];
    const text = said(reports, true);
    expect([times(text, 'info a'), times(text, 'info b')]).toEqual([10, 10]);
    expect(text).toContain('\nNot shown: 3 of a; --only RULE shows all of one.\n\nLooked at 3 files');
    expect(times(said(reports, false), 'info a')).toBe(13);
    expect(said(reports, false)).not.toContain('Not shown');
  });

  it('is always shown in a report of one file, as warnings are in any', () => {
    expect(times(said([advised('a', 'info', 13)], true), 'info a')).toBe(13);
    const warnings = said([advised('a', 'warning', 8), advised('a', 'warning', 5)], true);
    expect(times(warnings, 'warning a')).toBe(13);
  });
});

describe('the lines of a fix', () => {
  const text = 'one\ntwo\nthree\nfour\n';
  const edit = (start: number, end: number, newText: string): Parameters<typeof editLines>[0][number] => ({
    path: 'a',
    span: { start, end },
    newText,
  });

  it('are those that differ, numbered in the old and new text', () => {
    expect(editLines([edit(4, 7, 'TWO')], text)).toEqual([
      { kind: '-', number: 2, text: 'two' },
      { kind: '+', number: 2, text: 'TWO' },
    ]);
    expect(editLines([edit(4, 4, 'new\n'), edit(14, 18, 'FOUR')], text)).toEqual([
      { kind: '+', number: 2, text: 'new' },
      { kind: '-', number: 4, text: 'four' },
      { kind: '+', number: 5, text: 'FOUR' },
    ]);
    expect(editLines([edit(4, 8, '')], text)).toEqual([{ kind: '-', number: 2, text: 'two' }]);
    // In adjacent lines, all removals come before all additions.
    expect(
      editLines([edit(4, 7, 'TWO'), edit(8, 13, 'THREE')], text)
        ?.map(({ kind }) => kind)
        .join(''),
    ).toBe('--++');
    expect(editLines([edit(4, 5, 'T'), edit(5, 7, 'WO')], text)).toEqual([
      { kind: '-', number: 2, text: 'two' },
      { kind: '+', number: 2, text: 'TWO' },
    ]);
  });

  it('are unknown when the edits do not fit', () => {
    expect(editLines([edit(4, 7, 'a'), edit(5, 6, 'b')], text)).toBeUndefined();
  });
});

describe('a finding in a file that several scripts use', () => {
  it('is shown once, at its highest severity', () => {
    const files = {
      '/repository/model.sh': 'MODEL_ARGS=(--num-layers 30)\n',
      '/repository/a.sh': `source ./model.sh\ntorchrun --nproc_per_node 8 pretrain_gpt.py "\${MODEL_ARGS[@]}" ${rest} --pipeline-model-parallel-size 4 "$@"\n`,
      '/repository/b.sh': `source ./model.sh\ntorchrun --nproc_per_node 8 pretrain_gpt.py "\${MODEL_ARGS[@]}" ${rest} --pipeline-model-parallel-size 4\n`,
    };
    const reports = ['/repository/a.sh', '/repository/b.sh'].map((path) => reportOf(files, path));
    const [first] = reports;
    if (first === undefined) throw new Error('no report');
    const weak = {
      ...first,
      findings: first.findings.map((finding) => ({ ...finding, severity: 'info' as const })),
    };
    const kept = distinctFindings([weak, ...reports]).map(({ findings }) =>
      findings
        .filter(({ rule }) => rule === 'megatron-lm/layers-divide-stages')
        .map(({ severity }) => severity),
    );
    expect(kept).toEqual([['error'], [], []]);
  });

  it('counts at least so many fixes where not all were looked for', () => {
    const path = '/repository/run.sh';
    const launch = `torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 30 ${rest} --pipeline-model-parallel-size 4\n`;
    const counted = (launches: number): string => {
      const script = launch.repeat(launches);
      return textReport([withoutEditorData(reportOf({ [path]: script }, path))], {
        palette: noColours,
        width: 200,
        shorten: () => 'run.sh',
        read: () => script,
      });
    };
    expect(counted(2)).toMatch(/; \d+ fixable with --fix-suggested/);
    expect(counted(1100)).toMatch(/; at least \d+ fixable with --fix-suggested/);
  });
});
