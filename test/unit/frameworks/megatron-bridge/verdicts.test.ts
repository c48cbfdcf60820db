import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answersTo, readRecords } from '../../../../tools/conformance/bridge/record.ts';
import { knowledgeOf } from '../../../support/bridge.ts';

// Launches of Bridge's recipe runner with the verdict of Bridge's own code at 067f987d (H100, Transformer Engine 2.14): two for each refusing
// line that we report, and accepted ones. npm run conformance:bridge measures larger samples and what we miss.
const records = readRecords(
  readFileSync(resolve(import.meta.dirname, '../../../fixtures/megatron-bridge/launches.jsonl')),
);

describe("Megatron-Bridge's verdicts", () => {
  it.each(records.map((record) => ({ ...record, words: record.overrides.join(' ') })))(
    '$verdict $recipe on $world_size GPUs $words',
    (record) => {
      const answers = answersTo(record, knowledgeOf).map(({ severity, rule }) => `${severity} ${rule}`);
      if (record.verdict === 'reject') expect(answers).not.toEqual([]);
      else expect(answers.filter((answer) => answer.startsWith('error'))).toEqual([]);
    },
  );
});
