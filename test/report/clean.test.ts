import { describe, expect, test } from 'vitest';
import { clean } from '../../server/src/report/clean.ts';

describe('a text from a file shown in a terminal', () => {
  test.each([
    ['\ufeff#!/bin/bash', '\\ufeff#!/bin/bash'],
    ['lr:\u200b1', 'lr:\\u200b1'],
    ['a\u2060b', 'a\\u2060b'],
    ['\u001b[31m\u202e', '\\x1b[31m\\u202e'],
    ['\ta\nb', '    a\\nb'],
  ])('makes visible what is invisible or would control the terminal: %j', (text, shown) => {
    expect(clean(text)).toBe(shown);
  });

  test('keeps letters, symbols and joiners', () => {
    const text = 'a é 模型 👩\u200d💻 →';
    expect(clean(text)).toBe(text);
  });
});
