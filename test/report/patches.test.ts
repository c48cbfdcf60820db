import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { autofix } from '../../server/src/autofix.ts';
import { unifiedDiff } from '../../server/src/cli/fixing.ts';
import type { Linter } from '../../server/src/linter.ts';
import type { Host } from '../../server/src/value/host.ts';
import { loadKnowledge, testLinter } from '../support/knowledge.ts';
import { memoryHost } from '../support/memoryHost.ts';
import { type RuleExample, ruleExamples } from '../support/ruleExamples.ts';
import { thorough } from '../support/thorough.ts';

const folder = mkdtempSync(join(tmpdir(), 'oomlint-patches-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function git(args: readonly string[], input = ''): void {
  const done = spawnSync('git', ['-c', 'core.autocrlf=false', ...args], {
    cwd: folder,
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  expect(`${done.stderr}${done.status}`).toBe('0');
}

/** Writes the texts, applies all patches at once, and compares every file. */
function applyAll(changes: ReadonlyMap<string, { readonly before: string; readonly after: string }>): void {
  git(['init', '-q']);
  for (const [path, { before }] of changes) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), before);
  }
  const patch = [...changes].map(([path, { before, after }]) => unifiedDiff(path, before, after)).join('');
  git(['apply', '--whitespace=nowarn', '-'], patch);
  for (const [path, { after }] of changes) expect(readFileSync(join(folder, path), 'utf8'), path).toBe(after);
}

describe('patches', () => {
  it('of the fixes of every rule are accepted by git apply and give the fixed text', () => {
    const knowledge = loadKnowledge();
    const groups = new Map<string, RuleExample[]>();
    for (const example of ruleExamples(knowledge).filter((_, at) => thorough || at % 5 === 0)) {
      const key = JSON.stringify(example.machine);
      groups.set(key, [...(groups.get(key) ?? []), example]);
    }
    const changes = new Map<string, { before: string; after: string }>();
    for (const group of groups.values()) {
      const files: { [path: string]: string } = Object.assign({}, ...group.map((example) => example.files));
      const inputs = group.map(({ script }) => ({ path: script, text: files[script] ?? '' }));
      const open = (host: Host): Linter => testLinter(knowledge, host, group[0]?.machine);
      const { texts } = autofix(inputs, memoryHost(files), open, { suggested: true });
      for (const [path, after] of texts)
        changes.set(path.replace('/repository/', ''), { before: files[path] ?? '', after });
    }
    expect(changes.size).toBeGreaterThan(thorough ? 200 : 40);
    applyAll(changes);
  });

  it('name an absolute path as Git does', () => {
    expect(unifiedDiff('/data/run.sh', 'a\n', 'b\n')).toContain('--- a/data/run.sh\n+++ b/data/run.sh\n');
  });

  it('handle line endings, missing final newlines, unusual names and lines that look like headers', () => {
    const before = 'a\r\n-- old\t\r\n--- x\t\nlast';
    applyAll(
      new Map(
        ['plain.sh', 'with blank.sh', 'über/größe.sh', 'quo"te\\back.sh', 'tab\tname.sh'].map((name) => [
          name,
          { before, after: before.replace('a\r', 'b\r').replace('-- old', '-- new').replace('last', 'end') },
        ]),
      ),
    );
    applyAll(new Map([['added.sh', { before: 'one\n', after: 'one\ntwo' }]]));
    applyAll(new Map([['emptied.sh', { before: 'one\n', after: '' }]]));
  });
});
