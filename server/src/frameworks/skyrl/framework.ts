import { documentRun } from '../documentRun.ts';
import type { Framework } from '../framework.ts';
import { bindSkyrl } from './bind.ts';
import { recogniseSkyrl } from './recognise.ts';

/** SkyRL: RL and SFT programs with dotted overrides. It reads no configuration files. */
export const skyrl: Framework = {
  id: 'skyrl',
  title: 'SkyRL',
  recogniseLaunch: recogniseSkyrl,
  recogniseDocument: () => undefined,
  bindLaunch: bindSkyrl,
  bindDocument: (document, because) => documentRun(document, because, 'skyrl'),
};
