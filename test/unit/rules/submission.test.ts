import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../server/src/rules/finding.ts';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';

function lint(text: string): readonly Finding[] {
  const { findings } = lintFile(path, text);
  return findings.filter(({ rule }) => rule === 'invalid-runtime-environment');
}

const job = '-- python3 train.py --actor-num-nodes 1 --rollout-batch-size 8\n';

describe('invalid-runtime-environment', () => {
  it('is reported at the character where it was written', () => {
    const text = [
      'NVLINK=$(nvidia-smi | grep -c NV)',
      'if [ "$NVLINK" -gt 0 ]; then HAS=1; else HAS=0; fi',
      'JSON="{',
      '  \\"env_vars\\": {',
      '    \\"NCCL_NVLS_ENABLE\\": \\"${HAS}\\"',
      '    \\"no_proxy\\": \\"${MASTER_ADDR}\\"',
      '  }',
      '}"',
      `ray job submit --runtime-env-json="\${JSON}" ${job}`,
    ].join('\n');
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding?.severity).toBe('error');
    expect(finding?.message).toBe(
      'This runtime environment is not JSON: in its line 4, a comma is missing before "no_proxy".',
    );
    const { start, end } = finding?.place.span ?? { start: 0, end: 0 };
    expect(text.slice(start, end + 8)).toBe('\\"no_proxy');
    const [related] = finding?.related ?? [];
    expect(text.slice(related?.place.span.start, related?.place.span.end)).toContain('--runtime-env-json');
    expect(lint(text.replace('${HAS}\\"', '${HAS}\\",'))).toEqual([]);
  });

  it('is reported at the exact character of a single-quoted word', () => {
    const text = `ray job submit --runtime-env-json='{"env_vars": {"A": "1",}}' ${job}`;
    const [finding] = lint(text);
    expect(finding?.place.span.start).toBe(text.indexOf(',}'));
    expect(finding?.related).toEqual([]);
  });

  it.each([
    [`'{"env_vars": {"A": "1" "B": "2"}}'`, `'{"env_vars": {"A": "1", "B": "2"}}'`],
    [`'{"env_vars": {"A": "1",}}'`, `'{"env_vars": {"A": "1"}}'`],
    [
      '"{\\"env_vars\\": {\\"A\\": \\"${X}\\"\n \\"B\\": \\"2\\"}}"',
      '"{\\"env_vars\\": {\\"A\\": \\"${X}\\",\n \\"B\\": \\"2\\"}}"',
    ],
  ])('is fixed by adding or removing a comma: %s', (json, mended) => {
    const submitting = (written: string): string =>
      `X=1\nray job submit --runtime-env-json=${written} ${job}`;
    const text = submitting(json);
    const [fix] = lint(text)[0]?.fixes ?? [];
    expect(applyEdits(text, fix?.edits ?? [])).toBe(submitting(mended));
    expect(lint(submitting(mended))).toEqual([]);
  });

  it('says that Bash removes the inner quotes of a double-quoted string', () => {
    const taken = lint(`ray job submit --runtime-env-json="{"env_vars": {}}" ${job}`);
    expect(taken[0]?.message).toContain('Bash takes those around it');
    const bare = lint(`ray job submit --runtime-env-json='{env_vars: {}}' ${job}`);
    expect(bare[0]?.message).toMatch(/is without double quotes\.$/);
  });

  it('has no fix if the comma comes from a variable', () => {
    const text = `COMMA=,\nray job submit --runtime-env-json='{"env_vars": {"A": "1"'$COMMA'}}' ${job}`;
    expect(lint(text)[0]?.fixes).toEqual([]);
  });

  it('is likely if only one side of a branch has it', () => {
    const text = `if [ "$1" = x ]; then JSON='{"a": 1,}'; else JSON='{}'; fi\nray job submit --runtime-env-json="$JSON" ${job}`;
    expect(lint(text).map(({ severity }) => severity)).not.toContain('error');
  });

  it.each([
    ['JSON', `ray job submit --runtime-env-json='{"env_vars": {"A": NaN}}' ${job}`],
    ['an unknown text', `ray job submit --runtime-env-json="$JSON" ${job}`],
    ['a launch of nothing of ours', `ray job submit --runtime-env-json='{' -- python3 other.py\n`],
    ['another option', `ray job submit --metadata-json='{' ${job}`],
  ])('is not reported: %s', (_, text) => {
    expect(lint(text)).toEqual([]);
  });
});

