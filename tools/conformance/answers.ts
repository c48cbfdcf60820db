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

/** Our verdict on one launch of an oracle. */
export interface Answer {
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
  /** Names of the options that it concerns. */
  readonly names: readonly string[];
}

/** A workspace about which nothing is known. @param root its top, if known */
export function unknownHost(root?: string): Host {
  return { read: () => undefined, kind: () => 'unknown', list: () => undefined, rootOf: () => root };
}

/** The context in which a launch of an oracle is bound: nothing but the knowledge about its framework. */
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
 * The answers about a run: the problems of its options, then the findings of the rules.
 * @param namesOf the options that a problem concerns
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
