import { describe, expect, test } from 'vitest';
import { commentableLines } from '../../../server/src/bash/text/commentLines.ts';
import { suppressionsOf } from '../../../server/src/rules/suppressionComments.ts';
import { lintFile } from '../../support/lintFile.ts';

/** What the comment of a text covers. */
function covered(text: string, isYaml = false): string | undefined {
  const [first] = suppressionsOf(text, isYaml);
  return first && text.slice(first.covers.start, first.covers.end);
}

describe('a comment about the next line covers', () => {
  const comment = '# oomlint-disable-next-line x -- y\n';

  test.each([
    ['a command with the lines that continue it', 'torchrun a \\\n  --b 1 \\\n  --c\n'],
    ['a text in quotes', 'ENVIRONMENT="{\n  \\"A\\": 1\n}"\n'],
    ['an array whose elements end with a bracket', 'ARGS=(\n  --a "f(x)"\n  $(one)\n  --b 2\n)\n'],
    ['a substitution', 'JSON=$(printf \'%s\' "\n{}\n")\n'],
    ['a here-document', 'sbatch <<EOF\n#!/bin/bash\ntorchrun a\nEOF\n'],
    ['a text longer than it looks at first', `A="\n${'x y z\n'.repeat(3000)}"\n`],
    ['one line alone', 'TP=2\n'],
    ['the head of a loop alone', 'for x in 1 2; do\n', '  torchrun $x\ndone\n'],
    ['both commands of a line', 'A=1; torchrun a \\\n  --b\n'],
  ])('%s', (_, statement, rest = '') => {
    expect(covered(`A=1\n${comment}${statement}${rest}PP=1\n`)).toBe(statement);
  });

  test('an element of an array, but not those after it', () => {
    expect(covered(`ARGS=(\n  ${comment}  --a "1\n  2"\n  --b 3\n)\n`)).toBe('  --a "1\n  2"\n');
  });

  test('in YAML, a key with what is below it, and a command with the lines that continue it', () => {
    expect(covered(`${comment}a:\n  b: 1\n\nc: 2\n`, true)).toBe('a:\n  b: 1\n\n');
    const run = 'run: |\n  ';
    expect(covered(`${run}${comment}  torchrun a \\\n  --b\n  true\n`, true)).toBe(
      '  torchrun a \\\n  --b\n',
    );
  });

  test('only its own lines within what another one covers', () => {
    const text = `${comment}A="\n  ${comment}  b\n"\n`;
    const [, inner] = suppressionsOf(text, false);
    expect(text.slice(inner?.covers.start, inner?.covers.end)).toBe('  b\n');
  });
});

describe('a comment can be placed above', () => {
  /** The line above which a comment about the `@` of a script can be placed. */
  function above(marked: string): string | undefined {
    const offset = marked.indexOf('@');
    const text = marked.replace('@', '');
    return /^.*/.exec(text.slice(commentableLines(text)(offset)))?.[0];
  }

  test.each([
    ['the line itself', 'A=1\nTP=@2\n', 'TP=2'],
    ['a command that is continued', 'A=1\ntorchrun a \\\n  --b @1\n', 'torchrun a \\'],
    ['an element of an array', 'ARGS=(\n  --a 1\n  --b @2\n)\n', '  --b 2'],
    ['the first line of an element', 'ARGS=(\n  --a "1\n  @2"\n)\n', '  --a "1'],
    ['a text in quotes', 'A=1\nE="{\n  \\"A\\": @1\n}"\n', 'E="{'],
    ['a command whose text goes on', "bash -c \\\n  'a\n  @b'\n", 'bash -c \\'],
    ['a line of a here-document', 'cat <<EOF\na\nb@\nEOF\n', 'b'],
    ['a here-document of JSON', 'A=1\nE=$(cat <<EOF\n{\n  "A": @1\n}\nEOF\n)\n', 'E=$(cat <<EOF'],
    ['a line of a substitution', 'A=$(\n  b\n  c@\n)\n', '  c'],
    ['the commands of a branch', 'if a; then\n  torchrun \\\n    @b\nfi\n', '  torchrun \\'],
    ['a here-document behind a loop', 'while read x; do\n  a\ndone <<EOF\n{"b": @1}\nEOF\n', 'done <<EOF'],
    ['a continued line of a here-document', 'sbatch <<EOF\ntorchrun \\\n  @b\nEOF\n', 'torchrun \\'],
    ['a command between backquotes', 'A=`b\nc@`\n', 'A=`b'],
  ])('%s', (_, marked, line) => {
    expect(above(marked)).toBe(line);
  });
});

