import type {
  BindingContext,
  BindingProblem,
  FrameworkId,
  Run,
} from '../../server/src/frameworks/framework.ts';
import type { KnowledgeSource } from '../../server/src/frameworks/knowledge.ts';
import { optionsByName } from '../../server/src/frameworks/options.ts';
import { checkRun } from '../../server/src/rules/check.ts';
import type { Host } from '../../server/src/value/host.ts';
import { noProfile } from '../../server/src/value/machine.ts';

/** What we say about one launch of an oracle. */
export interface Answer {
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
  /** Names of the options that it is about. */
  readonly names: readonly string[];
}

/** A workspace of which nothing is known. @param root its top, where that is known */
export function unknownHost(root?: string): Host {
  return { read: () => undefined, kind: () => 'unknown', list: () => undefined, rootOf: () => root };
}

/** What a launch of an oracle is bound with: nothing but what is known of its framework. */
export function contextOf(
  id: FrameworkId,
  knowledgeOf: KnowledgeSource,
  host = unknownHost(),
): BindingContext {
  return {
    host,
    machine: noProfile,
    knowledge: knowledgeOf(id),
    knowledgeOf,
    document: () => undefined,
    extraOptions: [],
  };
}

/**
 * What is said of a run: the problems of its options, then what the rules find.
 * @param namesOf the options that a problem is about
 */
export function answersOf(
  run: Run,
  knowledgeOf: KnowledgeSource,
  namesOf: (problem: BindingProblem) => readonly string[],
): Answer[] {
  const found = checkRun(run, {
    knowledgeOf,
    optionsOf: ({ options }) => optionsByName(options),
    planFix: () => undefined,
  });
  return [
    ...run.problems.map((problem) => ({
      rule: problem.rule,
      severity: problem.severity,
      message: Object.values(problem.values).join(' '),
      names: namesOf(problem),
    })),
    ...found.map(({ rule, severity, message, settings }) => ({ rule, severity, message, names: settings })),
  ];
}
