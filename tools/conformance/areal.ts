// Compares our verdicts on AReaL launches with upstream's: npm run conformance:areal [-- --file FILE.jsonl[.gz]] [--show
// false|missed|cause|late|changed] [--limit N] [--without-script] [--release 2.0.0] --release is the release that the project declares, whose
// verdicts the file contains. Without the script the experiment class must be inferred from the configuration.
import { readFileSync } from 'node:fs';
import { answersFor } from './areal/answers.ts';
import { sameCause } from './areal/cause.ts';
import { silentlyChanged } from './areal/changed.ts';
import { type OracleRecord, readRecords } from './areal/record.ts';
import { knowledgeInSchemas, readRequest, Verdicts } from './verdicts.ts';

const request = readRequest(
  'areal',
  ['false', 'missed', 'cause', 'late', 'changed'],
  'areal-launch.dev.jsonl.gz',
);
const knowledgeOf = knowledgeInSchemas();
const records = request.files.flatMap((file) => readRecords(readFileSync(file)));
const verdicts = new Verdicts<OracleRecord>(request, (record) => {
  const late = record.late.map(({ stage, message }) => `LATE ${stage} ${message.slice(0, 120)}`).join('; ');
  const message = record.message.slice(0, 160).replaceAll('\n', ' ');
  return `${record.id} ${record.base} ${record.launch} ${record.mutations.join(' | ')}\n  upstream: ${record.verdict} ${record.stage} ${record.at} ${message} ${late}`;
});
const late = { all: 0, seen: 0, errors: 0 };
const changed = { all: 0, seen: 0 };
for (const record of records) {
  const answers = answersFor(record, knowledgeOf, request.withoutScript, request.release);
  verdicts.count(record, answers, (errors) => sameCause(record, errors), record.late.length > 0);
  if (record.verdict === 'reject') continue;
  if (record.late.length > 0) {
    late.all++;
    if (answers.some(({ severity }) => severity === 'error')) late.errors++;
    if (answers.some(({ severity }) => severity !== 'info')) late.seen++;
    else verdicts.note('late', record, answers);
  }
  const keys = silentlyChanged(record);
  if (keys.length === 0) continue;
  changed.all++;
  if (answers.some(({ names }) => names.some((name) => keys.includes(name)))) changed.seen++;
  else verdicts.note('changed', record, answers);
}
const { refused, accepted } = verdicts;
console.log(`launches           ${records.length} (${refused} refused, ${accepted} accepted)`);
for (const line of verdicts.summary()) console.log(line);
console.log(
  `late refusals      ${late.seen} of ${late.all} reported as error or warning (${late.errors} as error)`,
);
console.log(`silent changes     ${changed.seen} of ${changed.all} reported`);
for (const line of verdicts.details()) console.log(line);
