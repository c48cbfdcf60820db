import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';

function lint(text: string, rule: string) {
  return lintFile(path, text).findings.filter((finding) => finding.rule === rule);
}

const job = (words: string): string => `ray job submit --address=x ${words} --num-rollout 8\n`;
const training = (words: string): string => `torchrun ${words} --num-layers 4\n`;

describe('submission-without-separator', () => {
  it.each([
    ['python3 train.py', '--num-rollout'],
    ['--no-wait python3 -m relax.entrypoints.train', '-m'],
    ['--runtime-env-json="$JSON" -v python3 train.py', '--num-rollout'],
  ])('is reported and fixed: %s', (words, name) => {
    const text = job(words);
    const [finding, ...more] = lint(text, 'submission-without-separator');
    expect(more).toEqual([]);
    expect(finding?.message).toBe(
      `ray job submit reads ${name} as one of its own options and refuses it; -- is missing before python3.`,
    );
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []);
    expect(fixed).toBe(text.replace('python3', '-- python3'));
    expect(lint(fixed ?? '', 'submission-without-separator')).toEqual([]);
  });

  it.each([
    ['what has the separator', job('-- python3 train.py')],
    ['a program with nothing but options of Ray', 'ray job submit python3 train.py --working-dir .\n'],
    ['words that are not known', job('$OPTIONS python3 train.py')],
    ['a program in quotes', 'ray job submit "python3 train.py --num-rollout 8"\n'],
  ])('is silent for %s', (_, text) => {
    expect(lint(text, 'submission-without-separator')).toEqual([]);
  });
});

describe('an option of a launcher', () => {
  it.each([
    [job('--no-waits -- python3 train.py'), '--no-waits', '--no-wait'],
    [training('--nproc_per_gpu 8 pretrain_gpt.py'), '--nproc_per_gpu', '--nproc_per_node'],
    [training('--nproc-per-noed=8 pretrain_gpt.py'), '--nproc-per-noed', '--nproc-per-node'],
  ])('that does not exist is reported and fixed: %s', (text, name, meant) => {
    const [finding, ...more] = lint(text, 'unknown-option');
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ severity: 'error' });
    expect(finding?.message).toContain(`${name} is not an option here.`);
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []);
    expect(fixed).toBe(text.replace(name, meant));
    expect(lint(fixed ?? '', 'unknown-option')).toEqual([]);
  });

  it('that resembles none may be from a newer release', () => {
    const found = lint(training('--quantum-entanglement pretrain_gpt.py'), 'unknown-option');
    expect(found.map(({ severity, certainty }) => [severity, certainty])).toEqual([['warning', 'likely']]);
  });

  it.each([
    ['eight', '--nproc_per_node eight'],
    ['gpus', '--nproc_per_node gpus'],
    ['8,', '--nproc-per-node=8,'],
    ['two', '--nnodes two --nproc_per_node 8'],
    ['29500x', '--master_port 29500x'],
    ['0', '--nproc_per_node 0'],
    ['0', '--nnodes 0 --nproc_per_node 8'],
    ['4:2', '--nnodes 4:2 --nproc_per_node 8 --rdzv_endpoint h:1 --rdzv_backend c10d'],
    ['soon', '--monitor_interval soon'],
    ['thread', '--start_method=thread'],
    ['0', '--monitor_interval 0 --nproc_per_node 8'],
    ['4', '--tee 4'],
    ['0:3,', '-r 0:3,'],
    ['0;1', '--local-ranks-filter "0;1"'],
    ['timeout:900', '--rdzv-conf timeout:900'],
    ['timeout=900,', '--rdzv_conf timeout=900,'],
    ['long', '--shutdown-timeout long'],
  ])('with a value that is no number or allowed word is reported: %s', (value, options) => {
    const found = lint(training(`${options} pretrain_gpt.py`), 'invalid-value');
    expect(found.map(({ message }) => message).join()).toContain(`not ${value}.`);
  });

  it.each([
    training('--nproc_per_node gpu --nnodes 1:4 --rdzv_id 7 pretrain_gpt.py'),
    training('--nproc_per_node 08 --nnodes 1:1 --monitor_interval 0.5 --start_method fork pretrain_gpt.py'),
    training('--nproc_per_node npu --nnodes=$N --node_rank $RANK --standalone pretrain_gpt.py'),
    training('--tee 3 -r 0:3,1:0 --local-ranks-filter 0,1 --shutdown-timeout 60 pretrain_gpt.py'),
    training(
      '--rdzv-conf "timeout=900, read_timeout=60" --rdzv-conf "" --local-ranks-filter "" pretrain_gpt.py',
    ),
    training('--nproc_per_nod 8 --master-addr x --local_addr y -t 3 --role z pretrain_gpt.py'),
    'ft_launcher --ft-rank_timeouts 5 --nproc_per_node 8 pretrain_gpt.py --num-layers 4\n',
  ])('is accepted: %s', (text) => {
    expect([...lint(text, 'unknown-option'), ...lint(text, 'invalid-value')]).toEqual([]);
  });
});

