// Holds our verdicts on Megatron-LM launches against upstream's own:
// npm run conformance:megatron [-- --file FILE.jsonl[.gz]] [--show missed|false|cause|silent|late] [--limit N]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import type { BindingContext, FrameworkId, Run } from '../../server/src/frameworks/framework.ts';
import type { Knowledge, OptionFact } from '../../server/src/frameworks/knowledge.ts';
import { megatronLm } from '../../server/src/frameworks/megatron-lm/framework.ts';
import type { Launch } from '../../server/src/launch/launch.ts';
import { checkRun } from '../../server/src/rules/check.ts';
import { noProfile } from '../../server/src/value/machine.ts';
import { known } from '../../server/src/value/value.ts';
import { readKnowledge } from '../knowledge/read.ts';
import { type Answer, writtenLaunch } from './launch.ts';
import { readRequest } from './verdicts.ts';

const recordSchema = z.object({
  id: z.string(),
  script: z.string().default('pretrain_gpt.py'),
  world_size: z.number(),
  env: z.record(z.string(), z.string()),
  argv: z.array(z.string()),
  mutations: z.array(z.string()).default([]),
  verdict: z.enum(['accept', 'reject']),
  stage: z.string(),
  exception: z.string(),
  message: z.string(),
  at: z.string().nullish(),
  changed: z.record(z.string(), z.tuple([z.string(), z.string()])).default({}),
  late: z.object({ stage: z.string(), message: z.string(), at: z.string() }).nullish(),
});
type Record = z.infer<typeof recordSchema>;

const request = readRequest(
  'megatron',
  ['missed', 'false', 'cause', 'silent', 'late'],
  'megatron-launch.dev.jsonl.gz',
);
const { show, limit } = request;
const file = request.files[0] ?? '';

const { frameworks, problems } = readKnowledge(join(process.cwd(), 'schemas'));
for (const problem of problems.filter(({ file: at }) => at.includes('megatron-lm')))
  console.error(`${problem.file}:${problem.line} ${problem.message}`);
const knowledgeOf = (id: FrameworkId): Knowledge => {
  const found = frameworks.get(id)?.knowledge;
  if (found === undefined) throw new Error(`schemas/${id} cannot be read`);
  return found;
};
const knowledge = knowledgeOf('megatron-lm');
const options = new Map<string, OptionFact>();
for (const option of knowledge.options) if (!options.has(option.name)) options.set(option.name, option);

function launchOf(record: Record): Launch {
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

const context: BindingContext = {
  host: { read: () => undefined, kind: () => 'unknown', list: () => undefined, rootOf: () => undefined },
  machine: noProfile,
  knowledge,
  knowledgeOf,
  document: () => undefined,
  extraOptions: [],
};

function bindRecord(record: Record): Run {
  return megatronLm.bindLaunch(launchOf(record), 'conformance', context);
}

function answersOf(run: Run): Answer[] {
  const found = checkRun(run, { knowledgeOf, optionsOf: () => options, planFix: () => undefined });
  return [
    ...found.map(({ rule, severity, message, settings }) => ({ rule, severity, message, names: settings })),
    ...run.problems.map(({ rule, severity, values }) => ({
      rule,
      severity,
      message: JSON.stringify(values),
      names: [values.name ?? ''],
    })),
  ];
}

/** Messages that depend on what is installed. */
function dependsOnMachine({ message, exception }: Record): boolean {
  return (
    /\binstall|not available|requires? (Transformer ?Engine|TE|torch|PyTorch)\b|TE (version )?>?=|transformer-engine>=|is required for local checkpointing/i.test(
      message,
    ) || exception === 'ModuleNotFoundError'
  );
}

/** The spellings of the options that a message of upstream names. */
function namedIn(message: string): Set<string> {
  const out = new Set<string>();
  for (const word of message.match(/--?[A-Za-z][\w-]*|[a-z]\w*(?:[-_]\w+)+|\w+/g) ?? []) {
    const name = word.replace(/^-+/, '').replaceAll('-', '_');
    const option = options.get(name) ?? options.get(alias[name] ?? '');
    if (option !== undefined && (name.includes('_') || word.startsWith('--')))
      for (const flag of option.flags ?? []) out.add(flag);
    if (word.startsWith('--')) out.add(word);
  }
  return out;
}

/** Names of the model's configuration for options that are called otherwise on the command line. */
const alias: { readonly [name: string]: string } = {
  num_moe_experts: 'num_experts',
  num_layers_in_first_pipeline_stage: 'decoder_first_pipeline_num_layers',
  num_layers_in_last_pipeline_stage: 'decoder_last_pipeline_num_layers',
  fp8_param: 'fp8_param_gather',
  fp4_param: 'fp4_param_gather',
  batch_p2p_comm: 'overlap_p2p_comm',
  cpu_offloading: 'cpu_offloading_num_layers',
  virtual_pipeline_model_parallel_size: 'num_virtual_stages_per_pipeline_rank',
};

const raw = readFileSync(file);
const text = (file.endsWith('.gz') ? gunzipSync(raw) : raw).toString('utf8');
const records = text
  .split('\n')
  .filter(Boolean)
  .map((line) => recordSchema.parse(JSON.parse(line)));

/** Upstream's own normal forms, which mean what was asked: a list of one as its element, a format's name as its object, no choice as none. */
function isNormalForm(name: string, [asked, effective]: readonly [string, string]): boolean {
  const formats: { readonly [text: string]: string } = {
    fp32: 'torch.float32',
    bf16: 'torch.bfloat16',
    fp16: 'torch.float16',
    fp8: 'torch.uint8',
  };
  return (
    ['moe_router_load_balancing_type', 'moe_aux_loss_coeff'].includes(name) ||
    formats[asked.replaceAll("'", '')] === effective ||
    (asked === "'auto'" && effective === 'None') ||
    `[${asked.replaceAll("'", '')}]` === effective
  );
}
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
  told: 0,
  late: 0,
  foreseen: 0,
};
const byRule = new Map<string, number>();
const start = performance.now();
for (const record of records) {
  if (record.verdict === 'reject' && dependsOnMachine(record)) continue;
  const run = bindRecord(record);
  const answers = answersOf(run);
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
    if (answers.some(({ names }) => names.some((spelling) => flags.includes(spelling)))) tally.told += 1;
    else misses.silent.push(`${record.id}: ${name} ${change.join(' -> ')}`);
  }
}
const elapsed = performance.now() - start;

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(2)} %`;
}

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
  `silent     ${percent(tally.told, tally.changes)}  (${tally.told} of ${tally.changes} values that upstream replaces)`,
);
if (tally.late > 0)
  console.log(
    `late       ${percent(tally.foreseen, tally.late)}  (${tally.foreseen} of ${tally.late} that are refused after the launch's own checks are told of)`,
  );
if (show === 'rules')
  for (const [rule, times] of [...byRule].sort((a, b) => b[1] - a[1])) console.log(times, rule);
if (show === 'missed' || show === 'false' || show === 'cause' || show === 'silent' || show === 'late')
  for (const line of misses[show].slice(0, limit)) console.log(`  ${line}`);
