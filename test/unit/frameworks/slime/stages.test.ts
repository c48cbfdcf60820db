import { describe, expect, it } from 'vitest';
import { loadKnowledge, testLinter } from '../../../support/knowledge.ts';
import { memoryHost } from '../../../support/memoryHost.ts';

const knowledge = loadKnowledge();
const script = '/repository/run.sh';
const model =
  '--num-layers 24 --hidden-size 896 --ffn-hidden-size 4864 --num-attention-heads 14 --hf-checkpoint /models/ours --ref-load /models/ours_torch_dist --prompt-data /data/p.jsonl --rm-type math --rollout-batch-size 32 --n-samples-per-prompt 8 --global-batch-size 256 --num-rollout 10 --rollout-num-gpus 8 --actor-num-gpus-per-node 8 --eps-clip 0.2';

/** The errors of a slime launch with more words and a file of settings. */
function errors(words: string, file = '', command = 'python3 train.py'): string[] {
  const text = `${command} ${model} ${file === '' ? '' : '--custom-config-path s.yaml'} ${words}\n`;
  const host = memoryHost({ [script]: text, '/repository/s.yaml': file });
  return testLinter(knowledge, host)
    .lint(script, text)
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ rule }) => rule);
}

describe('the file of --custom-config-path, which is read last', () => {
  it('accepts the launch without it', () => {
    expect(errors('')).toEqual([]);
  });

  it.each([
    ['rollout_temperature: 0', '--rollout-temperature 0'],
    ['advantage_estimator: reinforce_plus_plus', '--advantage-estimator reinforce_plus_plus'],
    ['eval_interval: 10', '--eval-interval 10'],
    ['over_sampling_batch_size: 8', '--over-sampling-batch-size 8'],
    ['use_opd: true', '--use-opd'],
    ['get_mismatch_metrics: true', '--get-mismatch-metrics'],
    ['enable_mtp_training: true', '--enable-mtp-training'],
  ])('may set what the command line may not: %s', (file, words) => {
    expect(errors('', file)).toEqual([]);
    expect(errors(words)).not.toEqual([]);
  });

  it('fixes nothing that is checked earlier', () => {
    expect(errors('--rollout-temperature 0', 'rollout_temperature: 1.0')).toEqual([
      'slime/rollout-temperature-not-positive',
    ]);
    const lone = '--advantage-estimator reinforce_plus_plus';
    expect(errors(lone, 'normalize_advantages: true')).toEqual([
      'slime/reinforce-needs-normalised-advantages',
    ]);
    expect(errors(`${lone} --normalize-advantages`)).toEqual([]);
  });
});

describe('a runtime environment with an unknown part', () => {
  const submit = (json: string): string => `ray job submit --runtime-env-json="${json}" -- python3 train.py`;
  const parallel = '--tensor-model-parallel-size 2 --sequence-parallel';
  const connections = 'megatron-lm/connections-with-tensor-or-context-parallel';

  it('may hold any variable if the part is outside quotes', () => {
    for (const json of ['{\\"env_vars\\": $E}', '{\\"env_vars\\": {\\"PYTHONPATH\\": \\"/x\\", ${E}}}'])
      expect(errors(parallel, '', submit(json))).not.toContain(connections);
    for (const json of [
      '{\\"env_vars\\": {\\"PYTHONPATH\\": \\"${E}\\"}}',
      '{\\"env_vars\\": {\\"PYTHONPATH\\": \\"/x\\"}}',
    ])
      expect(errors(parallel, '', submit(json))).toContain(connections);
  });
});

describe('engines that run elsewhere', () => {
  it('keep the number of GPUs that the command line gives each', () => {
    const outside = '--rollout-external-engine-addrs h:1 --sglang-pp-size 2';
    expect(errors(outside)).not.toEqual([]);
    expect(errors(`${outside} --rollout-num-gpus-per-engine 2`)).toEqual([]);
  });
});
