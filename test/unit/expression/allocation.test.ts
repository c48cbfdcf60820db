import { describe, expect, it } from 'vitest';
import { parseAllocation, parseAllocationMode } from '../../../server/src/expression/functions/allocation.ts';
import { allocationFunctions } from '../../../server/src/expression/functions/allocationFunctions.ts';
import { allocationTextFunctions } from '../../../server/src/expression/functions/allocationText.ts';
import { UNKNOWN } from '../../../server/src/expression/result.ts';
import type { Data } from '../../../server/src/value/value.ts';
import { unknownLookup } from '../../support/unknownLookup.ts';

function world(text: string): number | string {
  const parsed = parseAllocation(text);
  return parsed.ok ? parsed.value.world : parsed.error.kind;
}

describe('allocation strings', () => {
  it.each([
    ['fsdp:d4p1t1', 4],
    ['fsdp:d2c2', 4],
    ['sglang:d2t4', 8],
    ['megatron:d2p2t4e4', 16],
    ['megatron:(attn:d4p4t2|ffn:d2p4e4)', 32],
    ['megatron:(attn:d1p12t4|ffn:d1p12e4)', 48],
    ['archon:d2p2e2', 4],
    ['megatron:attn:d1p4t2c2|ffn:d1p4t1e4', 16],
    ['fsdp: d4 t2', 8],
    ['fsdp[actor]:d4', 4],
    ['fsdp:d4d2', 2],
  ])('%s takes %d GPUs', (text, gpus) => {
    expect(world(text)).toBe(gpus);
  });

  it.each([
    ['archon:d1p2e2', 'sizes'],
    ['megatron:d2e4', 'sizes'],
    ['fsdp:d4p2', 'sizes'],
    ['sglang:d4c2', 'syntax'],
    ['d4', 'no-backend'],
    ['[actor]:d4', 'no-backend'],
    ['(attn:d4|ffn:d4)', 'no-backend'],
    ['sglang.d4', 'syntax'],
    ['FSDP:d4', 'syntax'],
    ['fsdp:d04', 'syntax'],
    ['fsdp:d0', 'syntax'],
    ['', 'syntax'],
    ['deepspeed:d4', 'syntax'],
    ['sglang:d4+fsdp:d4', 'several'],
    ['fsdp[a]:d4|fsdp[b]:d4', 'several'],
    ['fsdp:d4|fsdp:d4', 'names'],
    ['megatron:(attn:d4|ffn:d2)', 'sizes'],
    ['megatron:(attn:d4p2|ffn:d4p1)', 'sizes'],
    ['megatron:(attn:d4|ffn:e3)', 'sizes'],
    ['megatron[actor]:(attn:d1p2|ffn:d1p2e1)', 'syntax'],
  ])('%s is refused for its %s', (text, kind) => {
    expect(world(text)).toBe(kind);
  });

  it('derives the expert tensor parallelism of the hybrid form', () => {
    const parsed = parseAllocation('megatron:(attn:d4p2t2c2|ffn:d2p2t4e2)');
    expect(parsed.ok && parsed.value).toMatchObject({ d: 4, t: 2, p: 2, c: 2, e: 2, etp: 4, world: 32 });
  });

  it('says where a text stops being valid', () => {
    const parsed = parseAllocation('sglang.d4');
    expect(parsed.ok ? undefined : parsed.error.at).toBe(6);
  });
});

describe('allocation_mode', () => {
  it('splits the GPUs between one inference and one training component', () => {
    const parsed = parseAllocationMode('sglang:d4t2+fsdp:d8');
    expect(parsed.ok && parsed.value).toMatchObject({ type: 'decoupled', world: 16 });
    expect(parsed.ok && parsed.value.generation).toMatchObject({ backend: 'sglang', world: 8 });
  });

  it('counts components that share GPUs only once', () => {
    const parsed = parseAllocationMode('sglang[r]:d2+fsdp[a]:d4|fsdp[c]:d4');
    expect(parsed.ok && parsed.value).toMatchObject({ type: 'ambiguous', world: 6 });
  });

  it.each([
    ['sglang:d2+fsdp:d4+fsdp:d2', 'names'],
    ['sglang[a]:d2+fsdp[a]:d4', 'names'],
    ['fsdp[a]:d4|fsdp[c]:d2', 'sizes'],
    ['sglang.d4p1t1+d4p1t1', 'syntax'],
    ['sglang:d4+d4', 'no-backend'],
  ])('refuses %s for its %s', (text, kind) => {
    const parsed = parseAllocationMode(text);
    expect(parsed.ok ? 'accepted' : parsed.error.kind).toBe(kind);
  });

  it.each([
    ['fsdp:d8', 'colocated'],
    ['sglang:d8', 'server-only'],
    ['sglang[r]:d4|fsdp[a]:d4', 'colocated'],
  ])('calls %s %s', (text, type) => {
    const parsed = parseAllocationMode(text);
    expect(parsed.ok && parsed.value.type).toBe(type);
  });
});

describe('the text of a component with changed sizes', () => {
  const textOf = (text: string, ...changes: readonly Data[]) => {
    const component = allocationFunctions.allocation?.([text], unknownLookup);
    if (component === undefined || component === UNKNOWN) throw new Error(`${text} is not understood`);
    return allocationTextFunctions.allocation_text?.([component, ...changes], unknownLookup);
  };

  it.each([
    ['megatron:p2d2', [], 'megatron:d2p2'],
    ['fsdp:d4c2', ['d', 8, 'c', 1], 'fsdp:d8'],
    ['sglang:d2t2p2', ['t', 4, 'p', 1], 'sglang:d2t4'],
    ['megatron:(attn:d4p4t2|ffn:d2p4e4)', ['etp', 1], 'megatron:d4t2p4e4'],
  ])('of %s with %j is %s', (text, changes, expected) => {
    expect(textOf(text, ...changes)).toBe(expected);
  });

  it.each([
    ['megatron:(attn:d4p4t2|ffn:d2p2t2e4)', []],
    ['fsdp:d4', ['d', 0]],
    ['fsdp:d4', ['d', 1.5]],
    ['fsdp', []],
  ])('of %s with %j is unknown', (text, changes) => {
    expect(textOf(text, ...changes)).toBe(UNKNOWN);
  });
});
