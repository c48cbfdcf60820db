import { describe, expect, it } from 'vitest';
import type { MachineProfile } from '../../../../server/src/value/machine.ts';
import { noProfile } from '../../../../server/src/value/machine.ts';
import { testLinter } from '../../../support/knowledge.ts';
import { lintFile } from '../../../support/lintFile.ts';
import { memoryHost } from '../../../support/memoryHost.ts';
import { findings, knowledge, lint, model } from './megatronRun.ts';

function findingSeverities(
  text: string,
  files: { readonly [path: string]: string } = {},
  machine: MachineProfile = noProfile,
): readonly string[] {
  return [...new Set(lint(text, files, machine).findings.map(({ severity }) => severity))];
}

describe('recognition', () => {
  it('recognises upstream entry scripts and says why', () => {
    const [run] = lint(`torchrun --nproc_per_node 8 pretrain_gpt.py ${model}\n`).runs;
    expect(run).toMatchObject({ framework: 'megatron-lm', upstreamEntry: true, open: false });
    expect(run?.because).toContain('pretrain_gpt.py');
    expect(run?.worldSize).toEqual({ kind: 'known', data: 8 });
  });

  it('recognises forks by their options and ignores other programs', () => {
    const [run] = lint(`torchrun --nproc_per_node 8 pretrain_qwen.py ${model} --tokenizer-type X\n`).runs;
    expect(run).toMatchObject({ framework: 'megatron-lm', upstreamEntry: false });
    expect(lint('torchrun --nproc_per_node 8 train.py --lr 1e-4 --epochs 3\n').runs).toEqual([]);
    expect(lint(`deepspeed pretrain_gpt.py ${model} --deepspeed\n`).runs).toEqual([]);
    expect(lint(`deepspeed pretrain_gpt.py ${model} --no-pipeline-parallel\n`).runs).toEqual([]);
    const lightning = '--global-batch-size 8 --micro-batch-size 1 --val-check-interval 10 --sft';
    expect(lint(`python test_nemotron.py ${lightning}\n`).runs).toEqual([]);
    const oneflow = '--micro-batch-size 8 --tensor-model-parallel-size 4 --num-nodes 1 --node-ips 10.11.0.2';
    expect(lint(`python3 -m oneflow_gpt.training ${oneflow}\n`).runs).toEqual([]);
    expect(lint(`torchrun tools/hf2mcore_qwen.py ${model} --tokenizer-type X\n`).runs).toEqual([]);
  });

  it('ignores programs that declare options of these names themselves', () => {
    const launch = `torchrun --nproc_per_node 8 finetune.py --micro-batch-size 4 --num-attention-heads 8 --save /x\n`;
    const own = 'parser.add_argument("--micro-batch-size")\nparser.add_argument("--num-attention-heads")\n';
    const runs = (source: string) => lint(launch, { '/repository/finetune.py': source }).runs;
    expect(runs(`import argparse\n${own}`)).toEqual([]);
    expect(runs(`from megatron.core import parallel_state\n${own}`)).toEqual([]);
    const naming = 'sys.argv += ["--micro-batch-size", "4", "--num-attention-heads", "8"]\n';
    expect(runs(`from megatron.training import pretrain\n${naming}`)).toHaveLength(1);
    expect(runs('import argparse\nparser.add_argument("--micro-batch-size")\n')).toHaveLength(1);
  });

  it('ignores trees whose arguments file is where it was before 2024', () => {
    const launch = `torchrun --nproc_per_node 8 pretrain_gpt.py ${model} --data-impl mmap\n`;
    expect(lint(launch, { '/repository/megatron/arguments.py': '' }).runs).toEqual([]);
    expect(lint(launch, { '/repository/megatron/training/arguments.py': '' }).runs).toHaveLength(1);
    const oldest = { '/repository/arguments.py': '', '/repository/mpu/initialize.py': '' };
    expect(lint(`python pretrain_bert.py ${model} --batch-size 4\n`, oldest).runs).toEqual([]);
    expect(lint(launch, { '/repository/arguments.py': '' }).runs).toHaveLength(1);
    const own = { '/repository/own_speed/arguments.py': '', '/repository/own_speed/mpu/initialize.py': '' };
    const script = (imports: string) => ({ ...own, '/repository/pretrain_gpt.py': `${imports}\n` });
    expect(lint(launch, script('from own_speed.training import pretrain')).runs).toEqual([]);
    expect(lint(launch, script('from own_speed import print_rank_0, get_args')).runs).toEqual([]);
    expect(lint(launch, script('from megatron.training import pretrain')).runs).toHaveLength(1);
    // The script is looked for in the root, which has none but has a newer Megatron-LM.
    const nested = {
      '/repository/megatron/training/arguments.py': '',
      '/repository/vendor/megatron/arguments.py': '',
      '/repository/vendor/run.sh': launch,
    };
    const host = memoryHost(nested);
    expect(testLinter(knowledge, host).lint('/repository/vendor/run.sh', launch).runs).toEqual([]);
  });

  it('ignores a program with options of the same names, also in a nested project', () => {
    const script = '/repository/inner/jobs/run.sh';
    const launch = 'torchrun tests/own.py --train-iters 5 --micro-batch-size 4 --num-layers 2 --devices 2\n';
    const own =
      'parser.add_argument("--micro-batch-size", type=int)\nparser.add_argument("--train-iters", type=int)\n';
    const frameworks = (files: { readonly [path: string]: string }) =>
      lintFile(script, launch, files).runs.map(({ framework }) => framework);
    expect(frameworks({})).toEqual(['megatron-lm']);
    expect(frameworks({ '/repository/tests/own.py': own })).toEqual([]);
    expect(frameworks({ '/repository/inner/tests/own.py': own })).toEqual([]);
    expect(frameworks({ '/repository/inner/other/own.py': own })).toEqual(['megatron-lm']);
  });

  it('only warns if the text names a copy of another version', () => {
    const launch = `torchrun --nproc_per_node 8 pretrain_gpt.py ${model} --hidden-size 513 --sequence-paralel\n`;
    expect(findingSeverities(launch)).toContain('error');
    const dated = findingSeverities(`export PYTHONPATH=/opt/Megatron-LM-core_r0.8.0:$PYTHONPATH\n${launch}`);
    expect(dated).toContain('warning');
    expect(dated).not.toContain('error');
    const release = (minor: number): readonly string[] =>
      findingSeverities(launch, {
        '/repository/megatron/core/package_info.py': `MAJOR = 0\nMINOR = ${minor}\n`,
      });
    expect(release(19)).toContain('error');
    expect(release(10)).not.toContain('error');
  });

  it('uses the release named by a copy’s folder', () => {
    const launch = (folder: string): readonly string[] =>
      findings(lint(`torchrun --nproc_per_node 8 ${folder}pretrain_gpt.py ${model} --async-save --save x\n`));
    expect(launch('')).toContain('megatron-lm/async-save-needs-worker');
    expect(launch('Megatron-LM-core_v0.13.0/')).not.toContain('megatron-lm/async-save-needs-worker');
    expect(launch('Megatron-LM-core_v0.17.0/')).toContain('megatron-lm/async-save-needs-worker');
  });
});

