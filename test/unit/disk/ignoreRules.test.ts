import fc from 'fast-check';
import ignore from 'ignore';
import { describe, expect, it } from 'vitest';
import { ignoreRules } from '../../../server/src/disk/ignoreRules.ts';

const name = fc.constantFrom(
  'a',
  'B',
  'data',
  'Data.yaml',
  '.env',
  'x y',
  'é',
  '[x]',
  'a*b',
  '#c',
  '!d',
  'a\\',
);
const piece = fc.constantFrom(
  'a',
  'b',
  'data',
  '.env',
  '*',
  '**',
  '?',
  '[ab]',
  '[^b',
  '\\*',
  '\\#',
  '\\ ',
  ' ',
  '{a,b}',
  '.',
  'é',
  '+',
);
const pattern = fc
  .tuple(
    fc.constantFrom('', '!', '/', '#', '**/', '\\!'),
    fc.array(fc.array(piece, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '/', '/**', ' '),
  )
  .map(([start, parts, end]) => `${start}${parts.map((part) => part.join('')).join('/')}${end}`);
const path = fc
  .tuple(fc.array(name, { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([names, isFolder]) => names.join('/') + (isFolder ? '/' : ''));

describe('patterns of .gitignore', () => {
  it('answer as if each were tried', () => {
    fc.assert(
      fc.property(
        fc.array(pattern, { maxLength: 8 }),
        fc.array(path, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        (patterns, paths, foldsCase) => {
          const rules = ignoreRules(patterns, foldsCase);
          const options = { allowRelativePaths: true, ignorecase: foldsCase };
          for (const each of paths) {
            const { ignored, unignored } = ignore(options).add(patterns).test(each);
            expect(rules.test(each)).toMatchObject({ ignored, unignored });
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('are case-sensitive if the disk is', () => {
    const ignored = (foldsCase: boolean): readonly string[] =>
      ['data/', 'DATA/', 'Data.sh'].filter((each) => ignoreRules(['DATA*'], foldsCase).test(each).ignored);
    expect(ignored(false)).toEqual(['DATA/']);
    expect(ignored(true)).toEqual(['data/', 'DATA/', 'Data.sh']);
  });
});
