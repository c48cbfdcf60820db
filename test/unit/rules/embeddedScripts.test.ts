import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { display } from '../../../server/src/value/word.ts';
import { loadKnowledge, testLinter } from '../../support/knowledge.ts';
import { lintFile } from '../../support/lintFile.ts';
import { memoryHost } from '../../support/memoryHost.ts';

const knowledge = loadKnowledge();
const path = '/repository/job.yaml';

/** A SkyPilot job that runs lines of a script. */
const job = (...lines: readonly string[]): string =>
  `resources:\n  accelerators: H100:8\nrun: |\n${lines.map((line) => `  ${line}\n`).join('')}`;

function lint(text: string, rule: string) {
  return lintFile(path, text)
    .findings.filter((finding) => finding.rule === rule)
    .map(({ message, place: { span }, fixes }) => ({
      message,
      at: text.slice(span.start, span.end),
      fixed: fixes[0] === undefined ? undefined : applyEdits(text, fixes[0].edits),
    }));
}

const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 64';

describe('a script in a YAML file', () => {
  it('gets a finding where Bash stops reading it', () => {
    const [found, ...more] = lint(job(`echo $(date`, launch), 'shell-syntax');
    expect(more).toEqual([]);
    expect(found).toMatchObject({ message: 'Bash stops reading here: $( is never closed.', at: '$' });
  });

  it('gets findings on expansions that Bash refuses', () => {
    const [found] = lint(job('echo hi', `${launch} --lr \${args.lr}`), 'refused-expansion');
    expect(found?.at).toBe('${args.lr}');
  });

  it('gets findings on placeholders', () => {
    const text = job('echo hi', launch.replace('--nproc_per_node 8', '<options>'));
    expect(lint(text, 'placeholder')[0]?.at).toBe('<options>');
  });

  it('continues with lines that lost their backslash, and the fix keeps the indentation', () => {
    const text = job(launch, '  --lr 1 \\', '  --seed 1');
    expect(lint(text, 'missing-continuation')).toEqual([
      {
        message: 'The command ends on the line above, so Bash takes --lr for a separate command.',
        at: '--lr',
        fixed: job(`${launch} \\`, '  --lr 1 \\', '  --seed 1'),
      },
    ]);
    expect(lint(text, 'megatron-lm/sequence-length-required')).toHaveLength(1);
  });

  it('gets no findings on what a template fills in, however it is quoted', () => {
    const given = (value: string) => lint(job(`${launch} --lr ${value}`), 'invalid-value');
    expect(given('{{x}}0')).toEqual([]);
    expect(given(`'\${{ inputs.lr }}'`)).toEqual([]);
    expect(given(`"{{ .Values.lr }}"`)).toEqual([]);
    expect(given(`'1 1'`)).toHaveLength(1);
    const within = job(`bash -c '${launch} --lr {{x}} --seed x'`);
    expect(lint(within, 'invalid-value').map(({ at }) => at)).toEqual(['x']);
    const other = job(`if [ '\${{ inputs.on }}' = 'true' ]; then ${launch} --seed x; fi`);
    expect(lint(other, 'invalid-value').map(({ at }) => at)).toEqual(['x']);
  });

  it('gets findings on arrays, dashes and options that nothing passes', () => {
    const text = job('A=(--seed 1 --bf16)', 'B=(--lr 1)', `${launch} $A —recompute-granularity full`);
    expect(lint(text, 'array-expansion')[0]?.fixed).toContain('"${A[@]}"');
    expect(lint(text, 'typographic-character')[0]?.at).toBe('—');
    expect(lint(text, 'unused-options')[0]?.at).toBe('B');
  });

  it('gets no findings on files, which are looked up where it runs', () => {
    expect(lint(job('source ./env.sh', launch), 'missing-source')).toEqual([]);
  });

  it('is left alone if it launches none of our frameworks', () => {
    const text = job('A=(--seed 1)', 'echo ${a.b} $(date');
    for (const rule of ['shell-syntax', 'refused-expansion', 'unused-options'])
      expect(lint(text, rule)).toEqual([]);
  });

  it('is not reported to lack variables that an image or a file may set', () => {
    const container = (more: string) =>
      `image: x\n${more}command: [torchrun, --nproc_per_node=8, pretrain_gpt.py, --tensor-model-parallel-size=8]\n`;
    const severity = (text: string) =>
      lintFile(path, text)
        .findings.filter(({ rule }) => rule === 'megatron-lm/connections-with-tensor-or-context-parallel')
        .map((finding) => finding.severity);
    expect(severity(container(''))).toEqual(['warning']);
    expect(severity(container('envFrom: [{secretRef: {name: x}}]\n'))).toEqual([]);
    expect(severity(container('env_file: .env\n'))).toEqual([]);
    expect(severity(container('env: {CUDA_DEVICE_MAX_CONNECTIONS: "8"}\n'))).toEqual(['error']);
  });
});

describe('a container that runs a shell script', () => {
  const script =
    'torchrun --nproc_per_node $1 --nnodes $NODES pretrain_gpt.py --num-layers 4 --hidden-size 64 "$@"\n';
  const pod = (command: string): string => `kind: Pod
spec:
  containers:
    - name: train
      image: registry/train:1
      env: [{name: NODES, value: "2"}]
      command: ${command}
`;
  const launchesOf = (command: string) =>
    testLinter(knowledge, memoryHost({ '/repository/scripts/run.sh': script }))
      .lint(path, pod(command))
      .launches.map(({ args, worldSize }) => ({
        behind: args.slice(4).map(display).join(' '),
        gpus: worldSize.kind === 'known' ? worldSize.data : undefined,
      }));

  it.each([
    ['[bash, scripts/run.sh, "4"]', '4', 8],
    ['[bash, scripts/run.sh]\n      args: ["4", a b]', '4 a b', 8],
    ['[tini, --, bash, scripts/run.sh, "4", "{{inputs.x}}"]', '4 $WORKFLOW_EXPRESSION', 8],
    ['[/bin/bash, -lc, bash scripts/run.sh 4]', '4', 8],
  ])('%s starts what the script starts, with its arguments and variables', (command, behind, gpus) => {
    expect(launchesOf(command)).toEqual([{ behind, gpus }]);
  });

  it('is no launch if the workspace lacks the script, which is not reported', () => {
    const text = pod('[bash, other.sh, "4"]');
    const report = testLinter(knowledge, memoryHost({})).lint(path, text);
    expect([report.launches, report.findings]).toEqual([[], []]);
  });
});
