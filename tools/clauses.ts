// `npm run clauses -- [--rule TEXT] [--severity error|warning|info] [--bounds]` lists the clauses of rules that no example needs: the rule's
// `bad` and `good` are judged the same without them. Each clause needs a `good` that only this clause keeps from being found, or a `bad` that
// is found only because of this clause; otherwise it is useless and can be removed. In a rule with `each` a clause is left out for all values
// at once, and reported for the first value. `--bounds` also asks of each comparison whether an example is at its bound.
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { CompiledConstraint, Expression } from '../server/src/expression/compiled.ts';
import { isNode } from '../server/src/expression/tree.ts';
import type { FrameworkId, Run } from '../server/src/frameworks/framework.ts';
import { optionsByName } from '../server/src/frameworks/options.ts';
import { checkRun } from '../server/src/rules/check.ts';
import { combinations, substituteData } from '../server/src/rules/compileConstraint.ts';
import {
  type ConstraintEntry,
  constraintSchema,
  type ExampleEntry,
} from '../server/src/rules/constraintFile.ts';
import { exampleFiles } from '../test/support/exampleFiles.ts';
import { loadKnowledge, testLinter } from '../test/support/knowledge.ts';
import { memoryHost } from '../test/support/memoryHost.ts';
import { oneOf, readFlags } from './flags.ts';

const usage = 'npm run clauses -- [--rule TEXT] [--severity error|warning|info] [--bounds]';
const values = readFlags(usage, () =>
  parseArgs({
    options: {
      rule: { type: 'string', default: '' },
      severity: { type: 'string' },
      bounds: { type: 'boolean', default: false },
    },
  }),
);
const severity = oneOf('--severity', values.severity, ['error', 'warning', 'info'], usage);
const knowledge = loadKnowledge();

/** A condition that differs in one place. */
interface Change {
  readonly when: Expression;
  readonly text: string;
}

const neighbours: ReadonlyMap<string, string> = new Map([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
]);

/** The operands of a chain of `and` or `or`. */
function clausesOf(expression: Expression, operator: string): Expression[] {
  return isNode(expression) && expression[0] === 'o' && expression[1] === operator
    ? [...clausesOf(expression[2], operator), ...clausesOf(expression[3], operator)]
    : [expression];
}

function joined(clauses: readonly Expression[], operator: string): Expression {
  return clauses.reduce((left, right) => ['o', operator, left, right]);
}

/** Every way to leave out one clause of an `and` or an `or`, and with `--bounds` to move one bound. */
function changesOf(expression: Expression): Change[] {
  if (!isNode(expression)) return [];
  if (expression[0] === 'o' && (expression[1] === 'and' || expression[1] === 'or'))
    return changesOfClauses(clausesOf(expression, expression[1]), expression[1]);
  if (expression[0] === 'u') {
    const [kind, operator, operand] = expression;
    return changesOf(operand).map(({ when, text }) => ({ when: [kind, operator, when], text }));
  }
  if (expression[0] === 'c') {
    const [kind, name, ...args] = expression;
    return args.flatMap((arg, index) =>
      changesOf(arg).map(
        ({ when, text }): Change => ({ when: [kind, name, ...args.with(index, when)], text }),
      ),
    );
  }
  return boundMoved(expression);
}

/** Clauses that say that a value is known are for the reader only: a rule does not fire on an unknown value. */
function isForReaders(clause: Expression): boolean {
  return isNode(clause) && clause[0] === 'c' && clause[1] === 'known';
}

function changesOfClauses(clauses: readonly Expression[], operator: string): Change[] {
  return clauses.flatMap((clause, index) => [
    ...(isForReaders(clause)
      ? []
      : [{ when: joined(clauses.toSpliced(index, 1), operator), text: `${operator} ${written(clause)}` }]),
    ...changesOf(clause).map(({ when, text }) => ({
      when: joined(clauses.with(index, when), operator),
      text,
    })),
  ]);
}

function boundMoved(expression: Expression): Change[] {
  if (!values.bounds || !isNode(expression) || expression[0] !== 'o') return [];
  const [kind, operator, left, right] = expression;
  const moved = neighbours.get(operator);
  if (moved === undefined) return [];
  return [{ when: [kind, moved, left, right], text: `${written(left)} ${moved} ${written(right)}` }];
}

