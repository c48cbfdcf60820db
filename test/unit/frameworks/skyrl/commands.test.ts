import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../../server/src/text/edit.ts';
import { lintFile } from '../../../support/lintFile.ts';
import { reported } from '../commandRun.ts';

const script = '/repository/run.sh';

/** A launch of the trainer that upstream accepts, with more words. */
const trainer = (words: string): string =>
  `python -m skyrl.train.entrypoints.main_base trainer.logger=console trainer.placement.policy_num_gpus_per_node=4 trainer.placement.ref_num_gpus_per_node=4 generator.inference_engine.num_engines=4 trainer.train_batch_size=64 trainer.policy_mini_batch_size=64 ${words}`;

describe('a typo within a value', () => {
  it('is reported without a fix to the override’s key', () => {
    const text = `${trainer("'trainer.policy.optimizer_config={lr: 1, weigth_decay: 1}'")}\n`;
    const { findings } = lintFile(script, text);
    const finding = findings.find(({ rule }) => rule === 'unknown-option');
    expect(finding?.message).toContain('Did you mean trainer.policy.optimizer_config.weight_decay?');
    expect(finding?.fixes).toEqual([]);
  });
});

describe('an unknown map', () => {
  const map = 'trainer.placement="{policy_num_gpus_per_node: $N, ref_num_gpus_per_node: $N}"';

  const colocated = (words: string): string[] =>
    reported(trainer(words).replace('num_engines=4', 'num_engines=8'));

  it('stays unknown if a key below it follows', () => {
    expect(colocated(map)).toEqual([]);
    expect(colocated(`${map} trainer.placement.colocate_all=true`)).toEqual([]);
    expect(colocated('')).not.toEqual([]);
  });
});

describe('a value that is replaced twice', () => {
  it('is reported with the one finally in effect', () => {
    const [first, ...others] = reported(
      trainer("'trainer.policy.model={path: x}' trainer.policy.model.path=y trainer.policy.model.path=z"),
    ).filter((each) => each.startsWith('duplicate-option'));
    expect(first).toContain('the last one, z, applies');
    expect(others.every((each) => each.includes('the last one, z, applies'))).toBe(true);
  });
});

describe('data', () => {
  it('is a list of files or a single file', () => {
    expect(reported(trainer('data.train_data=/d/train.parquet data.val_data=null'))).toEqual([]);
    expect(reported(trainer('data.train_data=8')).join('\n')).toContain('data.train_data takes a list');
  });

  it('must not have a null key', () => {
    expect(reported(trainer("'generator.chat_template_kwargs={null: 1}'")).join('\n')).toContain(
      'OmegaConf takes no key that is null',
    );
  });
});

describe('a null block', () => {
  it.each([
    'generator.chat_template=null',
    'trainer.strategy=megatron trainer.policy.megatron_config.ddp_config=null',
    'trainer.strategy=megatron trainer.policy.megatron_config.transformer_config_kwargs=null',
    'trainer.strategy=megatron trainer.ref.megatron_config.optimizer_config_kwargs=null',
  ])('is left alone if the code handles it: %s', (words) => {
    expect(reported(trainer(words))).toEqual([]);
  });
});

