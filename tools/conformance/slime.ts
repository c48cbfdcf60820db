// Holds our verdicts on slime launches against upstream's own:
// npm run conformance:slime [-- --file FILE] [--show false|missed|cause|late|changed|ignored|unread] [--limit N]
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import type { FrameworkId } from '../../server/src/frameworks/framework.ts';
import type { Knowledge } from '../../server/src/frameworks/knowledge.ts';
import { optionsByName } from '../../server/src/frameworks/options.ts';
import { slime } from '../../server/src/frameworks/slime/framework.ts';
import type { Launch } from '../../server/src/launch/launch.ts';
import { checkRun } from '../../server/src/rules/check.ts';
import type { Host } from '../../server/src/value/host.ts';
import { noProfile } from '../../server/src/value/machine.ts';
import { unknown } from '../../server/src/value/value.ts';
import { parseYaml } from '../../server/src/yaml/parse.ts';
import { readKnowledge } from '../knowledge/read.ts';
import { type Answer, writtenLaunch } from './launch.ts';

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

const [, , ...words] = process.argv;
const file = resolve(
  words.find((word) => !word.startsWith('--') && word.includes('.jsonl')) ??
    '../shared/oracle/slime-launch.dev.jsonl.gz',
);
const show = words.includes('--show') ? words[words.indexOf('--show') + 1] : undefined;
const limit = words.includes('--limit') ? Number(words[words.indexOf('--limit') + 1]) : 25;

const { frameworks } = readKnowledge(join(process.cwd(), 'schemas'));
const knowledgeOf = (id: FrameworkId): Knowledge =>
  frameworks.get(id)?.knowledge ?? {
    framework: id,
    repository: '',
    commit: '',
    options: [],
    derivations: [],
    constraints: [],
  };
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
    host,
    machine: noProfile,
    knowledge: knowledgeOf('slime'),
    knowledgeOf,
    document: (path) => {
      const text = host.read(path);
      return text === undefined ? undefined : parseYaml(path, text)[0];
    },
    extraOptions: [],
  });
  return [
    ...run.problems.map((problem) => ({
      rule: problem.rule,
      severity: problem.severity,
      message: Object.values(problem.values).join(' '),
      names: [problem.values.name ?? '', ...(problem.setting === undefined ? [] : [problem.setting.written])],
    })),
    ...checkRun(run, {
      knowledgeOf,
      optionsOf: ({ options }) => optionsByName(options),
      planFix: () => undefined,
    }).map((finding) => ({
      rule: finding.rule,
      severity: finding.severity,
      message: finding.message,
      names: finding.settings,
    })),
  ];
}

const dest = (name: string): string => name.replace(/^--(no-)?/, '').replaceAll('-', '_');

/** Options that upstream's message is about when it does not name them. */
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

/** Whether one of our errors involves an option that upstream's refusal names. */
function sameCause(record: Record, answers: readonly Answer[]): boolean {
  const wanted = new Set<string>();
  for (const match of record.message.matchAll(/--?([a-z][a-z0-9-]+)|\b([a-z]+(?:_[a-z0-9]+)+)\b/g))
    wanted.add(dest(match[1] ?? match[2] ?? ''));
  for (const [pattern, names] of topics)
    if (pattern.test(record.message)) for (const name of names) wanted.add(name);
  return answers.some((answer) => answer.names.some((name) => wanted.has(dest(name)) || wanted.has(name)));
}

/** Refusals that rest on the machine or on SGLang's full surface, which the reference does not have. */
function leftOut(record: Record): boolean {
  if (record.stage === 'hf_load') return true;
  if (record.exception === 'FileNotFoundError') return true;
  if (record.stage === 'sglang_parse' && /ambiguous option|invalid choice/.test(record.message)) return true;
  return false;
}

const patchedFlags = ['--use-gated-attention', '--post-mlp-layernorm', '--post-self-attn-layernorm'];
/** Changes that rest on files, or that only write the same value in another form. */
const harmless = ['load', 'eval_prompt_data'];

