import data from '../../../../schemas/slime/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import { known, unknown } from '../../value/value.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import { folderAbove } from '../above.ts';
import { foreignOnce } from '../argparse/foreign.ts';
import { knownFlags } from '../declaration.ts';
import { documentRun } from '../documentRun.ts';
import { isRefusedByEvery } from '../earlierVersion.ts';
import type { BindingContext, BindingProblem, Framework, FrameworkId, Run } from '../framework.ts';
import { importPaths } from '../importPaths.ts';
import { asInstalled, withoutCertainty } from '../otherVersion.ts';
import { withoutFlagsOfBackend } from './backend.ts';
import { megatronConstraintsOfOptimizer, megatronConstraintsReplaced } from './excludes.ts';
import { otherDefaults } from './ownDeclaration.ts';
import {
  hasTellingFlags,
  isOthersProgram,
  namesOtherPackage,
  namesTellingFlag,
  namesTellingOption,
  throughWrapper,
  trainerScript,
  usesSlime,
} from './recognise.ts';
import { forkReason, ofFork, renamedFork, underUpstreamName } from './renamedFork.ts';
import { bindTrainer } from './trainer.ts';

const { entryScripts, flagsOfAnother } = data;

const excludes: ReadonlyMap<FrameworkId, ReadonlySet<string>> = new Map([
  ['megatron-lm', megatronConstraintsReplaced],
]);

const declaration = knownFlags(data.declaration);

/** The text of the file in which slime declares its options, if the workspace has it; empty otherwise. */
function ownArguments(paths: readonly string[], { host }: BindingContext): string {
  const folder = folderAbove(paths, data.declaration, host);
  return folder === undefined ? '' : (host.read(`${folder}/${data.declaration}`) ?? '');
}

/**
 * Whether options that slime does not know, and that resemble none of its own, indicate a fork; those of the engines may belong to another
 * SGLang.
 */
function suggestsAnother({ problems }: Run): boolean {
  const foreign = problems.flatMap(({ rule, replacement, values: { name = '', meant = '' } }) => {
    const isOther =
      replacement === undefined && (meant === '' || meant === name || meant.startsWith(`${name}-`));
    const isForeign = rule === 'unknown-option' && isOther && !name.startsWith(data.engineFlags);
    return isForeign || rule === 'removed-option' ? [name] : [];
  });
  return new Set(foreign).size >= flagsOfAnother;
}

/** Rules about the number and the type of an option's values. */
const ofValues: ReadonlySet<string> = new Set(['invalid-value', 'missing-value', 'unexpected-value']);

/** slime: reinforcement learning with Megatron-LM for training and SGLang for rollouts, from one command line. */
export const slime: Framework = {
  id: 'slime',

  recogniseLaunch(launch: Launch, host: Host): string | undefined {
    const script = trainerScript(launch);
    if (script === undefined || !script.name.endsWith('.py') || script.shown.startsWith('relax/'))
      return undefined;
    const fork = namesTellingOption(launch) ? renamedFork(launch, host) : undefined;
    if (fork !== undefined) return `runs ${script.name}${throughWrapper(launch)}; ${forkReason(fork)}`;
    const isEntry = entryScripts.includes(script.name);
    if (!isEntry && namesOtherPackage(launch)) return undefined;
    return hasTellingFlags(launch, isEntry, host) && !isOthersProgram(launch, host)
      ? `runs ${script.name}${throughWrapper(launch)} with slime's options`
      : undefined;
  },

  isNamedIn: namesTellingFlag,

  recogniseDocument(): string | undefined {
    return undefined;
  },

  bindLaunch(launch: Launch, because: string, given: BindingContext): Run {
    const fork = renamedFork(launch, given.host);
    const context = fork === undefined ? given : { ...given, host: underUpstreamName(given.host, fork) };
    const paths = fork === undefined ? importPaths(launch) : [`${fork.folder}/.`];
    const script = trainerScript(launch);
    // Descendants of slime start the script of the same name.
    const isEntry = script !== undefined && entryScripts.includes(script.name);
    const upstream = isEntry && fork === undefined && !namesOtherPackage(launch);
    const isSeen = usesSlime(launch, context.host);
    const run = bindTrainer(launch, because, context, {
      framework: 'slime',
      sets: ['slime'],
      excludes,
      withoutTraining: megatronConstraintsOfOptimizer,
      upstream,
      isOpaque: !isEntry && fork === undefined && !isSeen,
      entryScript:
        isEntry && (upstream || fork !== undefined)
          ? known(script.name)
          : unknown('outside', 'the entry script'),
      otherDefaults: otherDefaults(context.knowledge, ownArguments(paths, context)),
    });
    // What a custom program does with the flags is unknown unless it is seen to use slime. For options that all releases parse alike, a fork of
    // slime has kept that parsing; it may require other options and offer more choices.
    const isLasting = (problem: BindingProblem): boolean =>
      (upstream || isSeen) && ofValues.has(problem.rule) && isRefusedByEvery(problem, run, context.knowledge);
    const settled = !(upstream || isSeen) || suggestsAnother(run) ? withoutCertainty(run, isLasting) : run;
    const installed = withoutFlagsOfBackend(asInstalled(settled, paths, declaration, context));
    if (fork !== undefined) return ofFork(installed, fork, context);
    return { ...installed, problems: foreignOnce(installed.problems, data.flagsToldOnce) };
  },

  bindDocument(document: YamlDocument, because: string): Run {
    return documentRun(document, because, 'slime');
  },
};
