import { describe, expect, it } from 'vitest';
import {
  isSlipOf,
  shortenedSpellings,
  suggestLonger,
  suggestSpelling,
} from '../../../server/src/frameworks/suggest.ts';

const known = [
  '--sglang-ep',
  '--sglang-mem-fraction-static',
  '--lr-warmup-iters',
  '--use-mcore-models',
  '--no-fusion',
  '--chat-template',
  '--loss-alpha',
  '--test-data-path',
  '--bpe-kv-cache',
  '--config-logger-dir',
  '--tensor-model-parallel-size',
  '--num-layers',
  '--num-layers-per-stage',
  '--eval-interval',
  '--eval-iters',
  '--fp8-recipe',
];

describe('the intended spelling', () => {
  it.each([
    ['--sglang-men-fraction-static', '--sglang-mem-fraction-static'],
    ['--sglang_mem_fraction_static', '--sglang-mem-fraction-static'],
    ['--lr-warmup-itres', '--lr-warmup-iters'],
    ['--lr-warmup--iters', '--lr-warmup-iters'],
    ['--use-mcore', '--use-mcore-models'],
    ['--sglang-pe', '--sglang-ep'],
    ['--sglang-tp', undefined],
    ['--hidden-size', undefined],
    ['--no-chat-template', undefined],
    ['--lora-alpha', undefined],
    ['--task-data-path', undefined],
    ['--use-kv-cache', undefined],
    ['--config', undefined],
    ['--chat-tempalte', '--chat-template'],
    ['--tets-data-path', '--test-data-path'],
    ['--tensor-model-paralel-sizes', '--tensor-model-parallel-size'],
    ['--los-alpha', '--loss-alpha'],
    ['--lr-warmup-it', '--lr-warmup-iters'],
    ['--tensor-model-par', undefined],
    ['--tensor-model-parallel-', '--tensor-model-parallel-size'],
    ['--lr-warmup-', '--lr-warmup-iters'],
    ['--num-laye', '--num-layers'],
    ['--num-layers-per-s', '--num-layers-per-stage'],
    ['--eval-i', undefined],
    ['--chat-t', '--chat-template'],
    ['--fus', undefined],
    ['--fp4-recipe', undefined],
    ['--fp8-recipes', '--fp8-recipe'],
    ['--chat-template-v2', undefined],
    ['--chat-no-template', undefined],
  ])('of %s is %s', (written, meant) => {
    expect(suggestSpelling(written, known)).toBe(meant);
  });
});

describe('a name close to another', () => {
  it.each([
    ['--num-layer', '--num-layers', true],
    ['--num-lyaers', '--num-layers', true],
    ['--o-lora-rank', '--q-lora-rank', false],
    ['--mlr', '--lr', false],
    ['--disable-bias-linear-fc', '--disable-bias-linear', false],
  ])('is a misspelling or a different name: %s, %s', (flag, other, isSlip) => {
    expect(isSlipOf(flag, other)).toBe(isSlip);
  });
});

describe('names that one cut off within a word may stand for', () => {
  const names = [
    '--eval-iters',
    '--eval-interval',
    '--cpu-offloading-layers',
    '--cpu-offloading-buffers',
    '--use-offload',
  ];
  it.each([
    ['--eval-i', []],
    ['--eval-it', ['--eval-iters']],
    ['--eval-in', ['--eval-interval']],
    ['--cpu-offl', ['--cpu-offloading-layers', '--cpu-offloading-buffers']],
    ['--cpu-offload', []],
    ['--cpu-offloading', []],
    ['--eva', []],
  ])('are for %s %j', (written, meant) => {
    expect(shortenedSpellings(written, names)).toEqual(meant);
  });
});

describe('the only name with one more word, or that continues it', () => {
  const names = [
    '--tensor-model-parallel-size',
    '--expert-model-parallel-size',
    '--expert-tensor-parallel-size',
    '--lr-warmup-iters',
  ];
  it.each([
    ['--tensor-parallel-size', '--tensor-model-parallel-size'],
    ['--expert-parallel-size', undefined],
    ['--lr-iters', undefined],
    ['--model-parallel-size', undefined],
    ['--lr-warm', '--lr-warmup-iters'],
    ['--expert-mod', '--expert-model-parallel-size'],
    ['--expert-', undefined],
    ['--lr', undefined],
  ])('of %s is %s', (written, meant) => {
    expect(suggestLonger(written, names)).toBe(meant);
  });
});
