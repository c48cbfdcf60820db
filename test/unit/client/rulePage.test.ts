import { describe, expect, test } from 'vitest';
import { rulePage } from '../../../client/rulePage.ts';

const rule = {
  id: 'megatron-lm/layers-divide-stages',
  framework: 'megatron-lm',
  severity: 'error',
  phase: 'startup',
  message: '{num_layers} layers cannot be shared by {pipeline_model_parallel_size} stages.',
  why: 'Each of {pipeline_model_parallel_size} stages holds as many layers.',
  upstream: ['megatron/training/arguments.py:1 raises'],
  fixes: ['Use {divisor} stages'],
} as const;

describe('the page of a rule', () => {
  test('shows message, reason, fixes, source, and how to turn it off', () => {
    const page = rulePage(rule);
    expect(page).toMatch(/^# megatron-lm\/layers-divide-stages\n/);
    expect(page).toContain('‹num_layers› layers cannot be shared');
    expect(page).toContain('| Severity | error |');
    expect(page).toContain('| Shows | at startup |');
    expect(page).toContain('Each of ‹pipeline_model_parallel_size› stages');
    expect(page).toContain('| Applies to | Megatron-LM |');
    expect(page).toContain('- Use ‹divisor› stages');
    expect(page).toContain('- megatron/training/arguments.py:1 raises');
    expect(page).toContain('# oomlint-disable-next-line megatron-lm/layers-divide-stages -- reason');
    expect(page).toContain('  megatron-lm/layers-divide-stages: off');
  });

  test('leaves out what a rule does not have', () => {
    const page = rulePage({ ...rule, framework: undefined, phase: 'never', fixes: [], upstream: [] });
    expect(page).toContain('| Applies to | every framework |');
    expect(page).not.toContain('| Shows');
    expect(page).not.toContain('## Fixes');
    expect(page).not.toContain('## Upstream');
  });
});
