import { describe, expect, it } from 'vitest';
import { alone, base, findings, launched, script } from './arealRun.ts';

/** A list of two elements, to which a second role refers. */
const withLists = base.replace(
  /- task_type: worker[\s\S]*?env_vars: \{\}/,
  '- {gpu: 1, cmd: rpc}\n    - {gpu: 2, cmd: rpc}',
);

function reported(
  words: string,
  yaml = withLists,
  files: { readonly [path: string]: string } = {},
): string[] {
  return launched(words, { '/repository/config.yaml': yaml, ...files })
    .filter(({ rule }) => /override|invalid-value|missing-config|unknown-option/.test(rule))
    .map(({ rule, severity }) => `${severity} ${rule}`);
}

describe('an override of a list element', () => {
  it.each([
    'actor.scheduling_spec.1.gpu=2',
    '++actor.scheduling_spec.1.cpu=2',
    '+actor.scheduling_spec.0={gpu:1}',
  ])('is accepted if the list has it: %s', (word) => {
    expect(reported(`'${word}'`)).toEqual([]);
  });

  it.each([
    '++actor.scheduling_spec.2.gpu=2',
    '+actor.scheduling_spec.7={gpu:1}',
    'actor.scheduling_spec.7=',
    '++actor.scheduling_spec.gpu=2',
    '~actor.scheduling_spec.0',
    '~actor.scheduling_spec.2.gpu',
    'actor.scheduling_spec.-1.gpu=2',
    'actor.scheduling_spec.01.gpu=2',
  ])('is refused if the list lacks it or it is not an index: %s', (word) => {
    expect(reported(`'${word}'`)).toEqual(['error invalid-override']);
  });

  it.each([
    'actor.mb_spec=[]',
    '++actor.mb_spec=[1]',
    '++actor={mb_spec:[1]}',
    'actor.scheduling_spec={}',
    '+actor.scheduling_spec={gpu:1}',
  ])('cannot replace a map with a list or vice versa: %s', (word) => {
    const found = launched(`'${word}'`, { '/repository/config.yaml': withLists });
    const messages = found.flatMap(({ rule, message }) => (rule === 'invalid-override' ? [message] : []));
    expect(messages).toEqual([expect.stringContaining('does not take its place')]);
  });

  it('is written with a dot, not in brackets', () => {
    const [found] = launched("'actor.scheduling_spec[1].gpu=2'", { '/repository/config.yaml': withLists });
    expect(found?.message).toContain('Hydra takes an index after a dot, as in actor.scheduling_spec.1.gpu');
    expect(found?.fixes[0]?.edits[0]?.newText).toBe('actor.scheduling_spec.1.gpu');
  });

  it('uses = alone, not :=', () => {
    const [found] = launched('actor.path:=/m');
    expect(found?.message).toContain('Hydra takes “=” alone, and no “:=”');
    expect(found?.fixes[0]?.edits[0]?.newText).toBe('actor.path');
  });

  it('cannot set through a reference to the list, but can delete through one', () => {
    const [found] = launched('++rollout.scheduling_spec.0.gpu=2', { '/repository/config.yaml': withLists });
    expect(found?.message).toContain('that element is actor.scheduling_spec.0.gpu');
    expect(reported('~rollout.scheduling_spec.0.gpu')).toEqual([]);
  });

  it('reports nothing about an unknown list', () => {
    expect(reported('actor.scheduling_spec=$SPEC actor.scheduling_spec.4.gpu=2')).toEqual([]);
  });
});

describe('an override that deletes a key', () => {
  it.each([
    '~train_dataset={}',
    '~train_dataset=64',
    '~train_dataset.batch_size=[64]',
    '~actor.scheduling_spec=[{gpu:1,cmd:rpc}]',
    '~tokenizer_path=other',
    // What references resolve to makes no difference here.
    '~sglang={a:1}',
    '~sglang=[1]',
  ])('is refused if the key has another value: %s', (word) => {
    expect(reported(`'${word}'`)).toContain('error invalid-override');
  });

  it.each([
    '~actor.scheduling_spec=[{gpu:1,cmd:rpc},{cmd:rpc,gpu:2}]',
    '~train_dataset.batch_size=64.0',
    '~sglang={model_path:Qwen/Qwen3-8B,random_seed:1,context_length:32768,mem_fraction_static:0.8}',
  ])('is accepted if the value is the same: %s', (word) => {
    expect(reported(`'${word}'`)).not.toContain('error invalid-override');
  });
});

describe('an override with references in a list or map', () => {
  it('is checked like any other list or map', () => {
    expect(reported("'train_dataset.batch_size=[${seed}]'")).toEqual(['error invalid-value']);
    expect(reported("'++gconfig.stop_token_ids=[${seed}]'")).toEqual([]);
    expect(reported("'++actor.mb_spec={n_mbs:${seed}}'")).toEqual([]);
    expect(reported("'++actor.mb_spec={nmbs:${seed}}'")).toEqual(['error unknown-option']);
  });

  it('adds a value where the file only has ???', () => {
    expect(
      reported('+train_dataset.path=x', base.replace(/(train_dataset:[\s\S]*?path: ).*/, '$1???')),
    ).toEqual([]);
  });
});

