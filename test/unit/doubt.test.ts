import { describe, expect, it } from 'vitest';
import { loadKnowledge, testLinter } from '../support/knowledge.ts';
import { lintFile } from '../support/lintFile.ts';
import { memoryHost } from '../support/memoryHost.ts';

const knowledge = loadKnowledge();

/** The findings about a launch with three tensor-parallel ranks for eight heads, and about a flag that takes a number. */
function reported(before: string, line = '--tensor-model-parallel-size $TP'): readonly string[] {
  const rest = '--num-layers 12 --hidden-size 512 --num-attention-heads 8 --max-position-embeddings 64';
  const text = `TP=3\nN=few\n${before}\ntorchrun --nproc_per_node 8 pretrain_gpt.py ${line} ${rest} --seq-length 64 --micro-batch-size 1\n`;
  const files = { '/w/run.sh': text, '/w/known.sh': 'PP=2\n', '/w/jobs/size.sh': 'TP=3\n' };
  const rules = ['megatron-lm/heads-divide-tensor-parallel', 'invalid-value'];
  return testLinter(knowledge, memoryHost(files, '/w'))
    .lint('/w/run.sh', text)
    .findings.filter(({ rule }) => rules.includes(rule))
    .map(({ severity, certainty }) => `${severity} ${certainty}`);
}

describe('the value of a variable', () => {
  it.each([
    'source $CONFIG',
    'source /data/settings.sh',
    // Taken for the workspace's own file.
    'TP=4; source /data/jobs/size.sh',
    'source <(python options.py)',
    'eval "$(python options.py)"',
    'X=$(python options.py); eval $X',
    'export $(grep -v "^#" /data/settings)',
    'for kv in $(python options.py); do declare "$kv"; done',
    'if [ -f /data/settings.sh ]; then source /data/settings.sh; fi',
    'f() { source $CONFIG; }; f',
    'PP=$TP; source $CONFIG; TP=$PP',
    'source /data/functions.sh; TP=3; parse_options "$@"',
  ])('is not certain after %s', (before) => {
    expect(reported(before)).toEqual(['warning likely']);
  });

  it.each([
    '',
    'source known.sh',
    'TP=4; source jobs/size.sh',
    'source /venv/bin/activate',
    'source ~/.bashrc',
    'eval "$(conda shell.bash hook)"',
    'eval "echo $TP"',
    'eval "$PREPARE"',
    'source $CONFIG; TP=3',
    '(source $CONFIG)',
    'bash $CONFIG',
    'readonly TP; source $CONFIG',
    'parse_options "$@"',
    'source /data/functions.sh; TP=3; nvidia-smi; hostname; wc -l x; ./set_up.sh',
  ])('is certain after %s', (before) => {
    expect(reported(before)).toEqual(['error certain']);
  });

  it('matters if a flag refuses it, but not for what the launch sets itself', () => {
    expect(reported('', '--num-workers $N')).toEqual(['error certain']);
    expect(reported('source $CONFIG', '--num-workers $N')).toEqual(['warning likely']);
    expect(reported('source $CONFIG', '--num-workers a$TP')).toEqual(['warning likely']);
    expect(reported('source $CONFIG', '--tensor-model-parallel-size 3')).toEqual(['error certain']);
  });
});

