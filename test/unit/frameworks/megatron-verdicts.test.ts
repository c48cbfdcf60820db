import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadKnowledge, testLinter } from '../../support/knowledge.ts';
import { memoryHost } from '../../support/memoryHost.ts';

// Launches with the verdict of Megatron-LM's own parser, validators and configuration classes at d98e8a64 (Hopper).
// `at` is the line that refused. npm run conformance:megatron measures larger samples.
const launchSchema = z.object({
  id: z.string(),
  world_size: z.number(),
  env: z.record(z.string(), z.string()),
  argv: z.array(z.string()),
  verdict: z.enum(['accept', 'reject']),
  at: z.string(),
});

const launches = readFileSync(
  resolve(import.meta.dirname, '../../fixtures/megatron-lm/launches.jsonl'),
  'utf8',
)
  .split('\n')
  .filter(Boolean)
  .map((line) => launchSchema.parse(JSON.parse(line)));
const knowledge = loadKnowledge();
const path = '/repository/run.sh';

function quote(word: string): string {
  return /^[\w./:=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The launch as a person would write it. */
function scriptOf(launch: z.infer<typeof launchSchema>): string {
  const perNode = [8, 4, 2, 1].find((count) => launch.world_size % count === 0) ?? 1;
  const exports = Object.entries(launch.env).map(([name, value]) => `export ${name}=${quote(value)}`);
  const words = launch.argv.map(quote).join(' ');
  return `${exports.join('\n')}\ntorchrun --nproc_per_node ${perNode} --nnodes ${launch.world_size / perNode} pretrain_gpt.py ${words}\n`;
}

function errorsOf(launch: z.infer<typeof launchSchema>): string[] {
  const text = scriptOf(launch);
  const report = testLinter(knowledge, memoryHost({ [path]: text })).lint(path, text);
  return report.findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule);
}

describe("Megatron-LM's verdicts", () => {
  for (const launch of launches)
    it(`${launch.verdict} ${launch.id} ${launch.at}`, () => {
      const errors = errorsOf(launch);
      if (launch.verdict === 'accept') expect(errors).toEqual([]);
      else expect(errors).not.toEqual([]);
    });
});