describe('the defaults list of a configuration', () => {
  const listed = (defaults: string, files: { readonly [path: string]: string } = {}): string[] =>
    findings('/repository/run.sh', {
      '/repository/train.py': script,
      '/repository/run.sh': 'python3 train.py --config config.yaml scheduler.type=local\n',
      ...files,
      '/repository/config.yaml': `defaults: ${defaults}\n${base}`,
    })
      .concat(alone(`defaults: ${defaults}\n${base}`, files))
      .filter(({ rule }) => rule === 'invalid-value' || rule === 'missing-config')
      .map(({ rule, severity }) => `${severity} ${rule}`);

  it.each(['{}', 'null', 'other', '[1]', '[{a: b, c: d}]', '[[other]]', '[_self_, _self_]', '[{db: 5}]'])(
    'must be a list of names, not %s',
    (defaults) => {
      expect(listed(defaults)).toContain('error invalid-value');
    },
  );

  it.each([
    '[]',
    '[_self_]',
    '[{db: null}]',
    '[{"override hydra/job_logging": disabled}]',
    '[{"optional db": x}]',
  ])('need not name a file: %s', (defaults) => {
    expect(listed(defaults)).toEqual([]);
  });

  it('must name existing files', () => {
    const files = { '/repository/other.yaml': 'seed: 2\n', '/repository/db/mysql.yaml': 'seed: 2\n' };
    for (const defaults of ['[other]', '[other.yaml, _self_]', '[{db@_global_: mysql}]'])
      expect(listed(defaults, files)).toEqual([]);
    for (const defaults of ['[others]', '[{db@_global_: postgres}]'])
      expect(listed(defaults, files)).toContain('error missing-config');
  });

  it('leaves settings of the other files unknown', () => {
    const files = { '/repository/other.yaml': 'gconfig: {top_k: 2}\n' };
    expect(reported('gconfig.top_k=5', `defaults: [_self_]\n${base}`, files)).toEqual([
      'error override-needs-plus',
    ]);
    expect(reported('gconfig.top_k=5', `defaults: [other]\n${base}`, files)).toEqual([
      'warning override-needs-plus',
    ]);
    expect(reported('gconfig.top_kk=5', `defaults: [other]\n${base}`, files)).toContain(
      'error unknown-option',
    );
  });
});

describe('an override of a configuration group', () => {
  it('may name a file in a folder beside the configuration', () => {
    const files = { '/repository/actor/small.yaml': 'kl_ctl: 0.5\n' };
    expect(reported('+actor=small', base, files)).toEqual([]);
    expect(reported('+actor=small', base)).not.toEqual([]);
  });

  it("may be one of Hydra's own", () => {
    expect(reported('hydra/job_logging=disabled')).toEqual([]);
  });
});

describe('the keys of a map in an override', () => {
  it.each([
    ['++train_dataset.dataset_kwargs={1: 2}', ['error invalid-value']],
    ['++train_dataset.dataset_kwargs={true: 2}', ['error invalid-value']],
    ['++train_dataset.dataset_kwargs={a b: 2}', []],
    ['++train_dataset.dataset_kwargs={a: {1: 2}}', []],
    ['++train_dataset.dataset_kwargs.1.2=3', []],
    ['++stats_logger.wandb.config={1: 2}', []],
    ['++stats_logger.wandb.config={a: {null: 2}}', ['error invalid-value']],
  ])('must be strings if declared so, and never null: %s', (word, expected) => {
    expect(reported(`'${word}'`)).toEqual(expected);
  });
});

describe('a section present by default', () => {
  it('cannot be a reference, though it may be null', () => {
    const found = launched("'++train_dataset.scheduling_spec=${actor.path}'", {
      '/repository/config.yaml': withLists,
    });
    expect(found.find(({ rule }) => rule === 'invalid-interpolation')?.severity).toBe('error');
  });
});

describe("an override of Hydra's own configuration", () => {
  it.each([
    '~hydra.job.name',
    '~hydra.run.dir',
    '~hydra.job.nope',
    'hydra.job.name=[1,2]',
    'hydra.job.name=null',
    'hydra.job.num=1.5',
    'hydra.job.num=true',
    'hydra.job.chdir=maybe',
    'hydra.job=x',
    'hydra.nope=1',
    'hydra.mode=nope',
    'hydra.searchpath=x',
    'hydra.job.env_set=x',
    'hydra.output_subdir=[a]',
    'hydra.job.config.override_dirname.kv_sep=[a]',
    '~hydra',
    'hydra=x',
    'hydra=null',
    '++hydra=1',
    '+hydra/launcher=basic',
    '++hydra/job_logging=none',
    'hydra/launcher=null',
    'hydra/output=1',
  ])('is refused: %s', (word) => {
    expect(reported(`'${word}'`)).toEqual(['error invalid-override']);
  });

  it.each([
    'hydra.job.name=x',
    'hydra.job.name=1',
    'hydra.job.num=1',
    'hydra.job.chdir=1',
    'hydra.job.chdir=null',
    'hydra.output_subdir=null',
    'hydra.mode=MULTIRUN',
    'hydra.verbose=[a,b]',
    'hydra.launcher=x',
    '+hydra.job.nope=1',
    '+hydra.job.env_set.A=1',
    'hydra.job.num=${seed}',
    'hydra.searchpath=[pkg://x]',
    'hydra={run:{dir:x}}',
    '+hydra=own',
    'hydra/launcher=own',
    'hydra/launcher=[basic]',
    '~hydra/launcher',
  ])('is accepted: %s', (word) => {
    expect(reported(`'${word}'`)).toEqual([]);
  });
});

describe('a deletion that names a value', () => {
  it('is refused if the value differs, including a value cast to text', () => {
    expect(reported("'~seed=str(4)'")).toEqual(['error invalid-override']);
  });
});
