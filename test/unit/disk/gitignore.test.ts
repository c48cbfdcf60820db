import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { diskHost } from '../../../server/src/disk/diskHost.ts';

const root = mkdtempSync(join(tmpdir(), 'oomlint-ignored-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(files: { readonly [path: string]: string }): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

describe('what does not exist', () => {
  write({
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.gitignore': 'models/\n/data\n*.env\n!kept.env\n',
    'scripts/.gitignore': 'out.yaml\n',
    'scripts/run.sh': '',
    'models/there.sh': '',
  });
  const host = diskHost([root]);
  const kindOf = (path: string) => host.kind(join(root, path));

  it('is absent, unless Git ignores it', () => {
    expect(kindOf('scripts/other.sh')).toBe('absent');
    expect(kindOf('kept.env')).toBe('absent');
    expect(kindOf('out.yaml')).toBe('absent');
    for (const path of [
      'scripts/models/a.sh',
      'scripts/models',
      'data',
      'data/train.jsonl',
      'x.env',
      'scripts/out.yaml',
    ])
      expect(`${path} ${kindOf(path)}`).toBe(`${path} unknown`);
  });

  it('excludes what exists, even if ignored', () => {
    expect(kindOf('models/there.sh')).toBe('file');
    expect(kindOf('models')).toBe('directory');
  });
});
