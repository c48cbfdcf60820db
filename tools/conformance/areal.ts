// Holds our verdicts on AReaL launches against upstream's own:
// npm run conformance:areal [-- FILE] [--show false|missed|cause|late|changed] [--limit N] [--without-script]
// Without the script the experiment class has to be deduced from the configuration.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import { areal } from '../../server/src/frameworks/areal/framework.ts';
import type { FrameworkId, Run } from '../../server/src/frameworks/framework.ts';
import type { Knowledge, OptionFact } from '../../server/src/frameworks/knowledge.ts';
import type { Launch } from '../../server/src/launch/launch.ts';
import { checkRun } from '../../server/src/rules/check.ts';
import type { Place } from '../../server/src/text/span.ts';
import type { Host } from '../../server/src/value/host.ts';
import { noProfile } from '../../server/src/value/machine.ts';
import { unknown } from '../../server/src/value/value.ts';
import { literalWord, type Word } from '../../server/src/value/word.ts';
import { parseYaml } from '../../server/src/yaml/parse.ts';
import { readKnowledge } from '../knowledge/read.ts';

const recordSchema = z.object({
  id: z.string(),
  base: z.string(),
  experiment: z.string(),
  launch: z.enum(['controller', 'local', 'ray', 'slurm']),
  yaml: z.string(),
  overrides: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  mutations: z.array(z.string()),
  verdict: z.enum(['accept', 'reject']),
  stage: z.string(),
  exception: z.string(),
  message: z.string(),
  at: z.string(),
  changed: z.record(z.string(), z.unknown()),
  warnings: z.array(z.string()),
  late: z.array(z.looseObject({ stage: z.string(), message: z.string(), at: z.string() })),
});
type Record = z.infer<typeof recordSchema>;

/** What we say about one launch. */
interface Answer {
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
  readonly names: readonly string[];
}

const [, , ...words] = process.argv;
const file = resolve(
  words.find((word) => !word.startsWith('--') && word.includes('.jsonl')) ??
    '../shared/oracle/areal-launch.dev.jsonl.gz',
);
const show = words.includes('--show') ? words[words.indexOf('--show') + 1] : undefined;
const withoutScript = words.includes('--without-script');
const limit = words.includes('--limit') ? Number(words[words.indexOf('--limit') + 1]) : 25;

const { frameworks } = readKnowledge(join(process.cwd(), 'schemas'));
const knowledgeOf = (id: FrameworkId): Knowledge => {
  const found = frameworks.get(id)?.knowledge;
  return (
    found ?? { framework: id, repository: '', commit: '', options: [], derivations: [], constraints: [] }
  );
};
const optionMaps = new Map<Knowledge, ReadonlyMap<string, OptionFact>>();
const optionsOf = (knowledge: Knowledge): ReadonlyMap<string, OptionFact> => {
  const made = optionMaps.get(knowledge) ?? new Map(knowledge.options.map((option) => [option.name, option]));
  optionMaps.set(knowledge, made);
  return made;
};

function trainerOf(experiment: string): string {
  return experiment.startsWith('SFT') || experiment.startsWith('RW') || experiment.startsWith('DPO')
    ? `${experiment.replace('Config', '')}Trainer`
    : 'PPOTrainer';
}

function launchOf(record: Record): { launch: Launch; host: Host } {
  const root = '/workspace';
  const files = new Map([
    [`${root}/config.yaml`, record.yaml],
    [
      `${root}/train.py`,
      `config, _ = load_expr_config(args, ${record.experiment})\nwith ${trainerOf(record.experiment)}(config) as trainer:\n  trainer.train()\n`,
    ],
  ]);
  const line = ['--config', 'config.yaml', ...record.overrides];
  const argv =
    record.launch === 'controller'
      ? ['python3', 'train.py', ...line]
      : ['python3', '-m', `areal.infra.launcher.${record.launch}`, 'train.py', ...line];
  if (withoutScript) files.delete(`${root}/train.py`);
  let at = 0;
  const made: Word[] = argv.map((text) => {
    const place: Place = { path: `${root}/run.sh`, span: { start: at, end: at + text.length } };
    at += text.length + 1;
    return literalWord(text, place);
  });
  const place: Place = { path: `${root}/run.sh`, span: { start: 0, end: at } };
  const controller = record.launch === 'controller';
  const entryWord = made[controller ? 1 : 2] ?? literalWord('', place);
  const launch: Launch = {
    command: {
      words: made,
      env: new Map(),
      cwd: root,
      place,
      input: undefined,
      via: [],
      directives: [],
      assumptions: [],
      open: [],
    },
    entry: { kind: controller ? 'script' : 'module', word: entryWord },
    args: made.slice(controller ? 2 : 3),
    env: new Map(Object.entries(record.env).map(([name, text]) => [name, literalWord(text, place)])),
    wrappers: [],
    worldSize: unknown('outside', 'world size'),
    nodes: unknown('outside', 'nodes'),
    processesPerNode: unknown('outside', 'processes'),
    worldSizePlaces: [],
    place,
    open: [],
    assumptions: [],
  };
  const host: Host = {
    read: (path) => files.get(path),
    kind: (path) => (files.has(path) ? 'file' : path.startsWith(root) ? 'absent' : 'unknown'),
    list: () => undefined,
    rootOf: () => root,
  };
  return { launch, host };
}

