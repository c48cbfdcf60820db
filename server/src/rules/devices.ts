import type { FrameworkId, Run } from '../frameworks/framework.ts';
import { textOf, type Word } from '../value/word.ts';
import { commonFinding } from './commonFinding.ts';
import type { Finding, Fix } from './finding.ts';
import type { CommonRules } from './rule.ts';

/** Launchers that number the processes of a node from zero in LOCAL_RANK. */
const launchers: ReadonlySet<string> = new Set([
  'torchrun',
  '-m torch.distributed.run',
  '-m torch.distributed.launch',
]);

/** Frameworks whose processes each take the GPU of their number (megatron/training/initialize.py:289 of Megatron-LM calls set_device). */
const takingByNumber: ReadonlySet<FrameworkId> = new Set<FrameworkId>(['megatron-lm', 'megatron-bridge']);

/** Launches that start more processes on a node than CUDA_VISIBLE_DEVICES leaves GPUs to it. */
export function deviceFindings({ launch, env, framework }: Run, common: CommonRules): Finding[] {
  if (launch === undefined || !takingByNumber.has(framework)) return [];
  if (!launchers.has(launch.wrappers.at(-1) ?? '')) return [];
  const { processesPerNode: each, worldSizeWords: words } = launch;
  const devices = env.get('CUDA_VISIBLE_DEVICES');
  const text = devices?.word === undefined ? undefined : textOf(devices.word);
  if (devices === undefined || text === undefined || !/^\d+(?:,\d+)*$/.test(text)) return [];
  const visible = text.split(',').length;
  if (each.kind !== 'known' || typeof each.data !== 'number' || each.data <= visible) return [];
  const processes = each.data;
  const stated = words.filter((word) => textOf(word) === String(processes));
  return commonFinding(
    common,
    'more-processes-than-gpus',
    stated[0]?.place ?? devices.place,
    { processes: String(processes), visible: String(visible), devices: text },
    {
      framework,
      settings: ['CUDA_VISIBLE_DEVICES'],
      related: stated.length === 0 ? [] : [{ place: devices.place, message: `CUDA_VISIBLE_DEVICES=${text}` }],
      fixes: stated.length === 1 ? fixesOf(stated[0], visible) : [],
    },
  );
}

/** Starts one process a GPU, where the number stands in the text as it is. */
function fixesOf(word: Word | undefined, visible: number): Fix[] {
  const [piece, ...others] = word?.pieces ?? [];
  if (piece?.kind !== 'text' || others.length > 0 || !piece.origin.verbatim) return [];
  const { path, span } = piece.origin.place;
  const edits = [{ path, span, newText: String(visible) }];
  return [{ title: `Start ${visible} processes a node`, safety: 'suggested', cost: 'fewer GPUs', edits }];
}
