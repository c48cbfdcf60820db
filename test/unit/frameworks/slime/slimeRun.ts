import { slime } from '../../../../server/src/frameworks/slime/framework.ts';
import { bound } from '../trainerRun.ts';

/** The model of all launches here. */
export const model =
  '--num-layers 4 --hidden-size 64 --ffn-hidden-size 128 --num-attention-heads 4 --swiglu --disable-bias-linear ' +
  '--normalization RMSNorm --position-embedding-type rope --vocab-size 1000';
/** What else slime requires. */
export const job =
  '--hf-checkpoint /m/ours --load /m/ours_dist --prompt-data /d/p.jsonl --label-key label --rm-type math --num-rollout 10 --rollout-batch-size 4 ' +
  '--n-samples-per-prompt 4 --global-batch-size 16 --rollout-max-response-len 512 ' +
  '--actor-num-nodes 1 --actor-num-gpus-per-node 4 --rollout-num-gpus 4';
export const environment = { CUDA_DEVICE_MAX_CONNECTIONS: '1' };
/** A launch with more options. */
export const line = (extra: string, script = 'train.py'): string =>
  `python3 ${script} ${model} ${job} ${extra}`;
/** What slime makes of a launch with more options. */
export const run = (extra: string, files: { readonly [path: string]: string } = {}) =>
  bound(slime, line(extra), { env: environment, files });
