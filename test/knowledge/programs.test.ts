import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkPrograms } from '../../tools/knowledge/programs.ts';
import { loadKnowledge } from '../support/knowledge.ts';

const { frameworks } = loadKnowledge();

describe('the files that say what programs look like', () => {
  it('name only options, sections and constraints that exist', () => {
    expect(checkPrograms(resolve(import.meta.dirname, '../../schemas'), frameworks)).toEqual([]);
  });

  it('are missed where they are not there', () => {
    const folder = mkdtempSync(join(tmpdir(), 'schemas-'));
    try {
      expect(checkPrograms(folder, frameworks).map(({ message }) => message)).toContain(
        'the file is missing',
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('are held against the options', () => {
    const without = new Map([...frameworks].filter(([id]) => id !== 'megatron-lm'));
    const problems = checkPrograms(resolve(import.meta.dirname, '../../schemas'), without);
    expect(problems.map(({ message }) => message)).toContain('the option num_layers does not exist');
  });
});
