import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBash } from '../../../server/src/bash/text/parse.ts';
import { hasAllocatorKey, withAllocatorKey } from '../../../server/src/fixes/allocator.ts';
import { Draft } from '../../../server/src/fixes/draft.ts';
import { overrideText, yamlText } from '../../../server/src/fixes/values.ts';
import { isSound } from '../../../server/src/fixes/verify.ts';
import { applyEdits } from '../../../server/src/text/edit.ts';
import type { Data } from '../../../server/src/value/value.ts';
import { parseYaml } from '../../../server/src/yaml/parse.ts';

test('allocator strings keep their other settings', () => {
  const text = 'roundup_power2_divisions:[256:1,512:2],expandable_segments:True';
  expect(hasAllocatorKey(text, 'expandable_segments')).toBe(true);
  expect(hasAllocatorKey(text, '512')).toBe(false);
  expect(withAllocatorKey(text, 'expandable_segments', null)).toBe('roundup_power2_divisions:[256:1,512:2]');
  expect(withAllocatorKey(text, 'roundup_power2_divisions', '4')).toBe(
    'roundup_power2_divisions:4,expandable_segments:True',
  );
  expect(withAllocatorKey('', 'a', '1')).toBe('a:1');
  expect(withAllocatorKey('a:1', 'a', null)).toBe('');
});

test('a draft reports its changes as edits of the original', () => {
  const change = fc.record({ at: fc.nat(), length: fc.nat(4), text: fc.string({ maxLength: 3 }) });
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 20 }),
      fc.array(change, { maxLength: 6 }),
      (before, made) => {
        const draft = new Draft('/d', before);
        let text = before;
        for (const { at, length, text: put } of made) {
          const start = at % (text.length + 1);
          const end = Math.min(text.length, start + length);
          draft.replace({ start, end }, put);
          text = text.slice(0, start) + put + text.slice(end);
        }
        expect(draft.text).toBe(text);
        expect(applyEdits(before, draft.edits())).toBe(text);
      },
    ),
  );
});

test('positions are carried through changes', () => {
  const draft = new Draft('/d', 'one two three');
  draft.replace({ start: 0, end: 3 }, 'fourteen');
  expect(draft.now({ start: 4, end: 7 })).toEqual({ start: 9, end: 12 });
  expect(draft.now({ start: 0, end: 3 })).toEqual({ start: 0, end: 8 });
  draft.replace({ start: 9, end: 13 }, '');
  expect(draft.now({ start: 4, end: 7 })).toBeUndefined();
  expect(draft.now({ start: 8, end: 13 })).toEqual({ start: 9, end: 14 });
});

test('values read back unchanged', () => {
  const data: fc.Arbitrary<Data> = fc.oneof(
    fc.string(),
    fc.string({
      unit: fc.constantFrom('1', 'e', '.', '-', 'o', 'n', ':', '#', ' ', '"', "'", '~', '_', '0', 'x'),
    }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  );
  const read = (text: string): unknown => {
    const value = parseYaml('/v', text)[0]?.at(['k', 0])?.value;
    return value?.kind === 'known' ? value.data : value;
  };
  fc.assert(
    fc.property(data, fc.constantFrom('' as const, '"' as const, "'" as const), (value, quote) => {
      expect(read(`k: [${yamlText(value, quote)}]\n`)).toEqual(value === 0 ? 0 : value);
      expect(read(`k: [${overrideText(value)}]\n`)).toEqual(value === 0 ? 0 : value);
    }),
    { numRuns: 2000 },
  );
});

/** Whether a text is still sound after it was changed into another one. */
function isSoundAs(path: string, before: string, after: string): boolean {
  const draft = new Draft(path, before);
  draft.replace({ start: 0, end: before.length }, after);
  return isSound(draft);
}

describe('an edited text', () => {
  test('must not have new errors', () => {
    expect(isSoundAs('/a.sh', 'a "b"\n', 'a "b\n')).toBe(false);
    expect(isSoundAs('/a.sh', 'a \\\n  b\n', 'a \\\n\n')).toBe(false);
    expect(isSoundAs('/a.sh', 'a "b\n', 'c "b\n')).toBe(true);
    const three = (middle: string): string => `x=1\n${middle}\nif y; then\n  z\nfi\n`;
    expect(isSoundAs('/a.sh', three('a \\\n  b'), three('a \\\n  b c'))).toBe(true);
    expect(isSoundAs('/a.sh', three('a b'), three('a "b'))).toBe(false);
    // The continuation would swallow the next line.
    expect(isSoundAs('/a.sh', three('a \\\n  b'), three('a \\'))).toBe(false);
    expect(isSoundAs('/a.sh', three('a \\\n  b'), three('a \\\n'))).toBe(false);
    expect(isSoundAs('/a.yaml', 'a: 1\n', 'a: [1\n')).toBe(false);
    expect(isSoundAs('/a.yaml', 'run: |\n  a "b"\n', 'run: |\n  a "b\n')).toBe(false);
    expect(isSoundAs('/a.yaml', 'run: |\n  a "b"\n', 'run: |\n  a "c"\n')).toBe(true);
  });

  test('is read like its whole text if it is one of several documents', () => {
    const lines = ['a: 1', 'b: |', '  x', '  - y', '---', '--- ', '--- z', 'c: "q', 'd"', '# e', '', '...'];
    const line = fc.constantFrom(...lines);
    const put = fc.constantFrom('', '\n', 'k: 2\n', ' ', '---\n', '\n---', '"', 'x', '  x\n', '- ');
    const change = fc.record({ at: fc.nat(), length: fc.nat(8), text: put });
    let apart = 0;
    fc.assert(
      fc.property(fc.array(line, { minLength: 2, maxLength: 9 }), change, (texts, { at, length, text }) => {
        const before = `${texts.join('\n')}\n`;
        const draft = new Draft('/a.yaml', before);
        const start = at % (before.length + 1);
        draft.replace({ start, end: Math.min(before.length, start + length) }, text);
        const documents = (path: string, read: string) => {
          if (read !== before && read !== draft.text) apart += 1;
          return parseYaml(path, read);
        };
        const [old, now] = [parseYaml('/a.yaml', before), parseYaml('/a.yaml', draft.text)];
        if (old.some(({ problems }) => problems.length > 0)) return;
        const isRead = now.length === old.length && now.every(({ problems }) => problems.length === 0);
        expect(isSound(draft, { documents, script: parseBash })).toBe(isRead);
      }),
      { numRuns: 3000 },
    );
    expect(apart).toBeGreaterThan(100);
  });
});