describe('what Ray refuses in a runtime environment', () => {
  const found = (text: string): readonly Finding[] =>
    lintFile(path, text).findings.filter(({ rule }) => /^runtime-variable|^unknown-runtime/.test(rule));

  it.each([
    [
      'a number',
      `--runtime-env-json='{"env_vars": {"A": 1}}'`,
      `--runtime-env-json='{"env_vars": {"A": "1"}}'`,
    ],
    [
      'false',
      `--runtime-env-json='{"env_vars": {"A": false}}'`,
      `--runtime-env-json='{"env_vars": {"A": "false"}}'`,
    ],
    [
      'a number in escaped quotes',
      `--runtime-env-json="{\\"env_vars\\": {\\"A\\": 1}}"`,
      `--runtime-env-json="{\\"env_vars\\": {\\"A\\": \\"1\\"}}"`,
    ],
    [
      'a name with a slip',
      `--runtime-env-json='{"env_var": {"A": 1}}'`,
      `--runtime-env-json='{"env_vars": {"A": 1}}'`,
    ],
  ])('is reported and fixed: %s', (_, broken, mended) => {
    const [finding, ...more] = found(`ray job submit ${broken} ${job}`);
    expect(more).toEqual([]);
    expect(finding?.severity).toBe(broken.includes('env_vars') ? 'error' : 'warning');
    const fixed = applyEdits(`ray job submit ${broken} ${job}`, finding?.fixes[0]?.edits ?? []);
    expect(fixed).toBe(`ray job submit ${mended} ${job}`);
  });

  it.each([
    ['{"env_vars": "A=1"}', 'env_vars takes names with texts, as in {"A": "1"}, not A=1.'],
    ['{"excludes": "*.pt"}', 'excludes takes a list of texts, as in ["*.pt"], not *.pt.'],
    ['{"py_modules": "src"}', 'py_modules takes a list of texts, as in ["."], not src.'],
    [
      '{"config": {"setup_timeout_seconds": "600"}}',
      'config.setup_timeout_seconds takes a number without quotes, not 600.',
    ],
    ['{"pip": ["a"], "env_vars": {}, "conda": "x"}', 'conda cannot be combined with pip.'],
    ['{"excludes": ["*.pt"], "config": {"setup_timeout_seconds": 600}, "pip": ["a"]}', undefined],
    ['{"pip": ["a"], "conda": null, "excludes": null}', undefined],
  ])('is checked in %s', (json, message) => {
    const reported = lintFile(path, `ray job submit --runtime-env-json='${json}' ${job}`).findings.filter(
      ({ rule, settings }) =>
        /^(?:invalid-value|exclusive-options)$/.test(rule) && settings.includes('--runtime-env-json'),
    );
    expect(reported.map((finding) => finding.message)).toEqual(message === undefined ? [] : [message]);
  });

  it('is fixed where the text is assigned, but not if only the number is', () => {
    const text = `JSON="{\n  \\"env_vars\\": {\\"A\\": 1}\n}"\nray job submit --runtime-env-json="$JSON" ${job}`;
    const fixed = applyEdits(text, found(text)[0]?.fixes[0]?.edits ?? []);
    expect(fixed).toBe(text.replace('1}', '\\"1\\"}'));
    expect(found(fixed ?? '')).toEqual([]);
    const number = `N=1\nJSON="{\\"env_vars\\": {\\"A\\": $N}}"\nray job submit --runtime-env-json="$JSON" ${job}`;
    expect(found(number).map(({ severity, fixes }) => [severity, fixes])).toEqual([['error', []]]);
  });

  it.each([
    ['texts', `'{"env_vars": {"A": "1"}, "working_dir": "."}'`],
    ['what is not known', `"{\\"env_vars\\": {\\"A\\": $X}}"`],
    ['a part for a plugin', `'{"my_plugin": 1}'`],
    ['a part beside the one that it is like', `'{"env_var": 1, "env_vars": {}}'`],
  ])('is not reported: %s', (_, json) => {
    expect(found(`ray job submit --runtime-env-json=${json} ${job}`)).toEqual([]);
  });
});

describe('json-for-a-file', () => {
  const found = (text: string): readonly Finding[] =>
    lintFile(path, text).findings.filter(({ rule }) => rule === 'json-for-a-file');

  it.each(["--runtime-env='{}'", '--runtime-env "{\\"env_vars\\": {\\"A\\": \\"$A\\"}}"'])(
    'is reported for %s',
    (option) => {
      const text = `ray job submit ${option} ${job}`;
      const [finding, ...more] = found(text);
      expect(more).toEqual([]);
      const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []) ?? '';
      expect(fixed).toContain('--runtime-env-json');
      expect(found(fixed)).toEqual([]);
    },
  );

  it.each(['--runtime-env=env.yaml', "--runtime-env-json='{}'", '--runtime-env "$FILE"'])(
    'is not reported for %s',
    (option) => {
      expect(found(`ray job submit ${option} ${job}`)).toEqual([]);
    },
  );
});

describe('word-for-another-shell', () => {
  const found = (text: string) =>
    lintFile(path, text).findings.filter(({ rule }) => rule === 'word-for-another-shell');

  it.each([
    ['([1]*48)', '('],
    ['<|end|>', '<'],
    ['a;c', ';'],
    ['a&b', '&'],
  ])('is reported for %s, where it is written', (value, character) => {
    const text = `ARGS=(--wandb-group "${value}")\nray job submit -- python3 train.py --actor-num-nodes 1 --rollout-batch-size 8 "\${ARGS[@]}"\n`;
    const [finding, ...more] = found(text);
    expect(more).toEqual([]);
    expect(finding?.message).toContain(`interprets the ${character} itself`);
    expect(finding?.certainty).toBe('likely');
    expect(text.slice(finding?.place.span.start, finding?.place.span.end)).toContain(value);
  });

  it.each([
    `ray job submit -- python3 train.py --actor-num-nodes 1 --rollout-batch-size 8 --wandb-group "'([1]*48)'"`,
    `ray job submit -- python3 train.py --actor-num-nodes 1 --rollout-batch-size 8 --wandb-group '\\(a\\)'`,
    'ray job submit -- python3 train.py --actor-num-nodes 1 --rollout-batch-size 8 --wandb-group "([1] * 48)"',
    'ray job submit -- python3 train.py --actor-num-nodes 1 --rollout-batch-size 8 --wandb-group [1,1,1]',
    'ray job submit -- python3 train.py --actor-num-nodes 1 --rollout-batch-size 8 --wandb-group "$GROUP"',
    'python3 train.py --actor-num-nodes 1 --rollout-batch-size 8 --wandb-group "([1]*48)"',
    'ray job submit -- bash -c "python3 train.py --actor-num-nodes 1 --rollout-batch-size 8 --wandb-group x; echo"',
  ])('is not reported for %s', (text) => {
    expect(found(`${text}\n`)).toEqual([]);
  });
});
