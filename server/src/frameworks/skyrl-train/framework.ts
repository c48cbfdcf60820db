import data from '../../../../schemas/skyrl-train/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import { documentRun } from '../documentRun.ts';
import type { Framework } from '../framework.ts';
import { moduleOf } from '../skyrl/programs.ts';
import { bindSkyrlTrain } from './bind.ts';

const modules = new RegExp(`(?:^|\\.)(?:${data.modulePatterns.join('|')})$`);

/** SkyRL as it was until early 2026: the package skyrl_train, with a Hydra configuration. */
export const skyrlTrain: Framework = {
  id: 'skyrl-train',
  recogniseLaunch(launch: Launch): string | undefined {
    const module = moduleOf(launch.entry);
    return module !== undefined && modules.test(module)
      ? `runs ${module}, SkyRL under its older package name`
      : undefined;
  },
  isNamedIn: (text) => text.includes('skyrl_train'),
  recogniseDocument: () => undefined,
  bindLaunch: bindSkyrlTrain,
  bindDocument: (document, because) => documentRun(document, because, 'skyrl-train'),
};
