import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { frameworkIds, optionsBeside } from '../../../server/src/frameworks/framework.ts';

it.each(frameworkIds)('extra options of %s are those that its base launch includes', (id) => {
  const base = resolve(import.meta.dirname, '../../../schemas', id, 'base.yaml');
  const { includes = [] }: { includes?: string[] } = parse(readFileSync(base, 'utf8'));
  expect(optionsBeside(id)).toBe(includes.find((other) => other === 'megatron-lm'));
});
