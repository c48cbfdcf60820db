import type { Run } from '../../frameworks/framework.ts';
import { frameworkOf } from '../../frameworks/registry.ts';
import { isTorchrun } from '../../launch/wrappers/torchrun.ts';
import type { Place } from '../../text/span.ts';
import { textOf, type Word } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import type { Finding, Fix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';

/** The GPUs that a launch has on a node, and what says so. */
interface Visible {
  readonly gpus: number;
  /** `CUDA_VISIBLE_DEVICES=0,1`, `--gres=gpu:2`. */
  readonly cause: string;
  readonly place: Place;
  /** False if whoever submits the job may ask for something else. */
  readonly isSure: boolean;
}

/** Launches that start more processes on a node than CUDA_VISIBLE_DEVICES, or what the job requests, leaves them GPUs. */
export function deviceFindings(run: Run, common: CommonRules): Finding[] {
  const { launch, framework } = run;
  if (launch === undefined || frameworkOf(framework)?.takesGpuByNumber !== true) return [];
  // torchrun numbers the processes of a node from zero, in LOCAL_RANK.
  if (!isTorchrun(launch.wrappers.at(-1) ?? '')) return [];
  const { processesPerNode: each, worldSizeWords: words } = launch;
  const visible = visibleTo(run);
  if (each.kind !== 'known' || typeof each.data !== 'number') return [];
  if (visible === undefined || each.data <= visible.gpus) return [];
  const { gpus, cause, place, isSure } = visible;
  const processes = String(each.data);
  const stated = words.filter((word) => textOf(word) === processes);
  return commonFinding(
    common,
    'more-processes-than-gpus',
    stated[0]?.place ?? place,
    { processes, visible: String(gpus), cause },
    {
      ...(isSure ? {} : { severity: 'warning', certainty: 'likely' }),
      framework,
      settings: [cause.replace(/=.*/s, '')],
      related: stated.length === 0 ? [] : [{ place, message: cause }],
      fixes: stated.length === 1 && gpus > 0 ? fixesOf(stated[0], gpus) : [],
    },
  );
}

function visibleTo({ launch, env }: Run): Visible | undefined {
  const devices = env.get('CUDA_VISIBLE_DEVICES');
  if (devices !== undefined) {
    const text = devices.word === undefined ? undefined : textOf(devices.word);
    if (text === undefined || !/^[\d,: -]*$/.test(text)) return undefined;
    const cause = `CUDA_VISIBLE_DEVICES=${text}`;
    return { gpus: listedDevices(text), cause, place: devices.place, isSure: true };
  }
  const { allocatedGpus: allocated, command } = launch ?? {};
  if (allocated === undefined || command?.doubtful !== undefined) return undefined;
  const { gpus, written: cause, word } = allocated;
  return { gpus, cause, place: word.place, isSure: false };
}

/**
 * GPUs that a list of numbers leaves to a process (torch/cuda/__init__.py, _parse_visible_devices): of `0-7` only the first number counts, a
 * number below zero ends the list, and a repeated one empties it.
 */
function listedDevices(text: string): number {
  const seen = new Set<number>();
  for (const part of text.split(',')) {
    const number = /^\s*([+-]?\d+)/.exec(part)?.[1];
    if (number === undefined || Number(number) < 0) break;
    if (seen.has(Number(number))) return 0;
    seen.add(Number(number));
  }
  return seen.size;
}

/** Starts one process per GPU, if the number is verbatim in the text. */
function fixesOf(word: Word | undefined, visible: number): Fix[] {
  const [piece, ...others] = word?.pieces ?? [];
  if (piece?.kind !== 'text' || others.length > 0 || !piece.origin.verbatim) return [];
  const { path, span } = piece.origin.place;
  const edits = [{ path, span, newText: String(visible) }];
  return [{ title: `Start ${visible} processes a node`, safety: 'suggested', cost: 'fewer GPUs', edits }];
}
