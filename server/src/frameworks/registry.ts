import { areal } from './areal/framework.ts';
import type { Framework, FrameworkId } from './framework.ts';
import { megatronBridge } from './megatron-bridge/framework.ts';
import { megatronLm } from './megatron-lm/framework.ts';
import { relax } from './relax/framework.ts';
import { skyrl } from './skyrl/framework.ts';
import { skyrlTrain } from './skyrl-train/framework.ts';
import { slime } from './slime/framework.ts';

/** All frameworks; if several recognise the same launch, the first one gets it, so the more specific ones precede Megatron-LM. */
export const frameworks: readonly Framework[] = [
  relax,
  slime,
  skyrlTrain,
  skyrl,
  areal,
  megatronBridge,
  megatronLm,
];

/** A framework by id. */
export function frameworkOf(id: FrameworkId): Framework | undefined {
  return frameworks.find((framework) => framework.id === id);
}
