import { describe, expect, it } from 'vitest';
import { type MachineProfile, noProfile } from '../../../../server/src/value/machine.ts';
import { bound, effective, found } from '../../../support/bridge.ts';

const required = '-m llama -mr llama3_8b -ng 8 -g h100';
const copy = `python scripts/performance/custom_setup_experiment.py ${required}`;
const parser = 'from .argument_parser import parse_cli_args\n';

describe('a copy of a Megatron-Bridge benchmark', () => {
  it('may be of any release, so what is refused today is only a warning', () => {
    const reported = bound(`${copy} --train.train_iters=8 --compute_dtype fp8`).problems;
    expect(reported.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual([
      'warning unknown-option',
      'warning invalid-choice',
    ]);
  });

  it('refuses what the declared release refuses', () => {
    const machine: MachineProfile = { ...noProfile, versions: { 'megatron-bridge': '0.7.0' } };
    const reported = bound(`${copy} --train.train_iters=8`, { machine }).problems;
    expect(reported.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual(['error unknown-option']);
  });

  it.each([
    ['the copy', 'custom_setup_experiment.py'],
    ['the parser beside it', 'argument_parser.py'],
  ])('has the flags that %s beside the launch script declares', (_, file) => {
    const files = { [`/w/${file}`]: `${parser}parser.add_argument("--goodput_bucket")\n` };
    expect(bound(`${copy} --goodput_bucket gs://b`, { files }).problems).toEqual([]);
    expect(bound(`${copy} --goodput_bucket gs://b`).problems).toHaveLength(1);
  });

  it('applies flags after overrides, like the program it is named after', () => {
    const line = `${copy} --micro_batch_size 2 train.micro_batch_size=4`;
    expect(effective(bound(line), 'train.micro_batch_size')).toBe(2);
  });
});

describe('the benchmark flag that turns on Megatron-FSDP', () => {
  const line = `python scripts/performance/run_script.py ${required}`;

  it('shards everything, so no strategy is missing', () => {
    const run = bound(`${line} --use_megatron_fsdp true`);
    expect(effective(run, 'ddp.data_parallel_sharding_strategy')).toBe('optim_grads_params');
    expect(found(run).join()).not.toContain('fsdp-strategy-left-to-the-recipe');
  });

  it('sets nothing when off, and leaves a later override alone', () => {
    const off = bound(`${line} --use_megatron_fsdp 0 ddp.data_parallel_sharding_strategy=optim`);
    expect(effective(off, 'ddp.data_parallel_sharding_strategy')).toBe('optim');
    const recipes = `python scripts/performance/run_recipe.py ${required} --use_megatron_fsdp 1`;
    const behind = bound(`${recipes} ddp.data_parallel_sharding_strategy=optim`);
    expect(effective(behind, 'ddp.data_parallel_sharding_strategy')).toBe('optim');
  });
});

describe('Megatron-Bridge benchmarks up to 0.2', () => {
  it.each(['run_script', 'custom_setup_experiment'])('are recognised by their flags: %s', (script) => {
    const line = `python scripts/performance/${script}.py --model_name llama31 --model_size 405b`;
    const reported = bound(`${line} --compute_dtype fp8 --fp8_recipe cs -g gb200 -ng 8`).problems;
    expect(reported.map(({ rule, severity, values }) => `${severity} ${rule} ${values.name}`)).toEqual([
      'info earlier-option --model_name',
    ]);
  });
});

describe('the task of Megatron-Bridge benchmarks', () => {
  const reported = (flags: string): readonly string[] =>
    bound(`python scripts/performance/setup_experiment.py ${required} ${flags}`).problems.map(
      ({ rule, severity, values }) => `${severity} ${rule} ${values.name}`,
    );

  it.each(['--task lora', '--task=lora'])('indicates a release up to 0.5 by an old name: %s', (task) => {
    expect(reported(task)).toEqual(['info earlier-option --task lora']);
  });

  it('is refused under any other name', () => {
    expect(reported('--task dpo')).toEqual(['warning invalid-choice --task']);
    expect(reported('--task pretrain')).toEqual([]);
  });
});

describe('the recipe name that Megatron-Bridge benchmarks look up', () => {
  const reported = (flags: string, files = {}): readonly string[] =>
    bound(`python scripts/performance/setup_experiment.py -m llama -ng 8 ${flags}`, { files }).problems.map(
      ({ rule, severity, values }) => `${severity} ${rule} ${values.name}${values.hint}`,
    );

  it.each([
    ['-mr llama3_8b -g h100', []],
    ['-mr llama3_8b -g h100 -c fp8_cs -cv v1', []],
    [
      '-mr llama3_8b -g h100 -c nvfp4',
      ['warning unknown-recipe llama3_8b_pretrain_…gpu_h100_nvfp4 There are: bf16, fp8cs.'],
    ],
    ['-mr deepseek_v3 --task sft -g h100', ['warning unknown-recipe deepseek_v3_sft There are: pretrain.']],
    ['-mr lama3_8b -g h100', ['error unknown-recipe lama3_8b Did you mean llama3_8b?']],
    ['-mr llama3_9b -g h100', ['info unknown-recipe llama3_9b']],
    ['-mr llama3_8b -g h100 -c nvfp4 --use_recipes', []],
    ['-mr $MODEL -g h100', []],
  ])('%s', (flags, expected) => {
    expect(reported(flags)).toEqual(expected);
  });

  it('is unknown if the workspace has its own Bridge', () => {
    const files = { '/w/src/megatron/bridge/package_info.py': 'MAJOR = 0\nMINOR = 7\n' };
    expect(reported('-mr llama3_8b -g h100 -c nvfp4', files)).toEqual([]);
  });
});

describe('benchmark switches', () => {
  it('are settings, so their effects are known', () => {
    const line = `python scripts/performance/setup_experiment.py ${required}`;
    const run = bound(`${line} -en --pytorch_profiler true`);
    expect(effective(run, 'performance.enable_nsys')).toBe(true);
    expect(found(run).join()).toContain('benchmark-one-profiler');
    expect(bound(`${line} -c nvfp4 --list_config_variants`).problems).toEqual([]);
  });
});
