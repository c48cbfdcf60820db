import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { loadKnowledge, testLinter } from '../../support/knowledge.ts';
import { lintFile } from '../../support/lintFile.ts';
import { memoryHost } from '../../support/memoryHost.ts';

const path = '/repository/run.sh';

/** What is reported about an allocator string, and the string after the fix. */
function reported(text: string, variable = 'PYTORCH_CUDA_ALLOC_CONF') {
  const line = `export ${variable}=${text}\n`;
  const script = `${line}torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 2\n`;
  const [finding, ...more] = lintFile(path, script).findings.filter(
    ({ rule }) => rule === 'allocator-setting',
  );
  expect(more).toEqual([]);
  if (finding === undefined) return undefined;
  const { start, end } = finding.place.span;
  const [fix] = finding.fixes;
  const after = fix === undefined ? undefined : applyEdits(script, fix.edits);
  return [
    finding.severity,
    script.slice(start, end),
    after?.slice(`export ${variable}=`.length, after.indexOf('\n')),
  ];
}

/** The severities of findings about allocator settings if the project declares a release of PyTorch. */
function severitiesWith(torch: string, script: string) {
  const host = memoryHost({ [path]: script });
  const { findings } = testLinter(loadKnowledge(), host, { ...noProfile, versions: { torch } }).lint(
    path,
    script,
  );
  return findings.filter(({ rule }) => rule === 'allocator-setting').map(({ severity }) => severity);
}

describe('a setting of PyTorch’s allocator', () => {
  it.each([
    ['expandable_segment:True', 'expandable_segment', 'expandable_segments:True'],
    ['expandable_segments=True', '=', 'expandable_segments:True'],
    ['max_split_size_mb=512', '=', 'max_split_size_mb:512'],
    ['expandable_segments:true', 'true', 'expandable_segments:True'],
    ['expandable_segments:1', '1', 'expandable_segments:True'],
    ['backend:native,expandable_segments:off', 'off', 'backend:native,expandable_segments:False'],
    [
      '"expandable_segments:True;max_split_size_mb:512"',
      ';',
      '"expandable_segments:True,max_split_size_mb:512"',
    ],
    ['expandable_segments:yess', 'yess', undefined],
    ['max_split_size_mb:10', '10', undefined],
    ['garbage_collection_threshold:80', '80', undefined],
    ['expandable_segments', 'expandable_segments', undefined],
    ['max_split_size_mb:', 'max_split_size_mb:', undefined],
    ['max_split_size_mb:big', 'big', undefined],
    ['max_non_split_rounding_mb:10', '10', undefined],
    ['garbage_collection_threshold:80%', '80%', undefined],
    ['max_split_size_mb:16MB', '16MB', undefined],
    ['garbage_collection_threshold:high', 'high', undefined],
    ['roundup_power2_divisions:3', '3', undefined],
    ['pinned_num_register_threads:6', '6', undefined],
    ['pinned_num_register_threads:256', '256', undefined],
    ['per_process_memory_fraction:90', '90', undefined],
    ['backend:cuda_malloc_async', 'cuda_malloc_async', 'backend:cudaMallocAsync'],
  ])('is refused: %s', (text, characters, after) => {
    expect(reported(text)).toEqual(['error', characters, after]);
    // PyTorch up to 2.9 does not read this variable.
    expect(reported(text, 'PYTORCH_ALLOC_CONF')).toEqual(['warning', characters, after]);
  });

  it.each([
    ['PYTORCH_ALLOC_CONF', '2.9.1', []],
    ['PYTORCH_ALLOC_CONF', '2.12', ['warning']],
    ['PYTORCH_ALLOC_CONF', '2.13.0+cu130', ['error']],
    ['PYTORCH_CUDA_ALLOC_CONF', '2.12', ['error']],
  ])('is reported if the declared PyTorch reads it: %s by %s', (name, torch, severities) => {
    const script = `export ${name}=max_split_size_mb:8\ntorchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 2\n`;
    expect(severitiesWith(torch, script)).toEqual(severities);
  });

  it.each([
    ['PYTORCH_CUDA_ALLOC_CONF', ['error']],
    ['PYTORCH_ALLOC_CONF', []],
  ])('is reported only in the variable that PyTorch 2.13 reads, if two are set: %s', (wrong, severities) => {
    const names = ['PYTORCH_CUDA_ALLOC_CONF', 'PYTORCH_ALLOC_CONF'];
    const lines = names.map((name) => `export ${name}=max_split_size_mb:${name === wrong ? 8 : 128}\n`);
    const script = `${lines.join('')}torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 2\n`;
    expect(severitiesWith('2.13', script)).toEqual(severities);
  });

  it('may be unread if the other variable is set too', () => {
    const script = `export PYTORCH_ALLOC_CONF=max_split_size_mb:128\nexport PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:8\ntorchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 2\n`;
    const found = lintFile(path, script).findings.filter(({ rule }) => rule === 'allocator-setting');
    expect(found.map(({ severity, certainty }) => [severity, certainty])).toEqual([['warning', 'likely']]);
  });

  it('may belong to a newer PyTorch', () => {
    expect(reported('something_else:3')).toEqual(['warning', 'something_else', undefined]);
    expect(reported('backend:musaMallocAsync')).toEqual(['warning', 'musaMallocAsync', undefined]);
  });

  it.each([
    'expandable_segments:True',
    'expandable_segments:False,max_split_size_mb:512',
    '"expandable_segments: True, garbage_collection_threshold:0.8"',
    '"roundup_power2_divisions:[256:1,512:2,>:4]"',
    'backend:cudaMallocAsync',
    'large_segment_size_mb:16,max_split_size_mb:18',
    'max_split_size_mb:-1,garbage_collection_threshold:8e-1',
    'max_split_size_mb:512MB',
    'roundup_power2_divisions:8,pinned_num_register_threads:128,throw_on_cudamalloc_oom:True',
    'pinned_use_background_threads:True,pinned_max_cached_size_mb:1024,per_process_memory_fraction:1',
    '"$CONF"',
    'max_split_size_mb:$SIZE',
    '""',
  ])('is accepted: %s', (text) => {
    expect(reported(text)).toBeUndefined();
  });
});