function answersFor(record: Record): Answer[] {
  const { launch, host } = launchOf(record);
  const because = areal.recogniseLaunch(launch, host);
  if (because === undefined) return [];
  const knowledge = knowledgeOf('areal');
  const document = parseYaml('/workspace/config.yaml', record.yaml)[0];
  const run: Run = areal.bindLaunch(launch, because, {
    host,
    machine: noProfile,
    knowledge,
    knowledgeOf,
    document: () => document,
    extraOptions: [],
  });
  const answers: Answer[] = (document?.problems ?? []).map((problem) => ({
    rule: 'yaml-syntax',
    severity: problem.severity,
    message: problem.message,
    names: ['yaml'],
  }));
  for (const problem of run.problems)
    answers.push({
      rule: problem.rule,
      severity: problem.severity,
      message: Object.entries(problem.values)
        .map(([key, value]) => `${key}=${value}`)
        .join(' '),
      names: Object.values(problem.values),
    });
  for (const finding of checkRun(run, { knowledgeOf, optionsOf, planFix: () => undefined }))
    answers.push({
      rule: finding.rule,
      severity: finding.severity,
      message: finding.message,
      names: finding.settings,
    });
  return answers;
}

/** The keys that upstream's refusal is about: `full_key` of OmegaConf, keys in quotes, and what the failing check reads. */
function causeKeys(record: Record): string[] {
  const keys: string[] = [];
  const full = /full_key: (\S+)/.exec(record.message)?.[1];
  if (full !== undefined) keys.push(full.split('.').at(-1) ?? full);
  for (const match of record.message.matchAll(/[`'"]([A-Za-z_][\w.-]*)[`'"=]/g))
    if (match[1] !== undefined) keys.push(match[1]);
  for (const match of record.message.matchAll(/\b([a-z]+(?:_[a-z0-9]+)+)\b/g))
    if (match[1] !== undefined) keys.push(match[1]);
  const missing = /mandatory value: (\w+)/.exec(record.message)?.[1];
  if (missing !== undefined) keys.push(missing);
  if (record.stage === 'yaml')
    keys.push('yaml', ...record.overrides.map((one) => one.replace(/^[+~]+/, '').split('=')[0] ?? one));
  return keys;
}

/** What the oracle's description leaves out: variables of the shell in a refused value, and model paths that do not exist. */
function dependsOnEnvironment(record: Record): boolean {
  return (
    record.verdict === 'reject' &&
    record.mutations.some((one) => one.includes('oc.env') || one.includes('~actor.path'))
  );
}

/** Words of upstream's messages for what people write under another name. */
const alias: { readonly [topic: string]: readonly RegExp[] } = {
  backend: [
    /backend|alloc|parallel|tp|pp|ep|dp|world|gpus|head|expert|optimizer|Replica|stage|attention|cp\b/i,
  ],
  scheduling: [/Colocat|Replica|worker|SchedulingStrategy|cmd|spec|GPU/i],
};

function sameCause(record: Record, answers: readonly Answer[]): boolean {
  const wanted = causeKeys(record);
  const text = `${record.message} ${record.at}`;
  return answers.some((answer) =>
    answer.names.some(
      (name) =>
        wanted.some((key) => name === key || name.endsWith(`.${key}`) || name.includes(key)) ||
        name.split('.').some((part) => part.length > 3 && text.replaceAll(' ', '_').includes(part)) ||
        ((name.endsWith('.backend') || name.endsWith('allocation_mode')) &&
          alias.backend?.some((one) => one.test(text)) === true) ||
        (name.includes('scheduling_') && alias.scheduling?.some((one) => one.test(text)) === true) ||
        (name.includes('n_gpus_per_node') && /division|GPUs/.test(text)),
    ),
  );
}

const records = gunzipSync(readFileSync(file))
  .toString('utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => recordSchema.parse(JSON.parse(line)))
  .filter((record) => !dependsOnEnvironment(record));
const count = {
  rejected: 0,
  found: 0,
  caused: 0,
  accepted: 0,
  alarms: 0,
  alarmsOnLate: 0,
  errors: 0,
  late: 0,
  lateSeen: 0,
  changed: 0,
  changedSeen: 0,
};
const shown: string[] = [];
const tally = new Map<string, number>();
for (const record of records) {
  const answers = answersFor(record);
  const errors = answers.filter(({ severity }) => severity === 'error');
  const note = (kind: string, list: readonly Answer[]): void => {
    if (show !== kind) return;
    shown.push(
      `${record.id} ${record.base} ${record.launch} ${record.mutations.join(' | ')}\n  upstream: ${record.verdict} ${record.stage} ${record.at} ${record.message.slice(0, 160).replaceAll('\n', ' ')} ${record.late.map((one) => `LATE ${one.stage} ${one.message.slice(0, 120)}`).join('; ')}\n${list.map((one) => `  we: ${one.severity} ${one.rule}: ${one.message} [${one.names.join(', ')}]`).join('\n')}`,
    );
  };
  if (errors.length > 0) count.errors++;
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
const precise = count.found;
console.log(`launches           ${records.length} (${count.rejected} refused, ${count.accepted} accepted)`);
console.log(
  `recall             ${percent(count.found, count.rejected)} (${count.found} of ${count.rejected})`,
);
console.log(`precision          ${percent(precise, precise + count.alarms)} (${count.alarms} false alarms)`);
console.log(`same cause         ${percent(count.caused, count.found)} (${count.caused} of ${count.found})`);
console.log(
  `late refusals      ${count.lateSeen} of ${count.late} told as error or warning (${count.alarmsOnLate} as error)`,
);
console.log(`silent changes     ${count.changedSeen} of ${count.changed} told`);
for (const [rule, times] of [...tally].sort((a, b) => b[1] - a[1]))
  console.log(`  false alarm ${times} × ${rule}`);
for (const line of shown.slice(0, limit)) console.log(line);
