import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { dataOf } from '../../../server/src/yaml/data.ts';
import { parseYaml } from '../../../server/src/yaml/parse.ts';
import { lintFile } from '../../support/lintFile.ts';

function tabOf(text: string, flavour: 'omegaconf' | 'core' = 'omegaconf') {
  return parseYaml('/c.yaml', text, flavour)
    .flatMap(({ problems }) => problems)
    .find(({ isPythons }) => isPythons === true);
}

describe('a tab between words', () => {
  // PyYAML's own scanner refuses each of them.
  it.each([
    ['a: 1\t\nb: 2\n', 'a: 1 \nb: 2\n'],
    ['a: 1\t# c\nb: 2\n', 'a: 1 # c\nb: 2\n'],
    ['a:\t1\n', 'a: 1\n'],
    ['a: 1\n\t\nb: 2\n', 'a: 1\n \nb: 2\n'],
    ['a: [1,\t2]\n', 'a: [1, 2]\n'],
    ['a: "x"\t\n', 'a: "x" \n'],
    ['a:\n  - b\n\t# c\n  - d\n', 'a:\n  - b\n # c\n  - d\n'],
    ['-\ta\n', '- a\n'],
    ['a: |\t\n  x\n', 'a: | \n  x\n'],
  ])('is reported and fixed: %j', (text, mended) => {
    const problem = tabOf(text);
    expect(problem?.span.start).toBe(text.indexOf('\t'));
    const after = applyEdits(text, problem?.mend?.edits.map((edit) => ({ ...edit, path: '/c.yaml' })) ?? []);
    expect(after).toBe(mended);
    expect(tabOf(mended)).toBeUndefined();
    expect(tabOf(text, 'core')).toBeUndefined();
  });

  it('is reported without a fix within text, where spaces would change it', () => {
    expect(tabOf('a: x\ty\n')).toMatchObject({ span: { start: 4, end: 5 } });
    expect(tabOf('a: x\ty\n')?.mend).toBeUndefined();
  });

  it.each([
    'a: "x\ty"\n',
    "a: 'x\ty'\n",
    'a: |\n  x\ty\n',
    '# a\tb\na: 1\n',
    'a: 1 #\tc\n',
    'a: >\n  x\n  \ty\n',
  ])('is accepted by PyYAML: %j', (text) => {
    expect(tabOf(text)).toBeUndefined();
  });

  it('does not stop the rest from being read', () => {
    const [document] = parseYaml('/c.yaml', 'a:\t1\nb: 2\n');
    expect(document?.root === undefined ? undefined : dataOf(document.root)).toEqual({ a: 1, b: 2 });
  });
});

describe('a configuration with tabs', () => {
  const found = (path: string, text: string): readonly string[] =>
    lintFile(path, text)
      .findings.filter(({ rule }) => rule === 'yaml-syntax')
      .map(({ severity, message }) => `${severity}: ${message}`);

  it('is refused if Python reads it', () => {
    const text =
      'experiment_name: a\ntrial_name: b\nallocation_mode: sglang:d4+fsdp:d4\nactor:\n  path: x\n  mb_spec:\n    max_tokens_per_mb:\t4096\t# budget\n';
    expect(found('/repository/areal.yaml', text)).toEqual([
      'error: This is not valid YAML: PyYAML, which reads this file, accepts spaces between words, but not tabs.',
    ]);
  });

  it('is not refused if a Go program reads it', () => {
    const text = 'ENV_VARS:\n  A: 1\nMODEL_ARGS:\n  --num-layers:\t2\n  --hidden-size: 64\n';
    expect(found('/repository/model_config.yaml', text)).toEqual([]);
  });
});
