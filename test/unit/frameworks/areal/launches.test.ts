import { describe, expect, it } from 'vitest';
import { autofix } from '../../../../server/src/autofix.ts';
import type { Linter } from '../../../../server/src/linter.ts';
import type { Finding } from '../../../../server/src/rules/finding.ts';
import { applyEdits } from '../../../../server/src/text/edit.ts';
import type { Host } from '../../../../server/src/value/host.ts';
import { testLinter } from '../../../support/knowledge.ts';
import { lintFile } from '../../../support/lintFile.ts';
import { memoryHost } from '../../../support/memoryHost.ts';
import { alone, base, findings, knowledge, launched, pointed, script } from './arealRun.ts';

/** Severities and rules of a script that is alone in its workspace. */
function findingsOf(path: string, text: string): string[] {
  return lintFile(path, text).findings.map(({ severity, rule }) => `${severity} ${rule}`);
}

describe('an AReaL launch', () => {
  it('is clean as written in the base', () => {
    expect(launched('').filter(({ severity }) => severity !== 'info')).toEqual([]);
  });

  it.each([
    ['a key without a colon', `evaluator\n  freq_steps: 1\n  freq_secs: 2\n`],
    ['many tabs', `\tone: 1\n\ttwo: 2\n\tthree: 3\n\tfour: 4\n\tfive: 5\n`],
  ])('reports nothing else if it is unclear what of its file can be loaded: %s', (_, broken) => {
    const text = `${base}\n${broken}`;
    // A suppression that matches nothing may have its finding once the file can be loaded.
    const suppressed = `# oomlint-disable-file areal/batch-divisible-by-data-parallel\n${text}`;
    const files = { '/repository/config.yaml': suppressed };
    for (const found of [alone(suppressed), launched('train_dataset.batch_size=30', files)])
      expect(found.map(({ rule }) => rule)).toEqual(['yaml-syntax']);
  });

  it.each([
    ['a key that is being written', '  dtyp'],
    ['a tab', '\tdtype: bfloat16'],
    ['an open quote', '  dtype: "bfloat16'],
    ['an open bracket', '  dtype: [bfloat16'],
    ['a second colon', '  dtype: bfloat16: 1'],
    ['a key that is indented deeper', '    dtype: bfloat16'],
  ])('reports the rest of its file next to a line with %s', (_, broken) => {
    const sound = base.replace(/batch_size: \d+/, 'batch_size: 30');
    // A suppression that matches nothing may have its finding once the file can be loaded.
    const unused = '# oomlint-disable-file areal/group-norm-single-sample\n';
    const text = `${unused}${sound.replace(/^ {2}dtype: .*$/m, broken)}`;
    const rules = (list: readonly Finding[]): string[] =>
      list.map(({ severity, rule }) => `${severity} ${rule}`);
    const found = alone(text);
    const others = rules(alone(sound));
    expect(others).toContain('error areal/batch-divisible-by-data-parallel');
    expect(rules(found).toSorted()).toEqual([...others, 'error yaml-syntax'].toSorted());
    const fixed = found.filter(({ fixes }) => fixes.length > 0).map(({ rule }) => rule);
    expect(fixed.filter((rule) => rule !== 'yaml-syntax')).toEqual([]);
  });

  it('fixes each of several lines with the same slip', () => {
    const path = '/repository/config.yaml';
    const text = base.replace(/^( {2}trial_name): /gm, '$1 ');
    expect(text.match(/^ {2}trial_name \S/gm)?.length).toBeGreaterThan(1);
    const makeLinter = (host: Host): Linter => testLinter(knowledge, host);
    const { texts, reports } = autofix([{ path, text }], memoryHost({ [path]: text }), makeLinter, {
      suggested: true,
    });
    expect(texts.get(path)).toBe(base);
    expect(reports[0]?.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('checks the file with the overrides applied, at the override', () => {
    const words = 'train_dataset.batch_size=30';
    const run = `python3 train.py --config config.yaml scheduler.type=local ${words}\n`;
    expect(pointed(launched(words), { '/repository/run.sh': run })).toContain(
      'error areal/batch-divisible-by-data-parallel 30',
    );
  });

  it('is recognised by its overrides if neither script nor configuration is visible', () => {
    const path = '/repository/far.sh';
    const found = (words: string): string[] =>
      findingsOf(path, `python3 /opt/AReaL/train.py --config a.yaml ${words}\n`);
    expect(found('rollout.backend=sglang:d4 actor.backend=fsdp:d8 gconfig.n_sample=8')).toEqual([
      'error unknown-option',
    ]);
    expect(found('rollout.backend=sglang:d4 actor.backend=fsdp:d8')).toEqual([]);
    expect(found('gconfig.n_sample=8 gconfig.n_samples=8')).toEqual([]);
    expect(found('actor.optimizer.lrr=1e-6 trainer.epochs=2')).toEqual([]);
  });

  it('points at the key of a section, unless at something in it, and only once at a value and its quotes', () => {
    const text = base.replace(/batch_size: \d+/, 'batch_size: 30');
    const found = alone(text).find(({ rule }) => rule === 'areal/batch-divisible-by-data-parallel');
    const shown = (found?.related ?? []).map(({ place: { span } }) => text.slice(span.start, span.end));
    expect(found).toBeDefined();
    expect(shown.filter((each) => each.includes('\n'))).toEqual([]);
    expect(shown).not.toContain('actor');
    for (const one of shown)
      expect(shown.filter((other) => other !== one && other.endsWith(`${one}"`))).toEqual([]);
  });

  it('is refused a weight update through awex by every release if FSDP or vLLM is involved', () => {
    const reported = (words: string): string[] =>
      launched(`actor.weight_update_mode=awex ${words}`).flatMap(({ rule, severity }) =>
        /awex|weight-update/.test(rule) ? [`${severity} ${rule}`] : [],
      );
    const refused = ['error areal/weight-update-mode'];
    const mayWork = ['warning areal/awex-needs-newer-release'];
    expect(reported('actor.backend=fsdp:d4')).toEqual(refused);
    expect(reported('actor.backend=megatron:d4 rollout.backend=vllm:d4')).toEqual(refused);
    expect(reported('actor.backend=megatron:d4')).toEqual(mayWork);
  });

  it('does not take a key for another one that is present', () => {
    const hint = (text: string): string | undefined =>
      launched('', { '/repository/config.yaml': text }).find(({ rule }) => rule === 'unknown-option')
        ?.message;
    expect(hint(base.replace('gconfig:', 'econfig:'))).toContain('Did you mean gconfig?');
    const both = hint(`${base}econfig:\n  n_samples: 2\n`);
    expect(both).toContain('econfig is not an option here.');
    expect(both).not.toContain('gconfig');
  });

  it('takes a key in a section for one of a custom class unless the script shows its class', () => {
    const text = base.replace('actor:', 'actor:\n  my_coef: 0.1');
    const severity = (list: readonly Finding[]): string | undefined =>
      list.find(({ rule }) => rule === 'unknown-option')?.severity;
    const files = { '/repository/config.yaml': text };
    const own = (fields: string): string =>
      `class MyConfig(GRPOConfig):\n${fields}\n\n${script.replace('GRPOConfig', 'MyConfig')}`;
    expect(severity(launched('', files))).toBe('error');
    expect(severity(alone(text))).toBe('warning');
    expect(severity(launched('', { ...files, '/repository/train.py': 'import areal.api\n' }))).toBe(
      'warning',
    );
    expect(severity(launched('', { ...files, '/repository/train.py': own('    more: int = 1') }))).toBe(
      'error',
    );
    const declared = {
      ...files,
      '/repository/train.py': own('    actor: MyActor = field(default_factory=MyActor)'),
    };
    expect(severity(launched('', declared))).toBeUndefined();
    expect(severity(alone(base.replace('actor:', 'actor:\n  eps_clp: 0.1')))).toBe('error');
  });

  it('rewrites references to a section that gets its current name, or keeps the old name', () => {
    const sections = ['cluster', 'saver', 'recover', 'evaluator', 'stats_logger', 'valid_dataset'];
    const fixed = (reference: string): string | undefined => {
      const text = [
        `experiment_name: e\ntrial_name: t\ntokenizer_path: ${reference}\ntotal_train_epochs: 1`,
        ...sections.map((name) => `${name}: {}`),
        'model: # ours\n  path: m\n',
      ].join('\n');
      const finding = alone(text).find(
        ({ rule, message }) => rule.endsWith('-option') && message.startsWith('model '),
      );
      const edits = finding?.fixes[0]?.edits;
      return edits === undefined ? undefined : applyEdits(text, edits);
    };
    for (const quote of ['', '"', "'"]) {
      const after = fixed(`${quote}\${model.path}${quote}`);
      expect(after).toContain(`tokenizer_path: ${quote}\${actor.path}${quote}\n`);
      expect(after).toContain('\nactor: # ours\n  path: m\n');
    }
    expect(fixed('"${oc.select:model.path}"')).toBeUndefined();
    expect(fixed('${actor.model}')).toContain('tokenizer_path: ${actor.model}\n');
  });

  it('does not know which roles a script starts if it leaves that to a module', () => {
    const script = 'from mine.run import run\nconfig, _ = load_expr_config(args, GRPOConfig)\nrun(config)\n';
    const rules = (text: string): string[] =>
      launched('cluster.n_nodes=4', { '/repository/train.py': text }).map(({ rule }) => rule);
    expect(rules(script)).not.toContain('areal/gpus-left-idle');
    expect(rules(`${script}PPOTrainer(config)\n`)).toContain('areal/gpus-left-idle');
  });

  it('reads the engine from the older allocation string for the switches of LoRA', () => {
    const text = base
      .replace(/^ +backend: .*\n/gm, '')
      .replace(
        'actor:',
        'allocation_mode: vllm:d4+fsdp:d4\nvllm: {enable_lora: true}\nactor:\n  use_lora: true',
      );
    const finding = alone(text).find(({ rule }) => rule === 'areal/lora-flags-agree');
    expect(finding?.message).toContain('and vllm.enable_lora;');
    const edits = finding?.fixes[0]?.edits ?? [];
    expect(applyEdits(text, edits)).not.toContain('sglang:\n  enable_lora');
    const unread = alone(text.replace('allocation_mode: vllm:d4+fsdp:d4\n', ''));
    expect(unread.find(({ rule }) => rule === 'areal/lora-flags-agree')?.message).toContain(
      'the one of the server;',
    );
  });

  it('requires a plus sign for keys that the file lacks', () => {
    const found = launched('actor.offload=false');
    expect(found.map(({ rule }) => rule)).toEqual(['override-needs-plus']);
    expect(launched('+actor.offload=false').map(({ rule }) => rule)).toEqual([]);
  });

  it('lets rollouts that take weights through awex share the actor’s GPUs', () => {
    const small = (mode: string): readonly string[] =>
      alone(
        base
          .replace(/n_gpus_per_node: \d+/, 'n_gpus_per_node: 1')
          .replace(/weight_update_mode: \w+/, `weight_update_mode: ${mode}`),
      ).map(({ rule }) => rule);
    expect(small('xccl')).toContain('areal/gpus-exceed-cluster');
    expect(small('awex')).not.toContain('areal/gpus-exceed-cluster');
  });

  it('applies an override that lacks its plus sign as intended', () => {
    const withoutScheduler = base.replace(/^scheduler:\n(?: +.*\n)+/m, '');
    expect(withoutScheduler).not.toContain('scheduler:');
    const found = launched('', { '/repository/config.yaml': withoutScheduler });
    expect(found.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)).toEqual([
      'override-needs-plus',
    ]);
  });

  it('reports an unknown key as such, not as lacking a plus sign', () => {
    const found = launched('actor.optimzer.lr=1e-5');
    expect(found.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
      'unknown-option: actor.optimzer is not an option here. Did you mean optimizer?',
    ]);
  });

  it('refuses a plus sign for keys that have a value', () => {
    expect(launched('+actor.dtype=float16').map(({ rule }) => rule)).toEqual(['override-key-exists']);
    expect(launched('++actor.dtype=float16').map(({ rule }) => rule)).toEqual([]);
  });

  it('like Hydra, does not delete a key that has another value', () => {
    const rules = (word: string): string[] => launched(word).map(({ rule }) => rule);
    expect(rules('~train_dataset.batch_size=65')).toContain('invalid-override');
    expect(rules('~train_dataset.batch_size=64')).not.toContain('invalid-override');
    expect(rules('~train_dataset.batch_size')).not.toContain('invalid-override');
    expect(rules('~train_dataset.nothing')).toContain('invalid-override');
  });

  it('deletes a whole section with ~name, which Bash keeps unless it finds a user of that name', () => {
    const files = { '/repository/config.yaml': `${base}mine: {a: 1}\n` };
    expect(launched('', files).map(({ rule }) => rule)).toContain('unknown-option');
    expect(launched('~mine', files).map(({ rule }) => rule)).not.toContain('unknown-option');
    expect(launched('~sglang +sglang.dtype=auto').map(({ rule }) => rule)).not.toContain(
      'override-key-exists',
    );
    expect(launched('~nothing').map(({ rule }) => rule)).toContain('invalid-override');
  });

  it('suggests the key meant by a typo', () => {
    const [found] = launched('+actor.mb_spec.max_token_per_mb=1');
    expect(found).toMatchObject({ rule: 'unknown-option', severity: 'error' });
    expect(found?.message).toContain('max_tokens_per_mb');
  });

  it.each(['se(ed', 'seed*', 'se[ed', 'se\\\\ed', '+seed'])('takes a misspelt key literally: %s', (key) => {
    const text = base.replace(/^seed:.*$/m, `"${key}": 1`);
    expect(text).toContain(key);
    expect(alone(text).map(({ rule }) => rule)).toContain('unknown-option');
  });

  it('reports blanks around the equals sign of an override once, and joins it', () => {
    const [found, ...others] = launched('seed = 2').filter(({ rule }) => rule === 'invalid-override');
    expect(others).toEqual([]);
    expect(found?.message).toContain('the spaces at “=” make 3 words of it; write seed=2');
    expect(found?.fixes[0]?.edits[0]?.newText).toBe('seed=2');
  });

  it('takes the removal of another key next to an empty value as such', () => {
    expect(launched('++gconfig.lora_name= ~actor.optimizer.lr').map(({ rule }) => rule)).toEqual([]);
  });

  it('follows references to defaults and refuses dangling ones', () => {
    expect(launched("++actor.temperature='${gconfig.top_p}'").map(({ rule }) => rule)).toEqual([]);
    expect(launched("++actor.temperature='${gconfig.nothing}'").map(({ rule }) => rule)).toEqual([
      'invalid-interpolation',
    ]);
  });

  it('reports a dangling reference once, where it is written', () => {
    const text = base.replace('path: Qwen/Qwen3-8B', 'path: ${HOME}/Qwen3-8B');
    const [found, ...others] = alone(text).filter(({ rule }) => rule === 'invalid-interpolation');
    expect(others).toEqual([]);
    const { start, end } = found?.place.span ?? { start: 0, end: 0 };
    expect(text.slice(start, end)).toBe('${HOME}/Qwen3-8B');
    expect(found?.message).toContain('${oc.env:HOME}');
    expect(found?.fixes[0]?.edits[0]?.newText).toBe('${oc.env:HOME}/Qwen3-8B');
    expect(alone(text.replace('${HOME}', '${oc.env:HOME}')).map(({ rule }) => rule)).not.toContain(
      'invalid-interpolation',
    );
  });

  it('refuses circular references', () => {
    const refused = (words: string): (string | undefined)[] =>
      launched(words).flatMap(({ rule, message }) => (rule === 'invalid-interpolation' ? [message] : []));
    expect(refused("trial_name='${trial_name}'")).toEqual([
      expect.stringContaining('it leads back to itself'),
    ]);
    expect(refused("trial_name='run-${experiment_name}' experiment_name='${trial_name}'")).toHaveLength(2);
    expect(refused("trial_name='${experiment_name}'")).toEqual([]);
  });

  it('knows what no release can compose, even in texts for an earlier one', () => {
    const earlier = '+actor.behave_imp_weight_cap=5.0 +actor.behave_imp_weight_mode=token_mask';
    const severities = (words: string): (string | undefined)[] =>
      launched(words).map(({ rule, severity }) => `${severity} ${rule}`);
    expect(severities(`${earlier} +trial_name=x rollout.setup_timeout=2.0`)).toEqual(
      expect.arrayContaining([
        'info earlier-option',
        'warning removed-option',
        'error override-key-exists',
        'error override-needs-plus',
      ]),
    );
  });

  it('takes a reference for a whole section only if that may be null, and only to what the file has', () => {
    const rules = (words: string): string[] => launched(words).map(({ rule }) => rule);
    expect(rules("++ref.path=x ++ref.backend=fsdp:d4 ++ref.optimizer='${actor.optimizer}'")).not.toContain(
      'invalid-interpolation',
    );
    expect(rules("++ref.path=x ++ref.backend=fsdp:d4 ++ref.reward_norm='${actor.reward_norm}'")).toContain(
      'invalid-interpolation',
    );
    expect(rules("++rollout.scheduling_strategy='${actor.scheduling_strategy}'")).toContain(
      'invalid-interpolation',
    );
  });

  it('leaves what the environment decides unknown', () => {
    expect(
      launched('train_dataset.batch_size=$BATCH actor.backend=fsdp:d$GPUS').map(({ rule }) => rule),
    ).toEqual([]);
  });

  it('knows the keys added by a class in the workspace', () => {
    const files = {
      '/repository/train.py': script
        .replace('GRPOConfig', 'MyConfig')
        .replace(/^/, 'from my.config import MyConfig\n'),
      '/repository/my/config.py':
        'from areal.api.cli_args import GRPOConfig\n\n@dataclass\nclass MyConfig(GRPOConfig):\n    """Settings.\n\n    More words.\n    """\n    n_turns: int = 1\n',
    };
    expect(launched('+n_turns=2', files).map(({ rule }) => rule)).toEqual([]);
    expect(launched('+n_turn=2', files)).toMatchObject([{ rule: 'unknown-option', severity: 'error' }]);
  });

  it('reads the allocation mode of the older launchers', () => {
    const found = findings('/repository/run.sh', {
      '/repository/train.py': script,
      '/repository/run.sh':
        'python3 -m areal.infra.launcher.ray train.py --config config.yaml +allocation_mode=sglang:d4+fsdp:d8\n',
    });
    expect(found.map(({ rule }) => rule)).toContain('areal/spmd-gpu-sum');
    expect(found.map(({ rule }) => rule)).not.toContain('areal/scheduler-type');
  });

  it('expects no trainer if a launcher starts only servers', () => {
    const rules = (allocation: string): string[] =>
      findings('/repository/run.sh', {
        '/repository/train.py': script,
        '/repository/run.sh': `python3 -m areal.infra.launcher.local train.py --config config.yaml +allocation_mode=${allocation} actor.weight_update_mode=nccl\n`,
      }).map(({ rule }) => rule);
    expect(rules('sglang:d4+fsdp:d4')).toContain('areal/weight-update-mode');
    expect(rules('sglang:d4')).not.toContain('areal/weight-update-mode');
  });

  it('expects no trainer for a file on its own that gives GPUs only to servers', () => {
    const few = base.replace(/consumer_batch_size: .*/, 'consumer_batch_size: 1');
    const rules = (allocation: string): string[] =>
      alone(`${few}\nallocation_mode: ${allocation}\n`).map(({ rule }) => rule);
    expect(rules('sglang:d4+fsdp:d4')).toContain('areal/staleness-deadlock');
    expect(rules('sglang:d4')).not.toContain('areal/staleness-deadlock');
  });

  it('says nothing about a configuration that the script changes first', () => {
    const files = {
      '/repository/train.py': script,
      '/repository/config.yaml': base.replace('dtype: bfloat16', 'dtype: PLACEHOLDER\n  no_such_key: 1'),
    };
    const errorsOf = (before: string): readonly string[] =>
      findings('/repository/run.sh', {
        ...files,
        '/repository/run.sh': `${before}python3 train.py --config config.yaml scheduler.type=local\n`,
      }).flatMap(({ rule, severity }) => (severity === 'error' ? [rule] : []));
    expect(errorsOf('')).toContain('unknown-option');
    expect(errorsOf('sed -i s/PLACEHOLDER/bfloat16/ config.yaml\n')).toEqual([]);
    expect(errorsOf('yq -i "del(.actor.no_such_key)" config.yaml\n')).toEqual([]);
    expect(errorsOf('cat > config.yaml <<EOF\nexperiment_name: e\nEOF\n')).toEqual([]);
  });

  it('says nothing about a configuration that only the script creates', () => {
    const found = findings('/repository/run.sh', {
      '/repository/train.py': script,
      '/repository/run.sh':
        'sed s/a/b/ config.yaml > other.yaml\npython3 train.py --config other.yaml scheduler.type=local\n',
    });
    expect(found.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });
});
