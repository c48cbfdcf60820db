// Holds our verdicts on AReaL launches against upstream's own:
// npm run conformance:areal [-- --file FILE] [--show false|missed|cause|late|changed] [--limit N] [--without-script]
// Without the script the experiment class has to be deduced from the configuration.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { KnowledgeSource } from '../../server/src/frameworks/knowledge.ts';
import { readKnowledge } from '../knowledge/read.ts';
import { answersFor } from './areal/answers.ts';
import { sameCause } from './areal/cause.ts';
import { readRecords } from './areal/record.ts';
import type { Answer } from './launch.ts';

const [, , ...words] = process.argv;
const file = resolve(
  words.find((word) => !word.startsWith('--') && word.includes('.jsonl')) ??
    '../shared/oracle/areal-launch.dev.jsonl.gz',
);
const show = words.includes('--show') ? words[words.indexOf('--show') + 1] : undefined;
const withoutScript = words.includes('--without-script');
const limit = words.includes('--limit') ? Number(words[words.indexOf('--limit') + 1]) : 25;

const { frameworks } = readKnowledge(join(process.cwd(), 'schemas'));
const knowledgeOf: KnowledgeSource = (id) =>
  frameworks.get(id)?.knowledge ?? {
    framework: id,
    repository: '',
    commit: '',
    options: [],
    derivations: [],
    constraints: [],
  };

const records = readRecords(readFileSync(file));
const count = {
  rejected: 0,
  found: 0,
  caused: 0,
  accepted: 0,
  alarms: 0,
  alarmsOnLate: 0,
  late: 0,
  lateSeen: 0,
  changed: 0,
  changedSeen: 0,
};
const shown: string[] = [];
const tally = new Map<string, number>();
for (const record of records) {
  const answers = answersFor(record, knowledgeOf, withoutScript);
  const errors = answers.filter(({ severity }) => severity === 'error');
  const note = (kind: string, list: readonly Answer[]): void => {
    if (show !== kind) return;
    shown.push(
      `${record.id} ${record.base} ${record.launch} ${record.mutations.join(' | ')}\n  upstream: ${record.verdict} ${record.stage} ${record.at} ${record.message.slice(0, 160).replaceAll('\n', ' ')} ${record.late.map((one) => `LATE ${one.stage} ${one.message.slice(0, 120)}`).join('; ')}\n${list.map((one) => `  we: ${one.severity} ${one.rule}: ${one.message} [${one.names.join(', ')}]`).join('\n')}`,
    );
  };
  if (record.verdict === 'reject') {
    count.rejected++;
    if (errors.length === 0) note('missed', answers);
    else {
      count.found++;
      if (sameCause(record, errors)) count.caused++;
      else note('cause', errors);
    }
  } else {
    count.accepted++;
    if (errors.length > 0 && record.late.length === 0) {
      count.alarms++;
      note('false', errors);
      for (const { rule } of errors) tally.set(rule, (tally.get(rule) ?? 0) + 1);
    }
    if (errors.length > 0 && record.late.length > 0) count.alarmsOnLate++;
    if (record.late.length > 0) {
      count.late++;
      const serious = answers.filter(({ severity }) => severity !== 'info');
      if (serious.length > 0) count.lateSeen++;
      else note('late', answers);
      if (show === 'late-all') note('late-all', answers);
    }
    const changed = Object.keys(record.changed).filter((key) => !key.includes('NCCL_'));
    if (changed.length > 0) {
      count.changed++;
      if (answers.some((answer) => answer.names.some((name) => changed.includes(name)))) count.changedSeen++;
      else note('changed', answers);
    }
  }
}
const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(2)} %`;
console.log(`launches           ${records.length} (${count.rejected} refused, ${count.accepted} accepted)`);
console.log(
  `recall             ${percent(count.found, count.rejected)} (${count.found} of ${count.rejected})`,
);
console.log(
  `precision          ${percent(count.found, count.found + count.alarms)} (${count.alarms} false alarms)`,
);
console.log(`same cause         ${percent(count.caused, count.found)} (${count.caused} of ${count.found})`);
console.log(
  `late refusals      ${count.lateSeen} of ${count.late} told as error or warning (${count.alarmsOnLate} as error)`,
);
console.log(`silent changes     ${count.changedSeen} of ${count.changed} told`);
for (const [rule, times] of [...tally].sort((a, b) => b[1] - a[1]))
  console.log(`  false alarm ${times} × ${rule}`);
for (const line of shown.slice(0, limit)) console.log(line);
