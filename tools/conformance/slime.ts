// Compares our verdicts on slime launches with upstream's: npm run conformance:slime [-- --file FILE] [--show
// false|missed|cause|late|changed|ignored|unread] [--limit N]
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { slime } from '../../server/src/frameworks/slime/framework.ts';
import type { Launch } from '../../server/src/launch/launch.ts';
import type { Host } from '../../server/src/value/host.ts';
import { unknown } from '../../server/src/value/value.ts';
import { parseYaml } from '../../server/src/yaml/parse.ts';
import { type Answer, answersOf, contextOf } from './answers.ts';
import { writtenLaunch } from './launch.ts';
import { recordsIn } from './records.ts';
import { knowledgeInSchemas, percent, readRequest, Verdicts } from './verdicts.ts';

const recordSchema = z.object({
  id: z.string(),
  base: z.string(),
  entry: z.string(),
  env: z.record(z.string(), z.string()),
  argv: z.array(z.string()),
  mutations: z.array(z.unknown()),
  files: z.record(z.string(), z.string()),
  verdict: z.enum(['accept', 'reject']),
  stage: z.string(),
  exception: z.string(),
  message: z.string(),
  at: z.string(),
  changed: z.record(z.string(), z.unknown()),
  ignored: z.array(z.string()),
  unread: z.array(z.string()),
  warnings: z.array(z.string()),
  late: z.looseObject({ stage: z.string(), message: z.string(), at: z.string() }).nullable(),
});
type Record = z.infer<typeof recordSchema>;

const request = readRequest(
  'slime',
  ['false', 'missed', 'cause', 'late', 'changed', 'ignored', 'unread'],
  'slime-launch.dev.jsonl.gz',
);
const knowledgeOf = knowledgeInSchemas();

function launchOf(record: Record): { launch: Launch; host: Host } {
  const size = unknown('outside', 'started by Ray');
  const launch = writtenLaunch({
    path: '/workspace/run.sh',
    command: ['python3', record.entry, ...record.argv],
    env: record.env,
    cwd: '/workspace',
    wrappers: ['ray job submit'],
    worldSize: size,
    nodes: size,
    processesPerNode: size,
  });
  const host: Host = {
    read: (name) => record.files[name],
    kind: (name) => (name in record.files ? 'file' : 'unknown'),
    list: () => undefined,
    rootOf: () => '/workspace',
  };
  return { launch, host };
}

function answersFor(record: Record): Answer[] {
  const { launch, host } = launchOf(record);
  const because = slime.recogniseLaunch(launch, host);
  if (because === undefined) return [];
  const run = slime.bindLaunch(launch, because, {
    ...contextOf('slime', knowledgeOf, host),
    document: (path) => {
      const text = host.read(path);
      return text === undefined ? undefined : parseYaml(path, text)[0];
    },
  });
  return answersOf(run, knowledgeOf, ({ values, setting }) => [
    values.name ?? '',
    ...(setting === undefined ? [] : [setting.written]),
  ]);
}

const dest = (name: string): string => name.replace(/^--(no-)?/, '').replaceAll('-', '_');

/** Options that an upstream message is about without naming them. */
const topics: readonly (readonly [RegExp, readonly string[]])[] = [
  [/integer division or modulo by zero/, ['num_steps_per_rollout', 'sglang_pp_size']],
  [/'<' not supported/, ['rollout_num_gpus', 'debug_rollout_only']],
  [/has no attribute 'items'/, ['custom_config_path']],
  [
    /unexpected keyword argument|evaluation dataset|eval\.defaults|eval prompt data|datasets must be configured/i,
    ['eval_config', 'eval_prompt_data', 'eval_interval'],
  ],
  [/stat: path/, ['ref_load', 'use_kl_loss', 'kl_coef']],
  [/External SGLang|external SGLang/i, ['rollout_external_engine_addrs']],
  [/Colocation/, ['colocate']],
  [
    /world size|total_model_size/,
    [
      'tensor_model_parallel_size',
      'pipeline_model_parallel_size',
      'context_parallel_size',
      'actor_num_gpus_per_node',
      'actor_num_nodes',
    ],
  ],
  [/data_parallel_size/, ['global_batch_size', 'micro_batch_size', 'num_steps_per_rollout']],
  [
    /layers|pipeline/i,
    [
      'num_layers',
      'pipeline_model_parallel_size',
      'num_layers_per_virtual_pipeline_stage',
      'decoder_last_pipeline_num_layers',
      'decoder_first_pipeline_num_layers',
    ],
  ],
  [
    /CUDA_DEVICE_MAX_CONNECTIONS/,
    [
      'env.CUDA_DEVICE_MAX_CONNECTIONS',
      'CUDA_DEVICE_MAX_CONNECTIONS',
      'tensor_model_parallel_size',
      'context_parallel_size',
      'use_megatron_fsdp',
    ],
  ],
  [/recompute method/, ['recompute_method', 'recompute_granularity', 'recompute_activations']],
  [/cpu offload/, ['optimizer_cpu_offload', 'use_precision_aware_optimizer']],
  [/Group query attention/, ['group_query_attention', 'num_query_groups', 'multi_latent_attention']],
  [/Multi-Token Prediction/, ['mtp_num_layers', 'position_embedding_type']],
  [/hf config/, ['hf_checkpoint']],
  [/'fa3'/, ['attention_backend']],
];