describe('what is missing from the words of a launch', () => {
  const rest =
    '--num-layers 12 --hidden-size 512 --num-attention-heads 8 --seq-length 64 --max-position-embeddings 64 --micro-batch-size 1';
  const certainties = (before: string, words: string): readonly string[] => {
    const text = `${before}\ntorchrun --nproc_per_node 8 pretrain_gpt.py ${rest} --save /checkpoints ${words}\n`;
    return testLinter(knowledge, memoryHost({ '/w/run.sh': text }, '/w'))
      .lint('/w/run.sh', text)
      .findings.filter(({ rule }) => rule === 'megatron-lm/save-needs-interval')
      .map(({ severity, certainty }) => `${severity} ${certainty}`);
  };

  it.each([
    ['source "conf/$1.sh"', '$MODEL_ARGS'],
    ['source "conf/$1.sh"', '${MODEL_ARGS}'],
    ['source "conf/$1.sh"', '"${MODEL_ARGS[@]}"'],
    ['source "conf/$1.sh"; ARGS=("${MODEL_ARGS[@]}" --bf16)', '"${ARGS[@]}"'],
    ['', '$(python options.py)'],
  ])('may be in text that is not read: %s, %s', (before, words) => {
    expect(certainties(before, words)).toEqual([]);
  });

  it.each([
    ['', '$EXTRA_ARGS'],
    ['', '"$@"'],
    ['source "conf/$1.sh"', '"$@"'],
    ['ARGS=(--bf16); source "conf/$1.sh"', '"${ARGS[@]}"'],
    ['source /etc/profile', '$EXTRA_ARGS'],
  ])('is likely missing as written: %s, %s', (before, words) => {
    expect(certainties(before, words)).toEqual(['warning likely']);
  });

  it('is missing if all words are known', () => {
    expect(certainties('source "conf/$1.sh"', '--bf16')).toEqual(['error certain']);
  });
});

describe('a number of processes', () => {
  const severities = (text: string): readonly string[] =>
    lintFile('/w/run.sh', text)
      .findings.filter(({ rule }) => rule === 'megatron-lm/world-size-divides')
      .map(({ severity }) => severity);
  const rest =
    '--tensor-model-parallel-size 2 --num-layers 12 --hidden-size 512 --num-attention-heads 8 --seq-length 64 --micro-batch-size 1';

  it.each([
    ['python', 'warning'],
    ['torchrun', 'error'],
    ['torchrun --nproc-per-node 1', 'error'],
    ['WORLD_SIZE=1 python', 'error'],
    ['srun -N 1 -n 1 python', 'error'],
  ])('is presumed if nothing sets it: %s', (launcher, severity) => {
    expect(severities(`${launcher} pretrain_gpt.py ${rest}\n`)).toEqual([severity]);
  });

  it.each(['export RANK=$OMPI_COMM_WORLD_RANK\npython', 'source /data/mpi.sh\npython'])(
    'is not presumed if something else may set it: %s',
    (launcher) => {
      expect(severities(`${launcher} pretrain_gpt.py ${rest}\n`)).toEqual([]);
    },
  );
});

describe('an unknown word', () => {
  const given = '--tensor-model-parallel-size 3';

  it.each([
    [`${given} $(python options.py)`, 'warning likely'],
    [`${given} "\${MORE[@]}"`, 'warning likely'],
    [`$(python options.py) ${given}`, 'error certain'],
    [`${given} --load $(python options.py)`, 'error certain'],
    [`${given} --load "$(python options.py)"`, 'error certain'],
    [`${given} "$@" $EXTRA`, 'error certain'],
  ])('may hold a setting that overrides those before it: %s', (line, expected) => {
    expect(reported('mapfile -t MORE < /data/options', line)).toEqual([expected]);
  });

  it('does not make the rest of the text that contains it unknown', () => {
    const text = (launch: string) => `D=/data; source $CONFIG; bash -c "cd $D; ${launch}"\ntrue`;
    const launch = `torchrun --nproc_per_node 8 pretrain_gpt.py ${given} --num-attention-heads 8 --hidden-size 64`;
    const files = { '/w/run.sh': text(launch) };
    const found = testLinter(knowledge, memoryHost(files, '/w')).lint('/w/run.sh', text(launch)).findings;
    const heads = found.filter(({ rule }) => rule === 'megatron-lm/heads-divide-tensor-parallel');
    expect(heads.map(({ severity }) => severity)).toEqual(['error']);
  });

  it('may override what an array holds', () => {
    const line = '"${ARGS[@]}"';
    expect(reported(`ARGS=(${given} $(python options.py))`, line)).toEqual(['warning likely']);
    expect(reported(`ARGS=(${given}); source /data/more.sh`, line)).toEqual(['warning likely']);
    expect(reported(`source /data/more.sh; ARGS=(${given})`, line)).toEqual(['error certain']);
  });
});

