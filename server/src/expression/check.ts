import type { Expression } from './compiled.ts';
import { formsOfNames, functions, specialForms } from './functions/index.ts';
import { type ExpressionProblem, parseExpression } from './parse.ts';
import { isNode, namesOf, visitCalls } from './tree.ts';

/** Names that every framework has, besides its options. */
const everywhere = [
  'world_size',
  'machine.gpus_per_node',
  'machine.nodes',
  'machine.nvlink',
  'machine.gpu_memory_bytes',
  'machine.compute_capability',
];
const families = ['env.', 'alloc_conf.', 'version.'];

/** Whether a name exists in every framework: the job's size, its environment, the machine. */
function isBuiltInName(name: string): boolean {
  return everywhere.includes(name) || families.some((family) => name.startsWith(family));
}

/**
 * Parses an expression and checks that its names and functions exist.
 * @param isName whether the framework has an option or derived value of that name
 */
export function checkedExpression(
  text: string,
  isName: (name: string) => boolean,
): { expression: Expression } | { problem: ExpressionProblem } {
  const parsed = parseExpression(text);
  if ('problem' in parsed) return parsed;
  for (const name of namesOf(parsed.expression))
    if (!isName(name) && !isBuiltInName(name))
      return {
        problem: {
          message: `no option or derived value is called ${name}`,
          offset: Math.max(0, text.indexOf(name)),
        },
      };
  let problem: ExpressionProblem | undefined;
  const refuse = (name: string, message: string): void => {
    problem ??= { message, offset: Math.max(0, text.indexOf(name)) };
  };
  visitCalls(parsed.expression, (name, args) => {
    if (!Object.hasOwn(functions, name) && !specialForms.has(name))
      refuse(name, `no function is called ${name}`);
    const first = formsOfNames.get(name);
    if (first === undefined) return;
    const options = args.slice(first);
    if (options.length === 0 || !options.every((arg) => isNode(arg) && arg[0] === 'n'))
      refuse(name, `${name} takes names of options`);
  });
  return problem === undefined ? parsed : { problem };
}
