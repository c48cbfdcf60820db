import type { Launch } from '../../launch/launch.ts';
import { textOf, type Word } from '../../value/word.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import type { BindingContext, BindingProblem, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { type Override, settingOf } from '../omegaconf/overrides.ts';
import { readTree, type TreePolicy, type TreeReading } from '../omegaconf/tree.ts';
import { type ReadArguments, readArguments } from './arguments.ts';
import { wrongChoice } from './choices.ts';
import { missingNames, unaddedDeletions } from './deletions.ts';
import { configurationFields } from './fields.ts';
import { inOrder, isDeletion, letsFlagsWin } from './precedence.ts';
import { type Program, programOf } from './recognise.ts';
import { candidates } from './scriptPlaces.ts';
import { isOfAnotherShape } from './shapes.ts';
import { type ReadYaml, readYaml } from './yaml.ts';

/** What the command line of a launch gives, with the file that it names. */
export interface CommandLine {
  readonly launch: Launch;
  readonly program: Program;
  readonly read: ReadArguments;
  /** The file of `--config-file`, when the workspace has it. */
  readonly document: YamlDocument | undefined;
  readonly file: ReadYaml;
  /** Whether flags are applied after the overrides. */
  readonly flagsWin: boolean;
  /** What is set before any override is applied. */
  readonly beforeOverrides: readonly Setting[];
  /** The settings in effect, by name. */
  readonly settings: ReadonlyMap<string, Setting>;
  /** What is wrong with the names and values of the overrides, regardless of the recipe. */
  readonly overrideProblems: readonly BindingProblem[];
  /** Unknown words may contain further settings. */
  readonly open: boolean;
}

const noFile: ReadYaml = { settings: [], problems: [] };

/** Reads the words of a launch and the file they name. */
export function readCommandLine(
  launch: Launch,
  options: ReadonlyMap<string, OptionFact>,
  context: BindingContext,
): CommandLine {
  const program = programOf(launch, context.host) ?? 'own';
  const read = readArguments(launch.args, options, program);
  const { flags, overrides } = read;
  const document = documentOf(read.configFile, launch, context);
  const file = document === undefined ? noFile : readYaml(document, options);
  const flagsWin = letsFlagsWin(launch, program);
  const given = [
    ...file.settings,
    ...flags,
    ...overrides.map((override) => settingOf(override, override.key)),
  ];
  const treeOf = (some: readonly Override[]): TreeReading =>
    readTree(some, configurationFields(options), policyOf(program, context, given));
  const tree = treeOf(overrides.filter((override) => !isDeletion(override)));
  const ofOverrides = [...tree.settings.values()];
  return {
    launch,
    program,
    read,
    document,
    file,
    flagsWin,
    beforeOverrides: flagsWin ? file.settings : [...file.settings, ...flags],
    settings: inOrder({ file: file.settings, flags, overrides, ofOverrides, flagsWin }),
    overrideProblems: [...tree.problems, ...missingNames(treeOf(unaddedDeletions(overrides)).problems)],
    open: launch.open.length > 0 || read.open,
  };
}

function documentOf(
  word: Word | undefined,
  launch: Launch,
  context: BindingContext,
): YamlDocument | undefined {
  const path = word === undefined ? undefined : textOf(word);
  if (path === undefined) return undefined;
  for (const candidate of candidates(path, launch, context.host)) {
    const document = context.document(candidate);
    if (document !== undefined) return document;
  }
  return undefined;
}

/** The policy for the overrides, considering everything that is given. */
function policyOf(program: Program, context: BindingContext, given: readonly Setting[]): TreePolicy {
  return {
    unknown: 'fork',
    isReported: () => program !== 'own',
    // The tree consists of plain values, so nothing is converted or rejected on reading.
    wrongType: (option, leaf) => {
      // A group below a section that may be null, or that is in one that may be, is not looked at until something needs it.
      const depth = option.name.split('.').length;
      if (option.type === 'group')
        return depth > 2 || (depth === 2 && option.nullable === true) ? 'warning' : 'error';
      return isOfAnotherShape(option, leaf.type) ? 'warning' : undefined;
    },
    wrongChoice: ({ name }) => wrongChoice(name, (other) => isSet(other, given)),
    extra: context.extraOptions,
  };
}

/** Whether the last of several settings of a name is something other than null. */
function isSet(name: string, given: readonly Setting[]): boolean {
  const value = given.findLast((setting) => setting.name === name)?.value;
  return value !== undefined && !(value.kind === 'known' && value.data === null);
}
