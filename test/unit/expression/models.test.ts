import { describe, expect, it } from 'vitest';
import { modelFunctions } from '../../../server/src/expression/functions/models.ts';
import { UNKNOWN } from '../../../server/src/expression/result.ts';
import { unknownLookup } from '../../support/unknownLookup.ts';

const parametersOf = (id: string) => modelFunctions.hub_parameters?.([id], unknownLookup);
const parametersInAnyPrecision = (id: string) => modelFunctions.hub_parameters?.([id, true], unknownLookup);

describe('the parameters of a published model', () => {
  // What the model's own page says.
  it.each([
    ['Qwen/Qwen2.5-0.5B', 0.494],
    ['Qwen/Qwen2.5-7B-Instruct', 7.616],
    ['Qwen/Qwen3-0.6B', 0.596],
    ['Qwen/Qwen3-30B-A3B', 30.53],
    ['Qwen/Qwen3-32B', 32.76],
    ['Qwen/Qwen3-235B-A22B', 235.1],
    ['meta-llama/Llama-3.1-70B', 70.55],
    ['meta-llama/Llama-3.1-405B', 405.85],
    ['mistralai/Mixtral-8x7B-v0.1', 46.7],
    ['google/gemma-2-9b', 9.242],
    ['google/gemma-2-27b', 27.23],
    ['deepseek-ai/DeepSeek-V2-Lite', 15.71],
    ['deepseek-ai/DeepSeek-V2', 235.74],
    ['moonshotai/Moonlight-16B-A3B', 15.96],
    ['zai-org/GLM-4-9B-0414', 9.4],
  ])('are nearly those of %s, and never more', (id, thousandMillions) => {
    expect(parametersOf(id)).toBeLessThan(thousandMillions * 1.0005e9);
    expect(parametersOf(id)).toBeGreaterThan(thousandMillions * 0.998e9);
  });

  // For DeepSeek-V3, its page counts 671 without the layer that predicts a second token.
  it.each([
    ['deepseek-ai/DeepSeek-V3', 671.03],
    ['moonshotai/Kimi-K2-Instruct', 1026.41],
    ['openai/gpt-oss-20b', 20.91],
    ['openai/gpt-oss-120b', 116.83],
    ['MiniMaxAI/MiniMax-M2', 228.7],
  ])(
    'are given for %s, which is published in fewer bits, only if that does not matter',
    (id, thousandMillions) => {
      expect(parametersOf(id)).toBe(UNKNOWN);
      expect(parametersInAnyPrecision(id)).toBeLessThan(thousandMillions * 1.0005e9);
      expect(parametersInAnyPrecision(id)).toBeGreaterThan(thousandMillions * 0.998e9);
    },
  );

  it('are in experts if each token uses some of them', () => {
    const inExperts = (id: string, inAnyPrecision = false) =>
      modelFunctions.hub_expert_parameters?.([id, inAnyPrecision], unknownLookup);
    expect(inExperts('Qwen/Qwen3-32B')).toBe(0);
    expect(inExperts('Qwen/Qwen3-30B-A3B')).toBe(48 * 128 * 3 * 2048 * 768);
    expect(inExperts('deepseek-ai/DeepSeek-V3')).toBe(UNKNOWN);
    expect(inExperts('deepseek-ai/DeepSeek-V3', true)).toBe(58 * 256 * 3 * 7168 * 2048);
  });

  it('tell whether all layers of a family compute the same', () => {
    const hasLikeLayers = (id: string) => modelFunctions.hub_has_like_layers?.([id], unknownLookup);
    expect(hasLikeLayers('Qwen/Qwen3-30B-A3B')).toBe(true);
    expect(hasLikeLayers('meta-llama/Llama-3.1-8B')).toBe(true);
    expect(hasLikeLayers('deepseek-ai/DeepSeek-V3')).toBe(false);
    expect(hasLikeLayers('openai/gpt-oss-20b')).toBe(false);
    expect(hasLikeLayers('/models/Qwen3-32B')).toBe(UNKNOWN);
  });

  it('are unknown for what only looks like a model', () => {
    expect(parametersOf('/models/Qwen3-32B')).toBe(UNKNOWN);
    expect(parametersOf('Qwen/Qwen3-32B-FP8')).toBe(UNKNOWN);
  });
});

describe('a published model named by its folder', () => {
  const named = (path: string) => modelFunctions.hub_model_named?.([path], unknownLookup);

  it.each([
    ['/root/Qwen3-4B', { vocab: 151936 }],
    ['Qwen2.5-7B/', { vocab: 152064 }],
    ['meta-llama/Llama-3.1-8B', { vocab: 128256 }],
    ['mistralai/Mistral-7B-Instruct-v0.3', { vocab: 32768 }],
  ])('is known: %s', (path, facts) => {
    expect(named(path)).toMatchObject(facts);
  });

  it.each(['/root/Step-3.5-Flash', '/root/Qwen3-4B-FP8', '/models', ''])('is unknown: %s', (path) => {
    expect(named(path)).toBe(UNKNOWN);
  });
});
