import type { CompiledConstraint, Expression } from '../expression/compiled.ts';
import { expressionsSaid } from '../expression/message.ts';
import type { FrameworkId } from '../frameworks/framework.ts';
import type { KnowledgeSource } from '../frameworks/knowledge.ts';
import { compileConstraint, type Names } from '../rules/compileConstraint.ts';
import type { ConfigProblem } from './config.ts';
import { expressionProblem } from './pattern.ts';
import type { ConfigChain } from './settle.ts';

/** Compiles the team's own constraints of a chain. Faulty ones are problems and dropped. */
export function customConstraints(
  chain: ConfigChain,
  knowledgeOf: KnowledgeSource,
): { constraints: Map<FrameworkId, CompiledConstraint[]>; problems: ConfigProblem[] } {
  const constraints = new Map<FrameworkId, CompiledConstraint[]>();
  const problems: ConfigProblem[] = [];
  for (const { path, read } of chain.files)
    (read.config.constraints ?? []).forEach((entry, index) => {
      const { framework, ...rest } = entry;
      const compiled = compileConstraint(
        {
          ...rest,
          phase: rest.phase ?? 'startup',
          why: rest.why ?? 'A rule of this project.',
          bad: rest.bad ?? '',
          good: rest.good ?? '',
        },
        namesOf(framework, knowledgeOf),
      );
      if ('problem' in compiled) {
        const span = read.locate(['constraints', index, ...compiled.problem.path]);
        const hint = otherOwner(compiled.problem.message, framework, knowledgeOf);
        problems.push({ path, span, message: `${entry.id}: ${compiled.problem.message}${hint}` });
        return;
      }
      const problem = slowPattern(compiled.constraints);
      if (problem !== undefined) {
        problems.push({
          path,
          span: read.locate(['constraints', index]),
          message: `${entry.id}: ${problem}`,
        });
        return;
      }
      const own = compiled.constraints.map((constraint) => ({ ...constraint, isOwn: true as const }));
      constraints.set(framework, [...(constraints.get(framework) ?? []), ...own]);
    });
  return { constraints, problems };
}

/** Frameworks that take Megatron-LM's options as they are, and whose launches are held against its constraints. */
const onMegatron: readonly FrameworkId[] = ['slime', 'relax'];

/** What to say of a name that the framework of a constraint does not have, and Megatron-LM has. */
function otherOwner(message: string, framework: FrameworkId, knowledgeOf: KnowledgeSource): string {
  const [, name] = /no option or derived value is called (\S+)/.exec(message) ?? [];
  if (name === undefined || !onMegatron.includes(framework) || !namesOf('megatron-lm', knowledgeOf).has(name))
    return '';
  return `; a constraint about it has framework: megatron-lm, and holds for ${framework} too`;
}

/** Why a pattern in some constraints is refused; patterns must stand there in full, so that they can be judged. */
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

function namesOf(framework: FrameworkId, knowledgeOf: KnowledgeSource): Names {
  const knowledge = knowledgeOf(framework);
  const names = new Set([
    ...knowledge.options.map((option) => option.name),
    ...knowledge.derivations.map((step) => step.set),
  ]);
  const open = knowledge.options.filter((option) => option.open === true).map((option) => `${option.name}.`);
  return { has: (name) => names.has(name) || open.some((prefix) => name.startsWith(prefix)) };
}