describe('a comment about a finding works', () => {
  const rule = 'megatron-lm/global-batch-size-divides';
  const comment = `# oomlint-disable-next-line ${rule} -- the last batch is smaller`;
  const lines = [
    'BATCH=7',
    'SIZES="--global-batch-size $BATCH"',
    'ARGS="$SIZES --bf16"',
    'ARGS="$ARGS --num-layers 4"',
    'torchrun --nproc_per_node 8 pretrain_gpt.py --micro-batch-size 1 $ARGS',
  ];
  const reported = (at: number | undefined): readonly string[] => {
    const text = `${lines.flatMap((line, index) => (index === at ? [comment, line] : [line])).join('\n')}\n`;
    const path = '/repository/run.sh';
    return lintFile(path, text)
      .findings.map((finding) => finding.rule)
      .filter((id) => id === rule || id.includes('suppression'));
  };

  test('not at all if it is missing', () => {
    expect(reported(undefined)).toEqual([rule]);
  });

  test.each([
    ['where the value is written', 0],
    ['where it is given to its option', 1],
    ['where it only passes, which is not shown', 3],
    ['at the command', 4],
  ])('%s', (_, at) => {
    expect(reported(at)).toEqual([]);
  });

  test.each([
    ['below', 0],
    ['above', 1],
  ])('not for the same launch %s it', (_, at) => {
    const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py --micro-batch-size 1 --global-batch-size 7';
    const launches = [launch, launch].flatMap((line, index) => (index === at ? [comment, line] : [line]));
    const text = `${launches.join('\n')}\n`;
    const places = lintFile('/repository/run.sh', text)
      .findings.filter((finding) => finding.rule === rule)
      .map(({ place }) => text.slice(0, place.span.start).split('\n').length);
    expect(places).toEqual([at === 0 ? 3 : 1]);
  });
});

describe('a reason without dashes before it', () => {
  const path = '/repository/run.sh';
  const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py --micro-batch-size 1 --global-batch-size 7';
  /** What is reported about a comment above a launch that its rule concerns, and the comment after its fixes. */
  function complaints(words: string): { reported: string[]; fixed: string } {
    const text = `# oomlint-disable-next-line global-batch-size-divides${words}\n${launch}\n`;
    const found = lintFile(path, text).findings.filter(({ rule }) => rule.includes('suppression'));
    const edits = found.flatMap(({ fixes }) => fixes.flatMap((fix) => fix.edits));
    const fixed = edits.reduceRight(
      (before, { span, newText }) => before.slice(0, span.start) + newText + before.slice(span.end),
      text,
    );
    return {
      reported: found.map(
        ({ message, place }) => `${message} ${text.slice(place.span.start, place.span.end)}`,
      ),
      fixed: /divides(.*)/.exec(fixed)?.[1] ?? '',
    };
  }

  test.each([
    [' because I say so', 'because', ' -- because I say so'],
    [' --because I say so', '--because', ' -- because I say so'],
    [' (measured)', '(measured)', ' -- (measured)'],
    [' — measured, fine', '—', ' -- measured, fine'],
  ])('is reported once, with a fix that adds them: %s', (words, name, fixed) => {
    expect(complaints(words)).toEqual({
      reported: [`No rule is called ${name}. A reason goes after \`--\`. ${words.trim()}`],
      fixed,
    });
  });

  test('is not assumed if a rule may be meant', () => {
    expect(complaints(' old-rule').reported).toEqual(['No rule is called old-rule. old-rule']);
    expect(complaints(' old-rule older-rule unknown-option').reported).toEqual([
      'No rule is called old-rule. old-rule',
      'No rule is called older-rule. older-rule',
      'unknown-option no longer occurs here; the comment can be removed. unknown-option',
    ]);
  });
});
