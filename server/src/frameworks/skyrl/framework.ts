import type { Framework } from '../framework.ts';
import { bindSkyrl } from './bind.ts';
import { documentRun } from './document.ts';
import { recogniseSkyrl } from './recognise.ts';

/** SkyRL: RL and SFT programs with dotted overrides. It reads no configuration files. */
export const skyrl: Framework = {
  id: 'skyrl',
  title: 'SkyRL',
  recogniseLaunch: recogniseSkyrl,
  recogniseDocument: () => undefined,
  bindLaunch: bindSkyrl,
  bindDocument: documentRun,
};
