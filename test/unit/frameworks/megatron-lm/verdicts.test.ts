import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FileReport } from '../../../../server/src/linter.ts';
import { loadKnowledge } from '../../../support/knowledge.ts';
import { lintFile } from '../../../support/lintFile.ts';

// Launches with the verdict of Megatron-LM's own parser, validators and configuration classes at d98e8a64 (Hopper).
// `at` is the line that refused. npm run conformance:megatron measures larger samples.
const launchSchema = z.object({
  id: z.string(),
  world_size: z.number(),
  env: z.record(z.string(), z.string()),
  argv: z.array(z.string()),
  verdict: z.enum(['accept', 'reject']),
  at: z.string(),
  /** The line that refuses the launch after its own checks: process groups, schedules, data sets. */
  late: z.string().optional(),
});

const launches = readFileSync(
  resolve(import.meta.dirname, '../../../fixtures/megatron-lm/launches.jsonl'),
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

function findingsOf(launch: z.infer<typeof launchSchema>): FileReport['findings'] {
  const text = scriptOf(launch);
  return lintFile(path, text).findings;
}

/** Whether a rule cites the line as its source (a statement over several lines may be cited by its first). */
function cites(rule: string, at: string): boolean {
  const id = rule.slice(rule.indexOf('/') + 1);
  const constraint = knowledge.knowledgeOf('megatron-lm').constraints.find((item) => item.id === id);
  const [file, line] = at.split(':');
  return (constraint?.upstream ?? []).some((source) => {
    const cited = /^(\S+):(\d+)/.exec(source);
    return cited?.[1] === file && Math.abs(Number(cited?.[2]) - Number(line)) <= 1;
  });
}

describe("Megatron-LM's verdicts", () => {
  for (const launch of launches)
    it(`${launch.verdict} ${launch.id} ${launch.late ?? launch.at}`, () => {
      const findings = findingsOf(launch);
      const errors = findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule);
      if (launch.verdict === 'accept') expect(errors).toEqual([]);
      else expect(errors).not.toEqual([]);
      const { late } = launch;
      if (late !== undefined) expect(findings.some(({ rule }) => cites(rule, late))).toBe(true);
    });
});
