import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { parseYaml } from '../../../server/src/yaml/parse.ts';
import { processorTime } from '../../support/processorTime.ts';

/** The first problem of a text: the message, the characters it points at, and the text after the fix. */
function first(text: string) {
  const [problem] = parseYaml('/c.yaml', text)[0]?.problems ?? [];
  const { message = '', span = { start: 0, end: 0 }, mend } = problem ?? {};
  const mended = mend === undefined ? undefined : applyEdits(text, mend.edits);
  return { message, at: text.slice(span.start, span.end), mended };
}

describe('a mistake in a line', () => {
  it.each([
    ['  b:1', '  b: 1', 'A space is missing after the colon of b.', 'b:'],
    ['  b:"x y"', '  b: "x y"', 'A space is missing after the colon of b.', 'b:'],
    ['  b = 1', '  b: 1', 'A colon must follow b, not an equals sign.', ' = '],
    ['  b=1', '  b: 1', 'A colon must follow b, not an equals sign.', '='],
    ['  b： 1', '  b: 1', '： is not a colon to YAML.', '： '],
    ['  b：1', '  b: 1', '： is not a colon to YAML.', '：'],
    ['  b:\u00a01', '  b: 1', 'This is not a space to YAML (U+00A0).', '\u00a0'],
    ['\u00a0\u00a0b: 1', '  b: 1', 'This is not a space to YAML (U+00A0).', '\u00a0\u00a0'],
    ['\u3000 b: 1', '  b: 1', 'This is not a space to YAML (U+3000).', '\u3000 '],
    ['  b 1', '  b: 1', 'The colon is missing after b.', 'b'],
    ['  b: "x', '  b: "x"', 'This quoted text is never closed.', '"x'],
    ["  b: 'x'y", undefined, 'This does not belong here.', 'y'],
    ['  b: [1, 2', '  b: [1, 2]', 'This [ is never closed.', '[1, 2'],
    ['  b: {x: 1', '  b: {x: 1}', 'This { is never closed.', '{x: 1'],
    ['  b: x: y', '  b: "x: y"', 'A second `key:` cannot start here; quote the value', 'x'],
    ['  b: [${x.y}, 2]', '  b: ["${x.y}", 2]', '${x.y} needs quotes within brackets.', '${x.y}'],
    ['  b: [${x}, ${y}]', '  b: ["${x}", "${y}"]', '${x} needs quotes within brackets.', '${x}, ${y}'],
    ['  b: {x: ${y}}', '  b: {x: "${y}"}', '${y} needs quotes within brackets.', '${y}'],
    ['  b: [1,\n    ${x}]', '  b: [1,\n    "${x}"]', '${x} needs quotes within brackets.', '${x}'],
    ['  b: @x', '  b: "@x"', 'A value cannot start with this character; put it in quotes.', '@'],
    ['   b: 1', '  b: 1', 'This key is indented deeper than the one above it', 'b'],
    ['    b: 1', '  b: 1', 'This key is indented deeper than the one above it', 'b'],
  ])('is reported at its place, and fixed: %j', (line, mended, message, at) => {
    const text = (middle: string): string => `a:\n  # first\n  x: 0\n${middle}\n  c: 3\nd: 4\n`;
    const found = first(text(line));
    expect(found.message).toContain(message);
    if (mended !== undefined) {
      expect(found.mended).toBe(text(mended));
      expect(found.at).toBe(at);
      expect(first(text(mended)).message).toBe('');
    }
  });

  it('is found if a quote is left open far above the end', () => {
    const text = `a: 'x\n${'b: 1\n'.repeat(20)}`;
    expect(first(text)).toEqual({
      message: 'This quoted text is never closed.',
      at: "'x",
      mended: text.replace("'x", "'x'"),
    });
  });

  it('is fixed with carriage returns as well', () => {
    expect(first('a:\r\n  b:1\r\n  c: 3\r\n').mended).toBe('a:\r\n  b: 1\r\n  c: 3\r\n');
  });

  it('gets no fix if nothing more can be read with it', () => {
    expect(first('a: 1\n} b:1\n').mended).toBeUndefined();
  });

  it('is not searched for in texts that take long to read', () => {
    const text = `a:\n  b:1\n  c: 3\n${'d: 1\n'.repeat(20_000)}`;
    expect(first(text).mended).toBeUndefined();
  });

  it('is searched for within a time limit if many documents have one', () => {
    const text = (count: number): string => 'a:\n  b: [c, d,\n---\n'.repeat(count);
    const took = (count: number): number => processorTime(() => parseYaml('/r/job.yaml', text(count)));
    const [document] = parseYaml('/r/job.yaml', text(4));
    expect(document?.problems[0]?.mend).toBeDefined();
    // Rereading the whole text for each document would take minutes.
    expect(took(1000)).toBeLessThan(10_000);
  });
});