describe('the environment and the number of GPUs', () => {
  const severities = (text: string, rule: string): readonly string[] =>
    lintFile('/w/run.sh', text)
      .findings.filter((finding) => finding.rule === rule)
      .map(({ severity }) => severity);
  const rest = '--num-layers 12 --hidden-size 512 --num-attention-heads 8 --seq-length 64';

  it.each([
    ['', 'error'],
    ['source /venv/bin/activate', 'error'],
    ['eval "$(conda shell.bash hook)"', 'error'],
    ['source /etc/profile.d/cuda.sh', 'warning'],
    ['source ~/.bashrc', 'warning'],
    ['module load cuda', 'warning'],
    ['eval "$(direnv export bash)"', 'warning'],
    ['source $CONFIG', undefined],
    ['source /data/env.sh', undefined],
    ['source $CONFIG; export CUDA_DEVICE_MAX_CONNECTIONS=8', 'error'],
    ['export CUDA_DEVICE_MAX_CONNECTIONS=8', 'error'],
    ['export CUDA_DEVICE_MAX_CONNECTIONS=8; source $CONFIG', 'warning'],
  ])('may be set by unreadable text: %s', (before, severity) => {
    const text = `${before}\ntorchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 2 ${rest}\n`;
    expect(severities(text, 'megatron-lm/connections-with-tensor-or-context-parallel')[0]).toBe(severity);
  });

  it.each([
    ['docker run --env-file .env img', undefined],
    ['ray job submit --runtime-env env.yaml --', undefined],
    ['ray job submit --runtime-env-json "$(cat env.json)" --', undefined],
    ['ray job submit --', 'error'],
  ])('may be set by a file that a launcher reads: %s', (launcher, severity) => {
    const text = `${launcher} torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 2 ${rest}\n`;
    expect(severities(text, 'megatron-lm/connections-with-tensor-or-context-parallel')[0]).toBe(severity);
  });

  it.each([
    ['N=6', '--nproc_per_node $N', 'error'],
    ['N=6; source $CONFIG', '--nproc_per_node $N', 'warning'],
    ['D="--nproc_per_node 6"; source $CONFIG', '$D', 'warning'],
    ['source $CONFIG', '--nproc_per_node 6', 'error'],
    ['N=6; source $CONFIG; srun -N $N true', '--nproc_per_node 6', 'error'],
  ])('may be different: %s', (before, words, severity) => {
    const text = `${before}\ntorchrun ${words} pretrain_gpt.py --tensor-model-parallel-size 4 ${rest}\n`;
    expect(severities(text, 'megatron-lm/world-size-divides')).toEqual([severity]);
  });
});

