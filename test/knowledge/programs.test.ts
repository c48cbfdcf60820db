import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { describe, expect, it } from 'vitest';
import { commonFiles } from '../../tools/knowledge/commonFiles.ts';
import { programFiles } from '../../tools/knowledge/programFiles.ts';
import { checkPrograms } from '../../tools/knowledge/programs.ts';
import { loadKnowledge } from '../support/knowledge.ts';

const { frameworks } = loadKnowledge();

const root = resolve(import.meta.dirname, '../..');

/** The JSON files of schemas/ that the source imports. */
function imported(): Set<string> {
  const sources = globSync(['server/src/**/*.ts', 'client/**/*.ts', 'site/**/*.ts'], { cwd: root });
  const texts = sources.map((path) => readFileSync(join(root, path), 'utf8'));
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/from '(?:\.\.\/)+schemas\/([^']+\.json)'/g)].map(([, file]) => file ?? ''),
    ),
  );
}

describe('the files that describe programs', () => {
  it('name only options, sections and constraints that exist', () => {
    expect(checkPrograms(join(root, 'schemas'), frameworks)).toEqual([]);
  });

  it('include all that the source reads', () => {
    const known = new Set(Object.keys({ ...commonFiles, ...programFiles }));
    expect(imported().size).toBeGreaterThan(20);
    expect([...imported()].filter((file) => !known.has(file))).toEqual([]);
  });

  it('are reported when missing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'schemas-'));
    try {
      expect(checkPrograms(folder, frameworks).map(({ message }) => message)).toContain(
        'the file is missing',
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('are checked against the options', () => {
    const without = new Map([...frameworks].filter(([id]) => id !== 'megatron-lm'));
    const problems = checkPrograms(join(root, 'schemas'), without);
    expect(problems.map(({ message }) => message)).toContain('the option num_layers does not exist');
  });
});
