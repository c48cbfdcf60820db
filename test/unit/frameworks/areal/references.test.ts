import { describe, expect, it } from 'vitest';
import { interpolationFault } from '../../../../server/src/yaml/interpolationSyntax.ts';
import { alone, base, launched, pointed } from './arealRun.ts';

/** The findings about references if the seed, or another line, is replaced with `line`. */
function reported(line: string, instead = /^seed:.*$/m): string[] {
  const text = base.replace(instead, line);
  expect(text).not.toBe(base);
  const found = alone(text).filter(
    ({ rule }) => rule === 'invalid-interpolation' || rule === 'invalid-value',
  );
  return [...pointed(found, { '/repository/config.yaml': text }), ...found.map(({ message }) => message)];
}

describe('a reference in a configuration', () => {
  it.each(['${cluster.n_nodes', '${}', '${a b}', '${cluster.}', '${cluster.n_nodes + 1}'])(
    'that OmegaConf cannot read is reported anywhere: %s',
    (written) => {
      const [found] = reported(`seed: "${written}"`);
      expect(found).toBe(`error invalid-interpolation "${written}"`);
      expect(reported(`seed: 1\nmore: [x, "${written}"]`)[0]).toBe(found);
    },
  );

  it('with more dots than levels cannot be resolved', () => {
    expect(reported('seed: ${...cluster.n_nodes}')).toContain(
      '${...cluster.n_nodes} cannot be resolved: there is no ...cluster.n_nodes.',
    );
    expect(reported('seed: ${.cluster.n_nodes}')).toEqual([]);
  });

  it.each([
    ['${cluster.n_node}', '${cluster.n_nodes}'],
    ['${clustre.n_nodes}', '${cluster.n_nodes}'],
    ['${cluster.n_gpus_per_nodes}', '${cluster.n_gpus_per_node}'],
    ['${cluster.whatever}', undefined],
    ['${clustre.whatever}', undefined],
  ])('with a misspelt key is fixed: %s', (written, meant) => {
    const text = base.replace(/^seed:.*$/m, `seed: ${written}`);
    const [found] = alone(text).filter(({ rule }) => rule === 'invalid-interpolation');
    const only = meant === undefined ? '' : `, only ${meant.slice(2, -1)}`;
    expect(found?.message).toBe(`${written} cannot be resolved: there is no ${written.slice(2, -1)}${only}.`);
    expect(found?.fixes.map(({ title }) => title)).toEqual(meant === undefined ? [] : [`Write ${meant}`]);
  });

  it('is accepted in place of a section, a list or a map', () => {
    const refused = (words: string): string[] =>
      launched(words).flatMap(({ rule, severity }) => (severity === 'error' ? [rule] : []));
    expect(refused("++valid_dataset='${recover}'")).toEqual([]);
    expect(refused("++gconfig.stop_token_ids='${actor.names}' ++actor.target_modules=[a]")).toContain(
      'invalid-interpolation',
    );
    expect(refused("++gconfig.stop_token_ids='${actor.target_modules}' ++actor.target_modules=[a]")).toEqual(
      [],
    );
    expect(refused('++gconfig.stop_token_ids=[a]')).toEqual(['invalid-value']);
    expect(refused("++critic='${seed}'")).toEqual([]);
    expect(refused("++rollout.scheduling_spec=['${actor.scheduling_spec.0}','${nope}']")).toEqual([
      'invalid-interpolation',
    ]);
  });

  it('may have a reference in its key', () => {
    expect(reported('seed: ${cluster.${trial_name}}')[1]).toMatch(
      /^\$\{cluster\.\$\{trial_name\}\} cannot be resolved: there is no cluster\.\w+\.$/,
    );
  });

  it.each([
    ['${cluster:8}', 'no resolver is called cluster, unless the program registers one, and a colon gives no'],
    ['${env:N}', 'an environment variable is ${oc.env:N}'],
    ['${SEED:-1}', 'an environment variable is ${oc.env:SEED,1}'],
  ])('with the colon syntax of another language is a warning: %s', (written, reason) => {
    const [found, message] = reported(`seed: ${written}`);
    expect(found).toBe(`warning invalid-interpolation ${written}`);
    expect(message).toContain(reason);
  });

  it.each(['${hydra:runtime.cwd}', 'x/${hydra:job.name}'])(
    "to Hydra's own configuration is refused, since Hydra does not start the program: %s",
    (written) => {
      const [found, message] = reported(`trial_name: ${written}`, /^trial_name:.*$/m);
      expect(found).toBe(`error invalid-interpolation ${written}`);
      expect(message).toContain('Hydra does not start the program here');
    },
  );

  it.each(['${oc.env:SEED}', '${eval:1+1}', '${oc.select:cluster.n_nodes,1}'])(
    'to a resolver is unknown: %s',
    (written) => {
      expect(reported(`seed: ${written}`)).toEqual([]);
    },
  );

  it('after a backslash is plain text', () => {
    expect(reported("seed: '\\${cluster.n_nodes}'")[0]).toContain('error invalid-value');
    expect(reported("trial_name: '\\${cluster.n_nodes}'", /^trial_name:.*$/m)).toEqual([]);
  });

  it('is not checked by OmegaConf where a list is expected', () => {
    const stops = (value: string): string[] =>
      reported(`gconfig:\n  stop_token_ids: ${value}`, /^gconfig:.*$/m);
    expect(stops('1')[0]).toBe('error invalid-value 1');
    expect(stops('${cluster.n_nodes}')[0]).toMatch(/^warning invalid-value/);
  });
});