describe('a Megatron-LM submodule', () => {
  const launch = (program: string): string =>
    `torchrun --nproc_per_node 8 ${program} ${model} --async-save --save x\n`;
  const reported = (
    branch: string,
    url = 'https://github.com/NVIDIA/Megatron-LM.git',
    more = '',
    program = '-m pretrain_gpt',
  ): boolean => {
    const text = `[submodule "megatron"]\n\tpath = megatron\n\turl = ${url}\n\tbranch = ${branch}\n${more}`;
    return findings(lint(launch(program), { '/repository/.gitmodules': text })).includes(
      'megatron-lm/async-save-needs-worker',
    );
  };

  it('has the release of the branch it follows', () => {
    expect(reported('core_r0.14.0')).toBe(false);
    expect(reported('core_r0.14.0', 'git@github.com:NVIDIA/Megatron-LM')).toBe(false);
    expect(reported('core_r0.17.0')).toBe(true);
    expect(reported('main')).toBe(true);
  });

  it('indicates nothing if it is a fork or one of several', () => {
    expect(reported('core_r0.14.0', 'https://github.com/other/Megatron-LM.git')).toBe(true);
    const another =
      '[submodule "b"]\n\tpath = b\n\turl = https://github.com/NVIDIA/Megatron-LM\n\tbranch = core_r0.17.0\n';
    expect(reported('core_r0.14.0', undefined, another)).toBe(true);
  });

  it('indicates nothing about a program elsewhere', () => {
    const of = (program: string): boolean => reported('core_r0.14.0', undefined, '', program);
    expect(of('megatron/pretrain_gpt.py')).toBe(false);
    expect(of('$MEGATRON/pretrain_gpt.py')).toBe(false);
    expect(of('/opt/Megatron-LM/pretrain_gpt.py')).toBe(true);
  });
});

