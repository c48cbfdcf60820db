import data from '../../../../schemas/megatron-bridge/recognise.json';
import { literally } from '../../text/literal.ts';
import { folderAbove } from '../above.ts';
import type { BindingContext, BindingProblem } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { nameRules } from '../nameRules.ts';
import { keyReplacement, type Override } from '../omegaconf/overrides.ts';
import { openSections, type Program } from './recognise.ts';
import { packageInfo } from './release.ts';

/** What decides how a name unknown to Bridge is treated. */
export interface NameUse {
  readonly program: Program;
  readonly overrides: readonly Override[];
  /** Whether the recipe is one of upstream's, so that its classes are known. */
  readonly isUpstreamModel: boolean;
  readonly paths: readonly string[];
  readonly context: BindingContext;
}

/**
 * Sets the severity of name problems on the command line. Bridge rejects a key that its configuration lacks
 * (training/utils/omegaconf_utils.py:180), but this is an error only if the class is certain: a custom model, data set or adapter may have
 * further fields, and so may a newer Megatron-core. A key with a plus sign is added, and then skipped.
 */
export function unknownNames(problems: readonly BindingProblem[], use: NameUse): readonly BindingProblem[] {
  const { program, overrides, isUpstreamModel } = use;
  if (program === 'own') return problems;
  const added = new Set(
    overrides.flatMap(({ operation, key }) =>
      operation === 'add' || operation === 'force-add' ? [key] : [],
    ),
  );
  return problems.flatMap((found) => {
    const { name } = found.values;
    if (!nameRules.has(found.rule) || name === undefined) return [found];
    const isUnknown = found.rule === 'unknown-option';
    if (isUnknown && isDeclared(name, use)) return [];
    const problem = isUnknown ? withAlias(found, name, use) : found;
    const isNear = problem.values.hint !== '';
    const section = sectionOf(name);
    const isOpen = openSections.includes(section);
    // Fields are added to Megatron-core's models every month, and its development branch is in use.
    if (isUnknown && isOpen && !isNear && (section === 'model' || !isUpstreamModel)) return [];
    const isRefused = !added.has(name) && (!isOpen || (isUnknown && isUpstreamModel && isNear));
    return [{ ...problem, severity: isRefused ? 'error' : 'warning' }];
  });
}

/**
 * The problem, with a suggestion if the name is that of the option's flag (`model.tp`) or a prefix of the option's name
 * (`model.context_parallel`).
 */
function withAlias(problem: BindingProblem, name: string, { overrides, context }: NameUse): BindingProblem {
  const { byFlag, byBeginning } = aliases(name, context.knowledge.options);
  const meant = otherNames.get(name) ?? byFlag ?? (problem.values.hint === '' ? byBeginning : undefined);
  const override = overrides.find(({ key }) => key === name);
  if (meant === undefined || override === undefined) return problem;
  const values = { ...problem.values, hint: ` Did you mean ${meant}?` };
  return { ...problem, values, replacement: keyReplacement(override, meant) };
}

/** Common names for options for which the closest spelling is a different option. */
const otherNames: ReadonlyMap<string, string> = new Map(Object.entries(data.otherNames));

interface Aliases {
  readonly byFlag: string | undefined;
  readonly byBeginning: string | undefined;
}

function aliases(name: string, options: readonly OptionFact[]): Aliases {
  const dot = name.lastIndexOf('.') + 1;
  const beside = options.filter(
    (option) =>
      option.removed === undefined &&
      option.name.startsWith(name.slice(0, dot)) &&
      !option.name.slice(dot).includes('.'),
  );
  const last = name.slice(dot);
  const [begun, another] = beside.filter((option) => option.name.startsWith(`${name}_`));
  return {
    byFlag: beside.find(({ flags }) => flags?.some((flag) => flag.replace(/^-+/, '') === last))?.name,
    byBeginning: dot === 0 || another !== undefined ? undefined : begun?.name,
  };
}

function sectionOf(name: string): string {
  return name.replace(/^[+~]+/, '').split('.', 1)[0] ?? '';
}

/** Whether the Bridge in the workspace has the last part of a name in a file that declares fields of its section, as a fork does. */
export function isDeclared(name: string, { paths, context }: Pick<NameUse, 'paths' | 'context'>): boolean {
  const { host, knowledge } = context;
  const root = folderAbove(paths, packageInfo, host);
  if (root === undefined) return false;
  const word = new RegExp(`\\b${literally(name.slice(name.lastIndexOf('.') + 1))}\\b`);
  return filesOf(sectionOf(name), knowledge.options).some((file) =>
    [file, `3rdparty/Megatron-LM/${file}`].some((path) => word.test(host.read(`${root}/${path}`) ?? '')),
  );
}

/** The files that declare a section and its fields. */
function filesOf(section: string, options: readonly OptionFact[]): readonly string[] {
  const sources = options.flatMap(({ name, source }) =>
    name === section || name.startsWith(`${section}.`) ? [source] : [],
  );
  return [...new Set([data.container, ...sources.map((source) => source.replace(/:\d+$/, ''))])];
}
