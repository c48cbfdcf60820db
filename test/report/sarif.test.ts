import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import AjvDraft04 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import type { Log } from 'sarif';
import { describe, expect, it } from 'vitest';
import type { FileReport } from '../../server/src/linter.ts';
import { fingerprints } from '../../server/src/report/formats/fingerprint.ts';
import { sarif } from '../../server/src/report/formats/sarif.ts';
import { exampleReports } from '../support/exampleReports.ts';
import { lintFile } from '../support/lintFile.ts';

const schemaFile = createRequire(import.meta.url).resolve(
  '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
);
const ajv = new AjvDraft04({ strict: false, allErrors: true, unicodeRegExp: false });
addFormats(ajv);
const validate = ajv.compile(JSON.parse(readFileSync(schemaFile, 'utf8')));
const { reports, options } = exampleReports();
const shared = exampleLog(reports);

function exampleLog(of: readonly FileReport[]): Log {
  const log: Log = JSON.parse(sarif(of, options));
  return log;
}

describe('the SARIF report', () => {
  it('of the bad example of every rule is valid against the SARIF 2.1.0 schema', () => {
    validate(shared);
    expect(validate.errors ?? []).toEqual([]);
    expect(shared.runs[0]?.results?.length).toBeGreaterThan(reports.length / 2);
  });

  it('is rejected by the schema when it is wrong', () => {
    const broken = structuredClone(shared);
    const result = broken.runs[0]?.results?.[0];
    if (result === undefined) throw new Error('no results');
    Object.assign(result, { level: 'fatal' });
    expect(validate(broken)).toBe(false);
  });

  it('is valid without findings too', () => {
    validate(exampleLog([]));
    expect(validate.errors ?? []).toEqual([]);
  });

  it('names each rule once, with help, and every result points at its rule', () => {
    const run = shared.runs[0];
    const rules = run?.tool.driver.rules ?? [];
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    for (const result of run?.results ?? []) expect(rules[result.ruleIndex ?? -1]?.id).toBe(result.ruleId);
    for (const rule of rules) {
      expect(rule.help?.text).toContain(`docs/rules/${rule.id}.md`);
      expect(rule.shortDescription?.text).not.toMatch(/\{\w+\}/);
    }
  });

  it('has relative URIs that decode to a file path', () => {
    const files = new Set(reports.flatMap((report) => [report.path, ...report.sources]));
    for (const result of shared.runs[0]?.results ?? []) {
      const uri = result.locations?.[0]?.physicalLocation?.artifactLocation?.uri ?? '';
      expect(uri).not.toMatch(/^\/|^\w+:|\s/);
      expect(files).toContain(`/repository/${decodeURIComponent(uri)}`);
    }
  });

  it('gives a file outside the current folder an absolute URI', () => {
    const outside = reports.find(({ findings }) => findings.length > 0);
    if (outside === undefined) throw new Error('no findings');
    const log: Log = JSON.parse(sarif([outside], { ...options, shorten: (path) => path }));
    const place = log.runs[0]?.results?.[0]?.locations?.[0]?.physicalLocation?.artifactLocation;
    expect(place).toEqual({ uri: `file://${outside.path}` });
  });

  it.each([
    { root: '/repository', place: { uri: 'C%3A/run.sh', uriBaseId: '%SRCROOT%' } },
    { root: '/d:/repository', place: { uri: 'file:///C:/run.sh' } },
  ])('takes C: for a drive only where the current folder has one: $root', ({ root, place }) => {
    const found = reports.find(({ findings }) => findings.length > 0);
    if (found === undefined) throw new Error('no findings');
    const log: Log = JSON.parse(sarif([found], { ...options, root, shorten: () => 'C:/run.sh' }));
    expect(log.runs[0]?.results?.[0]?.locations?.[0]?.physicalLocation?.artifactLocation).toEqual(place);
  });

  it('replaces what the fix replaces', () => {
    const fixed = shared.runs[0]?.results?.find(({ fixes }) => (fixes?.length ?? 0) > 0);
    const change = fixed?.fixes?.[0]?.artifactChanges[0];
    expect(change?.replacements.length).toBeGreaterThan(0);
    for (const result of shared.runs[0]?.results ?? [])
      for (const fix of result.fixes ?? [])
        for (const { replacements } of fix.artifactChanges)
          for (const { deletedRegion } of replacements)
            expect((deletedRegion.endLine ?? 0) >= (deletedRegion.startLine ?? 1)).toBe(true);
  });
});

const script = `#!/bin/bash
torchrun --nproc_per_node 8 pretrain_gpt.py \\
  --num-layers 30 --hidden-size 4096 --num-attention-heads 32 --seq-length 4096 --max-position-embeddings 4096 \\
  --micro-batch-size 1 --global-batch-size 256 --train-iters 10 --lr 1e-4 --bf16 --pipeline-model-parallel-size 4 \\
  --tokenizer-type NullTokenizer --vocab-size 128000 --mock-data
`;

describe('fingerprints', () => {
  const lint = (text: string): FileReport => lintFile('/repository/run.sh', text);
  const prints = (text: string): string[] =>
    fingerprints(
      lint(text).findings.map((finding) => ({ finding, path: 'run.sh' })),
      '/repository',
    ).sort();

  it('survive edits above and new line breaks', () => {
    const before = prints(script);
    expect(before.length).toBeGreaterThan(0);
    expect(prints(script.replace('\n', '\n# one\n\n# two\n'))).toEqual(before);
    expect(prints(script.replace('--num-layers 30 ', '--num-layers 30 \\\n    '))).toEqual(before);
  });

  it('change with the value and distinguish equal findings', () => {
    expect(prints(script.replace('30', '31'))).not.toEqual(prints(script));
    const twice = prints(`${script}${script.replace('#!/bin/bash\n', '')}`);
    expect(new Set(twice).size).toBe(twice.length);
  });

  it('are unique over the examples of all rules', () => {
    const all = (shared.runs[0]?.results ?? []).map((result) => result.partialFingerprints?.['oomlint/v1']);
    expect(new Set(all).size).toBe(all.length);
  });

  it('leave suppressed results out', () => {
    const text = script.replace(
      'torchrun',
      '# oomlint-disable-next-line layers-divide-stages -- known\ntorchrun',
    );
    const report = lint(
      script.replace('#!/bin/bash', '# oomlint-disable-file layers-divide-stages -- known'),
    );
    expect(report.suppressed.map(({ rule }) => rule)).toContain('megatron-lm/layers-divide-stages');
    expect(sarif([report], { ...options, shorten: (path) => path.slice(12) })).not.toContain(
      'layers-divide-stages"',
    );
    expect(lint(text).findings.length).toBeGreaterThanOrEqual(report.findings.length);
  });
});
