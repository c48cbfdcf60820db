import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';

/** What is told of an allocator string, and the string after the fix. */
function told(text: string, variable = 'PYTORCH_CUDA_ALLOC_CONF') {
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
  ])('is refused: %s', (text, characters, after) => {
    expect(told(text)).toEqual(['error', characters, after]);
    expect(told(text, 'PYTORCH_ALLOC_CONF')).toEqual(['error', characters, after]);
  });

  it('may be one of a newer PyTorch', () => {
    expect(told('something_else:3')).toEqual(['warning', 'something_else', undefined]);
  });

  it.each([
    'expandable_segments:True',
    'expandable_segments:False,max_split_size_mb:512',
    '"expandable_segments: True, garbage_collection_threshold:0.8"',
    '"roundup_power2_divisions:[256:1,512:2,>:4]"',
    'backend:cudaMallocAsync',
    '"$CONF"',
    'max_split_size_mb:$SIZE',
    '""',
  ])('is taken: %s', (text) => {
    expect(told(text)).toBeUndefined();
  });
});
