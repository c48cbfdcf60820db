// Holds our verdicts on SkyRL launches against upstream's own:
// npm run conformance:skyrl [-- --oracle FILE.jsonl[.gz]] [--show missed|false|cause|silent|warned] [--limit N]
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import type { BindingContext, FrameworkId, Run } from '../../server/src/frameworks/framework.ts';
import type { Knowledge } from '../../server/src/frameworks/knowledge.ts';
import { skyrl } from '../../server/src/frameworks/skyrl/framework.ts';
import type { Launch } from '../../server/src/launch/launch.ts';
import { checkRun } from '../../server/src/rules/check.ts';
import type { Place } from '../../server/src/text/span.ts';
import { noProfile } from '../../server/src/value/machine.ts';
import { unknown } from '../../server/src/value/value.ts';
import { literalWord } from '../../server/src/value/word.ts';
import { readKnowledge } from '../knowledge/read.ts';

const recordSchema = z.object({
  id: z.string(),
  module: z.string(),
  env: z.record(z.string(), z.string()).default({}),
  argv: z.array(z.string()),
  mutations: z.array(z.unknown()).default([]),
  verdict: z.enum(['accept', 'reject']),
  stage: z.string(),
  exception: z.string(),
  message: z.string(),
  at: z.string().nullish(),
  changed: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])).default({}),
  late: z.object({ exception: z.string(), message: z.string(), at: z.string().nullish() }).nullish(),
  mistyped: z.array(z.unknown()).default([]),
  warnings: z.array(z.string()).default([]),
});
type Record = z.infer<typeof recordSchema>;

/** What we say about one launch. */
interface Answer {
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
  readonly names: readonly string[];
}

const words = process.argv.slice(2);
const argumentOf = (flag: string): string | undefined =>
  words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined;
const given = argumentOf('--oracle');
const files =
  given === undefined
    ? ['skyrl-launch.dev.jsonl.gz', 'skyrl-launch.targeted.jsonl.gz'].map((name) =>
        resolve('../shared/oracle', name),
      )
    : [resolve(given)];
const show = argumentOf('--show');
const limit = Number(argumentOf('--limit') ?? 25);

const { frameworks, problems } = readKnowledge(join(process.cwd(), 'schemas'));
for (const problem of problems.filter(({ file }) => file.includes('skyrl')))
  console.error(`${problem.file}:${problem.line} ${problem.message}`);
const knowledgeOf = (id: FrameworkId): Knowledge => {
  const found = frameworks.get(id)?.knowledge;
  return (
    found ?? { framework: id, repository: '', commit: '', options: [], derivations: [], constraints: [] }
  );
};
const knowledge = knowledgeOf('skyrl');
const optionMaps = new Map(
  [...frameworks.values()].map(({ knowledge: one }) => [
    one,
    new Map(one.options.map((option) => [option.name, option])),
  ]),
);
const context: BindingContext = {
  host: { read: () => undefined, kind: () => 'unknown', list: () => undefined, rootOf: () => undefined },
  machine: noProfile,
  knowledge,
  knowledgeOf,
  document: () => undefined,
  extraOptions: [],
};

function launchOf(record: Record): Launch {
  const path = '/workspace/run.sh';
  let at = 0;
  const args = record.argv.map((text) => {
    const place: Place = { path, span: { start: at, end: at + text.length } };
    at += text.length + 1;
    return literalWord(text, place);
  });
  const place: Place = { path, span: { start: 0, end: 1 } };
  const env = new Map(Object.entries(record.env).map(([name, text]) => [name, literalWord(text, place)]));
  const open = unknown('outside', 'the launcher');
  return {
    command: {
      words: args,
      env,
      cwd: undefined,
      place,
      input: undefined,
      via: [],
      directives: [],
      assumptions: [],
      open: [],
    },
    entry: { kind: 'module', word: literalWord(record.module, place) },
    args,
    env,
    wrappers: ['uv run'],
    worldSize: open,
    nodes: open,
    processesPerNode: open,
    worldSizePlaces: [],
    place,
    open: [],
    assumptions: [],
  };
}

function answersOf(run: Run): Answer[] {
  const found = checkRun(run, {
    knowledgeOf,
    optionsOf: (one) => optionMaps.get(one) ?? new Map(),
    planFix: () => undefined,
  });
  return [
    ...found.map(({ rule, severity, message, settings }) => ({ rule, severity, message, names: settings })),
    ...run.problems.map(({ rule, severity, values, setting }) => ({
      rule,
      severity,
      message: JSON.stringify(values),
      names: [setting?.name ?? values.name ?? ''],
    })),
  ];
}

/** What the shell that launches, or the machine, decides. */
function dependsOnMachine(record: Record): boolean {
  return (
    record.stage === 'runtime_env' ||
    record.at === 'skyrl/train/utils/utils.py:501' ||
    (record.exception === 'ModuleNotFoundError' && record.at?.endsWith('main_base.py:358') === true)
  );
}

const lastPart = (name: string): string => name.replace(/\[.*$/, '').replace(/^.*\./, '');
const partNames = new Set(knowledge.options.map(({ name }) => lastPart(name)));

/** Upstream's own names for sizes in its messages. */
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

/** Last parts of the options that a message of upstream names. */
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

/** Whether a finding is about an option that the message names, or that was changed where the message names none. */
function agrees(record: Record, answer: Answer): boolean {
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

/** Whether a finding says that a value has the wrong type where upstream takes any. */
function aboutType(record: Record, answer: Answer): boolean {
  const keys = record.mistyped.map((entry) => JSON.stringify(entry));
  return answer.names.some((name) => keys.some((key) => key.includes(name)));
}

const listing: string[] = [];
const say = (kind: string, record: Record, answers: readonly Answer[]): void => {
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
  const packed = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(packed) : packed).toString('utf8');
  const records = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => recordSchema.parse(JSON.parse(line)));
  const total = { rejected: 0, found: 0, agreed: 0, accepted: 0, falsely: 0, late: 0, lateFound: 0 };
  const silent = { changed: 0, told: 0, warned: 0, warnedTold: 0 };
  const started = process.hrtime.bigint();
  for (const record of records) {
    if (dependsOnMachine(record)) continue;
    const answers = answersOf(skyrl.bindLaunch(launchOf(record), 'conformance', context));
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
        silent.told++;
      else say('silent', { ...record, message: `${key}: ${JSON.stringify(record.changed[key])}` }, answers);
    }
    if (record.warnings.length > 0) {
      silent.warned++;
      if (answers.length > 0) silent.warnedTold++;
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
  console.log(`  changed    ${share(silent.told, silent.changed)}   (settings that upstream replaces)`);
  console.log(`  warned     ${share(silent.warnedTold, silent.warned)}   (launches that upstream warns of)`);
}
if (listing.length > 0) console.log(`\n${listing.join('\n\n')}`);