/** Whether one of our errors involves an option named in upstream's error. */
function sameCause(record: Record, answers: readonly Answer[]): boolean {
  const wanted = new Set<string>();
  for (const match of record.message.matchAll(/--?([a-z][a-z0-9-]+)|\b([a-z]+(?:_[a-z0-9]+)+)\b/g))
    wanted.add(dest(match[1] ?? match[2] ?? ''));
  for (const [pattern, names] of topics)
    if (pattern.test(record.message)) for (const name of names) wanted.add(name);
  return answers.some((answer) => answer.names.some((name) => wanted.has(dest(name)) || wanted.has(name)));
}

/** Whether an error depends on the machine or on SGLang's full set of options, which the reference does not have. */
function leftOut(record: Record): boolean {
  if (record.stage === 'hf_load') return true;
  if (record.exception === 'FileNotFoundError') return true;
  if (record.stage === 'sglang_parse' && /ambiguous option|invalid choice/.test(record.message)) return true;
  return false;
}

const patchedFlags = ['--use-gated-attention', '--post-mlp-layernorm', '--post-self-attn-layernorm'];
/** Changes that depend on files, or that only write the same value in another form. */
const harmless = ['load', 'eval_prompt_data'];

const records = request.files.flatMap((file) => recordsIn(readFileSync(file), recordSchema));
const verdicts = new Verdicts<Record>(request, (record) => {
  const late =
    record.late === null
      ? ''
      : ` LATE ${record.late.stage} ${record.late.at} ${record.late.message.slice(0, 160)}`;
  return `${record.id} ${record.base} ${record.entry} ${JSON.stringify(record.mutations)}\n  upstream: ${record.verdict} ${record.stage} ${record.at} ${record.message.slice(0, 200)}${late}`;
});
const late = { all: 0, found: 0 };
const ignored = { all: 0, found: 0, read: 0 };
const unread = { all: 0, found: 0 };
const changed = { all: 0, found: 0 };
let skipped = 0;
for (const record of records) {
  const answers = answersFor(record);
  const isReported = (rule: string, flag: string): boolean =>
    answers.some((answer) => answer.rule === rule && answer.names.includes(flag));
  if (leftOut(record)) skipped++;
  else verdicts.count(record, answers, (errors) => sameCause(record, errors), record.late !== null);
  if (!leftOut(record) && record.late !== null && !/FileNotFound|No such file/.test(record.late.message)) {
    late.all++;
    if (answers.some(({ severity }) => severity === 'error')) late.found++;
    else verdicts.note('late', record, answers);
  }
  for (const flag of record.ignored) {
    if (patchedFlags.includes(flag)) continue;
    ignored.all++;
    if (isReported('unknown-option', flag)) ignored.found++;
    else verdicts.note('ignored', record, answers);
  }
  if (record.verdict === 'accept')
    for (const answer of answers) {
      const [name = ''] = answer.names;
      if (answer.rule !== 'unknown-option' || record.ignored.includes(name) || !name.startsWith('--'))
        continue;
      ignored.read++;
      verdicts.note('ignored', record, [answer]);
    }
  for (const flag of record.unread) {
    unread.all++;
    if (isReported('ignored-option', flag)) unread.found++;
    else verdicts.note('unread', record, answers);
  }
  const reported = new Set(answers.flatMap(({ names }) => names.map(dest)));
  for (const name of Object.keys(record.changed)) {
    if (harmless.includes(name)) continue;
    changed.all++;
    if (reported.has(name)) changed.found++;
    else verdicts.note('changed', record, answers);
  }
}
const { refused, accepted } = verdicts;
console.log(
  `launches           ${records.length} (${refused} refused, ${accepted} accepted, ${skipped} left out)`,
);
for (const line of verdicts.summary()) console.log(line);
console.log(
  `refused later      ${percent(late.found, late.all)} (${late.found} of ${late.all} reported as error)`,
);
console.log(
  `ignored flags      ${ignored.found} of ${ignored.all} reported (${ignored.read} more that upstream reads)`,
);
console.log(`unread flags       ${unread.found} of ${unread.all} reported`);
console.log(`silent changes     ${changed.found} of ${changed.all} reported`);
for (const line of verdicts.details()) console.log(line);
