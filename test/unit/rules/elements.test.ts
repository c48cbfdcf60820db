import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../server/src/rules/finding.ts';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';
import { line } from '../frameworks/slime/slimeRun.ts';

/** The findings about an option's file, with the text that each mainly points at. */
function reported(option: string, text: string) {
  const script = `export CUDA_DEVICE_MAX_CONNECTIONS=1\n${line(`${option} settings.yaml`)}\n`;
  const path = '/repository/settings.yaml';
  const { findings } = lintFile('/repository/run.sh', script, { [path]: text });
  const inFile = findings.filter(({ place }) => place.path === path);
  return {
    rules: findings.map(({ rule }) => rule),
    pointed: inFile.map(({ rule, place }) => [
      rule.replace('slime/', ''),
      text.slice(place.span.start, place.span.end),
    ]),
    all: inFile,
    of: (rule: string): Finding | undefined => inFile.find((finding) => finding.rule === `slime/${rule}`),
  };
}

/** A file of engines with keys for its second group. */
const engines = (group: string, model = ''): string =>
  `sglang:\n  - name: default\n${model}    server_groups:\n      - {worker_type: regular, num_gpus: 2}\n${group}`;

/** The file after a rule's first fix, and whether the rule still reports it. */
function mended(option: string, rule: string, text: string) {
  const [fix] = reported(option, text).of(rule)?.fixes ?? [];
  const after = fix && applyEdits(text, fix.edits);
  return { title: fix?.title, after, isLeft: after && reported(option, after).of(rule) !== undefined };
}

describe('findings on a file that an option names', () => {
  it('point at the value in the wrong element', () => {
    const group =
      '      - worker_type: regular\n        num_gpus: 2\n        num_gpus_per_engine: 0 # none\n';
    expect(reported('--sglang-config', engines(group)).pointed).toEqual([
      ['engine-config-group-engine-size', '0'],
    ]);
  });

  it('point at an unknown key, and say how it is reached', () => {
    const group = '      - {worker_type: regular, num_gpus: 2, context_length: 8}\n';
    const { pointed, of } = reported('--sglang-config', engines(group));
    expect(pointed).toEqual([['engine-config-group-unknown-key', 'context_length']]);
    const finding = of('engine-config-group-unknown-key');
    expect(finding?.message).toContain('context_length of a group in settings.yaml');
    expect(finding?.settings[0]).toBe('sglang[0].server_groups[1].context_length');
    expect(finding?.related.map(({ place }) => place.path)).toEqual(['/repository/run.sh']);
  });

  it('point at the start of what lacks a key, or at all of it in braces', () => {
    const block = '      - worker_type: regular\n        num_gpus_per_engine: 2\n';
    expect(reported('--sglang-config', engines(block)).pointed).toEqual([
      ['engine-config-group-without-gpus', 'worker_type'],
    ]);
    expect(reported('--sglang-config', engines('      - {worker_type: regular}\n')).pointed).toEqual([
      ['engine-config-group-without-gpus', '{worker_type: regular}'],
    ]);
  });

  it('point at the defaults if a data set takes its value from them', () => {
    const text = 'eval:\n  defaults: {min_eval_samples: 0}\n  datasets:\n    - {name: a, path: /d/a.jsonl}\n';
    expect(reported('--eval-config', text).pointed).toEqual([['evaluation-samples-not-positive', '0']]);
  });

  it('point at the option if a list has elements other than maps', () => {
    const { rules, pointed } = reported('--sglang-config', 'sglang: [default]\n');
    expect(rules).toContain('slime/engine-config-model-shape');
    expect(pointed).toEqual([]);
  });
});

