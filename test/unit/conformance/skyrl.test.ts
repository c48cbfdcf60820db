import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aboutType, makeJudge } from '../../../tools/conformance/skyrl/answers.ts';
import { dependsOnMachine, readRecords } from '../../../tools/conformance/skyrl/record.ts';
import { loadKnowledge } from '../../support/knowledge.ts';

const judge = makeJudge(loadKnowledge().knowledgeOf);
const fixture = resolve(import.meta.dirname, '../../fixtures/skyrl/launches.jsonl.gz');
const records = readRecords(readFileSync(fixture)).filter((record) => !dependsOnMachine(record));

describe("SkyRL launches with upstream's own verdict", () => {
  it('has launches with both verdicts', () => {
    expect(records.filter(({ verdict }) => verdict === 'accept').length).toBeGreaterThan(200);
    expect(records.filter(({ verdict }) => verdict === 'reject').length).toBeGreaterThan(200);
  });

  it('reports an error where upstream refuses, and only there', () => {
    const wrong = records.flatMap((record) => {
      const errors = judge(record).filter(({ severity }) => severity === 'error');
      if (record.verdict === 'reject') return errors.length === 0 ? [`${record.id} missed`] : [];
      const falsely = errors.filter((error) => record.late == null && !aboutType(record, error));
      return falsely.map(({ rule }) => `${record.id} ${rule}`);
    });
    expect(wrong).toEqual([]);
  });
});