describe('a reference in a launch', () => {
  const refused = (words: string, text = base): string[] =>
    launched(words, { '/repository/config.yaml': text })
      .filter(({ rule }) => rule === 'invalid-interpolation')
      .map(({ severity, message }) => `${severity} ${message}`);

  it('to a section that is not given cannot be resolved', () => {
    const lost = 'error ${critic.dtype} cannot be resolved: critic is null, so there is no critic.dtype.';
    expect(refused("'actor.dtype=${critic.dtype}'")).toEqual([lost]);
    expect(refused("++critic=null 'actor.dtype=${critic.dtype}'")).toEqual([lost]);
    expect(refused("++critic.dtype=float16 'actor.dtype=${critic.dtype}'")).toEqual([]);
  });

  it('cannot be resolved in a list or a map of free keys either', () => {
    expect(refused("'++stats_logger.wandb.tags=[a,${nothing}]'")).toHaveLength(1);
    expect(refused("'++stats_logger.wandb.config={a:{b:${nothing}}}'")).toHaveLength(1);
    expect(refused("'++actor.scheduling_spec.0.env_vars={A:${nothing}}'")).toHaveLength(1);
    expect(refused("'++stats_logger.wandb.config={a:{b:${.c},c:1}}'")).toEqual([]);
  });

  it('must not lead back to itself, even indirectly', () => {
    for (const word of [
      '++actor.scheduling_spec.0.env_vars.A=${actor.scheduling_spec[0]}',
      '++stats_logger.wandb.config={a:${stats_logger}}',
      '++ref.optimizer=${ref}',
    ])
      expect(refused(`'${word}'`).join()).toContain('it leads back to itself');
    const around = '{a:{b:${stats_logger.wandb.config.c}},c:{d:${stats_logger.wandb.config.a}}}';
    expect(refused(`'++stats_logger.wandb.config=${around}'`).join()).toContain('it leads back to itself');
  });
});

describe('what OmegaConf cannot read', () => {
  it.each([
    ['${a', '${ is never closed'],
    ['x ${a.b} ${c', '${ is never closed'],
    ['${a"b}', 'OmegaConf cannot read it'],
    ['${a]}', 'OmegaConf cannot read it'],
    ['${a.}', 'OmegaConf cannot read it'],
    ['${:1}', 'OmegaConf cannot read it'],
    ['${a(b)}', 'OmegaConf cannot read it'],
  ])('is %s', (text, reason) => {
    expect(interpolationFault(text)).toBe(reason);
  });

  it.each(['${a}', '${a.b[0]}', '${.a}', '${a$b}', '${a-b}', '\\${a', '${${a}:1}', '${f:}', 'a}'])(
    'is not %s',
    (text) => {
      expect(interpolationFault(text)).toBeUndefined();
    },
  );
});
