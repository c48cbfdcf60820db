import type { Expression } from './compiled.ts';
import { functions, specialForms } from './functions/index.ts';
import { type ExpressionProblem, parseExpression } from './parse.ts';
import { namesOf, visitCalls } from './tree.ts';

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
  let missing: string | undefined;
  visitCalls(parsed.expression, (name) => {
    if (!Object.hasOwn(functions, name) && !specialForms.has(name)) missing ??= name;
  });
  if (missing !== undefined)
    return {
      problem: { message: `no function is called ${missing}`, offset: Math.max(0, text.indexOf(missing)) },
    };
  return parsed;
}
