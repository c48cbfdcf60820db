import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { defaultEditorSettings, editorSettings } from '../../../server/src/lsp/settings.ts';

const root = resolve(import.meta.dirname, '../../..');
const setting = z.object({
  type: z.enum(['boolean', 'string']),
  default: z.union([z.boolean(), z.string()]),
  enum: z.array(z.string()).optional(),
  enumDescriptions: z.array(z.string()).optional(),
  scope: z.enum(['resource', 'window']),
  order: z.number(),
  markdownDescription: z.string().min(20),
});
const manifest = z
  .object({
    contributes: z.object({ configuration: z.object({ properties: z.record(z.string(), setting) }) }),
  })
  .parse(JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')));
const settings = Object.entries(manifest.contributes.configuration.properties);
const page = readFileSync(resolve(root, 'docs/editors.md'), 'utf8');

describe('settings of the extension', () => {
  test('have one prefix and an order of their own', () => {
    expect(settings.map(([name]) => name).filter((name) => !name.startsWith('oomlint.'))).toEqual([]);
    expect(settings.map(([, { order }]) => order)).toEqual(settings.map((_, at) => at + 1));
  });

  for (const [name, { default: value, enum: choices, enumDescriptions }] of settings)
    test(`${name} is documented with its default, and every choice is described`, () => {
      expect(page).toContain(`| \`${name}\` | \`${value}\` |`);
      expect(enumDescriptions?.length).toBe(choices?.length);
      if (choices !== undefined) expect(choices).toContain(value);
    });

  test('have the defaults of the server', () => {
    const section: { [name: string]: unknown } = {};
    for (const [name, { default: value }] of settings) {
      const [, first = '', second] = name.split('.');
      section[first] = second === undefined ? value : { [second]: value };
    }
    expect(editorSettings(section)).toEqual(defaultEditorSettings);
  });
});
