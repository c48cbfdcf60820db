import data from '../../../../schemas/slime/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import { known, unknown } from '../../value/value.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import { documentRun } from '../documentRun.ts';
import type { BindingContext, Framework, FrameworkId, Run } from '../framework.ts';
import { asInstalled, importPaths, knownFlags, withoutCertainty } from '../otherVersion.ts';
import { megatronConstraintsOfOptimizer, megatronConstraintsReplaced } from './excludes.ts';
import {
  isOthersProgram,
  namesTellingFlag,
  tellingFlags,
  throughWrapper,
  trainerScript,
} from './recognise.ts';
import { bindTrainer } from './trainer.ts';

const { entryScripts, flagsOfAnother } = data;

const excludes: ReadonlyMap<FrameworkId, ReadonlySet<string>> = new Map([
  ['megatron-lm', megatronConstraintsReplaced],
]);

/** Where slime declares its options, in a repository that holds slime itself. */
const declaration = knownFlags('slime/utils/arguments.py');

function tellsAnother({ problems }: Run): boolean {
  const foreign = problems.flatMap(({ rule, replacement, values: { name = '' } }) =>
    (rule === 'unknown-option' && replacement === undefined) || rule === 'removed-option' ? [name] : [],
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
    const wanted = entryScripts.includes(script.name) ? 1 : 3;
    return tellingFlags(launch) >= wanted && !isOthersProgram(launch, host)
      ? `runs ${script.name}${throughWrapper(launch)} with slime's options`
      : undefined;
  },

  isNamedIn: namesTellingFlag,

  recogniseDocument(): string | undefined {
    return undefined;
  },

  bindLaunch(launch: Launch, because: string, context: BindingContext): Run {
    const script = trainerScript(launch);
    const upstream = script !== undefined && entryScripts.includes(script.name);
    const run = bindTrainer(launch, because, context, {
      framework: 'slime',
      sets: ['slime'],
      excludes,
      withoutTraining: megatronConstraintsOfOptimizer,
      upstream,
      entryScript: upstream ? known(script.name) : unknown('outside', 'the entry script'),
    });
    const settled = tellsAnother(run) ? withoutCertainty(run) : run;
    return asInstalled(settled, importPaths(launch), declaration, context);
  },

  bindDocument(document: YamlDocument, because: string): Run {
    return documentRun(document, because, 'slime');
  },
};