describe('a flag that lacks a word of a known one', () => {
  const reported = (own: string, flag: string): readonly string[] =>
    lint(`torchrun --nproc_per_node 8 fork/pretrain_gpt.py ${model} ${own} ${flag}\n`)
      .findings.filter(({ rule }) => rule === 'unknown-option')
      .map(({ severity, message }) => `${severity} ${/^--\S+/.exec(message)?.[0] ?? ''}`);

  it.each([
    ['is the fork’s if it has others of that kind', '--moe-top-k 2 --moe-loss-weight 0.1 --moe-kernel x', []],
    [
      'is meant otherwise',
      '--my-top-k 2 --my-loss-weight 0.1 --my-kernel x',
      ['warning --moe-capacity-factor'],
    ],
  ])('%s', (_, own, warned) => {
    const found = reported(own, '--moe-capacity-factor 1');
    expect(found.filter((each) => each.startsWith('warning'))).toEqual(warned);
    expect(found).toContain(`info ${own.split(' ')[0] ?? ''}`);
  });

  it('is misspelt if its words are not all in the known one', () => {
    const own = '--moe-top-k 2 --moe-loss-weight 0.1 --moe-kernel x';
    expect(reported(own, '--moe-expert-capacityfactor 1')).toContain('warning --moe-expert-capacityfactor');
  });
});

describe('a rule of a recent release', () => {
  const said = (own: string, rule: string, flags: string): readonly string[] =>
    lint(`torchrun --nproc_per_node 8 fork/pretrain_gpt.py ${model} ${own} ${flags}\n`)
      .findings.filter((finding) => finding.rule === `megatron-lm/${rule}`)
      .map(({ message }) => message);
  const fused = '--cross-entropy-loss-fusion --cross-entropy-fusion-impl te';
  const fork = '--my-first 1 --my-second --my-third 2';

  it('says since when, if a fork of unknown release runs', () => {
    expect(said(fork, 'te-cross-entropy', fused)).toEqual([
      expect.stringMatching(/native\. This holds from Megatron-core 0\.18 on\.$/),
    ]);
    expect(said('', 'te-cross-entropy', fused)).toEqual([expect.stringMatching(/native\.$/)]);
  });

  it('does not for what all releases in use do', () => {
    expect(said(fork, 'world-size-divides', '--tensor-model-parallel-size 16')).toEqual([
      expect.not.stringContaining('Megatron-core'),
    ]);
  });
});

describe('choices beside many unknown flags', () => {
  const weights = (choice: string): readonly string[] =>
    lint(
      `torchrun --nproc_per_node 8 pretrain_gpt.py ${model} --optimizer muon --muon-scale-mode ${choice} --my-first 1 --my-second --my-third 2\n`,
    )
      .findings.filter(({ rule }) => rule === 'invalid-choice')
      .map(({ severity, fixes }) => `${severity} ${fixes.length}`);

  it.each([
    ['may be those of the fork, also behind one of Megatron-LM', 'spectral_mup', 'info 0'],
    ['are slips where they nearly miss one', 'spectrla', 'warning 1'],
  ])('%s', (_, choice, weight) => {
    expect(weights(choice)).toEqual([weight]);
  });
});

