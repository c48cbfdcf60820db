import data from '../../../../schemas/slime/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import { known, unknown } from '../../value/value.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import { knownFlags } from '../declaration.ts';
import { documentRun } from '../documentRun.ts';
import type { BindingContext, Framework, FrameworkId, Run } from '../framework.ts';
import { asInstalled, importPaths, withoutCertainty } from '../otherVersion.ts';
import { megatronConstraintsOfOptimizer, megatronConstraintsReplaced } from './excludes.ts';
import {
  hasTellingFlags,
  isOthersProgram,
  namesOtherPackage,
  namesTellingFlag,
  throughWrapper,
  trainerScript,
  usesSlime,
} from './recognise.ts';
import { bindTrainer, withoutFlagsOfBackend } from './trainer.ts';

const { entryScripts, flagsOfAnother } = data;

const excludes: ReadonlyMap<FrameworkId, ReadonlySet<string>> = new Map([
  ['megatron-lm', megatronConstraintsReplaced],
]);

/** Where slime declares its options, in a repository that holds slime itself. */
const declaration = knownFlags('slime/utils/arguments.py');

/** Whether options that slime does not know tell a fork; those of the engines may be another SGLang's. */
function tellsAnother({ problems }: Run): boolean {
  const foreign = problems.flatMap(({ rule, replacement, values: { name = '' } }) =>
    (rule === 'unknown-option' && replacement === undefined && !name.startsWith('--sglang-')) ||
    rule === 'removed-option'
      ? [name]
      : [],
  );
  return new Set(foreign).size >= flagsOfAnother;
}

/** slime: reinforcement learning with Megatron-LM for training and SGLang for rollouts, from one command line. */
export const slime: Framework = {
  id: 'slime',
  title: 'slime',

  recogniseLaunch(launch: Launch, host: Host): string | undefined {
    const script = trainerScript(launch);
    if (script === undefined || !script.name.endsWith('.py') || script.shown.startsWith('relax/'))
      return undefined;
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

  bindLaunch(launch: Launch, because: string, context: BindingContext): Run {
    const script = trainerScript(launch);
    // Descendants of slime start the script of the same name.
    const upstream = script !== undefined && entryScripts.includes(script.name) && !namesOtherPackage(launch);
    const run = bindTrainer(launch, because, context, {
      framework: 'slime',
      sets: ['slime'],
      excludes,
      withoutTraining: megatronConstraintsOfOptimizer,
      upstream,
      entryScript: upstream ? known(script.name) : unknown('outside', 'the entry script'),
    });
    // What a program of somebody else does with the flags is not known unless it is seen to use slime.
    const isOurs = upstream || usesSlime(launch, context.host);
    const settled = !isOurs || tellsAnother(run) ? withoutCertainty(run) : run;
    return withoutFlagsOfBackend(asInstalled(settled, importPaths(launch), declaration, context));
  },

  bindDocument(document: YamlDocument, because: string): Run {
    return documentRun(document, because, 'slime');
  },
};