describe('file-as-module', () => {
  it.each([
    ['torchrun -m --nproc_per_node 8 pretrain_gpt.py', 'torchrun --nproc_per_node 8 pretrain_gpt.py'],
    ['torchrun --nproc_per_node 8 -m pretrain_gpt.py', 'torchrun --nproc_per_node 8 pretrain_gpt.py'],
    ['python -m pretrain_gpt.py', 'python pretrain_gpt.py'],
  ])('is reported and fixed: %s', (broken, mended) => {
    const text = `${broken} --num-layers 4\n`;
    const [finding, ...more] = lint(text, 'file-as-module');
    expect(more).toEqual([]);
    expect(applyEdits(text, finding?.fixes[0]?.edits ?? [])).toBe(`${mended} --num-layers 4\n`);
    expect(lint(`${mended} --num-layers 4\n`, 'file-as-module')).toEqual([]);
  });

  it('is silent for a module', () => {
    expect(
      lint('python -m torch.distributed.run pretrain_gpt.py --num-layers 4\n', 'file-as-module'),
    ).toEqual([]);
  });
});

describe('launcher-option-behind-program', () => {
  const rule = 'launcher-option-behind-program';

  it.each([
    ['pretrain_gpt.py --nproc_per_node 8 --nnodes=2', '--nproc_per_node 8 --nnodes=2 pretrain_gpt.py'],
    ['pretrain_gpt.py ${D[@]}', '${D[@]} pretrain_gpt.py'],
  ])('is reported once and fixed: %s', (broken, mended) => {
    const text = (words: string): string => `D=(--nproc_per_node 8 --master_port 6000)\n${training(words)}`;
    const [finding, ...more] = lint(text(broken), rule);
    expect(more).toEqual([]);
    expect(finding?.message).toContain('--nproc_per_node comes after pretrain_gpt.py');
    expect(lint(text(broken), 'unknown-option')).toEqual([]);
    expect(applyEdits(text(broken), finding?.fixes[0]?.edits ?? [])).toBe(text(mended));
    expect(lint(text(mended), rule)).toEqual([]);
  });

  it('is silent for an option that a fork’s program may have', () => {
    expect(lint(training('pretrain_gpt.py --master_port 6000'), rule)).toEqual([]);
  });
});

describe('program-option-before-program', () => {
  const rule = 'program-option-before-program';

  it.each([
    [
      '--nproc_per_node 8 --hidden-size 64 pretrain_gpt.py',
      '--nproc_per_node 8 pretrain_gpt.py --hidden-size 64',
    ],
    ['--bf16 --seed 1 --nnodes=2 pretrain_gpt.py', '--nnodes=2 pretrain_gpt.py --bf16 --seed 1'],
    ['--nnodes=2 "${A[@]}" pretrain_gpt.py', '--nnodes=2 pretrain_gpt.py "${A[@]}"'],
    [
      '\\\n  --bf16 \\\n  --seed 1 \\\n  pretrain_gpt.py \\\n ',
      '\\\n  pretrain_gpt.py \\\n  --bf16 \\\n  --seed 1 \\\n ',
    ],
  ])('is reported once and fixed: %s', (broken, mended) => {
    const text = (words: string): string => `A=(--bf16 --seed 1)\n${training(words)}`;
    const [finding, ...more] = lint(text(broken), rule);
    expect(more).toEqual([]);
    expect(finding?.message).toMatch(/^--[a-z0-9-]+ comes before pretrain_gpt.py, so torchrun gets it/);
    expect(lint(text(broken), 'unknown-option')).toEqual([]);
    expect(lint(text(broken), 'launcher-option-behind-program')).toEqual([]);
    expect(applyEdits(text(broken), finding?.fixes[0]?.edits ?? [])).toBe(text(mended));
    expect(lint(text(mended), rule)).toEqual([]);
  });

  it('is not fixed if launcher options come from the same variable', () => {
    const [finding] = lint(`A="--nnodes 2 --bf16"\n${training('$A pretrain_gpt.py')}`, rule);
    expect(finding?.fixes).toEqual([]);
  });

  it.each([
    ['an option that the program has not either', training('--quantum-entanglement 1 pretrain_gpt.py')],
    ['a program that is not known', training('--bf16 mine.py')],
    ['words that may hold the program', training('$WORDS --bf16 pretrain_gpt.py')],
    ['another program', training('wrapper --bf16 pretrain_gpt.py')],
  ])('is silent for %s', (_, text) => {
    expect(lint(text, rule)).toEqual([]);
  });
});

