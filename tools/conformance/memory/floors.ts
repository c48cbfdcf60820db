import type { KnowledgeSource } from '../../../server/src/frameworks/knowledge.ts';
import { megatronLm } from '../../../server/src/frameworks/megatron-lm/framework.ts';
import { known } from '../../../server/src/value/value.ts';
import { contextOf } from '../answers.ts';
import { writtenLaunch } from '../launch.ts';
import type { MemoryRecord } from './record.ts';

/** The computed minimum on the fullest GPU, in bytes; undefined if the rules state none. */
export interface Floors {
  /** Once model and optimizer are built. */
  readonly built: number | undefined;
  /** After the first step. */
  readonly trained: number | undefined;
  /** At the peak of a later step, with activations. */
  readonly stepping: number | undefined;
}

/** The floors that the rules about memory compare with the GPU, for a measured run of Megatron-LM. */
export function floorsOf(
  { argv, world_size }: Pick<MemoryRecord, 'argv' | 'world_size'>,
  knowledgeOf: KnowledgeSource,
): Floors {
  const launch = writtenLaunch({
    path: '/workspace/run.sh',
    command: ['python', 'pretrain_gpt.py', ...argv],
    env: {},
    cwd: undefined,
    wrappers: ['torchrun'],
    worldSize: known(world_size),
    nodes: known(Math.ceil(world_size / 8)),
    processesPerNode: known(Math.min(8, world_size)),
  });
  const run = megatronLm.bindLaunch(launch, 'conformance', contextOf('megatron-lm', knowledgeOf));
  const scope = run.scopes.find(({ set }) => set === 'megatron-lm');
  const dataOf = (name: string): unknown => {
    const value = scope?.lookup(name)?.value;
    return value?.kind === 'known' ? value.data : undefined;
  };
  const holds = dataOf('counts_state') === true;
  const bytesOf = (name: string): number | undefined => {
    const data = holds ? dataOf(name) : undefined;
    return typeof data === 'number' ? data : undefined;
  };
  return { built: bytesOf('built_bytes'), trained: bytesOf('state_bytes'), stepping: bytesOf('step_bytes') };
}
