import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../../server/src/rules/finding.ts';
import { applyEdits } from '../../../../server/src/text/edit.ts';
import { testLinter } from '../../../support/knowledge.ts';
import { memoryHost } from '../../../support/memoryHost.ts';
import { base, knowledge } from './arealRun.ts';

const path = '/repository/config.yaml';

/** A configuration for the releases in which one string says how all roles are spread. */
function whole(mode: string, change: (text: string) => string = (text) => text): string {
  const text = base.replace(/^ {2}backend: .*\n/gm, '');
  return change(`allocation_mode: ${mode}\n${text}`);
}

function findings(text: string, areal?: string): readonly Finding[] {
  const config: { readonly [name: string]: string } =
    areal === undefined ? {} : { '/repository/requirements.txt': `areal==${areal}\n` };
  return testLinter(knowledge, memoryHost({ ...config, [path]: text })).lint(path, text).findings;
}

function reported(text: string, rule: string, areal?: string): Finding | undefined {
  return findings(text, areal).find((finding) => finding.rule === `areal/${rule}`);
}

/** The text after the first fix of a finding. */
function fixed(text: string, finding: Finding | undefined): string | undefined {
  const edits = finding?.fixes[0]?.edits;
  return edits === undefined ? undefined : applyEdits(text, edits);
}

/** A batch that four data-parallel ranks cannot share. */
const oddBatch = whole('sglang:d4+fsdp:d4', (text) => text.replace(/batch_size: \d+/, 'batch_size: 30'));

const manyHeads = (text: string): string => text.replace(/^( {2}path: ).*$/m, '$1Qwen/Qwen2.5-7B');

describe('one allocation for all roles', () => {
  it('applies to each role without a backend of its own', () => {
    const text = whole('sglang:d4+fsdp:d1c8', manyHeads);
    const finding = reported(text, 'ulysses-heads');
    expect(finding?.severity).toBe('warning');
    expect(text.slice(finding?.place.span.start, finding?.place.span.end)).toBe('sglang:d4+fsdp:d1c8');
    expect(reported(whole('sglang:d4+fsdp:d2c4', manyHeads), 'ulysses-heads')).toBeUndefined();
  });

  it('keeps its notation in a fix', () => {
    for (const [mode, after] of [
      ['sglang:d4+fsdp:d1c8', 'sglang:d4+fsdp:d2c4'],
      ['sglang:d4p1t1+d1p1c8', 'sglang:d4p1t1+d2c4'],
      ['d1c8', 'd2c4'],
    ] as const) {
      const text = whole(mode, manyHeads);
      expect(fixed(text, reported(text, 'ulysses-heads')), mode).toBe(text.replace(mode, after));
    }
  });

  it('gets no fix if its parts are named', () => {
    const text = whole('sglang[rollout]:d4+fsdp[actor]:d1c8', manyHeads);
    expect(reported(text, 'ulysses-heads')?.fixes).toEqual([]);
  });

  it('determines the serving engine and the total number of GPUs', () => {
    expect(reported(whole('vllm:d4+d4'), 'gpus-exceed-cluster')).toBeUndefined();
    expect(reported(whole('vllm:d4+d8'), 'gpus-exceed-cluster')?.message).toContain('12 GPUs (training 8,');
    const greedy = (text: string): string =>
      text.replace(/mem_fraction_static: .*/, 'mem_fraction_static: 0.95');
    expect(reported(whole('sglang:d4+d4', greedy), 'server-memory-fraction')).toBeDefined();
    expect(reported(whole('vllm:d4+d4', greedy), 'server-memory-fraction')).toBeUndefined();
  });

  it('is from earlier releases, so rules not known to hold there are silent', () => {
    const rule = 'fsdp-tensor-parallel-heads';
    const ownBackend = manyHeads(base).replace(/^( {2}backend: ).*fsdp.*$/m, '$1fsdp:t8');
    expect(reported(ownBackend, rule)).toBeDefined();
    expect(reported(whole('sglang:d4+fsdp:t8', manyHeads), rule)).toBeUndefined();
  });

  it('may omit the engine in a release that allows it', () => {
    const launch = (areal: string, launchers = 'areal.infra.launcher'): readonly string[] => {
      const files = {
        '/repository/requirements.txt': areal === '' ? '' : `areal==${areal}\n`,
        [path]: whole('sglang:d4p1t1+d4p1t1'),
        '/repository/run.sh': `python3 -m ${launchers}.local train.py --config config.yaml\n`,
      };
      return testLinter(knowledge, memoryHost(files))
        .lint('/repository/run.sh', files['/repository/run.sh'])
        .findings.map(({ rule }) => rule);
    };
    expect(launch('1.0.2')).not.toContain('areal/spmd-allocation-mode-parse');
    expect(launch('1.0.3')).toContain('areal/spmd-allocation-mode-parse');
    expect(launch('')).toContain('areal/spmd-allocation-mode-parse');
    // These launchers were removed before the engine became mandatory.
    expect(launch('', 'areal.launcher')).not.toContain('areal/spmd-allocation-mode-parse');
  });
});

describe('a batch that the ranks of an earlier release cannot share', () => {
  const rule = 'batch-divisible-by-data-parallel';

  it('is refused from 1.0 on', () => {
    expect(reported(oddBatch, rule, '1.0.1')?.severity).toBe('warning');
    expect(reported(oddBatch, rule, '0.5.2')).toBeUndefined();
  });

  it('is refused by a copy of that release in the workspace', () => {
    const files = {
      '/repository/pyproject.toml': '[project]\nname = "areal"\nversion = "1.0.1"\n',
      '/repository/areal/api/cli_args.py':
        'class DatasetConfig:\n    batch_size: int = 1\nclass BaseExperimentConfig:\n    allocation_mode: str = ""\n',
      '/repository/areal/utils/datapack.py': '',
      [path]: oddBatch,
    };
    const { findings: found } = testLinter(knowledge, memoryHost(files)).lint(path, oddBatch);
    expect(found.filter((one) => one.rule === `areal/${rule}`).map(({ severity }) => severity)).toEqual([
      'warning',
    ]);
  });
});
