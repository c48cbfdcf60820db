import { describe, expect, test } from 'vitest';
import { display } from '../../../server/src/value/word.ts';
import { lintFile } from '../../support/lintFile.ts';

describe('a file whose name makes it a YAML template', () => {
  const job = `kind: PyTorchJob
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: \${NUM_NODES}
      template:
        spec:
          containers:
            - image: \${IMAGE}
              command: [torchrun, "--nproc_per_node=\${GPUS}", "--nnodes=\${NUM_NODES}"]
              args:
                - pretrain_gpt.py
                - --tensor-model-parallel-size=\${TP}
                - --num-layers=twelve
                - --hidden-size=512
                - --num-attention-heads=8
                - --seq-length=\${SEQ}
`;
  const reported = (path: string, text: string) =>
    lintFile(path, text).findings.filter(({ severity }) => severity !== 'info');

  test('contains what it starts', () => {
    const found = lintFile('/repository/job.yaml-template', job);
    expect(found.runs.map(({ framework }) => framework)).toEqual(['megatron-lm']);
    expect(found.findings.map(({ rule }) => rule)).toContain('invalid-value');
  });

  test('is no configuration, as what is filled in is unknown', () => {
    const config = 'MODEL_ARGS:\n  --num-layers: ${LAYERS}\n  --hidden-size: wide\n';
    expect(reported('/repository/model_config.yaml', config)).not.toEqual([]);
    expect(lintFile('/repository/model_config.yaml.j2', config)).toMatchObject({ runs: [], findings: [] });
    expect(reported('/repository/model_config.yaml.j2', 'MODEL_ARGS: [\n')).toEqual([]);
  });

  const launched = (line: string): readonly string[] =>
    lintFile('/repository/job.yaml.j2', `command: |\n  python pretrain_gpt.py ${line}\n`).launches.map(
      ({ args }) => args.map(display).join(' '),
    );
  const open = '$WORKFLOW_EXPRESSION';

  test.each([
    ['--lr 1 {% if foo %}--bf16{% else %}--fp16{% endif %} --seed 2', `--lr 1 ${open} --seed 2`],
    ['--lr 1 {% if foo %} --bf16 {% endif %} --seed 2', `--lr 1 ${open} --seed 2`],
    ['{%- for k, v in more.items() %} --{{ k }} {{ v }} {% endfor -%} --seed 2', `${open} --seed 2`],
    ['{{ range .More }}{{ if .On }} {{ . }} {{ end }}{{ end }} --seed 2', `${open} --seed 2`],
    ['--seed 2 {# not (any more #}', '--seed 2'],
    ["--seed {% set x = 'it' %}2", `--seed ${open}2`],
    ['--seed ${#LIST[@]} #}', '--seed ${#LIST[@]}'],
    ["--seed '{%s: %d%}'", '--seed {%s: %d%}'],
  ])('leaves open what depends on a condition within a line: %s', (line, wanted) => {
    expect(launched(line)).toEqual([wanted]);
  });

  const started = (script: string): readonly string[] =>
    lintFile('/repository/job.yaml.j2', `command: |\n  ${script.replaceAll('\n', '\n  ')}\n`).launches.map(
      ({ entry, args }) => [entry?.kind ?? '', ...args.map(display)].join(' '),
    );

  test.each([
    [
      '{% if ddp %}torchrun pretrain_gpt.py --lr 1{% else %}python pretrain_gpt.py --lr 2{% endif %}',
      ['script --lr 1', 'script --lr 2'],
    ],
    ['{%- if on -%} python pretrain_gpt.py --lr 1 {%- endif -%}', ['script --lr 1']],
    [
      '{{ if .A }}LR=1{{ else if .B }}{{ else }}LR=2{{ end }}\npython pretrain_gpt.py --lr ${LR:-3}',
      ['script --lr 1', 'script --lr 2'],
    ],
    ['python pretrain_gpt.py \\\n{% if a %}--lr 1{% endif %}', [`script ${open}`]],
    ['A=(\n{{ if .B }}1 2{{ end }}\n)\npython pretrain_gpt.py --lr 1', ['script --lr 1']],
    [
      'echo "\n{{ if .B }}still quoted{{ else }}or not{{ end }}\n"\npython pretrain_gpt.py --lr 1',
      ['script --lr 1'],
    ],
    ['cat > notes <<E\n{{ if .B }}text (here{{ end }}\nE\npython pretrain_gpt.py --lr 1', ['script --lr 1']],
  ])('starts a command that stands in such a condition: %s', (script, wanted) => {
    expect(started(script).toSorted()).toEqual(wanted);
  });
});
