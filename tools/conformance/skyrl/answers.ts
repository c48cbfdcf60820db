import type { BindingContext, Run } from '../../../server/src/frameworks/framework.ts';
import type { Knowledge, KnowledgeSource, OptionFact } from '../../../server/src/frameworks/knowledge.ts';
import { skyrl } from '../../../server/src/frameworks/skyrl/framework.ts';
import type { Launch } from '../../../server/src/launch/launch.ts';
import { checkRun } from '../../../server/src/rules/check.ts';
import type { Place } from '../../../server/src/text/span.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { unknown } from '../../../server/src/value/value.ts';
import { literalWord } from '../../../server/src/value/word.ts';
import type { LaunchRecord } from './record.ts';

/** What we say about one launch. */
export interface Answer {
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
  readonly names: readonly string[];
}

function launchOf(record: LaunchRecord): Launch {
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

function answersOf(
  run: Run,
  knowledgeOf: KnowledgeSource,
  maps: Map<Knowledge, Map<string, OptionFact>>,
): Answer[] {
  const optionsOf = (one: Knowledge): Map<string, OptionFact> => {
    const found = maps.get(one) ?? new Map(one.options.map((option) => [option.name, option]));
    maps.set(one, found);
    return found;
  };
  const found = checkRun(run, { knowledgeOf, optionsOf, planFix: () => undefined });
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

/** Judges launches: what our rules say about each. */
export function makeJudge(knowledgeOf: KnowledgeSource): (record: LaunchRecord) => Answer[] {
  const maps = new Map<Knowledge, Map<string, OptionFact>>();
  const context: BindingContext = {
    host: { read: () => undefined, kind: () => 'unknown', list: () => undefined, rootOf: () => undefined },
    machine: noProfile,
    knowledge: knowledgeOf('skyrl'),
    knowledgeOf,
    document: () => undefined,
    extraOptions: [],
  };
  return (record) => answersOf(skyrl.bindLaunch(launchOf(record), 'conformance', context), knowledgeOf, maps);
}

/** Whether a finding says that a value has the wrong type where upstream takes any. */
export function aboutType(record: LaunchRecord, answer: Answer): boolean {
  const keys = record.mistyped.map((entry) => JSON.stringify(entry));
  return answer.names.some((name) => keys.some((key) => key.includes(name)));
}