const records = gunzipSync(readFileSync(file))
  .toString('utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => recordSchema.parse(JSON.parse(line)));
const count = {
  rejected: 0,
  found: 0,
  caused: 0,
  accepted: 0,
  alarms: 0,
  skipped: 0,
  late: 0,
  lateFound: 0,
  lateCaused: 0,
  onLate: 0,
};
const flags = {
  ignored: 0,
  ignoredFound: 0,
  ignoredFalse: 0,
  unread: 0,
  unreadFound: 0,
  changed: 0,
  changedFound: 0,
};
const shown: string[] = [];
const tally = new Map<string, number>();
for (const record of records) {
  const answers = answersFor(record);
  const errors = answers.filter(({ severity }) => severity === 'error');
  const note = (kind: string, list: readonly Answer[]): void => {
    if (show !== kind) return;
    shown.push(
      `${record.id} ${record.base} ${record.entry} ${JSON.stringify(record.mutations)}\n  upstream: ${record.verdict} ${record.stage} ${record.at} ${record.message.slice(0, 200)}${record.late === null ? '' : ` LATE ${record.late.stage} ${record.late.at} ${record.late.message.slice(0, 160)}`}\n${list.map((one) => `  we: ${one.severity} ${one.rule}: ${one.message} [${one.names.join(', ')}]`).join('\n')}`,
    );
  };
  if (leftOut(record)) count.skipped++;
  else if (record.verdict === 'reject') {
    count.rejected++;
    if (errors.length === 0) note('missed', answers);
    else {
      count.found++;
      if (sameCause(record, errors)) count.caused++;
      else note('cause', errors);
    }
  } else {
    count.accepted++;
    const { late } = record;
    if (late === null && errors.length > 0) {
      count.alarms++;
      note('false', errors);
      for (const { rule } of errors) tally.set(rule, (tally.get(rule) ?? 0) + 1);
    }
    if (late !== null && !/FileNotFound|No such file/.test(late.message)) {
      count.late++;
      if (errors.length > 0) count.lateFound++;
      else note('late', answers);
    }
  }
  const told = new Set(answers.flatMap((answer) => answer.names));
  for (const flag of record.ignored) {
    if (patchedFlags.includes(flag)) continue;
    flags.ignored++;
    if (answers.some((answer) => answer.rule === 'unknown-option' && answer.names.includes(flag)))
      flags.ignoredFound++;
    else note('ignored', answers);
  }
  if (record.verdict === 'accept')
    for (const answer of answers)
      if (
        answer.rule === 'unknown-option' &&
        !record.ignored.includes(answer.names[0] ?? '') &&
        answer.names[0]?.startsWith('--')
      ) {
        flags.ignoredFalse++;
        note('ignored', [answer]);
      }
  for (const flag of record.unread) {
    flags.unread++;
    if (answers.some((answer) => answer.rule === 'ignored-option' && answer.names.includes(flag)))
      flags.unreadFound++;
    else note('unread', answers);
  }
  for (const name of Object.keys(record.changed)) {
    if (harmless.includes(name)) continue;
    flags.changed++;
    if ([...told].some((other) => dest(other) === name)) flags.changedFound++;
    else note('changed', answers);
  }
}
const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(2)} %`;
console.log(
  `launches          ${records.length} (${count.rejected} refused, ${count.accepted} accepted, ${count.skipped} left out)`,
);
console.log(
  `recall            ${percent(count.found, count.rejected)} (${count.found} of ${count.rejected})`,
);
console.log(
  `precision         ${percent(count.found, count.found + count.alarms)} (${count.alarms} false alarms)`,
);
console.log(`same cause        ${percent(count.caused, count.found)} (${count.caused} of ${count.found})`);
console.log(
  `refused later     ${percent(count.lateFound, count.late)} (${count.lateFound} of ${count.late} told as error)`,
);
console.log(
  `ignored flags     ${flags.ignoredFound} of ${flags.ignored} told (${flags.ignoredFalse} more that upstream reads)`,
);
console.log(`unread flags      ${flags.unreadFound} of ${flags.unread} told`);
console.log(`silent changes    ${flags.changedFound} of ${flags.changed} told`);
for (const [rule, times] of [...tally].sort((a, b) => b[1] - a[1]))
  console.log(`  false alarm ${times} × ${rule}`);
for (const line of shown.slice(0, limit)) console.log(line);