describe('unknown options', () => {
  it('are judged by the script that a wrapper runs', () => {
    const reported = (script: string): string[] =>
      findings(lint(`torchrun --nproc_per_node 8 ${script} ${model} --no-such-option 1\n`));
    expect(reported('pretrain_mamba.py')).toEqual(['unknown-option']);
    expect(reported('pretrain_hybrid.py')).toEqual(['unknown-option']);
  });

  it('are errors in upstream scripts, naming the commit', () => {
    const report = lint(`torchrun --nproc_per_node 8 pretrain_gpt.py ${model} --sequence-paralel\n`);
    const [finding] = report.findings.filter(({ rule }) => rule === 'unknown-option');
    expect(finding).toMatchObject({ severity: 'error' });
    expect(finding?.message).toContain('--sequence-parallel');
    expect(finding?.message).toContain('d98e8a64');
    expect(finding?.fixes).toHaveLength(1);
  });

  it('are errors if they negate an option with a value, but may be a fork’s if they negate a switch', () => {
    const reported = (flag: string): readonly string[] =>
      findingSeverities(`torchrun --nproc_per_node 8 pretrain_gpt.py ${model} ${flag}\n`);
    expect(reported('--no-load /checkpoints/model')).toContain('error');
    expect(reported('--no-seq-length')).toContain('error');
    expect(reported('--no-load')).not.toContain('error');
    expect(reported('--no-swiglu')).not.toContain('error');
  });

  it('are no errors for a copied upstream script without Megatron-LM, but are beside its source', () => {
    const own = `torchrun --nproc_per_node 8 pretrain_gpt.py ${model} --my-very-own-thing 3\n`;
    const script = { '/repository/pretrain_gpt.py': 'from megatron.training import pretrain\n' };
    const tree = { ...script, '/repository/megatron/training/arguments.py': 'import argparse\n' };
    expect(findingSeverities(own)).not.toContain('error');
    expect(findingSeverities(own)).toContain('warning');
    expect(findingSeverities(own, tree)).toContain('error');
    expect(findingSeverities(own, script)).not.toContain('error');
    const declared = { versions: { 'megatron-core': '0.20' }, variables: {} };
    expect(findingSeverities(own, {}, declared)).toContain('error');
    const elsewhere = own.replace('pretrain_gpt.py', '$ROOT/pretrain_gpt.py');
    expect(findingSeverities(elsewhere)).toContain('warning');
    expect(findingSeverities(elsewhere, script)).not.toContain('warning');
  });

  it('indicate a fork if the script is outside the Megatron-LM around the text', () => {
    const own = `torchrun --nproc_per_node 8 SCRIPT ${model} --my-very-own-thing 3\n`;
    const tree = {
      '/repository/pretrain_gpt.py': 'from megatron.training import pretrain\n',
      '/repository/megatron/training/arguments.py': 'import argparse\n',
      '/repository/megatron/core/package_info.py': 'MAJOR = 0\nMINOR = 20\n',
    };
    const severities = (script: string): readonly string[] =>
      findingSeverities(own.replace('SCRIPT', script), tree);
    expect(severities('pretrain_gpt.py')).toContain('error');
    expect(severities('/scratch/me/Megatron-LM/pretrain_gpt.py')).toContain('warning');
    expect(severities('/scratch/me/Megatron-LM/pretrain_gpt.py')).not.toContain('error');
  });

  it('indicate a fork if they resemble no known option, unless the script is in the workspace', () => {
    const run = (words: string): string => `torchrun --nproc_per_node 8 pretrain_gpt.py ${model} ${words}\n`;
    const none = run('--sequence-paralel --optimizer my-own');
    const two = run('--my-very-own-thing 3 --another-own-thing 4 --optimizer my-own');
    expect(findingSeverities(none)).toContain('error');
    // The parser takes no abbreviations, and no fork has such a name.
    expect(findingSeverities(run('--overlap-grad-red'))).toContain('error');
    expect(findingSeverities(run('--moe-router-lo'))).toContain('error');
    expect(findingSeverities(run('--profile-'))).toContain('error');
    expect(findingSeverities(run('--cpu-offload'))).not.toContain('error');
    // Nor does a fork have a near-miss of a flag beside it, unless it was named after that flag.
    expect(findingSeverities(run('--num-layer 4'))).toContain('error');
    expect(findingSeverities(run('--q-lora-rank 8 --o-lora-rank 8'))).not.toContain('error');
    expect(findingSeverities(two)).toContain('warning');
    expect(findingSeverities(two)).not.toContain('error');
    // A fork may compute something else as well.
    const refused = '--hidden-size 513 --pipeline-model-parallel-size 3';
    expect(findingSeverities(run(refused))).toContain('error');
    const own = '--my-very-own-thing 3 --another-own-thing 4';
    expect(findings(lint(run(`${refused} ${own}`)))).toContain('megatron-lm/heads-divide-hidden-size');
    expect(findingSeverities(run(`${refused} ${own}`))).not.toContain('error');
    const tree = { '/repository/megatron/training/arguments.py': '', '/repository/pretrain_gpt.py': '' };
    expect(findingSeverities(two, tree)).toContain('error');
  });

  it('and choices are valid if the tree that is run declares them', () => {
    const words = '--my-very-own-ratio 3 --optimizer my-own';
    const own = `torchrun --nproc_per_node 8 pretrain_gpt.py ${model} ${words} --num-moe-experts 4\n`;
    const reported = (files: { readonly [path: string]: string }): readonly string[] =>
      lint(own, { ...files, '/repository/pretrain_gpt.py': '' }).findings.flatMap(
        ({ rule, severity, message }) =>
          severity === 'error' ? [`${rule} ${message.split(' ', 1)[0]}`] : [],
      );
    const tree = '/repository/megatron/training/arguments.py';
    const core = '/repository/megatron/core/transformer/transformer_config.py';
    const all = [
      'unknown-option --my-very-own-ratio',
      'invalid-choice --optimizer',
      'unknown-option --num-moe-experts',
    ];
    const farAway = `${' '.repeat(900)}x = 'my-own'`;
    expect(reported({ [tree]: `group.add_argument('--optimizer', choices=['adam'])\n${farAway}\n` })).toEqual(
      all,
    );
    const declared = {
      [tree]: "group.add_argument('--optimizer', choices=['adam', 'my-own'])\n",
      [core]: 'class TransformerConfig:\n    my_very_own_ratio: float = 0.0\n    num_moe_experts: int = 1\n',
    };
    expect(reported(declared)).toEqual(['unknown-option --num-moe-experts']);
  });

  it('and refusals are no errors if another package patches Megatron-LM', () => {
    const refused = `torchrun --nproc_per_node 8 pretrain_gpt.py ${model} --num-layers 3 --pipeline-model-parallel-size 2\n`;
    const tree = { '/repository/megatron/training/arguments.py': 'import argparse\n' };
    const script = (imports: string) => ({ ...tree, '/repository/pretrain_gpt.py': `${imports}\n` });
    expect(findingSeverities(refused, script('from megatron.training import pretrain'))).toContain('error');
    for (const imports of [
      'import mindspeed.megatron_adaptor',
      'from own_megatron import megatron_adaptor',
    ]) {
      expect(findingSeverities(refused, script(imports))).toContain('warning');
      expect(findingSeverities(refused, script(imports))).not.toContain('error');
    }
  });

  it('are silent in forks unless close to a known one', () => {
    const fork = `torchrun --nproc_per_node 8 pretrain_qwen.py ${model}`;
    expect(findings(lint(`${fork} --my-very-own-thing 3\n`))).toEqual([]);
    const near = lint(`${fork} --sequence-paralel\n`).findings.filter(
      ({ rule }) => rule === 'unknown-option',
    );
    expect(near).toMatchObject([{ severity: 'warning' }]);
  });

  it('are reported once if there are many that resemble none', () => {
    const own = ['--own-first 1', '--own-second', '--own-third', '--own-second'];
    const of = (flags: readonly string[]) =>
      lint(
        `torchrun --nproc_per_node 8 pretrain_gpt.py ${model} ${flags.join(' ')} --sequence-paralel\n`,
      ).findings.filter(({ rule }) => rule === 'unknown-option');
    expect(of(own)).toMatchObject([
      {
        severity: 'info',
        message: expect.stringMatching(/^--own-first is .* Nor are 2 more/),
        related: [{}, {}],
      },
      { severity: 'warning', message: expect.stringContaining('--sequence-parallel?') },
    ]);
    expect(of(own.slice(0, 2)).map(({ severity }) => severity)).toEqual(['warning', 'warning', 'warning']);
  });

  it('in large numbers indicate that choices are a fork’s too, unless one is nearly right', () => {
    const of = (words: string) =>
      lint(`torchrun --nproc_per_node 8 pretrain_gpt.py ${model} --own-first 1 --own-second ${words}\n`)
        .findings.filter(({ rule }) => rule === 'invalid-choice')
        .map(({ severity }) => severity);
    expect(of('--optimizer ademamix')).toEqual(['warning']);
    expect(of('--own-third --optimizer ademamix')).toEqual(['info']);
    expect(of('--own-third --optimizer adams')).toEqual(['warning']);
  });

  it('leave errors certain for what every Megatron reads as one number', () => {
    const of = (words: string) =>
      lint(`torchrun --nproc_per_node 8 pretrain_gpt.py ${model} --own-first 1 ${words}\n`)
        .findings.filter(({ rule }) => rule === 'invalid-value' || rule === 'missing-value')
        .map(({ severity }) => severity);
    expect(of('--seed many')).toEqual(['error']);
    expect(of('--global-batch-size --bf16')).toEqual(['error']);
    expect(of('--moe-router-group-topk many')).toEqual(['warning']);
  });

  it('may be abbreviations if a third-party parser reads them', () => {
    const line = `torchrun train.py ${model.replace('--num-attention-heads', '--num-attention-head')} --sequence-paralel`;
    const reported = (flags: string) =>
      findings(lint(`${line} ${flags}\n`)).filter((rule) => rule === 'unknown-option');
    expect(reported('')).toHaveLength(2);
    expect(reported('--num-gpus 8 --num-nodes 2 --precision bf16')).toHaveLength(1);
  });

  it('are silent if the sources in the workspace know them', () => {
    const text = `torchrun --nproc_per_node 8 pretrain_gpt.py ${model} --sequence-paralel\n`;
    const files = {
      '/repository/megatron/training/arguments.py': "group.add_argument('--sequence-paralel')\n",
    };
    expect(findings(lint(text, files))).toEqual([]);
    const own = { '/repository/our_patch/arguments.py': "group.add_argument('--sequence-paralel')\n" };
    const fork = `torchrun --nproc_per_node 8 pretrain_qwen.py ${model} --sequence-paralel\n`;
    expect(findings(lint(fork, own))).toEqual([]);
    expect(findings(lint(text, own))).toEqual(['unknown-option']);
  });

  it('include options of other entry scripts', () => {
    expect(findings(lint(`torchrun --nproc_per_node 8 pretrain_gpt.py ${model} --freeze-LM\n`))).toEqual([
      'unknown-option',
    ]);
    expect(
      findings(
        lint(`torchrun --nproc_per_node 8 pretrain_vlm.py --ckpt-format torch ${model} --freeze-LM\n`),
      ),
    ).toEqual([]);
  });
});

