import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answersFor } from '../../../tools/conformance/areal/answers.ts';
import { silentlyChanged } from '../../../tools/conformance/areal/changed.ts';
import { readRecords } from '../../../tools/conformance/areal/record.ts';
import { loadKnowledge } from '../../support/knowledge.ts';

const { knowledgeOf } = loadKnowledge();
const fixture = resolve(import.meta.dirname, '../../fixtures/areal/launches.jsonl.gz');
const records = readRecords(readFileSync(fixture));

describe("AReaL launches with upstream's own verdict", () => {
  it('has launches with both verdicts', () => {
    expect(records.filter(({ verdict }) => verdict === 'accept').length).toBeGreaterThan(50);
    expect(records.filter(({ verdict }) => verdict === 'reject').length).toBeGreaterThan(30);
  });

  it('reports an error where upstream refuses, and only there', () => {
    const wrong = records.flatMap((record) => {
      const errors = answersFor(record, knowledgeOf).filter(({ severity }) => severity === 'error');
      const refused = record.verdict === 'reject' || record.late.length > 0;
      if (record.verdict === 'reject' && errors.length === 0)
        return [`${record.id} missed: ${record.message}`];
      return errors.length > 0 && !refused ? [`${record.id} false: ${errors[0]?.message ?? ''}`] : [];
    });
    expect(wrong).toEqual([]);
  });
});

describe('what upstream silently changes', () => {
  it('is a value with a different meaning, not just another spelling', () => {
    const [accepted] = records.filter(({ verdict }) => verdict === 'accept');
    if (accepted === undefined) throw new Error('the fixture has no accepted launch');
    const changed = {
      enable_offload: ['yes', true],
      'actor.is_critic': ['no', false],
      'actor.pad_to_maximum': [2, true],
      'actor.mb_spec.granularity': [0, 2],
      'actor.scheduling_spec.0.env_vars.NCCL_NVLS_ENABLE': ['<absent>', '0'],
    } satisfies { [name: string]: [unknown, unknown] };
    expect(silentlyChanged({ ...accepted, changed })).toEqual([
      'actor.pad_to_maximum',
      'actor.mb_spec.granularity',
    ]);
  });
});
