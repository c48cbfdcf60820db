import data from '../../../../schemas/skyrl/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import { knownPrefix, textOf, type Word } from '../../value/word.ts';
import type { BindingContext, BindingProblem } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import type { Override } from '../omegaconf/overrides.ts';
import { readTree, type TreePolicy, type TreeReading } from '../omegaconf/tree.ts';
import { moduleOf, type Program, programFromSource, programOf } from './programs.ts';
import { readWords } from './read.ts';
import { resolveReferences } from './references.ts';
import { optionsOf, type Root, rootOf } from './roots.ts';
import { sourceOf } from './source.ts';
import { type TinkerWords, tinkerWords } from './tinker.ts';
import { ownJaxOptions, tinkerFlags } from './tinkerFlags.ts';
import { scalarTraps } from './traps.ts';

/** What a launch gives its program. */
export interface Given {
  readonly launch: Launch;
  readonly context: BindingContext;
  readonly program: Program;
  /** The class that the overrides fill, and its options. */
  readonly root: Root;
  readonly options: ReadonlyMap<string, OptionFact>;
  /** The flags of a tinker server; its backend replaces trainer.strategy. */
  readonly tinker: TinkerWords | undefined;
  readonly overrides: readonly Override[];
  readonly tree: TreeReading;
  /** What is wrong with the words, regardless of the options. */
  readonly problems: readonly BindingProblem[];
  /** Unknown words may contain further settings. */
  readonly open: boolean;
}

/** Reads the words of a launch against the options of its program. */
export function readGiven(launch: Launch, context: BindingContext): Given {
  const { program, args } = programOfLaunch(launch, context);
  const { upstream } = program;
  const tinker = program.kind === 'tinker' ? serverWords(launch, args, context) : undefined;
  const root = tinker?.root ?? rootOf(program);
  const options = optionsOf(context.knowledge, root, program);
  const words = readWords(
    tinker?.overrides ?? (program.ownFlags ? withoutFlags(args) : args),
    options,
    root !== 'SkyRLTrainConfig' ? 'left' : program.takesPlus === true ? 'taken off' : 'refused',
    upstream ? 'error' : 'warning',
  );
  const open = launch.open.length > 0 || words.open || tinker?.open === true;
  const { overrides, problems: references } =
    upstream && !open && tinker === undefined
      ? resolveReferences(words.overrides, options)
      : { overrides: words.overrides, problems: [] };
  const extra = root === 'JaxBackendConfig' ? ownJaxOptions(launch, context) : [];
  return {
    launch,
    context,
    program,
    root,
    options,
    tinker,
    overrides,
    tree: readTree(overrides, options, policyOf(upstream, options, context, extra)),
    problems: [
      ...words.problems,
      ...(tinker?.problems ?? []),
      ...scalarTraps(overrides, options),
      ...references,
    ],
    open,
  };
}

const overrideEntry = `${data.programKey}=`;

/** The program that actually runs: main_base delegates to `trainer.override_entrypoint` before it reads anything else. */
export function programOfLaunch(
  launch: Launch,
  context: BindingContext,
): { readonly program: Program; readonly args: readonly Word[] } {
  const facts = context.knowledge.options;
  const module = moduleOf(launch.entry) ?? '';
  const program = programOf(module, facts);
  const handsOver = (word: Word): boolean => knownPrefix(word).startsWith(overrideEntry);
  const hand = launch.args.find(handsOver);
  const target = hand === undefined ? '' : textOf(hand)?.slice(overrideEntry.length);
  if (program.module.endsWith('entrypoints.main_base') && target !== '') {
    const other = programOf(target ?? '', facts);
    const strips = !other.upstream || other.module.startsWith('integrations.');
    return { program: other, args: strips ? launch.args.filter((word) => !handsOver(word)) : launch.args };
  }
  if (program.kind !== undefined || program.older) return { program, args: launch.args };
  const source = sourceOf(launch, context);
  return {
    program: source === undefined ? program : programFromSource(program, source),
    args: launch.args,
  };
}

/** The parsed flags of a tinker server. */
function serverWords(launch: Launch, args: readonly Word[], context: BindingContext): TinkerWords {
  const usual = context.knowledge.options.find(({ name }) => name === 'tinker.backend')?.default ?? null;
  return tinkerWords(tinkerFlags(args, launch, context), usual);
}

/** The words without `--flag value` pairs, which custom programs read before the overrides. */
function withoutFlags(args: readonly Word[]): readonly Word[] {
  return args.filter((word, at) => {
    const before = args[at - 1];
    const isFlag = (one: Word | undefined): boolean => one !== undefined && knownPrefix(one).startsWith('--');
    const text = knownPrefix(word);
    return !isFlag(word) && !(isFlag(before) && !text.includes('='));
  });
}

function policyOf(
  strict: boolean,
  options: ReadonlyMap<string, OptionFact>,
  context: BindingContext,
  extra: readonly string[],
): TreePolicy {
  // Harbor's programs read folders of tasks instead, and accept only lists of them.
  const readsTasks = options.has('harbor_trial_config');
  const { release } = context.knowledge;
  return {
    unknown: strict ? 'refused' : 'fork',
    // Pydantic converts strings to numbers and bools; what it rejects is reported by constraints. A number where a string is expected (a run's
    // name, a tag) is harmless: it is only ever printed.
    wrongType: (option, leaf) =>
      option.parser === 'JaxBackendConfig' ||
      (option.type === 'str' && (leaf.type === 'int' || leaf.type === 'float')) ||
      (!readsTasks && option.alsoTakes?.some((type) => type === leaf.type) === true)
        ? undefined
        : 'warning',
    wrongChoice: () => undefined,
    extra: [...context.extraOptions, ...extra],
    ...(strict && release !== undefined ? { about: `SkyRL ${release} does not know it.` } : {}),
  };
}
