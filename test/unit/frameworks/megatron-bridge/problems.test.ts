import { describe, expect, it } from 'vitest';
import choices from '../../../../schemas/megatron-bridge/choices.json';
import { megatronBridge } from '../../../../server/src/frameworks/megatron-bridge/framework.ts';
import { noProfile } from '../../../../server/src/value/machine.ts';
import { parseYaml } from '../../../../server/src/yaml/parse.ts';
import { bound, contextOf, found, knowledgeOf, runner } from '../../../support/bridge.ts';

describe('problems', () => {
  const upstreams = 'scripts/training/run_recipe.py --recipe llama32_1b_pretrain_config';
  const other = 'scripts/training/run_recipe.py --recipe qwen25_7b_peft_config';
  const benchmark = 'python scripts/performance/run_script.py -m llama -mr llama3_8b -ng 8 -g h100';
  const own = 'Megatron-Bridge/examples/finetune.py';
  const submission =
    'python scripts/training/setup_experiment.py --gpus-per-node 8 --recipe llama32_1b_pretrain_config';
  const rules = (line: string): readonly string[] =>
    bound(line)
      .problems.filter(({ rule }) => rule !== 'unknown-recipe')
      .map((problem) => `${problem.severity} ${problem.rule} ${problem.replacement ?? ''}`.trim());

  it.each([
    [`torchrun ${runner} train.train_iter=1`, ['error unknown-option train.train_iters']],
    [`torchrun ${runner} train.unheard_of_thing=1`, ['error unknown-option']],
    [`torchrun ${runner} trainer.unheard_of_thing=1`, ['error unknown-option']],
    [`torchrun ${runner} +train.train_iter=1`, ['warning unknown-option train.train_iters']],
    [`torchrun ${runner} ++train.unheard_of_thing=1`, ['warning unknown-option']],
    [`torchrun ${runner} model.some_own_field=1 mixed_precision.x=1 env_vars.Y=1`, []],
    [`torchrun ${upstreams} model.some_own_field=1`, []],
    [`torchrun ${upstreams} dataset.some_own_field=1`, ['warning unknown-option']],
    [`torchrun ${upstreams} model.tp=2`, ['error unknown-option model.tensor_model_parallel_size']],
    [`torchrun ${runner} model.tp=2`, ['warning unknown-option model.tensor_model_parallel_size']],
    [`torchrun ${runner} checkpoint.save_dir=/c`, ['error unknown-option checkpoint.save']],
    [`torchrun ${upstreams} model.context_parallel=2`, ['error unknown-option model.context_parallel_size']],
    [`torchrun ${upstreams} model.moe=2`, []],
    [
      `torchrun ${upstreams} model.tensor_model_paralel_size=1`,
      ['error unknown-option model.tensor_model_parallel_size'],
    ],
    [`torchrun ${upstreams} model.vision_recompute_method=block`, ['warning removed-option']],
    [
      `torchrun ${upstreams} model.recompute_num_layers=1`,
      ['info renamed-option model.transformer.recompute_num_layers'],
    ],
    [
      `torchrun ${upstreams} model.num_layers=8 model.gradient_accumulation_fusion=false model.seq_length=64 model.q_lora_rank=4`,
      [
        'info renamed-option model.transformer.num_layers',
        'info renamed-option model.transformer.gradient_accumulation_fusion',
      ],
    ],
    [`torchrun ${upstreams} model.transformer.recompute_num_layers=1 ++model.recompute_method=block`, []],
    [
      `torchrun ${upstreams} model.transformer.num_layrs=1`,
      ['error unknown-option model.transformer.num_layers'],
    ],
    [`torchrun ${upstreams} model.transformer.own_thing=1`, []],
    [
      `torchrun ${upstreams} model.transformer.num_layers=8 model.hidden_size=64`,
      ['error renamed-option model.transformer.hidden_size'],
    ],
    [`torchrun ${upstreams} +model.num_layers=8`, []],
    [`torchrun ${other} model.transformer.num_layers=8`, ['warning invalid-override model.num_layers']],
    [
      `torchrun ${other} +model.use_cpu_initialization=true +model.num_moe_experts=8`,
      ['warning override-key-exists +model.use_cpu_initialization'],
    ],
    // Nothing indicates that anything is there to hold it.
    [
      `torchrun ${other} +dataset.offline_packing_specs.pad_seq_to_mult=8 +comm_overlap.batch_p2p_comm=true`,
      [],
    ],
    [`torchrun ${other} +logger.log_throughput=true`, ['warning override-key-exists +logger.log_throughput']],
    [`torchrun ${runner} peft.dim=8`, ['error invalid-override ++peft.dim']],
    [`${benchmark} peft.dim=8`, ['error invalid-override ++peft.dim']],
    [`torchrun ${runner} ++peft.dim=8 peft.dim=16`, ['warning duplicate-option']],
    [`torchrun ${runner} --config-file own.yaml peft.dim=16`, ['warning unknown-option']],
    [`torchrun ${own} peft.dim=16`, []],
    [`torchrun ${upstreams} rerun_state_machine.rerun_mode=on`, ['error invalid-choice']],
    [`torchrun ${upstreams} rerun_state_machine.rerun_mode=null`, ['error invalid-choice']],
    [`torchrun ${upstreams} rerun_state_machine.error_injection_type=1`, ['error invalid-choice']],
    [`torchrun ${runner} model.flash_attention_version=5`, ['error invalid-choice']],
    [`torchrun ${runner} model.flash_attention_version=null`, []],
    [`torchrun ${upstreams} profiling=null`, []],
    [`torchrun ${upstreams} logger=null`, ['error invalid-value']],
    [`torchrun ${upstreams} optimizer.lr=[1e-4]`, ['warning invalid-value']],
    [`torchrun ${upstreams} train.train_iters=[]`, ['warning invalid-value']],
    [`torchrun ${upstreams} profiling.profile_ranks=0`, ['warning invalid-value']],
    [`torchrun ${upstreams} logger.comet_tags=ours`, ['warning invalid-value']],
    [
      `torchrun ${upstreams} profiling.profile_ranks=[0,1] logger.comet_tags=null model.transformer.moe_layer_freq=[1,0]`,
      [],
    ],
    // In other models it is a number.
    [`torchrun ${upstreams} model.moe_intermediate_size=512`, []],
    [
      'torchrun scripts/training/run_recipe.py --recipe llama3_8b_pretrain_8gpu_vr200_fp8mx_config comm_overlap.tp_comm_overlap_cfg=1',
      ['warning invalid-value'],
    ],
    [
      'torchrun scripts/training/run_recipe.py --recipe llama3_8b_pretrain_8gpu_vr200_fp8mx_config comm_overlap.tp_comm_overlap_cfg.fc1_wgrad=1',
      ['warning invalid-value', 'warning invalid-override'],
    ],
    [`torchrun ${upstreams} ft.enable_ft_package=true`, ['warning invalid-override']],
    [`torchrun ${upstreams} train.train_iters='choice(1,2)'`, ['error invalid-override']],
    [`torchrun ${runner} 'train.train_iters = 10'`, ['error invalid-override']],
    // Hydra's parser says the same of each of these keys.
    [`torchrun ${upstreams} train.train_iters:=10`, ['error invalid-override train.train_iters']],
    [`torchrun ${upstreams} +train.train_iters:=10`, ['error invalid-override train.train_iters']],
    [`torchrun ${upstreams} checkpoint.replicas[0]=1`, ['error invalid-override checkpoint.replicas.0']],
    [`torchrun ${upstreams} +++train.train_iters=10`, ['error invalid-override']],
    [`torchrun ${upstreams} train.train_iters+=10`, ['error invalid-override']],
    [`torchrun ${upstreams} +~train.train_iters=10`, ['error invalid-override']],
    [`torchrun ${upstreams} train..train_iters=10`, ['error invalid-override']],
    [`torchrun ${upstreams} =10`, ['error invalid-override']],
    // A custom script may read words in its own way.
    [`torchrun ${own} train.train_iters:=10`, []],
    [`torchrun ${runner} model.recompute_num_layers=1 ft.enable_ft_package=true`, []],
    [`torchrun ${own} train.unheard_of_thing=1`, []],
    [`torchrun ${runner} train.train_iters = 10`, ['error invalid-override train.train_iters=10']],
    [`torchrun ${runner} train.train_iters= 10`, ['error invalid-override train.train_iters=10']],
    [`torchrun ${runner} --train.train_iters=1`, ['error unknown-option train.train_iters']],
    [`torchrun ${runner} --train.train_iters 1`, ['error unknown-option']],
    [`torchrun ${runner} --train.elsewhat=1`, ['error unknown-option']],
    // What argparse says about each of these was observed by running it.
    [`torchrun ${runner} -tp two`, ['error invalid-value']],
    [`torchrun ${runner} -tp=2.0`, ['error invalid-value']],
    [`torchrun ${runner} --max_steps 1e3`, ['error invalid-value 1000']],
    [`torchrun ${runner} --seq_length=`, ['error invalid-value']],
    [`torchrun ${runner} -vp None`, ['error invalid-value']],
    [`torchrun ${runner} --lr model.num_layers=1`, ['error invalid-value']],
    [`torchrun ${runner} --lr 1e-4x`, ['error invalid-value']],
    [`torchrun ${runner} --lr -1e-4`, ['error missing-value']],
    [`torchrun ${runner} --lr --min_lr 1e-5`, ['error missing-value']],
    [`torchrun ${runner} --mode --max_steps 10 -pp`, ['error missing-value', 'error missing-value']],
    [`torchrun ${runner} --deterministic=true`, ['error unexpected-value']],
    [`torchrun ${runner} --dry-run True`, ['error invalid-override']],
    [`torchrun ${runner} -e 2`, ['error ambiguous-option']],
    [`torchrun ${runner} checkpoint.save=~/ckpt`, ['error invalid-override']],
    [`torchrun ${runner} -lr 1 -tp2`, ['warning unknown-option', 'warning unknown-option']],
    [
      `torchrun ${runner} --num_gpus 8 --use_megatron_fsdp 1`,
      ['warning unknown-option', 'warning unknown-option'],
    ],
    [`torchrun ${runner} -t 2 -et 1 -cp -1 --max_steps 1_000 -gb ' 3' -mb +2 --lr nan --save_dir ''`, []],
    [`torchrun ${runner} -tp $TP --lr=$LR --seq_length "$2" $MORE`, []],
    [`torchrun ${runner} -- train.train_iters=1`, ['error unknown-option']],
    [`torchrun ${runner} train.train_iters: 1`, ['error invalid-override train.train_iters=1']],
    [`torchrun ${runner} --recipes other_config`, ['error unknown-option --recipe']],
    [
      `torchrun ${runner} model.tensor_model_paralel_size=1`,
      ['warning unknown-option model.tensor_model_parallel_size'],
    ],
    [
      `torchrun ${runner} --tensor_model_parallel_sizes 2`,
      ['error unknown-option --tensor_model_parallel_size'],
    ],
    [`torchrun ${runner} --something-else 2`, ['warning unknown-option']],
    [`torchrun ${runner} --mode pretain`, ['error invalid-choice pretrain']],
    [`torchrun ${runner} --step_func qwen3vl_step`, ['error invalid-choice qwen3_vl_step']],
    [`torchrun ${runner} --step-func Qwen3_VL_step`, []],
    [`torchrun ${runner} --step-func own_step`, ['warning invalid-choice']],
    [`torchrun ${runner} --dataset moc`, ['error invalid-choice mock']],
    ['torchrun scripts/training/run_recipe.py train.train_iters=2', ['error required-option']],
    ['torchrun scripts/training/run_recipe.py $ARGS', []],
    ['torchrun scripts/training/run_recipe.py --recipe $RECIPE', []],
    [`torchrun ${runner} --mode=elsewise`, ['warning invalid-choice']],
    [`torchrun ${runner} --mode $MODE`, []],
    [`torchrun ${runner} model.recompute_granularity=ful`, ['error invalid-choice full']],
    [`torchrun ${runner} model.recompute_granularity=null`, []],
    [`torchrun ${runner} scheduler.lr_decay_style=cosin`, ['error invalid-choice cosine']],
    [`torchrun ${runner} model.recompute_method=uniforms`, ['warning invalid-choice uniform']],
    [
      `torchrun ${runner} model.recompute_method=uniforms model.recompute_granularity=full`,
      ['error invalid-choice uniform'],
    ],
    [
      `torchrun ${runner} model.recompute_method=uniforms model.recompute_granularity=null`,
      ['warning invalid-choice uniform'],
    ],
    [`torchrun ${runner} model.position_embedding_type=mrope`, []],
    [`torchrun ${runner} train.train_iters=10,20`, ['error invalid-override']],
    [`torchrun ${runner} ddp.grad_reduce_in_fp32=False,`, ['error invalid-override']],
    [`torchrun ${runner} some.thing=1,2`, ['error invalid-override', 'error unknown-option']],
    [`torchrun ${own} some.thing=1,2`, []],
    [`torchrun ${own} train.train_iters=1,2`, ['error invalid-override']],
    [
      `torchrun ${runner} model.recompute_modules=[core_attn, mlp, moe]`,
      ['error invalid-override [core_attn,mlp,moe]'],
    ],
    [`torchrun ${runner} 'model.recompute_modules=[core_attn, mlp]'`, []],
    [`torchrun ${runner} model.recompute_modules=[core_attn, $MORE]`, ['error invalid-override']],
    [
      `torchrun ${runner} train.train_iters=5 +train.train_iters=6`,
      ['warning duplicate-option', 'error override-key-exists +train.train_iters'],
    ],
    [`torchrun ${runner} -ms 5 +train.train_iters=6`, ['error override-key-exists +train.train_iters']],
    [`torchrun ${runner} train.train_iters=null +train.train_iters=6`, ['warning duplicate-option']],
    [`torchrun ${runner} train.train_iters=$N +train.train_iters=6`, []],
    [`torchrun ${runner} +train.micro_batch_size=2 ++train.train_iters=3`, []],
    [
      `torchrun ${upstreams} +train.micro_batch_size=2 +model.recompute_modules=[mlp] +train.num_epochs=2`,
      ['warning override-key-exists +train.micro_batch_size'],
    ],
    [
      `torchrun ${runner} ~train.train_iters=10 train.train_iters=5`,
      ['error invalid-override +train.train_iters'],
    ],
    [`torchrun ${runner} ~train={} train.train_iters=5`, ['error invalid-override +train.train_iters']],
    [`torchrun ${runner} ~train.train_iters=10 ~train.train_iters=10`, ['error invalid-override']],
    [
      `torchrun ${runner} ~train.train_iters=10 +train.train_iters=5 train.train_iters=6`,
      ['warning duplicate-option'],
    ],
    [`torchrun ${runner} ~train.train_iter=10`, ['error unknown-option train.train_iters']],
    [`torchrun ${runner} +train.own_thing=1 ~train.own_thing=1`, ['warning unknown-option']],
    [`torchrun ${runner} ~comm_overlap`, ['error invalid-override comm_overlap=null']],
    [`torchrun ${runner} ~rng.seed`, ['error invalid-override']],
    [`${benchmark} ~comm_overlap`, ['warning invalid-override comm_overlap=null']],
    [`torchrun ${runner} ~comm_overlap={}`, ['warning invalid-override comm_overlap=null']],
    [`torchrun ${runner} ~rng.seed=10`, ['warning invalid-override']],
    [`torchrun ${runner} ~train.train_iters=10 +train.train_iters=20`, []],
    [`torchrun ${runner} -ms 5 ~train.train_iters=6`, ['error invalid-override']],
    [`torchrun ${runner} checkpoint.load=null ~checkpoint.load=/c`, ['error invalid-override']],
    [`torchrun ${runner} ~env_vars.OWN=1`, []],
    [`torchrun ${upstreams} ~train.micro_batch_size=77`, ['warning invalid-override']],
    [`torchrun ${own} ~train.train_iters`, []],
    [`torchrun ${own} ~train.train_iters train.train_iters=5`, []],
    [`torchrun ${runner} stray`, ['error invalid-override']],
    [`torchrun ${runner} train.train_iters=$N $MORE "$QUOTED"`, []],
    [`${submission} --env A --mount /a:/b:ro --additional-slurm-params 'a=b;c=d' train.train_iters=5`, []],
    [`${submission} --env A=b`, ['error invalid-value A']],
    [`${submission} --mount :/b`, ['error invalid-value']],
    [`${submission} --additional-slurm-params a`, ['error invalid-value']],
    [`${submission} --gpus_per_nodes 8`, ['error unknown-option --gpus_per_node']],
    [
      `${submission} -tp two -pp 1 --dry_run`,
      ['error invalid-value', 'info renamed-option', 'info renamed-option'],
    ],
    [`${submission} stray`, ['error invalid-override']],
    ['python scripts/training/setup_experiment.py --gpus-per-node 8', ['error required-option']],
  ])('%s', (line, expected) => {
    expect(rules(line)).toEqual(expected);
  });

  it.each([
    ['model.num_layers=8', 'error renamed-option'],
    ['-tp 1', 'error renamed-option'],
    ['-vp 2', 'error renamed-option'],
    ['+model.num_layers=8', undefined],
    ['model.transformer.num_layers=8 -sl 4096', undefined],
  ])('of a Bridge whose Llama nests its fields one level deeper: %s', (words, expected) => {
    const files = {
      '/w/src/megatron/bridge/package_info.py': 'MAJOR = 0\nMINOR = 7\nPATCH = 0\n',
      '/w/src/megatron/bridge/recipes/llama/h100/llama3.py':
        'AutoBridge.from_hf_pretrained(x).get_model_config()\n',
    };
    const { problems } = bound(`torchrun ${upstreams} ${words}`, { files });
    expect(problems.map(({ severity, rule }) => `${severity} ${rule}`)).toEqual(
      expected === undefined ? [] : [expected],
    );
  });

  it.each([
    ['peft.dim', '', '++peft.dim'],
    ['model.num_layers', '', 'model.num_layers'],
    ['model.num_layers', 'model.transformer.hidden_size=64', 'model.transformer.num_layers'],
    ['model.seq_length', 'model.transformer.hidden_size=64', 'model.seq_length'],
  ])('suggest %s as a valid override, beside “%s”', (name, words, expected) => {
    expect(bound(`torchrun ${upstreams} ${words}`).scopes[0]?.addition?.(name)).toBe(expected);
  });

  it.each([
    ['--recipe qwen3_vl_8b_sft_config', undefined],
    ['--recipe qwen3_vl_8b_sft_configs', 'error qwen3_vl_8b_sft_config'],
    ['--recipe qwen3_8b_sft', 'error qwen3_8b_sft_config'],
    ['--recipe qwen3_8b_finetune_config_8', 'info '],
    ['--recipe qwen3_9b_sft_config', 'info '],
    ['--recipe sft_qwen3_8b_config', 'error qwen3_8b_sft_config'],
    ['--model qwen3_8bb --mode lora', 'error qwen3_8b'],
    ['--model qwen3_8b --mode lora', undefined],
    ['--model qwen3_8b --mode $MODE', undefined],
  ])('of recipe names: %s', (flags, expected) => {
    const reported = (files: { readonly [path: string]: string }): readonly string[] =>
      bound(`torchrun scripts/training/run_recipe.py ${flags}`, { files })
        .problems.filter(({ rule }) => rule === 'unknown-recipe')
        .map(({ severity, meant }) => `${severity} ${meant?.value ?? ''}`);
    expect(reported({})).toEqual(expected === undefined ? [] : [expected]);
    const bridge = { '/w/src/megatron/bridge/package_info.py': '' };
    expect(reported(bridge)).toEqual(expected === undefined ? [] : [expected.replace('error', 'warning')]);
    const name = /(?<=--recipe )\w+/.exec(flags)?.[0] ?? 'qwen3_8bb_peft_config';
    expect(reported({ ...bridge, '/w/src/megatron/bridge/recipes/own/x.py': `def ${name}():\n` })).toEqual(
      [],
    );
  });

  it.each([
    [
      'qwen2_audio_7b_finetune_config',
      'info',
      'qwen2_audio_7b_sft_config or qwen2_audio_7b_peft_config',
      undefined,
    ],
    ['qwen2_audio_7b_finetune_config --mode sft', 'warning', 'since 0.4', 'qwen2_audio_7b_sft_config'],
    ['qwen2_audio_7b_finetune_config --mode dora', 'warning', 'since 0.4', 'qwen2_audio_7b_peft_config'],
    ['nobodys_finetune_config --mode sft', 'info', 'nobodys', undefined],
  ])('of renamed recipes: %s', (recipe, severity, said, meant) => {
    const line = `torchrun scripts/training/run_recipe.py --recipe ${recipe}`;
    const reported = (files: { readonly [path: string]: string }) =>
      bound(line, { files }).problems.filter(({ rule }) => rule === 'unknown-recipe');
    expect(reported({})).toMatchObject([{ severity }]);
    const [problem] = reported({});
    expect(`${problem?.values.name}${problem?.values.hint}`).toContain(said);
    expect(problem?.meant?.value).toBe(meant);
    const name = recipe.split(' ', 1)[0] ?? '';
    const bridge = { '/w/src/megatron/bridge/package_info.py': '' };
    expect(reported(bridge)).toMatchObject([{ severity: recipe.startsWith('nobodys') ? 'info' : 'warning' }]);
    expect(reported({ ...bridge, '/w/src/megatron/bridge/recipes/x.py': `def ${name}():\n` })).toEqual([]);
  });

  it('of renamed recipes, as seen in the sources of another release', () => {
    const reported = (recipes: string) =>
      bound('torchrun scripts/training/run_recipe.py --recipe llama3_8b_finetune_config', {
        files: {
          '/w/src/megatron/bridge/package_info.py': 'MAJOR = 0\nMINOR = 6\nPATCH = 1\n',
          '/w/src/megatron/bridge/recipes/llama.py': recipes,
        },
      }).problems.filter(({ rule }) => rule === 'unknown-recipe');
    expect(reported('def llama3_8b_sft_config():\n')).toMatchObject([
      { severity: 'warning', meant: { value: 'llama3_8b_sft_config' } },
    ]);
    expect(reported('def llama3_8b_finetune_config():\n')).toEqual([]);
    expect(reported('')).toEqual([]);
  });

  it.each([
    ['model.recompute_modules=core_attn,mlp', ['core_attn', 'mlp']],
    ['"logger.wandb_exp_name=run, lr=1"', 'run, lr=1'],
    ['ddp.grad_reduce_in_fp32=False,', false],
    ['train.train_iters=10,', 10],
    ['train.train_iters=10,20', undefined],
    ['train.train_iters=ten,', undefined],
    ['model.recompute_modules=core_attn,$X', undefined],
  ])('suggest what %s was meant to be', (word, meant) => {
    expect(bound(`torchrun ${runner} ${word}`).problems[0]?.meant?.value).toEqual(meant);
  });

  it.each([
    ['optimizer:\n  lr: [1e-4]\n', 'optimizer.lr a list'],
    ['profiling:\n  profile_ranks: 0\n', 'profiling.profile_ranks 0'],
    ['logger:\n  comet_tags: ours\n', 'logger.comet_tags ours'],
    ['train:\n  train_iters: ten\n', 'train.train_iters ten'],
    ['logger:\n  comet_tags: ???\n', undefined],
    ['profiling:\n  profile_ranks: [0]\n', undefined],
    ['optimizer:\n  lr: 1\n', undefined],
  ])('of the types of values in a file: %j', (text, expected) => {
    const { problems } = bound(`torchrun ${runner} --config-file o.yaml`, { files: { '/w/o.yaml': text } });
    const wrong = problems.filter(({ rule }) => rule === 'invalid-value');
    expect(wrong.map(({ values }) => `${values.name} ${values.value}`)).toEqual(
      expected === undefined ? [] : [expected],
    );
  });

  it('say what replaces a value with a trailing comma', () => {
    const [reported] = bound(`torchrun ${runner} optimizer.lr=3e-4,`).problems;
    expect(reported?.meant).toEqual({ value: 0.0003, title: 'Write 0.0003' });
  });

  it('name only options that have choices', () => {
    const { options } = knowledgeOf('megatron-bridge');
    const named = [
      ...Object.keys(choices.refused),
      ...Object.keys(choices.refusedBeside),
      ...choices.unheardOf,
    ];
    for (const name of named)
      expect(options.find((option) => option.name === name)?.choices?.length, name).toBeGreaterThan(1);
    for (const { read } of Object.values(choices.refusedBeside))
      expect(options.map(({ name }) => name)).toContain(read);
  });

  it('ignore fields declared by a Bridge in the workspace', () => {
    const files = {
      '/w/src/megatron/bridge/package_info.py': `MAJOR = 0\nMINOR = ${knowledgeOf('megatron-bridge').release?.split('.')[1]}\n`,
      '/w/src/megatron/bridge/training/config.py': '    own_field: int = 1\n',
      '/w/3rdparty/Megatron-LM/megatron/core/optimizer/optimizer_config.py': '    own_rate: float = 1\n',
    };
    const names = 'train.own_field=1 optimizer.own_rate=1 ddp.own_rate=1';
    const { problems } = bound(`torchrun ${runner} ${names}`, { files });
    const reported = problems.filter(({ rule }) => rule === 'unknown-option');
    expect(reported.map(({ severity, values }) => [severity, values.name])).toEqual([
      ['error', 'ddp.own_rate'],
    ]);
  });

  it('ignore what an unreleased Bridge still has', () => {
    const reported = (patch: number) =>
      bound(`torchrun ${runner} dataset.maker_name=x`, {
        files: {
          '/w/src/megatron/bridge/package_info.py': `MAJOR = 0\nMINOR = 6\nPATCH = ${patch}\n`,
        },
      }).problems.map(({ rule, severity }) => `${severity} ${rule}`);
    expect(reported(1)).toEqual(['warning removed-option']);
    expect(reported(0)).toEqual([]);
  });

  it('ignore a choice that an earlier Bridge in the workspace lists', () => {
    const reported = (listed: string) =>
      bound(`torchrun ${runner} --dataset llm-pretrain`, {
        files: {
          '/w/src/megatron/bridge/package_info.py': 'MAJOR = 0\nMINOR = 6\nPATCH = 1\n',
          '/w/src/megatron/bridge/recipes/utils/dataset_utils.py': `DATASET_TYPES = ["${listed}"]\n`,
        },
      }).problems.map(({ rule, severity }) => `${severity} ${rule}`);
    expect(reported('llm-pretrain')).toEqual([]);
    expect(reported('llm-finetune')).toEqual(['warning invalid-choice']);
  });

  it('ignore a Megatron Core name that the workspace’s Bridge does not replace yet', () => {
    const reported = (config: string) =>
      found(
        bound(`torchrun ${runner} dataset.sequence_length=8192`, {
          files: {
            '/w/src/megatron/bridge/package_info.py': 'MAJOR = 0\nMINOR = 2\n',
            '/w/src/megatron/bridge/training/config.py': config,
          },
        }),
      ).join();
    const rule = 'core-sequence-length-is-replaced';
    expect(reported('        self.sequence_length = self.seq_length\n')).toContain(rule);
    expect(reported('class GPTDatasetConfig(MCoreGPTDatasetConfig):\n')).not.toContain(rule);
  });

  it('know the current names of older keys', () => {
    const [flag] = bound(`torchrun --nproc_per_node 8 ${runner} dist.lazy_init=true`).problems;
    expect(flag).toMatchObject({
      rule: 'renamed-option',
      severity: 'error',
      replacement: 'dist.lazy_mpu_init',
    });
    const text = 'dataset:\n  pack_sequences_in_batch: true\ntrain:\n  train_iters: 5\n';
    const [document] = parseYaml('/w/o.yaml', text);
    if (document === undefined) throw new Error('no document');
    const [key] = megatronBridge.bindDocument(document, 'of a test', contextOf({}, noProfile)).problems;
    expect(key).toMatchObject({ rule: 'renamed-option', replacement: 'enable_in_batch_packing' });
  });

  it.each([
    ['train:\n  train_iters: abc\n', ['warning invalid-value']],
    ['train:\n  global_batch_size: 64,\n', ['warning invalid-value 64']],
    ['train:\n  train_iters: "10"\n', ['warning invalid-value 10']],
    ['train:\n  train_iters: null\n  micro_batch_size: ${train.train_iters}\n', []],
    ['ddp:\n  grad_reduce_in_fp32: "false"\n', ['warning invalid-value false']],
    ['ddp:\n  grad_reduce_in_fp32: off\n', []],
    ['train:\n  micro_batch_size: 1\n  micro_batch_size: 2\n', ['error duplicate-key']],
    ['rng:\n  seed: ${rng.sed}\n', ['error invalid-interpolation']],
    ['rng:\n  seed: ${seeds.first}\n', ['error invalid-interpolation']],
    ['rng:\n  seed: ${model.own}${oc.env:SEED}${env_vars.X}${.other}\n', []],
    ['optimiser:\n  lr: 1\n', ['warning unknown-option optimizer']],
    ['sgd:\n  lr: 1\n', ['warning unknown-option']],
    ['optimizer:\n  finetune_lr: 1\n', ['warning unknown-option']],
    ['optimizer:\n  _target_: a.B\nmodel:\n  own: 1\n', []],
    ['model:\n  recompute_granularity: ful\n', ['error invalid-choice full']],
    ['model:\n  recompute_method: ful\n', ['warning invalid-choice']],
    ['model:\n  recompute_method: ful\n  recompute_granularity: full\n', ['error invalid-choice']],
    ['optimiser:\n\tlr: 1\n', []],
  ])('of a file: %j', (text, expected) => {
    const [document] = parseYaml('/w/o.yaml', text);
    if (document === undefined) throw new Error('no document');
    const { problems } = megatronBridge.bindDocument(document, 'of a test', contextOf({}, noProfile));
    expect(
      problems.map(({ severity, rule, replacement }) => `${severity} ${rule} ${replacement ?? ''}`.trim()),
    ).toEqual(expected);
  });

  it('do not compare text containing a reference', () => {
    const text = 'model:\n  seq_length: ${dataset.seq_len}\ndataset:\n  seq_length: 2048\n';
    const [document] = parseYaml('/w/o.yaml', text);
    if (document === undefined) throw new Error('no document');
    const run = megatronBridge.bindDocument(document, 'of a test', contextOf({}, noProfile));
    expect(found(run)).toEqual([]);
  });

  it('suggest keys in files', () => {
    const document = parseYaml(
      '/w/a.yaml',
      'train:\n  train_iters: 1\n  micro_batchsize: 2\n  global_batch_size: 4\n',
    )[0];
    const run =
      document === undefined
        ? undefined
        : megatronBridge.bindDocument(document, 'x', contextOf({}, noProfile));
    expect(run?.problems.map((problem) => [problem.severity, problem.replacement])).toEqual([
      ['warning', 'micro_batch_size'],
    ]);
  });
});
