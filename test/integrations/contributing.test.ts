import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const copy = mkdtempSync(join(tmpdir(), 'oomlint-contributing-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** The fenced blocks of a page: language, the rest of the opening line, and the text without its list's indentation. */
function blocks(page: string): { language: string; title: string; text: string }[] {
  return [...page.matchAll(/^( *)```(\w+) ([^\n]+)\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = '', language = '', title = '', text = '']) => ({
      language,
      title,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}

it('a rule can be added as CONTRIBUTING.md describes', () => {
  for (const path of [
    'server',
    'schemas',
    'tools',
    'test/knowledge',
    'test/support',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
  ])
    cpSync(join(root, path), join(copy, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const steps = blocks(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'));
  expect(steps.map(({ title }) => title)).toEqual(['schemas/slime/constraints/limits.yaml', 'run', 'run']);
  let output = '';
  for (const { language, title, text } of steps) {
    if (language === 'yaml') {
      expect(existsSync(join(root, title)), 'the page speaks of a new file').toBe(false);
      mkdirSync(dirname(join(copy, title)), { recursive: true });
      writeFileSync(join(copy, title), text);
      continue;
    }
    const done = spawnSync('bash', ['-e', '-c', text], {
      cwd: copy,
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', HOME: copy, NO_COLOR: '1' },
    });
    expect(`${done.status}\n${done.stdout}${done.stderr}`).toMatch(/^0\n/);
    output = done.stdout;
  }
  expect(output).toMatch(/Tests\s+1 passed/);
  expect(readFileSync(join(copy, 'dist/knowledge/slime.json'), 'utf8')).toContain('enormous-rollout-batch');
}, 240_000);
