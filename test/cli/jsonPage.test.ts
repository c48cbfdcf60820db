import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { workspaces } from '../support/workspace.ts';

const workspace = workspaces();
const page = readFileSync(resolve(import.meta.dirname, '../../docs/json.md'), 'utf8');
const example = resolve(import.meta.dirname, '../../examples/megatron/pretrain_70b.sh');

/** The names of all fields of some data, except those below `open`, which are the user's own. */
function fieldsOf(data: unknown, open: ReadonlySet<string>): string[] {
  if (Array.isArray(data)) return data.flatMap((item) => fieldsOf(item, open));
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([name, value]) => [
    name,
    ...(open.has(name) ? [] : fieldsOf(value, open)),
  ]);
}

test.each([
  ['check', ['check', '--format', 'json', '--fail-on', 'never', 'run.sh'], []],
  ['resolve', ['resolve', '--format', 'json', 'run.sh'], ['env']],
  ['rules', ['rules', '--format', 'json'], []],
  ['config', ['config', '--format', 'json', 'run.sh'], ['machine', 'variables', 'rules']],
])('docs/json.md describes every field of oomlint %s', (command, args, open) => {
  const made = workspace({ 'run.sh': readFileSync(example, 'utf8') });
  const section = page.split(/^## /m).find((text) => text.startsWith(`\`oomlint ${command} `)) ?? '';
  const fields = new Set(fieldsOf(JSON.parse(made.run(args).out), new Set(open)));
  expect(fields.size).toBeGreaterThan(5);
  expect([...fields].filter((name) => !section.includes(`"${name}"`))).toEqual([]);
});
