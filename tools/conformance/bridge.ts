// Compares our verdicts on launches of Bridge's recipe runner with upstream's, as tools/extract/megatron-bridge-verdicts.py records them: npm
// run conformance:bridge [-- --file FILE] [--show false|missed] [--limit N]
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { answersTo, type BridgeRecord, readRecords, scriptOf } from './bridge/record.ts';
import { knowledgeInSchemas, percent, readRequest } from './verdicts.ts';

const { files, show, limit } = readRequest('bridge', ['false', 'missed']);
const file = files[0] ?? resolve('test/fixtures/megatron-bridge/launches.jsonl');
const knowledgeOf = knowledgeInSchemas();
const listed: string[] = [];
const counts = { refused: 0, reported: 0, errors: 0, accepted: 0, alarms: 0 };
const missed = new Map<string, number>();

function list(kind: string, record: BridgeRecord, rules: readonly string[]): void {
  if (show !== kind || listed.length >= limit) return;
  listed.push(
    `${scriptOf(record)}  upstream: ${record.at ?? 'accepts'} ${record.message ?? ''}\n  we: ${rules.join(', ')}`,
  );
}

for (const record of readRecords(readFileSync(file))) {
  const answers = answersTo(record, knowledgeOf);
  const errors = answers.filter(({ severity }) => severity === 'error').map(({ rule }) => rule);
  if (record.verdict === 'accept') {
    counts.accepted += 1;
    if (errors.length === 0) continue;
    counts.alarms += 1;
    list('false', record, errors);
    continue;
  }
  counts.refused += 1;
  if (errors.length > 0) counts.errors += 1;
  if (answers.length > 0) {
    counts.reported += 1;
    continue;
  }
  const reason = `${record.at ?? ''} ${(record.message ?? '').replace(/\d+/g, 'N').slice(0, 80)}`;
  missed.set(reason, (missed.get(reason) ?? 0) + 1);
  list('missed', record, []);
}

console.log(
  [
    `refusals reported  ${percent(counts.reported, counts.refused)} (${counts.reported} of ${counts.refused}; ${counts.errors} as errors: what rests on a recipe is a warning)`,
    `false errors       ${counts.alarms} on ${counts.accepted} launches that upstream accepts`,
    ...[...missed].sort((a, b) => b[1] - a[1]).map(([reason, times]) => `  missed ${times}: ${reason}`),
    ...listed,
  ].join('\n'),
);