describe('what is used when something is unset', () => {
  const model =
    '--num-layers 12 --hidden-size 512 --num-attention-heads 8 --max-position-embeddings 64 --seq-length 64 --micro-batch-size 1';

  const found = (text: string, rule: string) =>
    lintFile('/w/run.sh', text).findings.find((finding) => finding.rule === rule);

  it.each([
    'NODES=${SLURM_NNODES:-1}',
    'NODES=${NNODES:-"1"}',
    ': "${NODES:=1}"',
    'NODES=${1:-1}',
    'NODES=$((2 * ${SLURM_NNODES:-1} / 2))',
    'if [ -n "$SLURM_JOB_NUM_NODES" ]; then NODES=$SLURM_JOB_NUM_NODES; else NODES=1; fi',
  ])('is no certain number of GPUs of the job: %s', (before) => {
    const text = `${before}\ntorchrun --nproc_per_node 8 --nnodes $NODES pretrain_gpt.py ${model} --tensor-model-parallel-size 8 --pipeline-model-parallel-size 2\n`;
    const finding = found(text, 'megatron-lm/world-size-divides');
    expect(finding).toMatchObject({ severity: 'warning', certainty: 'likely' });
    expect(new Set(finding?.fixes.map(({ safety }) => safety))).toEqual(new Set(['example']));
  });

  it('is named if a finding depends on it, which is then likely', () => {
    const text = `TP=\${TP:-3}\ntorchrun --nproc_per_node 8 pretrain_gpt.py ${model} --tensor-model-parallel-size $TP\n`;
    const finding = found(text, 'megatron-lm/heads-divide-tensor-parallel');
    expect(finding).toMatchObject({ severity: 'error', certainty: 'likely' });
    expect(finding?.related.map(({ message }) => message)).toContain(
      '--tensor-model-parallel-size = 3, assuming that TP is not set',
    );
  });

  it.each(['N=${N:-1}', 'N=1', 'for N in 1 2; do'])('is no reason for a safe fix: %s', (before) => {
    const end = before.startsWith('for') ? 'done\n' : '';
    const text = `${before}\ntorchrun --nproc_per_node 8 pretrain_gpt.py ${model} --mtp-num-layers $N --mtp-hsm\n${end}`;
    const safety = (of: string) => found(of, 'megatron-lm/mixing-needs-two-predictions')?.fixes[0]?.safety;
    expect(safety(text)).toBe('suggested');
    expect(safety(text.replace('$N', '1'))).toBe('safe');
  });

  it.each(['TP=${TP:-1}', 'TP=1', 'for TP in 1 2; do', 'ARGS="--sequence-parallel"; TP=1'])(
    'keeps what is of use with another value: %s',
    (before) => {
      const end = before.startsWith('for') ? 'done\n' : '';
      const flag = before.includes('ARGS') ? '$ARGS' : '--sequence-parallel';
      const text = `${before}\ntorchrun --nproc_per_node 8 pretrain_gpt.py ${model} --tensor-model-parallel-size $TP ${flag}\n${end}`;
      const of = (each: string) => found(each, 'megatron-lm/sequence-parallel-without-tensor-parallel');
      expect(of(text)).toBeUndefined();
      expect(of(text.replace('$TP', '1'))?.fixes).toHaveLength(1);
    },
  );

  it.each([
    '--load "${CKPT:-}" --bf16',
    '--load ${CKPT:-} --bf16',
    '--load ${CKPT-""} --bf16',
    '--load $1 --bf16',
    '--load ${1:-} --bf16',
  ])('may be a value after all: %s', (words) => {
    expect(found(`torchrun pretrain_gpt.py ${words}\n`, 'missing-value')).toBeUndefined();
    expect(found('torchrun pretrain_gpt.py --load --bf16\n', 'missing-value')).toBeDefined();
  });
});

describe('what holds only if a program that is not run succeeds', () => {
  const rounds = 'for i in {1..900}; do X="$X $i $i"; Y=$((Y + i)); done; '.repeat(2);

  it.each([
    'if mycheck; then TP=3; else TP=4; fi',
    'mycheck && TP=3 || TP=4',
    'TP=4; ./has_nvlink.sh; if [ $? -eq 0 ]; then TP=3; fi',
    // Not enough steps are left to follow the other branch as well.
    `if mycheck; then TP=3; else TP=4; fi; ${rounds}`,
    `if [ -f /data/x ]; then TP=4; else TP=3; fi; ${rounds}`,
  ])('is not certain: %#', (before) => {
    expect(reported(before)).toEqual(['warning likely']);
  });

  it.each([
    'if mycheck; then TP=3; else exit 1; fi',
    'mycheck || echo none',
    `if mycheck; then PP=1; else PP=2; fi`,
    'git clone x && TP=3 || TP=4',
  ])('is certain: %s', (before) => {
    expect(reported(before)).toEqual(['error certain']);
  });
});