describe('a reference', () => {
  it.each([
    ["trainer.export_path='${trainer.ckpt_path}/hf'", 'nothing on the command line gives trainer.ckpt_path'],
    ["trainer.run_name='${now:%Y}'", 'there is no resolver “now” here'],
    ["trainer.run_name='${hydra:job.name}'", 'there is no resolver “hydra” here'],
    ["trainer.run_name='${oc.nothing:x}'", 'there is no resolver “oc.nothing” here'],
    ["trainer.run_name='${.nothing}'", 'nothing on the command line gives trainer.nothing'],
    ["trainer.run_name='${...logger}'", 'more dots than there are keys above it'],
    ["trainer.run_name='${trainer.project_name}' trainer.project_name='${.run_name}'", 'back to itself'],
    ["trainer.seed='${oc.decode:8}'", 'oc.decode takes a text, and 8 is not one without quotes'],
    ["data.val_data='${data.train_data[2]}' data.train_data='[/a]'", 'gives data.train_data.2'],
  ])('cannot be resolved: %s', (words, reason) => {
    expect(reported(trainer(words)).join('\n')).toContain(reason);
  });

  it.each([
    [
      '${generator.n_samples_per_prompt}',
      'policy_mini_batch_size (64) is larger than trainer.train_batch_size (6)',
    ],
    ['${..generator.n_samples_per_prompt}', 'larger than trainer.train_batch_size (6)'],
    ['${oc.decode:"32"}', 'larger than trainer.train_batch_size (32)'],
    ['${oc.select:trainer.nothing,16}', 'larger than trainer.train_batch_size (16)'],
    ['${generator.n_samples_per_prompt}4', 'trainer.train_batch_size must be a whole number'],
    ['${oc.dict.keys:generator.sampling_params}', 'trainer.train_batch_size must be a whole number'],
  ])('is resolved: %s', (reference, problem) => {
    const words = `generator.n_samples_per_prompt=6 generator.sampling_params.top_p=1 trainer.train_batch_size='${reference}'`;
    expect(reported(trainer(words)).join('\n')).toContain(problem);
  });

  it.each([
    ['trainer.train_batch_size', '${oc.env:SIZE,64}', 'trainer.train_batch_size must be a whole number'],
    ['trainer.train_batch_size', '${oc.env:SIZE}', 'trainer.train_batch_size must be a whole number'],
    [
      'trainer.epochs',
      "${oc.env:EPOCHS, '3'}",
      'becomes a text (oc.env gives nothing else), not a whole number',
    ],
    ['trainer.remove_microbatch_padding', '${oc.env:PACK,false}', 'not true or false'],
  ])('to the environment gives a string: %s=%s', (name, reference, problem) => {
    expect(reported(trainer(`"${name}=${reference.replaceAll('$', '\\$')}"`)).join('\n')).toContain(problem);
  });

  it.each([
    "trainer.train_batch_size='${oc.decode:${oc.env:SIZE,64}}'",
    "data.dataloader.num_workers='${oc.env:WORKERS,null}'",
    "trainer.ckpt_path='${oc.env:CHECKPOINTS,/c}/x'",
    "trainer.resume_mode='${oc.env:RESUME,latest}'",
  ])('to the environment is not checked further: %s', (words) => {
    expect(reported(trainer(words))).toEqual([]);
  });

  it('is not resolved if a later word replaces it or its target is unknown', () => {
    const size = "trainer.train_batch_size='${trainer.nothing}' trainer.train_batch_size=64";
    expect(reported(trainer(size)).filter((each) => each.includes('nothing on the command line'))).toEqual(
      [],
    );
    expect(reported(trainer('trainer.train_batch_size=\'${oc.decode:"${oc.env:SIZE}"}\''))).toEqual([]);
    expect(
      reported(
        trainer(
          "generator.n_samples_per_prompt=$N trainer.train_batch_size='${..generator.n_samples_per_prompt}'",
        ),
      ),
    ).toEqual([]);
  });

  it.each([
    "trainer.export_path='${trainer.ckpt_path}/hf' trainer.ckpt_path=/c",
    "trainer.export_path='${trainer.ckpt_path}/hf' $MORE",
    "trainer.run_name='${oc.env:USER}'",
    "trainer.run_name='\\${now:%Y}'",
  ])('is resolvable, or may be: %s', (words) => {
    expect(reported(trainer(words)).filter((each) => each.startsWith('invalid-override'))).toEqual([]);
  });
});

describe('another program that the trainer hands over to', () => {
  it('is unknown if its name is', () => {
    expect(reported(trainer('trainer.override_entrypoint=$ENTRY trainer.arctic_rl.use_zorro=true'))).toEqual(
      [],
    );
    expect(reported(trainer('trainer.arctic_rl.use_zorro=true'))).not.toEqual([]);
  });
});

describe('`key= value`', () => {
  it('is one word split in two only if the value is certainly there', () => {
    expect(reported(trainer('trainer.resume_path= $EXTRA'))).toEqual([]);
    expect(reported(trainer('trainer.resume_path= /c')).join('\n')).toContain('make 2 words of it');
  });
});

