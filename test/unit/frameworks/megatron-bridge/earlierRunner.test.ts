import { describe, expect, it } from 'vitest';
import { type MachineProfile, noProfile } from '../../../../server/src/value/machine.ts';
import { bound, found } from '../../../support/bridge.ts';

const script = 'torchrun scripts/training/run_recipe.py';
const declared: MachineProfile = { ...noProfile, versions: { 'megatron-bridge': '0.5.1' } };
const inTree = { '/w/src/megatron/bridge/package_info.py': 'MAJOR = 0\nMINOR = 5\n' };

describe('the Megatron-Bridge recipe runner up to 0.5', () => {
  it.each([
    [`${script} --recipe own_stage1 --dataset vlm-energon`, '--dataset vlm-energon'],
    [`${script} --recipe own_stage1 --dataset=llm-pretrain-mock`, '--dataset llm-pretrain-mock'],
    [`${script} --recipe own_stage1 --peft_scheme lora`, '--peft_scheme'],
  ])('is recognised by its arguments: %s', (line, name) => {
    const run = bound(line);
    const reported = run.problems.map(({ rule, severity, values }) => [severity, rule, values.name]);
    expect(reported).toEqual([['info', 'earlier-option', name]]);
    expect(found(run).join()).not.toContain('recipe-without-mode');
  });

  it.each([{ machine: declared }, { files: inTree }])('is assumed for a release of that time', (given) => {
    const line = `${script} --recipe own_stage1 --dataset vlm-energon --step_func own_step --hf_path m`;
    const run = bound(line, given);
    expect(run.problems).toEqual([]);
    expect(found(run).join()).not.toContain('recipe-without-mode');
  });

  it('is not assumed if newer flags are present', () => {
    const reported = bound(`${script} --recipe own_config --mode sft --dataset vlm-energon`).problems;
    expect(reported.map(({ rule, values }) => `${rule} ${values.value ?? ''}`)).toContain(
      'invalid-choice vlm-energon',
    );
  });
});
