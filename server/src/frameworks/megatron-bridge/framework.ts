import type { Framework } from '../framework.ts';
import { bindDocument, bindLaunch } from './bind.ts';
import { namesBridge, recogniseDocument, recogniseLaunch, usesBridge } from './recognise.ts';

/** Megatron-Bridge: recipes in Python with YAML files and dotted overrides on top. Nothing is known about custom recipes. */
export const megatronBridge: Framework = {
  id: 'megatron-bridge',
  // Like Megatron-LM, whose initialization it calls.
  takesGpuByNumber: true,
  recogniseLaunch,
  isNamedIn: namesBridge,
  isUsedBy: usesBridge,
  recogniseDocument,
  bindLaunch,
  bindDocument,
};
