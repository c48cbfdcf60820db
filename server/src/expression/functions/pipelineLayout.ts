import type { Data } from '../../value/value.ts';
import { type Result, UNKNOWN } from '../result.ts';
import type { FunctionTable } from './table.ts';

/** Longest layout that is expanded. */
const longest = 100_000;

/**
 * The stages of Megatron-LM's --pipeline-model-parallel-layout, first stage first, with repetitions written out: `Et|(tt|)*2L` is `Et`, `tt`,
 * `tt`, `L`. E embedding, t decoder layer, m multi-token prediction, L loss; commas are decoration.
 * @returns undefined if it would be too long
 */
export function layoutStages(text: string): readonly string[] | undefined {
  let out = text.replaceAll(',', '');
  for (const pattern of [/\(([^)]+)\)\*(\d+)/g, /(.)\*(\d+)/g]) {
    let length = out.length;
    for (const match of out.matchAll(pattern)) length += (match[1]?.length ?? 0) * Number(match[2]);
    if (length > longest) return undefined;
    out = out.replace(pattern, (_, part: string, times: string) => part.repeat(Number(times)));
  }
  return out.split('|');
}

function count(text: string, letter: string): number {
  return text.split(letter).length - 1;
}

/**
 * What upstream rejects in a layout, as the end of a sentence ("The layout …"), or null.
 * @param size pipeline-parallel size
 */
function layoutFault(
  stages: readonly string[],
  size: number,
  layers: number | null,
  mtpLayers: number | null,
): string | null {
  const all = stages.join('');
  const wrong = /[^ELtm]/.exec(all);
  if (wrong !== null) return `contains “${wrong[0]}”, which is not one of E, t, m, L`;
  if (stages.length % size !== 0)
    return `has ${stages.length} stages, which ${size} pipeline ranks cannot share evenly`;
  if (all[0] !== 'E') return 'does not begin with the embedding (E)';
  if (all.at(-1) !== 'L') return 'does not end with the loss (L)';
  if (count(all, 'E') !== 1) return 'has more than one embedding (E)';
  if (count(all, 'L') !== 1) return 'has more than one loss (L)';
  if (layers !== null && count(all, 't') !== layers)
    return `places ${count(all, 't')} layers (t), but the model has ${layers}`;
  return mtpFault(stages, size, mtpLayers);
}

function mtpFault(stages: readonly string[], size: number, mtpLayers: number | null): string | null {
  const all = stages.join('');
  const placed = count(all, 'm');
  if (placed !== (mtpLayers ?? 0))
    return `places ${placed} multi-token prediction layers (m), but --mtp-num-layers is ${mtpLayers ?? 0}`;
  if (placed === 0) return null;
  if (all.indexOf('m') < all.lastIndexOf('t'))
    return 'has a layer (t) after a multi-token prediction layer (m)';
  const rounds = stages.length / size;
  const early = stages.slice(0, (rounds - 1) * size);
  if (early.some((stage) => stage.includes('m')))
    return 'has a multi-token prediction layer (m) outside of the last virtual stage of its rank';
  if (stages.some((stage) => stage.includes('m') && count(stage, 'm') !== mtpLayers))
    return 'spreads the multi-token prediction layers (m) over several stages';
  return null;
}

// One letter per layer, bars between pipeline segments, and after slashes the layers of each prediction depth.

function hybridPattern(text: string): { readonly [key: string]: Data } {
  const [main = '', ...mtp] = text.split('/');
  const named = mtp.some((part) => part !== '');
  const first = mtp[0] ?? '';
  return {
    layers: main.replaceAll('|', '').length,
    segments: count(main, '|') + 1,
    piped: main.includes('|'),
    separated: text.includes('/'),
    mtp_depths: named ? mtp.length : 0,
    fault: hybridFault(main, mtp, named, first),
  };
}

function hybridFault(main: string, mtp: readonly string[], named: boolean, first: string): string | null {
  const wrong = /[^MG*D+\-E|]/.exec(main) ?? (named ? /[^MG*D+\-E]/.exec(first) : null);
  if (wrong !== null) return `contains “${wrong[0]}”, which stands for no layer`;
  if (named && mtp.some((part) => part !== first)) return 'has prediction depths that differ from each other';
  for (const part of named ? [main, first] : [main])
    if (part.includes('*') && /[D+]/.test(part))
      return 'mixes plain attention (*) with latent attention (+, D)';
  return null;
}

function orNull(value: Data | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

function fault([text, size, layers, mtpLayers]: readonly Data[]): Result {
  if (typeof text !== 'string' || typeof size !== 'number' || size < 1) return UNKNOWN;
  const stages = layoutStages(text);
  return stages === undefined ? UNKNOWN : layoutFault(stages, size, orNull(layers), orNull(mtpLayers));
}

/** Layout strings of pipelines (megatron/core/transformer/pipeline_parallel_layer_layout.py) and of hybrid models. */
export const pipelineLayoutFunctions: FunctionTable = {
  layout_stages: ([text]) => (typeof text === 'string' ? (layoutStages(text) ?? UNKNOWN) : UNKNOWN),
  layout_fault: fault,
  hybrid_pattern: ([text]) => (typeof text === 'string' ? hybridPattern(text) : UNKNOWN),
};
