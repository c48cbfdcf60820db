import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../../server/src/rules/finding.ts';
import { noProfile } from '../../../../server/src/value/machine.ts';
import { loadKnowledge, testLinter } from '../../../support/knowledge.ts';
import { memoryHost } from '../../../support/memoryHost.ts';

const knowledge = loadKnowledge();
const script = '/repository/run.sh';
const model =
  '--num-layers 8 --hidden-size 512 --num-attention-heads 8 --seq-length 1024 --max-position-embeddings 1024 --micro-batch-size 1 --bf16 --mock-data --lr 1e-4 --train-iters 10 --eval-interval 1000';

function findingsOf(
  line: string,
  files: { readonly [path: string]: string },
  rest: string = model,
): readonly Finding[] {
  const text = `torchrun --nproc_per_node 8 ${line} ${rest}\n`;
  const { findings } = testLinter(knowledge, memoryHost({ ...files, [script]: text }), noProfile).lint(
    script,
    text,
  );
  return findings;
}

/** The rules of the findings, without advice. */
function reported(...launch: Parameters<typeof findingsOf>): readonly string[] {
  return findingsOf(...launch)
    .filter(({ severity }) => severity !== 'info')
    .map(({ rule }) => rule);
}

const patched = { '/repository/pretrain_gpt.py': 'from mindspeed_own import megatron_adaptor\n' };

