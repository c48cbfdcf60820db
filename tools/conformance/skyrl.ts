// Compares our verdicts on SkyRL launches with upstream's: npm run conformance:skyrl [-- --file FILE.jsonl[.gz]] [--show
// missed|false|cause|late|silent|warned] [--limit N]
import { readFileSync } from 'node:fs';
import type { Answer } from './answers.ts';
import { aboutType, makeJudge } from './skyrl/answers.ts';
import { dependsOnMachine, type LaunchRecord, readRecords } from './skyrl/record.ts';
import { knowledgeInSchemas, readRequest } from './verdicts.ts';

const { files, show, limit } = readRequest(
  'skyrl',
  ['missed', 'false', 'cause', 'late', 'silent', 'warned'],
  'skyrl-launch.dev.jsonl.gz',
  'skyrl-launch.targeted.jsonl.gz',
);
const knowledgeOf = knowledgeInSchemas();
const knowledge = knowledgeOf('skyrl');
const judge = makeJudge(knowledgeOf);

const lastPart = (name: string): string => name.replace(/\[.*$/, '').replace(/^.*\./, '');
const partNames = new Set(knowledge.options.map(({ name }) => lastPart(name)));

/** Names that upstream uses for sizes in its messages. */
const alias: ReadonlyMap<string, readonly string[]> = new Map([
  ['policy_world_size', ['policy_num_gpus_per_node', 'policy_num_nodes']],
  ['ref_world_size', ['ref_num_gpus_per_node', 'ref_num_nodes']],
  ['total_world_size', ['num_gpus_per_node', 'num_nodes']],
  ['num_policy_gpus', ['policy_num_gpus_per_node', 'policy_num_nodes']],
  ['num_rollout_gpus', ['num_engines', 'tensor_parallel_size']],
  ['dp_size', ['data_parallel_size']],
  ['tp_size', ['tensor_parallel_size']],
  ['ep_size', ['expert_parallel_size']],
  ['r3', ['enable_return_routed_experts', 'moe_enable_routing_replay']],
]);

/** The last parts of the option names in an upstream message. */
function namedIn(message: string): Set<string> {
  const invalid = /^Invalid fields \{([^}]*)\}/.exec(message)?.[1];
  if (invalid !== undefined)
    return new Set([...invalid.matchAll(/['"]([^'"]*)['"]/g)].map(([, name]) => name ?? ''));
  const out = new Set<string>();
  for (const word of message.match(/[A-Za-z_][\w.]*/g) ?? []) {
    const part = lastPart(word.replace(/[.]+$/, ''));
    for (const other of alias.get(part) ?? []) out.add(other);
    if (partNames.has(part) && (part.includes('_') || word.includes('.'))) out.add(part);
  }
  return out;
}

/** Whether a finding is about an option that the message names or, if it names none, about a changed option. */
function agrees(record: LaunchRecord, answer: Answer): boolean {
  const named = namedIn(record.message);
  const changes = record.mutations.map(String);
  if (named.size === 0)
    return answer.names.some(
      (name) => changes.length === 0 || changes.some((change) => change.includes(lastPart(name))),
    );
  return answer.names.some(
    (name) => named.has(lastPart(name)) || name.split('.').some((part) => named.has(part)),
  );
}

const listing: string[] = [];
const say = (kind: string, record: LaunchRecord, answers: readonly Answer[]): void => {
  if (show !== kind || listing.length >= limit) return;
  listing.push(
    [
      `${record.id} ${record.module} ${record.verdict} ${record.stage} ${record.at ?? ''}`,
      `  upstream: ${record.message.slice(0, 260)}`,
      ...(record.late == null
        ? []
        : [`  late: ${record.late.at ?? ''} ${record.late.message.slice(0, 160)}`]),
      `  changes: ${JSON.stringify(record.mutations).slice(0, 300)}`,
      ...answers.map((one) => `  ours: ${one.severity} ${one.rule}: ${one.message.slice(0, 200)}`),
    ].join('\n'),
  );
};

for (const file of files) {
  const records = readRecords(readFileSync(file));
  const total = { rejected: 0, found: 0, agreed: 0, accepted: 0, falsely: 0, late: 0, lateFound: 0 };
  const silent = { changed: 0, reported: 0, warned: 0, warnedReported: 0 };
  const started = process.hrtime.bigint();
  for (const record of records) {
    if (dependsOnMachine(record)) continue;
    const answers = judge(record);
    const errors = answers.filter(({ severity }) => severity === 'error');
    if (record.verdict === 'reject') {
      total.rejected++;
      if (errors.length === 0) say('missed', record, answers);
      else {
        total.found++;
        if (errors.some((error) => agrees(record, error))) total.agreed++;
        else say('cause', record, errors);
      }
      continue;
    }
    total.accepted++;
    const wrong = errors.filter((error) => !aboutType(record, error));
    if (record.late != null) {
      total.late++;
      if (errors.length > 0) total.lateFound++;
      else say('late', record, answers);
    } else if (wrong.length > 0) {
      total.falsely++;
      say('false', record, wrong);
    }
    for (const [key, [asked]] of Object.entries(record.changed)) {
      if (asked === null || asked === 'None') continue;
      silent.changed++;
      if (answers.some(({ names }) => names.some((name) => name === key || key.startsWith(`${name}.`))))
        silent.reported++;
      else say('silent', { ...record, message: `${key}: ${JSON.stringify(record.changed[key])}` }, answers);
    }
    if (record.warnings.length > 0) {
      silent.warned++;
      if (answers.length > 0) silent.warnedReported++;
      else say('warned', { ...record, message: record.warnings.join(' | ') }, answers);
    }
  }
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  const share = (part: number, whole: number): string =>
    `${part}/${whole} = ${whole === 0 ? '100.0' : ((100 * part) / whole).toFixed(1)} %`;
  console.log(`${file.replace(/^.*\//, '')}: ${records.length} launches in ${seconds.toFixed(1)} s`);
  console.log(`  recall     ${share(total.found, total.rejected)}   (upstream refuses, we report an error)`);
  console.log(
    `  precision  ${share(total.found, total.found + total.falsely)}   (${total.falsely} errors on accepted launches)`,
  );
  console.log(
    `  cause      ${share(total.agreed, total.found)}   (our error names the option of upstream's message)`,
  );
  console.log(`  late       ${share(total.lateFound, total.late)}   (accepted, refused later on)`);
  console.log(`  changed    ${share(silent.reported, silent.changed)}   (settings that upstream replaces)`);
  console.log(
    `  warned     ${share(silent.warnedReported, silent.warned)}   (launches that upstream warns of)`,
  );
}
if (listing.length > 0) console.log(`\n${listing.join('\n\n')}`);