describe('an unknown value', () => {
  it('still counts as a value', () => {
    const rest = `torchrun --nproc_per_node 8 pretrain_gpt.py ${model} --save`;
    for (const save of ['$1', '"$CHECKPOINTS"', '${CHECKPOINTS:-}', '/ckpt/$(date +%s)'])
      expect(findings(lint(`${rest} ${save}\n`)), save).toEqual(['megatron-lm/save-needs-interval']);
    expect(findings(lint(`${rest} $1 --save-interval 10\n`))).toEqual([]);
    expect(findings(lint(`${rest} $1 "$@"\n`))).toEqual(['megatron-lm/save-needs-interval']);
  });
});

describe('a fix beside a misspelt option', () => {
  it('is not safe', () => {
    const text = `torchrun --nproc_per_node 8 pretrain_gpt.py ${model} --sequence-parallel`;
    const safety = (words: string) =>
      lint(`${text}${words}\n`)
        .findings.find(({ rule }) => rule === 'megatron-lm/sequence-parallel-without-tensor-parallel')
        ?.fixes.map((fix) => fix.safety);
    expect(safety('')).toEqual(['safe']);
    expect(safety(' --tensor-parallel-size 4')).toEqual(['suggested']);
  });
});

describe('values', () => {
  it('applies upstream’s converters', () => {
    const base = `torchrun --nproc_per_node 8 pretrain_gpt.py ${model} --num-experts 8 --disable-bias-linear`;
    expect(findings(lint(`${base} --moe-layer-freq '([0]*1+[1]*7)'\n`))).toEqual([]);
    expect(findings(lint(`${base} --moe-layer-freq '([0]*1+[1]*6)'\n`))).toEqual([
      'megatron-lm/expert-pattern-length',
    ]);
    expect(findings(lint(`${base} --moe-layer-freq 'list(8)[0]'\n`))).toEqual(['invalid-value']);
  });

  it.each([
    ['--moe-layer-freq x', 'error', undefined],
    ["--moe-layer-freq '[0]*1+[1]*7)'", 'error', undefined],
    ["--moe-layer-freq '[0]*1+[1]*7+'", 'error', undefined],
    ["--moe-layer-freq '([0]*1 + [1]*7)'", 'warning', '([0]*1+[1]*7)'],
    ["--linear-attention-freq ' 4'", undefined, undefined],
    ["--window-size '(128,0)'", undefined, undefined],
    ["--window-size '128 0'", 'error', '128,0'],
    ["--window-size '128;0'", 'error', undefined],
  ])('reports what the converters refuse and suggests what was meant: %s', (words, severity, meant) => {
    const base = `torchrun --nproc_per_node 8 pretrain_gpt.py ${model} --num-experts 8 --disable-bias-linear`;
    const found = lint(`${base} ${words}\n`).findings.filter(({ rule }) => rule === 'invalid-value');
    expect(found.map((finding) => finding.severity)).toEqual(severity === undefined ? [] : [severity]);
    expect(
      found.flatMap(({ fixes }) =>
        fixes.flatMap(({ edits }) => edits.flatMap(({ newText }) => newText || [])),
      ),
    ).toEqual(meant === undefined ? [] : [meant]);
  });

  it('leaves unknown what the checkpoint decides', () => {
    const text =
      'torchrun --nproc_per_node 8 examples/inference/advanced/gpt_static_inference.py --use-checkpoint-args --load /data/model --tensor-model-parallel-size 1 --tokenizer-type X\n';
    expect(findings(lint(text))).toEqual(['invalid-choice']);
  });

  it('gives no training advice to a program that only generates or evaluates', () => {
    const shape =
      '--num-layers 8 --hidden-size 2048 --num-attention-heads 8 --seq-length 32768 --max-position-embeddings 32768 --micro-batch-size 1 --bf16 --tensor-model-parallel-size 2 --pipeline-model-parallel-size 2 --tokenizer-type NullTokenizer';
    const advice = (program: string): readonly string[] =>
      lint(`torchrun --nproc_per_node 8 ${program} ${shape}\n`).findings.map(({ rule }) => rule);
    const ofTraining = [
      'megatron-lm/state-not-distributed',
      'megatron-lm/few-micro-batches',
      'megatron-lm/long-context-without-recompute',
      'megatron-lm/tensor-parallel-without-sequence-parallel',
    ];
    expect(advice('pretrain_own.py')).toEqual(expect.arrayContaining(ofTraining));
    const modelOptimizer = 'examples/post_training/modelopt';
    expect(advice(`${modelOptimizer}/finetune.py`)).toEqual(expect.arrayContaining(ofTraining));
    const untrained = ['inference_own.py', 'evaluation.py', 'run_text_generation.py'];
    for (const program of [...untrained, `${modelOptimizer}/quantize.py`, `${modelOptimizer}/mmlu.py`])
      expect(advice(program).filter((rule) => ofTraining.includes(rule))).toEqual([]);
  });

  it('does not require what "$@" may give', () => {
    expect(findings(lint('torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 8 "$@"\n'))).toEqual([]);
    expect(findings(lint('torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 8\n'))).toContain(
      'megatron-lm/hidden-size-required',
    );
  });

  it('concludes nothing from an unknown number of GPUs', () => {
    expect(
      findings(lint(`torchrun --nproc_per_node $N pretrain_gpt.py ${model} --global-batch-size 3\n`)),
    ).toEqual([]);
    expect(
      findings(lint(`torchrun --nproc_per_node 2 pretrain_gpt.py ${model} --global-batch-size 3\n`)),
    ).toEqual(['megatron-lm/global-batch-size-divides']);
  });

  it('requires one connection except on Blackwell', () => {
    const text = `torchrun --nproc_per_node 8 pretrain_gpt.py ${model} --tensor-model-parallel-size 2 --sequence-parallel\n`;
    const rule = 'megatron-lm/connections-with-tensor-or-context-parallel';
    expect(findings(lint(text))).toEqual([rule]);
    expect(findings(lint(text, {}, { ...noProfile, computeCapability: 90 }))).toEqual([rule]);
    expect(findings(lint(text, {}, { ...noProfile, computeCapability: 100 }))).toEqual([]);
    expect(findings(lint(`export CUDA_DEVICE_MAX_CONNECTIONS=1\n${text}`))).toEqual([]);
  });
});