describe('the sources of a Megatron-LM fork', () => {
  it.each([
    ["'--rotary-base', type=float, help='base'", '1e6', []],
    ["'--rotary-base', type=float, help='base'", 'ten', ['invalid-value']],
    ["'--rotary-base', type=own_number", 'ten', []],
    ["'--rotary-base', type=int", '1e6', ['invalid-value']],
    ["'--rotary-base', help='base')\n  group.add_argument('--other', type=float", '1e6', ['invalid-value']],
  ])('define the type of an option: %s %s', (declaration, value, expected) => {
    const files = {
      ...patched,
      '/repository/mindspeed_own/training/arguments.py': `group.add_argument(${declaration})\n`,
    };
    expect(reported(`pretrain_gpt.py --rotary-base ${value}`, files)).toEqual(expected);
  });

  it.each([
    ['moe_freq_type', 'x', 'raise ValueError("Invalid pattern")', ['invalid-value']],
    ['moe_freq_type', "'[0] + [1]*7'", 'raise ValueError("Invalid pattern")', ['invalid-value']],
    ['moe_freq_type', "'[0] + [1]*7'", 'return eval(x)', []],
    ['own_freq_type', 'x', '', []],
  ])('define which layer patterns a converter accepts: %s %s %s', (type, value, body, expected) => {
    const files = {
      '/repository/pretrain_gpt.py': 'import megatron\n',
      '/repository/megatron/training/arguments.py': `def ${type}(x):\n  ${body}\ngroup.add_argument('--moe-layer-freq', type=${type}, default=1)\n`,
    };
    const rules = reported(`pretrain_gpt.py --num-experts 8 --moe-layer-freq ${value}`, files);
    expect(rules.filter((rule) => rule === 'invalid-value')).toEqual(expected);
  });

  const declaration = (rest: string): { readonly [path: string]: string } => ({
    '/repository/pretrain_gpt.py': 'import megatron\n',
    '/repository/megatron/core/package_info.py': 'MAJOR = 0\nMINOR = 8\n',
    '/repository/megatron/training/arguments.py': `group.add_argument('--use-mcore-models', action='store_true'${rest})\n`,
  });

  const withTree = (minor: number, declaration: string): { readonly [path: string]: string } => ({
    '/repository/pretrain_gpt.py': 'import megatron\n',
    '/repository/megatron/core/package_info.py': `MAJOR = 0\nMINOR = ${minor}\n`,
    '/repository/megatron/training/arguments.py': `${declaration}\n`,
  });
  const asArgument = (rest: string): string =>
    `group.add_argument('--transformer-impl'${rest},\n  choices=['local', 'transformer_engine'], help='x')`;

  it.each([
    ['the known default', asArgument(", default='transformer_engine'"), ['qk-scaling-variable']],
    ['another default', asArgument(", default='local'"), []],
    ['no default', asArgument(''), []],
    ['a computed default', asArgument(', default=chosen()'), ['qk-scaling-variable']],
    ['a default for another name', asArgument(", dest='other', default='local'"), ['qk-scaling-variable']],
    ['nothing', '', ['qk-scaling-variable']],
  ])('define the defaults that rules rest on: %s', (_, declaration, expected) => {
    const rules = reported(
      'pretrain_gpt.py --apply-query-key-layer-scaling --fp16',
      withTree(8, declaration),
    );
    expect(rules.filter((rule) => rule.endsWith('qk-scaling-variable'))).toEqual(
      expected.map((rule) => `megatron-lm/${rule}`),
    );
  });

  it('have no say over a default that is not used', () => {
    const line =
      'pretrain_gpt.py --apply-query-key-layer-scaling --fp16 --transformer-impl transformer_engine';
    expect(reported(line, withTree(8, asArgument(", default='local'")))).toContain(
      'megatron-lm/qk-scaling-variable',
    );
  });

  it.each([
    ['nothing', {}, ['deprecated-option']],
    ['a package that changes Megatron', patched, []],
    ['one that is imported without its adaptor', { '/repository/pretrain_gpt.py': 'import modellink\n' }, []],
    ['a tree in which it is in use', declaration(", help='Use it.'"), []],
    ['a tree in which it is not', declaration(", dest='deprecated_flag'"), ['deprecated-option']],
  ])('tell whether an option deprecated upstream is in use: %s', (_, files, expected) => {
    const rules = findingsOf('pretrain_gpt.py --use-mcore-models', files).map(({ rule }) => rule);
    expect(rules.filter((rule) => rule === 'deprecated-option')).toEqual(expected);
  });

  it.each([
    ["dest='deprecated_use_mcore_models'", ['Remove --use-mcore-models']],
    [undefined, []],
  ])('tell whether it may go: %s', (rest, titles) => {
    const own = "group.add_argument('--own-option', type=int)\n";
    const files = {
      ...declaration(''),
      '/repository/megatron/training/arguments.py':
        rest === undefined
          ? own
          : `${own}group.add_argument('--use-mcore-models', action='store_true', ${rest})\n`,
    };
    const words = 'pretrain_gpt.py --use-mcore-models --own-option 1 --another-option 2 --a-third-option 3';
    const [found] = findingsOf(words, files).filter(({ rule }) => rule === 'deprecated-option');
    expect(found?.fixes.map(({ title }) => title)).toEqual(titles);
  });

  it.each([
    ["group.add_argument('--max-batch-size', type=int)", []],
    ["group.add_argument('--max-batch-size', type=int, help='Deprecated.')", ['deprecated-option']],
    ["group.add_argument('--other', type=int)", ['deprecated-option']],
  ])(
    'tell whether a package that changes Megatron has taken a flag into use again: %s',
    (source, expected) => {
      const files = {
        '/repository/pretrain_gpt.py': 'from mindspeed_own import megatron_adaptor\n',
        '/repository/megatron/core/package_info.py': 'MAJOR = 0\nMINOR = 16\n',
        '/repository/mindspeed_own/features/own.py': `${source}\n`,
      };
      const rules = findingsOf('pretrain_gpt.py --max-batch-size 4', files).map(({ rule }) => rule);
      expect(rules.filter((rule) => rule === 'deprecated-option')).toEqual(expected);
    },
  );

  it('show list values as given', () => {
    const [first] = findingsOf('pretrain_gpt.py --data-path 1 a 2 b --data-path c', {}).filter(
      ({ rule }) => rule === 'duplicate-option',
    );
    expect(first?.message).toContain('the last one, c, applies');
    const [split] = findingsOf(
      'pretrain_gpt.py',
      {},
      model.replace('--mock-data', '--data-path 1 a 2 b'),
    ).filter(({ rule }) => rule === 'megatron-lm/split-by-default');
    expect(split?.evidence).toContain('--data-path = 1 a 2 b');
  });

  it.each([
    ['from mindspeed_own import megatron_adaptor', ['megatron-lm/layers-divide-stages']],
    ['import own', []],
  ])('identify a program with rollouts of its own: %s', (source, expected) => {
    const files = { '/repository/posttrain_gpt.py': `${source}\n` };
    const words = 'posttrain_gpt.py --rollout-batch-size 2 --pipeline-model-parallel-size 3';
    expect(reported(words, files).filter((rule) => rule === 'megatron-lm/layers-divide-stages')).toEqual(
      expected,
    );
  });

  it.each([
    ['layers-divide-stages', '--pipeline-model-parallel-size 3', ['megatron-lm/layers-divide-stages']],
    ['layers-divide-stages', '--pipeline-model-parallel-size 3 --num-layer-list 3,3,2', []],
    ['layers-divide-stages', '--pipeline-model-parallel-size 3 --mm-model model.json', []],
    [
      'expert-size-by-default',
      '--num-experts 32 --ffn-hidden-size 4096',
      ['megatron-lm/expert-size-by-default'],
    ],
    ['expert-size-by-default', '--num-experts 32 --ffn-hidden-size 4096 --moe-intermediate-size 512', []],
  ])('may disable rules with a flag: %s, %s', (id, words, expected) => {
    const rule = `megatron-lm/${id}`;
    const of = (files: { readonly [path: string]: string }): readonly string[] =>
      reported(`pretrain_gpt.py ${words}`, files).filter((one) => one === rule);
    expect(of(patched)).toEqual(expected);
    expect(of({})).toEqual([rule]);
  });

  it.each([
    ['pretrain_gpt.py --tokenizer-not-use-fast', []],
    ['/opt/MindSpeed-LLM/pretrain_gpt.py', []],
    ['pretrain_gpt.py', ['megatron-lm/te-cross-entropy']],
  ])('are recognised by path or flags if not in the workspace: %s', (entry, expected) => {
    expect(reported(`${entry} --cross-entropy-loss-fusion --cross-entropy-fusion-impl te`, {})).toEqual(
      expected,
    );
  });

  it.each([
    [
      '--recompute-method block --recompute-num-layers 8',
      ['megatron-lm/recompute-options-without-granularity'],
    ],
    ['--recompute-method block --recompute-num-layers 8 --recompute-in-advance', []],
    ['--recompute-num-layers 8 --swap-attention', []],
  ])('may give options another meaning: %s', (words, expected) => {
    expect(reported(`pretrain_gpt.py ${words}`, patched).filter((rule) => rule.startsWith('mega'))).toEqual(
      expected,
    );
  });

  it.each([
    ['mtp-needs-rope', '--mtp-num-layers 1'],
    ['latent-attention-ranks-by-default', '--multi-latent-attention'],
  ])('may leave to a file what %s requires', (id, words) => {
    const rule = `megatron-lm/${id}`;
    expect(reported(`train_own.py ${words}`, {})).toContain(rule);
    expect(reported(`train_own.py ${words} --model-name own-moe-16b`, {})).not.toContain(rule);
  });

  it('may provide with own flags what an unknown program requires', () => {
    const words = '--recompute-granularity full --recompute-method block --pipeline-model-parallel-size 3';
    const rules = ['megatron-lm/full-recompute-needs-layers', 'megatron-lm/layers-divide-stages'];
    const of = (launch: string): readonly string[] =>
      reported(launch, {}).filter((rule) => rules.includes(rule));
    const flags = '--custom-pipeline-layers 3,3,2 --custom-pipeline-recompute-layers 2,2,1';
    expect(of(`train_own.py ${words}`).toSorted()).toEqual(rules);
    expect(of(`train_own.py ${words} ${flags}`)).toEqual([]);
  });

  it('may enable latent attention with a flag of their own', () => {
    const rule = 'megatron-lm/latent-attention-options-without-it';
    const words = 'pretrain_gpt.py --q-lora-rank 512 --kv-lora-rank 512';
    expect(reported(words, patched)).toContain(rule);
    expect(reported(`${words} --multi-head-latent-attention`, patched)).not.toContain(rule);
    expect(reported(`${words} --multi-head-latent-attention`, {})).toContain(rule);
  });

  it.each([
    ['', 'expert-parallel-needs-experts'],
    ['', 'expert-options-without-experts'],
    ['--mm-model examples/model.json', undefined],
    ['--init-from-hf-path /models/own', undefined],
    ['--model-name own-moe-16b', undefined],
    ['--config-file configs/own_moe.yaml', undefined],
  ])('may read the model from a file: %s %s', (words, rule) => {
    const launch = 'pretrain_gpt.py --expert-model-parallel-size 8 --moe-grouped-gemm';
    const rules = reported(`${launch} ${words}`, patched).filter((one) => one.includes('expert'));
    if (rule === undefined) expect(rules).toEqual([]);
    else expect(rules).toContain(`megatron-lm/${rule}`);
  });

  it.each([
    ['torchrun --nproc_per_node 8', ['megatron-lm/connections-with-tensor-or-context-parallel']],
    ['PT_HPU_LAZY_MODE=0 torchrun --nproc_per_node 8', []],
    ['msrun --worker_num 8 --local_worker_num 8', []],
  ])('are adapted to another accelerator: %s', (launcher, expected) => {
    const text = `${launcher} pretrain_gpt.py ${model} --tensor-model-parallel-size 2\n`;
    const { findings } = testLinter(knowledge, memoryHost({ [script]: text }), noProfile).lint(script, text);
    expect(findings.map(({ rule }) => rule).filter((rule) => rule.includes('connections'))).toEqual(expected);
  });

  it('have an optimizer of their own, about which nothing is reported', () => {
    const words = 'pretrain_own.py --use-distributed-optimizer --optimizer';
    const rulesOf = (optimizer: string): readonly string[] =>
      findingsOf(`${words} ${optimizer}`, {}).map(({ rule }) => rule);
    expect(rulesOf('muon')).toContain('megatron-lm/distributed-optimizer-is-replaced');
    expect(rulesOf('fusedadamw')).not.toContain('megatron-lm/distributed-optimizer-is-replaced');
  });

  it('may take decimals where upstream takes whole numbers', () => {
    const launch = 'pretrain_gpt.py --position-embedding-type rope --rotary-base';
    expect(reported(`${launch} 500000.0`, patched)).toEqual([]);
    expect(reported(`${launch} many`, patched)).toEqual(['invalid-value']);
    expect(reported(`${launch} 500000.0`, {})).toEqual(['invalid-value']);
  });

  it('may decide by themselves not to load a mask', () => {
    const rule = 'megatron-lm/loaded-mask-at-long-context';
    const long = 'pretrain_gpt.py --seq-length 131072 --max-position-embeddings 131072';
    const ofModel = (files: { readonly [path: string]: string }): readonly string[] =>
      reported(long, files, model.replaceAll(/--(seq-length|max-position-embeddings) 1024/g, ''));
    expect(ofModel({})).toContain(rule);
    expect(ofModel(patched)).not.toContain(rule);
  });

  it.each([
    ['top-1-needs-pre-softmax', '--num-experts 8 --moe-router-topk 1'],
    ['te-cross-entropy', '--cross-entropy-loss-fusion --cross-entropy-fusion-impl te'],
  ])('may disable %s', (rule, words) => {
    expect(reported(`pretrain_gpt.py ${words}`, {})).toContain(`megatron-lm/${rule}`);
    expect(reported(`pretrain_gpt.py ${words}`, patched)).not.toContain(`megatron-lm/${rule}`);
  });

  it('declare no options without dashes', () => {
    const files = {
      '/repository/pretrain_gpt.py': '',
      '/repository/megatron/training/arguments.py': "x = ['model']\n",
    };
    expect(reported('pretrain_gpt.py --save your model --save-interval 10', files)).toEqual([
      'unknown-option',
    ]);
  });

  it.each([
    ['--own-optimizer-mode', ['unknown-option'], []],
    ['--optimizer own_adam', ['invalid-choice'], []],
    ['--optimizer other_adam', ['invalid-choice'], ['invalid-choice']],
    ['--other-mode', ['unknown-option'], ['unknown-option']],
  ])('may be at the workspace root if the script is not at its path: %s', (words, alone, beside) => {
    const tree = {
      '/repository/Megatron-LM/megatron/training/arguments.py':
        "g.add_argument('--own-optimizer-mode', action='store_true')\ng.add_argument('--optimizer', choices=['adam', 'own_adam'])\n",
    };
    const names = new Set(['unknown-option', 'invalid-choice']);
    const of = (line: string, files: { readonly [path: string]: string }): readonly string[] =>
      findingsOf(`${line} ${words}`, files)
        .map(({ rule }) => rule)
        .filter((rule) => names.has(rule));
    expect(of('/repository/pretrain_gpt.py', {})).toEqual(alone);
    expect(of('/repository/pretrain_gpt.py', tree)).toEqual(beside);
    // An existing script belongs to what surrounds it.
    const own = { '/repository/pretrain_gpt.py': '', '/repository/megatron/training/arguments.py': '' };
    expect(of('pretrain_gpt.py', { ...tree, ...own })).toEqual(alone);
  });

  it('include all of the package that patches it', () => {
    const feature = '/repository/mindspeed_own/features/deep/own.py';
    const declared = { [feature]: 'group.add_argument("--sequence-paralel", action="store_true")\n' };
    expect(reported('pretrain_gpt.py --sequence-paralel', patched)).toEqual(['unknown-option']);
    expect(reported('pretrain_gpt.py --sequence-paralel', { ...patched, ...declared })).toEqual([]);
    expect(reported('pretrain_gpt.py --sequence-paralel', declared)).toEqual(['unknown-option']);
  });
});