describe('a repeated mistake', () => {
  it('is reported for each element and each key', () => {
    const group = '      - {worker_type: regular, num_gpus: 2, context_length: 8, dtype: half}\n';
    expect(reported('--sglang-config', engines(group + group)).pointed.map(([, text]) => text)).toEqual([
      'context_length',
      'dtype',
      'context_length',
      'dtype',
    ]);
  });

  it('is reported once for two that do not fit together', () => {
    const text = 'eval:\n  datasets:\n    - {name: a, path: /d/a.jsonl}\n    - {name: a, path: /d/b.jsonl}\n';
    expect(reported('--eval-config', text).pointed).toEqual([
      ['evaluation-data-sets-share-a-name', 'name: a'],
    ]);
  });

  it('is reported once if it points at the option', () => {
    const text =
      'eval:\n  datasets:\n    - {name: a, path: /d/a.jsonl, n_samples_per_eval_prompt: 4}\n    - {name: b, path: /d/b.jsonl, n_samples_per_eval_prompt: 8}\n';
    const { rules } = reported('--log-passrate --eval-interval 5 --eval-config', text);
    expect(rules.filter((rule) => rule === 'slime/pass-rate-of-another-group-size')).toHaveLength(1);
  });
});

describe('a fix in such a file', () => {
  it('writes the intended key, and keeps the rest of the line', () => {
    const text = engines('', '    update_weight: false # frozen\n');
    const { title, after, isLeft } = mended('--sglang-config', 'engine-config-model-unknown-key', text);
    expect(title).toBe('Write update_weights instead of update_weight');
    expect(after).toBe(text.replace('update_weight:', 'update_weights:'));
    expect(isLeft).toBe(false);
  });

  it('offers no other key if none is close', () => {
    const fixes = reported('--sglang-config', engines('', '    colour: red\n')).of(
      'engine-config-model-unknown-key',
    )?.fixes;
    expect(fixes?.map(({ title }) => title)).toEqual(['Remove colour']);
  });

  it('writes a number without quotes, also in braces', () => {
    const text = engines("      - {worker_type: regular, num_gpus: '2'} # two\n");
    const { after, isLeft } = mended('--sglang-config', 'engine-config-group-without-gpus', text);
    expect(after).toBe(text.replace("'2'", '2'));
    expect(isLeft).toBe(false);
  });

  it('is not offered for a text that is no number, or for a missing key', () => {
    for (const gpus of [", num_gpus: 'all'", ''])
      expect(
        reported('--sglang-config', engines(`      - {worker_type: regular${gpus}}\n`)).of(
          'engine-config-group-without-gpus',
        )?.fixes,
      ).toEqual([]);
  });

  it('fixes each wrong element separately', () => {
    const group = '      - worker_type: regular\n        num_gpus: 2\n';
    const wrong = `${group}        overrides:\n`;
    const rule = 'slime/engine-config-group-empty-overrides';
    const text = engines(wrong + wrong);
    const made = reported('--sglang-config', text)
      .all.filter((finding) => finding.rule === rule)
      .map(({ fixes: [fix] }) => fix && applyEdits(text, fix.edits));
    expect(made).toEqual([engines(group + wrong), engines(wrong + group)]);
  });

  it('is not offered if the element would stay wrong', () => {
    const text =
      'eval:\n  defaults: {min_eval_samples: -1}\n  datasets:\n    - {name: a, path: /d/a.jsonl, min_eval_samples: 0}\n';
    // Without its own number, the data set takes the one of the defaults.
    const titles = reported('--eval-config', text)
      .of('evaluation-samples-not-positive')
      ?.fixes.map(({ title }) => title);
    expect(titles).toEqual([]);
  });

  it('mentions other places that share it through an anchor', () => {
    const text =
      'sglang:\n  - name: default\n    server_groups:\n      - &group {worker_type: regulr, num_gpus: 2}\n      - *group\n';
    const finding = reported('--sglang-config', text).of('engine-config-worker-type');
    expect(finding?.fixes.map(({ title }) => title)).toEqual([
      'Write regular instead of regulr (also where *group stands)',
    ]);
  });
});
