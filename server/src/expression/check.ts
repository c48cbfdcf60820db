import type { Expression } from './compiled.ts';
import { formsOfNames, functions, specialForms } from './functions/index.ts';
import { type ExpressionProblem, parseExpression } from './parse.ts';
import { isNode, namesOf, visitCalls } from './tree.ts';

/** Names that exist in every framework, besides its options. */
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
    if (!isName(name) && !isBuiltInName(name)) return { problem: unknownName(name, text, isName) };
  let problem: ExpressionProblem | undefined;
  const refuse = (name: string, message: string): void => {
    problem ??= { message, offset: offsetOf(name, text) };
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

/** The offset at which a name first occurs on its own in an expression, not as part of another name. */
function offsetOf(name: string, text: string): number {
  const isPart = (character: string | undefined): boolean => /[\w.]/.test(character ?? '');
  let at = text.indexOf(name);
  while (at > 0 && (isPart(text[at - 1]) || isPart(text[at + name.length]))) at = text.indexOf(name, at + 1);
  return Math.max(0, at);
}

function unknownName(name: string, text: string, isName: (name: string) => boolean): ExpressionProblem {
  const message = `no option or derived value is called ${name}`;
  const offset = offsetOf(name, text);
  // Written as on a command line, where a dash is not a minus.
  const dashed = /^[\w.]+(?:-\w+)+/.exec(text.slice(offset))?.[0];
  const meant = dashed?.replaceAll('-', '_');
  return meant !== undefined && isName(meant)
    ? { message: `${message}; ${dashed} is written ${meant} here`, offset }
    : { message, offset, unknownName: name };
}
