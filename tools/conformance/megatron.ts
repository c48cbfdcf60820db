// Compares our verdicts on Megatron-LM launches with upstream's: npm run conformance:megatron [-- --file FILE.jsonl[.gz]] [--show
// missed|false|cause|silent|late] [--limit N]
import { readFileSync } from 'node:fs';
import { optionOfCoreField } from '../../server/src/frameworks/megatron-lm/coreFields.ts';
import { megatronLm } from '../../server/src/frameworks/megatron-lm/framework.ts';
import { optionsByName } from '../../server/src/frameworks/options.ts';
import type { Launch } from '../../server/src/launch/launch.ts';
import { known } from '../../server/src/value/value.ts';
import { answersOf, contextOf } from './answers.ts';
import { writtenLaunch } from './launch.ts';
import { dependsOnMachine, isNormalForm, type LaunchRecord, readRecords } from './megatron/record.ts';
import { knowledgeInSchemas, percent, readRequest } from './verdicts.ts';

const request = readRequest(
  'megatron',
  ['missed', 'false', 'cause', 'silent', 'late'],
  'megatron-launch.dev.jsonl.gz',
);
const { show, limit } = request;
const file = request.files[0] ?? '';

const knowledgeOf = knowledgeInSchemas();
const context = contextOf('megatron-lm', knowledgeOf);
const options = optionsByName(context.knowledge.options);

function launchOf(record: LaunchRecord): Launch {
  return writtenLaunch({
    path: '/workspace/run.sh',
    command: ['python', record.script, ...record.argv],
    env: record.env,
    cwd: undefined,
    wrappers: ['torchrun'],
    worldSize: known(record.world_size),
    nodes: known(Math.ceil(record.world_size / 8)),
    processesPerNode: known(Math.min(8, record.world_size)),
  });
}

/** The spellings of the options that an upstream message names. */
function namedIn(message: string): Set<string> {
  const out = new Set<string>();
  for (const word of message.match(/--?[A-Za-z][\w-]*|[a-z]\w*(?:[-_]\w+)+|\w+/g) ?? []) {
    const name = word.replace(/^-+/, '').replaceAll('-', '_');
    const option = options.get(name) ?? options.get(alias.get(name) ?? '');
    if (option !== undefined && (name.includes('_') || word.startsWith('--')))
      for (const flag of option.flags ?? []) out.add(flag);
    if (word.startsWith('--')) out.add(word);
  }
  return out;
}

/** Options for which upstream's messages use the name of the corresponding field in the model's configuration. */
const alias: ReadonlyMap<string, string> = new Map([
  ...optionOfCoreField,
  ['fp8_param', 'fp8_param_gather'],
  ['fp4_param', 'fp4_param_gather'],
  ['batch_p2p_comm', 'overlap_p2p_comm'],
  ['cpu_offloading', 'cpu_offloading_num_layers'],
  ['virtual_pipeline_model_parallel_size', 'num_virtual_stages_per_pipeline_rank'],
]);

const records = readRecords(readFileSync(file));
const misses: { readonly [kind in 'missed' | 'false' | 'cause' | 'silent' | 'late']: string[] } = {
  missed: [],
  false: [],
  cause: [],
  silent: [],
  late: [],
};
const tally = {
  rejected: 0,
  refused: 0,
  accepted: 0,
  alarmed: 0,
  named: 0,
  agreed: 0,
  changes: 0,
  reported: 0,
  late: 0,
  foreseen: 0,
};
const byRule = new Map<string, number>();
const start = performance.now();
for (const record of records) {
  if (record.verdict === 'reject' && dependsOnMachine(record)) continue;
  const run = megatronLm.bindLaunch(launchOf(record), 'conformance', context);
  const answers = answersOf(run, knowledgeOf, ({ values }) => [values.name ?? '']);
  const errors = answers.filter(({ severity }) => severity === 'error');
  const line = `${record.id} ${record.at ?? record.stage}: ${record.message.slice(0, 150).replaceAll('\n', ' ')}\n      ${record.mutations.join('; ')} | ours: ${errors.map(({ rule }) => rule).join(', ')}`;
  for (const { rule } of new Set(errors)) byRule.set(rule, (byRule.get(rule) ?? 0) + 1);
  if (record.verdict === 'reject') {
    tally.rejected += 1;
    if (errors.length === 0) {
      misses.missed.push(line);
      continue;
    }
    tally.refused += 1;
    const named = namedIn(record.message);
    if (named.size === 0) continue;
    tally.named += 1;
    if (errors.some(({ names }) => names.some((name) => named.has(name.split(' ', 1)[0] ?? name))))
      tally.agreed += 1;
    else misses.cause.push(line);
    continue;
  }
  if (record.late) {
    tally.late += 1;
    if (answers.some(({ severity }) => severity !== 'info')) tally.foreseen += 1;
    else
      misses.late.push(
        `${record.id} ${record.late.at}: ${record.late.message.slice(0, 150)}\n      ${record.mutations.join('; ')}`,
      );
    continue;
  }
  tally.accepted += 1;
  if (errors.length > 0) {
    tally.alarmed += 1;
    misses.false.push(
      `${record.id}: ${errors.map(({ rule, message }) => `${rule}: ${message}`).join(' | ')}\n      ${record.mutations.join('; ')}`,
    );
  }
  for (const [name, change] of Object.entries(record.changed)) {
    const option = options.get(name);
    if (
      option === undefined ||
      isNormalForm(name, change) ||
      !run.settings.some((setting) => setting.name === name)
    )
      continue;
    tally.changes += 1;
    const flags = option.flags ?? [];
    if (answers.some(({ names }) => names.some((spelling) => flags.includes(spelling)))) tally.reported += 1;
    else misses.silent.push(`${record.id}: ${name} ${change.join(' -> ')}`);
  }
}
const elapsed = performance.now() - start;

const reported = tally.refused + tally.alarmed;
console.log(`${records.length} launches, ${(elapsed / records.length).toFixed(2)} ms each`);
console.log(
  `recall     ${percent(tally.refused, tally.rejected)}  (${tally.refused} of ${tally.rejected} refused launches have an error)`,
);
console.log(
  `precision  ${percent(tally.refused, reported)}  (${tally.alarmed} of ${tally.accepted} accepted launches have an error)`,
);
console.log(
  `cause      ${percent(tally.agreed, tally.named)}  (${tally.agreed} of ${tally.named} where upstream names an option)`,
);
console.log(
  `silent     ${percent(tally.reported, tally.changes)}  (${tally.reported} of ${tally.changes} values that upstream replaces)`,
);
if (tally.late > 0)
  console.log(
    `late       ${percent(tally.foreseen, tally.late)}  (${tally.foreseen} of ${tally.late} that are refused after the launch's own checks are reported)`,
  );
if (show === 'rules')
  for (const [rule, times] of [...byRule].sort((a, b) => b[1] - a[1])) console.log(times, rule);
if (show === 'missed' || show === 'false' || show === 'cause' || show === 'silent' || show === 'late')
  for (const line of misses[show].slice(0, limit)) console.log(`  ${line}`);
