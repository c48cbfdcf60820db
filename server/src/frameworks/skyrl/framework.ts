import type { Launch } from '../../launch/launch.ts';
import { documentRun } from '../documentRun.ts';
import type { BindingContext, Framework, Run } from '../framework.ts';
import { asInstalled, importPaths, knownFields } from '../otherVersion.ts';
import { bindSkyrl } from './bind.ts';
import { recogniseSkyrl } from './recognise.ts';

/** Where SkyRL declares its options, in a repository that holds SkyRL itself, and until May 2026 how it reads older names. */
const declaration = knownFields('skyrl/train/config/config.py', 'skyrl/train/config/legacy.py');

/** SkyRL: RL and SFT programs with dotted overrides. It reads no configuration files. */
export const skyrl: Framework = {
  id: 'skyrl',
  title: 'SkyRL',
  recogniseLaunch: recogniseSkyrl,
  recogniseDocument: () => undefined,
  bindLaunch(launch: Launch, because: string, context: BindingContext): Run {
    return asInstalled(bindSkyrl(launch, because, context), importPaths(launch), declaration, context);
  },
  bindDocument: (document, because) => documentRun(document, because, 'skyrl'),
};
