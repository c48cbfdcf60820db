import type { CompiledConstraint, Expression } from '../expression/compiled.ts';
import { expressionsSaid } from '../expression/message.ts';
import { type FrameworkId, optionsBeside } from '../frameworks/framework.ts';
import type { KnowledgeSource } from '../frameworks/knowledge.ts';
import { suggestSpelling } from '../frameworks/suggest.ts';
import { compileConstraint, type Names } from '../rules/compileConstraint.ts';
import type { ConfigProblem } from './config.ts';
import { didYouMean } from './issue.ts';
import { expressionProblem } from './pattern.ts';
import type { ConfigFile } from './schema.ts';
import type { ConfigChain } from './settle.ts';
import { vainComparison } from './vainComparison.ts';

/**
 * Compiles the team's own constraints of a chain. Faulty ones are dropped and reported as problems; a constraint overrides one with the same
 * name in an extended file.
 */
export function customConstraints(
  chain: ConfigChain,
  knowledgeOf: KnowledgeSource,
): { constraints: Map<FrameworkId, CompiledConstraint[]>; problems: ConfigProblem[] } {
  const constraints = new Map<FrameworkId, CompiledConstraint[]>();
  const problems: ConfigProblem[] = [];
  for (const { path, read } of chain.files) {
    const named = new Set<string>();
    (read.config.constraints ?? []).forEach((entry, index) => {
      const { framework, id } = entry;
      const name = `${framework}/${id}`;
      const made = named.has(name)
        ? { problem: { path: ['id'], message: 'a constraint above has that name, and applies' } }
        : compileOwn(entry, knowledgeOf);
      named.add(name);
      if ('problem' in made) {
        const span = read.locate(['constraints', index, ...made.problem.path]);
        problems.push({ path, span, message: `${id}: ${made.problem.message}` });
        return;
      }
      const others = (constraints.get(framework) ?? []).filter((constraint) => constraint.id !== id);
      constraints.set(framework, [...others, ...made.constraints]);
    });
  }
  return { constraints, problems };
}

/** Compiles one of them: a constraint for each value of `each`, or what is wrong with it. */
function compileOwn(
  { framework, ...entry }: NonNullable<ConfigFile['constraints']>[number],
  knowledgeOf: KnowledgeSource,
): ReturnType<typeof compileConstraint> {
  const filled = {
    ...entry,
    phase: entry.phase ?? ('startup' as const),
    why: entry.why ?? 'A rule of this project.',
    bad: entry.bad ?? '',
    good: entry.good ?? '',
  };
  const compiled = compileConstraint(filled, namesOf(framework, knowledgeOf));
  if ('problem' in compiled) {
    const { path, message, unknownName } = compiled.problem;
    const hint = unknownName === undefined ? '' : nameHint(unknownName, framework, knowledgeOf);
    return { problem: { path, message: `${message}${hint}` } };
  }
  const knowledge = knowledgeOf(framework);
  if (knowledge.constraints.some(({ id }) => id === entry.id)) {
    const message = `oomlint has a rule of this name: change its severity under \`rules\`, or choose another name`;
    return { problem: { path: ['id'], message } };
  }
  const problem = slowPattern(compiled.constraints);
  if (problem !== undefined) return { problem: { path: [], message: problem } };
  // An option that a newer release declares differently may be compared with either type.
  const changed = new Set(knowledge.newer?.changed.map(({ name }) => name));
  const unchanged = knowledge.options.filter(({ name }) => !changed.has(name));
  const options = new Map(unchanged.map((option) => [option.name, option]));
  for (const { when } of compiled.constraints) {
    const message = vainComparison(when, (name) => options.get(name));
    if (message !== undefined) return { problem: { path: ['when'], message } };
  }
  return { constraints: compiled.constraints.map((constraint) => ({ ...constraint, isOwn: true })) };
}

/**
 * The hint for a name that the constraint's framework does not have: that the framework beside it has it, or which name is spelled similarly.
 */
function nameHint(name: string, framework: FrameworkId, knowledgeOf: KnowledgeSource): string {
  const beside = optionsBeside(framework);
  if (beside !== undefined && namesOf(beside, knowledgeOf).has(name))
    return `; a constraint about it has framework: ${beside}, and holds for ${framework} too`;
  return didYouMean(suggestSpelling(name, allNamesOf(framework, knowledgeOf)));
}

/** Why a pattern in the constraints is rejected; patterns must be literals, so that they can be checked. */
function slowPattern(constraints: readonly CompiledConstraint[]): string | undefined {
  const inExpression = (expression: Expression): string | undefined => {
    if (typeof expression !== 'object' || expression === null) return undefined;
    if (expression[0] === 'n') return undefined;
    if (expression[0] === 'c' && expression[1] === 'matches') {
      const pattern = expression[3];
      if (typeof pattern !== 'string') return 'the pattern of matches() must be a text in quotes';
      const problem = expressionProblem(pattern);
      if (problem !== undefined) return problem;
    }
    const [, ...parts] = expression;
    return parts.map(inExpression).find((problem) => problem !== undefined);
  };
  const all = constraints.flatMap((constraint) => [
    constraint.when,
    ...expressionsSaid(constraint),
    ...constraint.fixes.flatMap(({ set, env }) => [...Object.values(set), ...Object.values(env)]),
  ]);
  return all.map(inExpression).find((problem) => problem !== undefined);
}

/** The names of a framework's options and derived values. */
function allNamesOf(framework: FrameworkId, knowledgeOf: KnowledgeSource): ReadonlySet<string> {
  const { options, derivations } = knowledgeOf(framework);
  return new Set([...options.map(({ name }) => name), ...derivations.map((step) => step.set)]);
}

function namesOf(framework: FrameworkId, knowledgeOf: KnowledgeSource): Names {
  const names = allNamesOf(framework, knowledgeOf);
  const open = knowledgeOf(framework)
    .options.filter((option) => option.open === true)
    .map((option) => `${option.name}.`);
  return { has: (name) => names.has(name) || open.some((prefix) => name.startsWith(prefix)) };
}
