import type { Launch } from '../../launch/launch.ts';
import { knownPrefix } from '../../value/word.ts';
import { moduleOf } from './programs.ts';

/** Beginnings of keys that only SkyRL has; verl and others share `trainer.` and `data.`. */
const ownKeys =
  /^(?:trainer\.(?:policy|placement|ref|critic|algorithm|strategy|epochs|train_batch_size|micro_train_batch_size_per_gpu|fully_async)\b|generator\.(?:inference_engine|sampling_params|n_samples_per_prompt|backend|num_inference_engines|gpu_memory_utilization)\b)/;

/** Whether a text holds what `recogniseSkyrl` looks for: a package, a key, or the beginning of an example's name. */
export function namesSkyrl(text: string): boolean {
  return /skyrl|\btrainer\b|\bgenerator\b|\bmain_|entrypoint/.test(text);
}

/** Why a launch is SkyRL's, or undefined. */
export function recogniseSkyrl(launch: Launch): string | undefined {
  const module = moduleOf(launch.entry);
  if (module === undefined) return undefined;
  if (/(?:^|\.)skyrl\.(?:train\.entrypoints\.\w+|train\.main_sft|tinker\.api)$/.test(module))
    return `runs ${module}`;
  if (/(?:^|\.)skyrl_train\.entrypoints\.\w+$/.test(module))
    return `runs ${module}, SkyRL under its older package name`;
  const keys = launch.args.map(knownPrefix);
  const overrides = keys.some((key) => /^[a-z_]+(?:\.\w+)*=/.test(key));
  if (
    overrides &&
    /(?:^|\.)examples\.train(?:_integrations|_scripts)?\.(?:\w+\.)*(?:main_\w+|\w*entrypoint)$/.test(module)
  )
    return `runs ${module}, one of SkyRL's examples`;
  const hydraLike = keys.some((key) => key.startsWith('actor_rollout_ref.'));
  const override = keys.find((key) => key.startsWith('trainer.override_entrypoint='));
  if (override !== undefined) return `passes ${override}`;
  const own = keys.find((key) => ownKeys.test(key.replace(/^\++/, '')));
  if (own === undefined || hydraLike) return undefined;
  return `${module} takes SkyRL's ${own.replace(/=.*/s, '')}`;
}