describe('a custom program', () => {
  const uneven = 'trainer.train_batch_size=64 trainer.placement.policy_num_gpus_per_node=4';
  const run = (source: string): string[] =>
    reported(`python main_own.py ${uneven}`, { '/repository/main_own.py': source });
  const plain =
    'cfg = SkyRLTrainConfig.from_cli_overrides(sys.argv[1:])\nvalidate_cfg(cfg)\ntrain(colocate=cfg.trainer.placement.colocate_all)\n';

  it('has SkyRL’s defaults if it only reads the command line', () => {
    expect(run(plain).join('\n')).toContain('colocated-gpus-differ');
  });

  it('has its own defaults if it adds or changes settings', () => {
    expect(run(plain.replace('(sys.argv', '(PRESETS + sys.argv'))).toEqual([]);
    expect(run(`${plain}cfg.generator.inference_engine.num_engines = 4\n`).join('\n')).not.toContain(
      'colocated-gpus-differ',
    );
    expect(
      run(`class Mine(TrainerConfig):\n    policy_mini_batch_size: int = 8\n${plain}`).join('\n'),
    ).not.toContain('mini-batch-above-batch');
  });

  it('is not judged by its comments and docstrings', () => {
    expect(run('"""Calls validate_cfg(cfg) of FullyAsync."""\n# validate_cfg(cfg)\nmain()\n')).toEqual([]);
  });

  it('is not recognised as SkyRL’s by keys that others also have', () => {
    expect(reported('python train.py trainer.epochs=10 model.lr=1e-3 +trainer.foo=1')).toEqual([]);
    expect(reported('python src/train.py trainer.strategy=ddp model.lr=0.1')).toEqual([]);
  });
});

describe("overrides of SkyRL's first package", () => {
  const first = (words: string): string[] => reported(`python -m skyrl_train.entrypoints.main_base ${words}`);

  it.each([
    ['generator.engine_init_kwargs.max_model_len=100', 'takes new keys only as +key=…'],
    ["'generator.engine_init_kwargs={max_model_len: 100, seed: 1}'", 'takes new keys only as +key=…'],
    ['trainer.run_name=lr=1e-6', '= needs quotes'],
    [`'+generator.engine_init_kwargs={"max_model_len": 100}'`, 'a key in quotes'],
    ['+trainer.foo=1 +trainer.foo=2', 'trainer.foo already has a value'],
    ['trainer.seed=1,2', 'it names several, which only --multirun takes'],
    ['hydra/job_logging=disabled trainer.epochz=1', 'trainer.epochz is not an option here'],
  ])('are refused: %s', (words, reason) => {
    const found = first(words).filter((each) => each.includes(reason));
    expect(found).toHaveLength(1);
  });

  it.each([
    '+generator.engine_init_kwargs.max_model_len=100',
    "'+generator.engine_init_kwargs={max_model_len: 100}'",
    '\'trainer.run_name="lr=1e-6"\'',
    "'trainer.run_name=lr\\=1e-6'",
    "'+trainer.policy.extra.sub={a: 1}'",
    'trainer.seed=1,2 -m',
    'trainer.run_name= -m',
    'hydra/job_logging=disabled',
  ])('are accepted: %s', (words) => {
    expect(first(words)).toEqual([]);
  });

  it('are fixed by a plus sign', () => {
    const text =
      'python -m skyrl_train.entrypoints.main_base generator.engine_init_kwargs.max_model_len=100\n';
    const [finding] = lintFile(script, text).findings;
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []);
    expect(fixed).toBe(text.replace('generator.', '+generator.'));
    expect(reported(fixed?.trimEnd() ?? text)).toEqual([]);
  });
});

describe('the data sets of SFT', () => {
  const tune = (words: string): string =>
    reported(
      `python -m skyrl.train.main_sft strategy=fsdp logger=console batch_size=16 placement.num_gpus_per_node=4 micro_train_batch_size_per_gpu=4 ${words}`,
    ).join('\n');

  it('are missing if an empty map is given', () => {
    expect(tune('')).toBe('');
    expect(tune("'train_datasets={}'")).toContain('skyrl/sft-no-training-data');
    expect(tune("'eval_datasets={}'")).toContain('skyrl/sft-no-evaluation-data');
  });

  it('must have a list of names', () => {
    expect(tune("eval_datasets=['a'] eval_dataset_splits=['b'] eval_dataset_names=5")).toContain(
      'eval_dataset_names must be a list',
    );
  });
});

describe('a chat template', () => {
  it('is not a custom one if its name is empty', () => {
    const steps = 'generator.step_wise_trajectories=true generator.chat_template.name_or_path';
    expect(reported(trainer(`${steps}=qwen3_with_thinking`)).join('\n')).toContain('step-wise-generation');
    expect(reported(trainer(`${steps}='""'`)).filter((each) => each.includes('skyrl/'))).toEqual([]);
    expect(reported(trainer(`generator.chat_template.name_or_path='""'`)).join('\n')).not.toContain(
      'chat-template-name',
    );
  });
});