it.each([
  ['MAJOR = 0\nMINOR = 12\n', []],
  ['MAJOR = 0\nMINOR = 13\n', ['missing-value']],
])('the functional tests of a tree pass values as its release does: %j', (info, expected) => {
  const path = '/repository/tests/functional_tests/test_cases/gpt/own/model_config.yaml';
  const text = 'MODEL_ARGS:\n  --num-layers: 8\n  --rampup-batch-size: "8 8 1000"\n  --bf16: true\n';
  const host = memoryHost({ [path]: text, '/repository/megatron/core/package_info.py': info });
  const { findings } = testLinter(knowledge, host, noProfile).lint(path, text);
  expect(findings.map(({ rule }) => rule).filter((rule) => rule === 'missing-value')).toEqual(expected);
});

describe('a check whose file a tree', () => {
  const tree = {
    '/repository/pretrain_gpt.py': 'import megatron\n',
    '/repository/megatron/core/package_info.py': 'MAJOR = 0\nMINOR = 19\n',
    '/repository/megatron/training/arguments.py': '',
  };
  const file = '/repository/megatron/training/determinism.py';
  const words =
    'pretrain_gpt.py --deterministic-mode --tp-comm-overlap --sequence-parallel --tensor-model-parallel-size 2';

  it.each([
    [
      'has is certain',
      { [file]: 'for name in ARG_VALUES_REQUIRED_FOR_DETERMINISM: pass' },
      ['error certain'],
    ],
    ['has without it is not made', { [file]: 'def apply(): pass' }, []],
    ['lacks may be made elsewhere', {}, ['warning likely']],
  ])('%s', (_, files, expected) => {
    const found = findingsOf(words, { ...tree, ...files });
    const about = found.filter(({ rule }) => rule === 'megatron-lm/deterministic-options');
    expect(about.map(({ severity, certainty }) => `${severity} ${certainty}`)).toEqual(expected);
  });
});
