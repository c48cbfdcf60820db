import { describe, expect, it, test } from 'vitest';
import { hasUtf8Locale, paletteOf } from '../../../server/src/cli/output.ts';
import { inAscii } from '../../../server/src/report/ascii.ts';

describe('terminals without UTF-8', () => {
  it('are detected by the first of LC_ALL, LC_CTYPE and LANG that is not empty', () => {
    expect(hasUtf8Locale({ LANG: 'en_GB.UTF-8' })).toBe(true);
    expect(hasUtf8Locale({ LANG: 'C', LC_CTYPE: 'C.utf8' })).toBe(true);
    expect(hasUtf8Locale({ LC_ALL: '', LANG: 'de_DE.utf8' })).toBe(true);
    expect(hasUtf8Locale({ LC_ALL: 'C', LC_CTYPE: 'C.utf8', LANG: 'en_GB.UTF-8' })).toBe(false);
    expect(hasUtf8Locale({ LANG: 'de_DE.ISO-8859-1' })).toBe(false);
    expect(hasUtf8Locale({})).toBe(false);
  });

  it('get the marks of reports in ASCII, and the letters of files unchanged', () => {
    expect(inAscii(' ╭─ Müller.sh:1:2\n1 │ …x\n  ┆\n  ├─ “a” ‹b› → 2 × 3')).toBe(
      ' +- Müller.sh:1:2\n1 | ...x\n  :\n  +- "a" <b> -> 2 x 3',
    );
  });
});

test('blue is the bright one, readable on black and on white', () => {
  const output = { out: () => {}, err: () => {}, show: () => {}, colour: true, width: 80 };
  expect(paletteOf(output).blue('x')).toBe('\u001b[94mx\u001b[39m');
});
