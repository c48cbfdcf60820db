import data from '../../../../schemas/skyrl/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import { remembering } from '../../value/remember.ts';
import { type KnownDeclaration, knownFields } from '../declaration.ts';
import { documentRun } from '../documentRun.ts';
import type { BindingContext, Framework, Run } from '../framework.ts';
import { importPaths } from '../importPaths.ts';
import type { Knowledge } from '../knowledge.ts';
import { nameRules } from '../nameRules.ts';
import { asInstalled, withoutCertainty } from '../otherVersion.ts';
import { bindSkyrlTrain } from '../skyrl-train/bind.ts';
import { bindSkyrl } from './bind.ts';
import { environmentFields, upstreamEnvironments } from './environments.ts';
import { programOfLaunch } from './given.ts';
import { isOlder } from './older.ts';
import { hasNoHelp, namesSkyrl, recogniseSkyrl } from './recognise.ts';

const fields = knownFields(data.declaration, ...data.furtherDeclarations);

const declaration = remembering(
  (knowledge: Knowledge): KnownDeclaration => ({ ...fields(knowledge), choosing: [data.registry] }),
);

/**
 * Whether the launch configures an environment that upstream does not have, under the name by which it runs it, or one of upstream's with keys
 * that only the workspace has: the program is then a modified version of upstream's, with more options.
 */
function hasOwnEnvironment({ settings, problems }: Run, launch: Launch, context: BindingContext): boolean {
  const chosen = settings.find(({ name }) => name === 'environment.env_class')?.value;
  if (chosen?.kind !== 'known' || typeof chosen.data !== 'string') return false;
  const below = `environment.skyrl_gym.${chosen.data}.`;
  const keys = problems.flatMap(({ rule, values: { name } }) =>
    nameRules.has(rule) && name?.startsWith(below) === true ? name.slice(below.length) : [],
  );
  if (keys.length === 0) return false;
  if (!upstreamEnvironments(context.knowledge).includes(chosen.data)) return true;
  const fields = environmentFields(chosen.data, launch, context);
  return keys.some((key) => fields.has(key));
}

/** SkyRL: RL and SFT programs with dotted overrides. It reads no configuration files. */
export const skyrl: Framework = {
  id: 'skyrl',
  recogniseLaunch: recogniseSkyrl,
  refusesHelp: hasNoHelp,
  isNamedIn: namesSkyrl,
  recogniseDocument: () => undefined,
  bindLaunch(launch: Launch, because: string, context: BindingContext): Run {
    const { program, args } = programOfLaunch(launch, context);
    if (isOlder(program, args, launch, context))
      return bindSkyrlTrain(launch, because, { ...context, knowledge: context.knowledgeOf('skyrl-train') });
    const run = bindSkyrl(launch, because, context);
    const settled = hasOwnEnvironment(run, launch, context) ? withoutCertainty(run) : run;
    return asInstalled(settled, importPaths(launch), declaration, context);
  },
  bindDocument: (document, because) => documentRun(document, because, 'skyrl'),
};