/** An expression in the language of docs/constraints.md. */
function written(expression: Expression): string {
  if (!isNode(expression)) return JSON.stringify(expression);
  switch (expression[0]) {
    case 'n':
      return expression[1];
    case 'l': {
      const [, ...items] = expression;
      return `[${items.map(written).join(', ')}]`;
    }
    case 'c': {
      const [, name, ...args] = expression;
      return `${name}(${args.map(written).join(', ')})`;
    }
    case 'o':
      return `(${written(expression[2])} ${expression[1]} ${written(expression[3])})`;
    case 'u':
      return `${expression[1]} ${written(expression[2])}`;
    case '?':
      return `(${expression.slice(1).map(written).join(' ? ')})`;
  }
}

/** The launches of an example. */
function runsOf(framework: FrameworkId, example: ExampleEntry): readonly Run[] {
  const base = knowledge.frameworks.get(framework)?.base;
  if (base === undefined) throw new Error(`no base.yaml for ${framework}`);
  const { script, yaml, machine } = exampleFiles(base, example);
  const host = memoryHost({
    '/repository/run.sh': script,
    ...(yaml === undefined ? {} : { [`/repository/${yaml.name}`]: yaml.text }),
  });
  return testLinter(knowledge, host, machine).lint('/repository/run.sh', script).runs;
}

/** The indexes of the changes of a rule that are found in some launches, for at least one value of its `each`. */
function foundIn(
  runs: readonly Run[],
  framework: FrameworkId,
  variants: readonly Variant[],
): ReadonlySet<number> {
  const own = knowledge.knowledgeOf(framework);
  const narrower = new Set(variants.flatMap(({ rule }) => rule.narrower));
  const constraints = [
    ...variants.flatMap(({ rule, changes }) =>
      changes.map(({ when }, index) => ({ ...rule, id: `${index}`, when, restsOn: undefined })),
    ),
    ...own.constraints.filter(({ id }) => narrower.has(id)),
  ];
  const found = runs.flatMap((run) =>
    checkRun(run, {
      knowledgeOf: (id) => (id === framework ? { ...own, constraints } : knowledge.knowledgeOf(id)),
      optionsOf: ({ options }) => optionsByName(options),
      planFix: () => undefined,
    }),
  );
  return new Set(
    found
      .filter(({ rule: id }) => id.startsWith(`${framework}/`))
      .map(({ rule: id }) => Number(id.slice(framework.length + 1))),
  );
}

/** A rule for one value of its `each`, with the changes of its condition. */
interface Variant {
  readonly rule: CompiledConstraint;
  readonly changes: readonly Change[];
}

/** The examples of an entry for all values of its `each`, without duplicates. */
function examplesOf(entry: ConstraintEntry, which: 'bad' | 'good'): readonly ExampleEntry[] {
  const examples = combinations(entry.each).flatMap((assignment) =>
    listOf(constraintSchema.parse(substituteData(entry, assignment))[which]),
  );
  return [...new Map(examples.map((example) => [JSON.stringify(example), example])).values()];
}

function listOf(example: ConstraintEntry['bad']): readonly ExampleEntry[] {
  return Array.isArray(example) ? example : [example];
}

let count = 0;
let loose = 0;
for (const [framework, { entries, knowledge: own }] of knowledge.frameworks)
  for (const { entry: all, file, line } of entries) {
    if (!`${framework}/${all.id}`.includes(values.rule) || (severity ?? all.severity) !== all.severity)
      continue;
    const variants = own.constraints
      .filter(({ id }) => id === all.id)
      .map((rule): Variant => ({ rule, changes: changesOf(rule.when) }));
    const [first] = variants;
    if (first === undefined || first.changes.length === 0) continue;
    const judged = (which: 'bad' | 'good'): readonly ReadonlySet<number>[] =>
      examplesOf(all, which).map((each) => foundIn(runsOf(framework, each), framework, variants));
    const bad = judged('bad');
    const good = judged('good');
    const same = first.changes.filter(
      (_, index) => bad.every((found) => found.has(index)) && !good.some((found) => found.has(index)),
    );
    count += first.changes.length;
    loose += same.length;
    for (const { text } of same)
      console.log(`${relative(resolve(), file)}:${line} ${all.severity} ${all.id}: ${text}`);
  }
console.log(`${count - loose} of ${count} are held in place by an example`);