describe('program options before the program, passed to Python', () => {
  const rule = 'program-option-before-program';
  const words = '--num-layers 4 --num-attention-heads 4';

  it.each([
    [`--hidden-size 64 pretrain_gpt.py ${words}`, `pretrain_gpt.py --hidden-size 64 ${words}`],
    [`-u --bf16 pretrain_gpt.py ${words}`, `-u pretrain_gpt.py --bf16 ${words}`],
  ])('are reported once and fixed: %s', (broken, mended) => {
    const [finding, ...more] = lint(`python3 ${broken}\n`, rule);
    expect(more).toEqual([]);
    expect(finding?.message).toContain('comes before pretrain_gpt.py, so python gets it');
    expect(applyEdits(`python3 ${broken}\n`, finding?.fixes[0]?.edits ?? [])).toBe(`python3 ${mended}\n`);
    expect(lint(`python3 ${mended}\n`, rule)).toEqual([]);
  });

  it.each([
    ['an option of Python', `python3 --check-hash-based-pycs always pretrain_gpt.py ${words}`],
    ['one that the program has not either', `python3 --quantum pretrain_gpt.py ${words}`],
    ['options of a launcher', `python3 -m torch.distributed.run --nproc_per_node 8 pretrain_gpt.py ${words}`],
  ])('are not reported for %s', (_, text) => {
    expect(lint(`${text}\n`, rule)).toEqual([]);
  });
});

describe('misspelt-module', () => {
  const rule = 'misspelt-module';

  it.each([
    ['torch.distributed.runn', 'torch.distributed.run', training('pretrain_gpt.py').slice('torchrun'.length)],
    ['torch.distrbuted.run', 'torch.distributed.run', training('pretrain_gpt.py').slice('torchrun'.length)],
    ['skyrl.train.entrypoint.main_base', 'skyrl.train.entrypoints.main_base', ' trainer.epochs=1\n'],
    ['skyrl.train.entrypoints.main_bse', 'skyrl.train.entrypoints.main_base', ' trainer.epochs=1\n'],
  ])('reports %s and fixes it', (module, meant, rest) => {
    const [finding, ...more] = lint(`python -m ${module}${rest}`, rule);
    expect(more).toEqual([]);
    expect(finding?.message).toBe(`No module ${module} is known. Did you mean ${meant}?`);
    const fixed = applyEdits(`python -m ${module}${rest}`, finding?.fixes[0]?.edits ?? []);
    expect(fixed).toBe(`python -m ${meant}${rest}`);
  });

  it.each(['skyrl.train.entrypoints.main_base2', 'skyrl.train.entrypoints.main_based', 'mine.main_base'])(
    'treats %s as a third-party module',
    (module) => {
      expect(lint(`python -m ${module} trainer.epochs=1\n`, rule)).toEqual([]);
    },
  );
});

it('a module that the workspace has is not misspelt', () => {
  const text = 'python -m skyrl.train.entrypoint.main_base trainer.epochs=1\n';
  const found = (module: string) =>
    lintFile(path, text, { [`/repository/${module}`]: '' }).findings.filter(
      ({ rule }) => rule === 'misspelt-module',
    );
  expect(found('skyrl/other.py')).toHaveLength(1);
  expect(found('skyrl/train/entrypoint/main_base.py')).toEqual([]);
});

describe('options-ended', () => {
  it('is the only finding, and fixed', () => {
    const text = training('--nproc_per_node 8 pretrain_gpt.py -- \\\n  --hidden-size 64');
    const [finding, ...more] = lint(text, 'options-ended');
    expect(more).toEqual([]);
    expect(lint(text, 'unknown-option')).toEqual([]);
    expect(lint(text, 'megatron-lm/shape-required')).toEqual([]);
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []);
    expect(fixed).toBe(text.replace('-- \\', '\\'));
  });

  it('is reported in the middle of the options', () => {
    const text = training('--nproc_per_node 8 pretrain_gpt.py --num-layers 2 -- --hidden-size 64');
    const [finding, ...more] = lint(text, 'options-ended');
    expect(more).toEqual([]);
    expect(finding?.message).toContain('--hidden-size');
    expect(lint(text, 'unknown-option')).toEqual([]);
  });

  it('is reported for a custom program only if that does not split its words there', () => {
    const text =
      'torchrun own.py --hf-dir x -- --num-layers 4 --micro-batch-size 1 --tensor-model-parallel-size 1\n';
    const found = (source: string | undefined): number =>
      lintFile(path, text, source === undefined ? {} : { '/repository/own.py': source }).findings.filter(
        ({ rule }) => rule === 'options-ended',
      ).length;
    expect(found(undefined)).toBe(0);
    expect(found('p.add_argument("megatron_args", nargs=argparse.REMAINDER)\n')).toBe(0);
    expect(found("at = sys.argv.index('--')\n")).toBe(0);
    expect(found('from megatron.training import pretrain\n')).toBe(1);
  });

  it.each([
    ['overrides', 'python -m skyrl.train.entrypoints.main_base -- trainer.strategy=fsdp2\n'],
    ['a separator of the launcher', training('--nproc_per_node 8 -- pretrain_gpt.py')],
  ])('is silent for %s', (_, text) => {
    expect(lint(text, 'options-ended')).toEqual([]);
  });
});

describe('nodes-without-address', () => {
  const rule = 'nodes-without-address';
  const program = 'pretrain_gpt.py';

  it.each([
    [`--nproc_per_node 8 --nnodes 2 ${program}`, '--master_addr 10.0.0.1 --nnodes 2'],
    [`--nproc-per-node=8 --nnodes=4 --node-rank $RANK ${program}`, '--master-addr 10.0.0.1 --nnodes=4'],
    [`--nnodes 2:4 --rdzv_backend c10d ${program}`, '--rdzv_endpoint 10.0.0.1:29400 --nnodes 2:4'],
    [
      `--nnodes 2 --rdzv_backend=c10d --master_addr x ${program}`,
      '--rdzv_endpoint 10.0.0.1:29400 --nnodes 2',
    ],
  ])('is reported with an example to fill in: %s', (words, mended) => {
    const text = training(words);
    const [finding, ...more] = lint(text, rule);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ severity: 'warning', certainty: 'likely' });
    expect(finding?.fixes.map(({ safety }) => safety)).toEqual(['example']);
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []) ?? '';
    expect(fixed).toContain(mended);
    expect(lint(fixed, rule)).toEqual([]);
  });

  it.each([
    ['D=(--nnodes 2)', '${D[@]}', 'D=(--master_addr 10.0.0.1 --nnodes 2)'],
    ['D="--nnodes 2"', '$D', 'D="--master_addr 10.0.0.1 --nnodes 2"'],
    ["D='--nnodes 2'", '$D', "D='--master_addr 10.0.0.1 --nnodes 2'"],
  ])('is fixed where the number is written: %s', (assignment, use, mended) => {
    const text = `${assignment}\n${training(`${use} ${program}`)}`;
    expect(applyEdits(text, lint(text, rule)[0]?.fixes[0]?.edits ?? [])).toContain(mended);
  });

  it('has no example if the option is quoted', () => {
    expect(lint(training(`"--nnodes" 2 ${program}`), rule).map(({ fixes }) => fixes)).toEqual([[]]);
  });

  it.each([
    training(`--nnodes 1 --nproc_per_node 8 ${program}`),
    training(`--nnodes 1:4 ${program}`),
    training(`--nnodes $N ${program}`),
    training(`--nnodes 2 --master_addr $MASTER ${program}`),
    training(`--nnodes 2 --rdzv-endpoint=x:1 ${program}`),
    training(`--nnodes 2 --rdzv_backend etcd ${program}`),
    training(`--nnodes 2 --rdzv_backend c10d --rdzv_conf store_type=file ${program}`),
    training(`--nnodes 2 $MORE ${program}`),
    training(`--nnodes 2 "$@" ${program}`),
    `PET_MASTER_ADDR=x ${training(`--nnodes 2 ${program}`)}`,
    `srun --export=ALL,PET_RDZV_ENDPOINT=x:1 ${training(`--nnodes 2 ${program}`)}`,
    `source /etc/cluster.sh\n${training(`--nnodes 2 ${program}`)}`,
  ])('is silent: %s', (text) => {
    expect(lint(text, rule)).toEqual([]);
  });
});
