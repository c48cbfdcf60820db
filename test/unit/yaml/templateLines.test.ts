import { describe, expect, test } from 'vitest';
import { renderings, withoutDirectives, withoutOptional } from '../../../server/src/yaml/templateLines.ts';
import { lintFile } from '../../support/lintFile.ts';
import { processorTime } from '../../support/processorTime.ts';

/** The remaining lines, without trailing blanks. */
function left(...lines: readonly string[]): readonly string[] | undefined {
  const text = lines.join('\n');
  const made = withoutDirectives(text);
  if (made !== undefined) expect(made).toHaveLength(text.length);
  return made
    ?.split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}

describe('lines that only a template engine reads', () => {
  test('leave a map unchanged if all conditions hold', () => {
    expect(left('{{- if .Values.on }}', 'a: 1', '{{- else }}', 'a: 2', '{{- end }}', 'b: 3')).toEqual([
      'a: 1',
      'b: 3',
    ]);
    expect(left('a: 1', '{% if x %}', 'b: 2', '{% elif y %}', 'b: 3', '{% endif %}')).toEqual([
      'a: 1',
      'b: 2',
    ]);
    expect(left('{{/* of', 'two: lines */}}', '{{ $n := .Values.n }}', 'a: 1')).toEqual(['a: 1']);
    expect(left('labels:', '  {{- include "x" . | nindent 2 }}', '  a: b')).toEqual(['labels:', '  a: b']);
  });

  test('leave any number of items in a list', () => {
    const list = ['args:', '  - a', '  {{- if .Values.on }}', '  - b', '  {{- end }}', '  - c'];
    expect(left(...list)).toEqual(['args:', '  - a', "  - '{{}}'", '  - b', '  - c']);
    expect(left('args:', '  {{- toYaml .Values.args | nindent 2 }}')).toEqual(['args:', "- '{{}}'"]);
  });

  test('are removed from multi-line text, where a blank line would end a command', () => {
    const text = [
      '{{- if .Values.on }}',
      'run: |',
      '  a',
      '  {{- if .Values.b }}',
      '  b',
      '  {{- end }}',
      '{{- end }}',
    ];
    const gone = (line: string): string => line.replace(/\S.*/, (rest) => '\uE000'.repeat(rest.length));
    expect(left(...text)).toEqual(text.slice(1, -1).map((line) => (line.includes('{{') ? gone(line) : line)));
    expect(left('run: |', '  a', '{{- if .Values.b }}', '  b', '{{- end }}')).toEqual([
      'run: |',
      '  a',
      `  ${'\uE000'.repeat(17)}`,
      '  b',
    ]);
  });

  test('are left alone if they would end such text, if there is no room, or if there are none', () => {
    expect(left('run: |', '  a', '{{- include "b" . }}', '  b')).toBeUndefined();
    expect(left('run: |', '        a', '{{ if b }}', '        b', '{{ end }}')).toEqual([
      'run: |',
      '        a',
      '        \uE000\uE000',
      '        b',
    ]);
    expect(left('run: |', '          a', '{{ if b }}', '          b', '{{ end }}')).toBeUndefined();
    expect(left('args:', '        - a', '{{ if x }}', '        - b', '{{ end }}')).toBeUndefined();
    expect(left('a: "{{ .Values.a }}"')).toBeUndefined();
  });
});

describe('texts that may be rendered from a template', () => {
  const plain = (text: string): readonly string[] =>
    renderings(text).map((made) => made.replaceAll(/[ \t]+$|\n[ \t]*(?=\n)/gm, '').trim());

  test('are one for each side of its conditions', () => {
    expect(plain('{{ if x }}\na: 1\n{{ else if y }}\na: 2\n{{ else }}\na: 3\n{{ end }}\n')).toEqual([
      'a: 1',
      'a: 2',
      'a: 3',
    ]);
    expect(plain('{% if x %}\na: 1\n{% endif %}\n{% if y %}\nb: 1\n{% else %}\nb: 2\n{% endif %}\n')).toEqual(
      ['a: 1\nb: 1', 'a: 1\nb: 2'],
    );
    expect(
      plain('{{ if x }}\n{{ if y }}\na: 1\n{{ else }}\na: 2\n{{ end }}\n{{ else }}\na: 3\n{{ end }}\n'),
    ).toEqual(['a: 1', 'a: 3']);
  });

  test('are one if no condition has an else, and none without directives', () => {
    expect(renderings('{{ if x }}\na: 1\n{{ end }}\n')).toHaveLength(1);
    expect(renderings('a: 1\n')).toEqual([]);
  });

  test('include one without what is in conditions that have no else', () => {
    const bare = (text: string): string | undefined =>
      withoutOptional(text)
        ?.replaceAll(/[ \t]+$|\n[ \t]*(?=\n)/gm, '')
        .trim();
    expect(bare('{{ if x }}\na: 1\n{{ end }}\n{{ if y }}\nb: 1\n{{ else }}\nb: 2\n{{ end }}\nc: 1\n')).toBe(
      'b: 1\nc: 1',
    );
    expect(bare('{% if x %}\n{% if y %}\na: 1\n{% else %}\na: 2\n{% endif %}\n{% endif %}\nc: 1\n')).toBe(
      'c: 1',
    );
    expect(bare('{{ with x }}\na: 1\n{{ end }}\nb: 1\n')).toBeUndefined();
    expect(bare('{{ if x }}\na: 1\n{{ else }}\na: 2\n{{ end }}\n')).toBeUndefined();
  });
});

describe('a Helm template', () => {
  const path = '/repository/templates/job.yaml';
  const words =
    'torchrun --nproc_per_node=8 pretrain_gpt.py --num-layers 31 --pipeline-model-parallel-size 4';
  const found = (text: string) =>
    lintFile(path, text)
      .findings.filter(({ rule }) => rule === 'megatron-lm/layers-divide-stages')
      .map(({ severity, place: { span } }) => `${severity} ${text.slice(span.start, span.end)}`);
  const container = (body: string) =>
    `{{- if .Values.on }}\nspec:\n  containers:\n    - image: x\n      {{- with .Values.env }}\n      env:\n        {{- toYaml . | nindent 8 }}\n      {{- end }}\n${body}{{- end }}\n`;

  test('is checked as the text rendered from it', () => {
    expect(found(container(`      command: [bash, -c, "${words}"]\n`))).toEqual(['error 31']);
  });

  test('has no certain error if another side of a condition has none', () => {
    const command = `      command: [bash, -c, "${words}"]\n`;
    const env = (layers: string, other: string) =>
      `      env:\n      {{- if .Values.on }}\n        - {name: L, value: "${layers}"}\n      {{- else }}\n        - {name: L, value: "${other}"}\n      {{- end }}\n`;
    const text = (layers: string, other: string) =>
      `spec:\n  containers:\n    - image: x\n${env(layers, other)}${command.replace('31', '$L')}`;
    expect(found(text('31', '32'))).toEqual(['warning 31']);
    expect(found(text('32', '31'))).toEqual(['warning 31']);
    expect(found(text('32', '32'))).toEqual([]);
    expect(found(`${text('32', '32').replace('$L', '31')}`)).toEqual(['error 31']);
  });

  test('has no certain error caused by a condition without an else, and none that such a condition prevents', () => {
    const command = `      command: [bash, -c, "${words}"]\n`.replace('31', '$L');
    const text = (always: string, sometimes: string) =>
      `spec:\n  containers:\n    - image: x\n      env:\n${always}      {{- if .Values.on }}\n${sometimes}      {{- end }}\n${command}`;
    const set = (layers: number) => `        - {name: L, value: "${layers}"}\n`;
    expect(found(text(set(32), set(31)))).toEqual(['warning 31']);
    expect(found(text(set(31), set(32)))).toEqual([]);
    expect(found(text(set(31), '        - {name: A, value: "1"}\n'))).toEqual(['error 31']);
    expect(found(`{{- if .Values.on }}\n${text(set(31), '')}{{- end }}\n`)).toEqual(['error 31']);
  });

  test('has commands that continue after its conditions', () => {
    const rules = (...lines: readonly string[]): readonly string[] => {
      const script = [
        'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 32 \\',
        ...lines,
        '  --lr 1e-4',
      ];
      const indented = script.map((line) => `        ${line}\n`).join('');
      const text = `spec:\n  containers:\n    - image: x\n      command: [bash, -c]\n      args:\n      - |\n${indented}`;
      const { findings } = lintFile(path, text);
      return findings
        .filter(({ rule }) => /continuation|layers-divide|fp16/.test(rule))
        .map(({ rule, severity }) => `${severity} ${rule}`);
    };
    const stages = (count: number): string => `  --pipeline-model-parallel-size ${count} \\`;
    const [on, other, off] = ['{{- if .Values.a }}', '{{- else }}', '{{- end }}'];
    expect(rules(on, '  --bf16 \\', off)).toEqual([]);
    expect(rules(on, '  --bf16 \\', other, '  --fp16 \\', off)).toEqual([]);
    expect(rules(on, stages(3), off)).toEqual(['warning megatron-lm/layers-divide-stages']);
    expect(rules(on, stages(4), other, stages(3), off)).toEqual(['warning megatron-lm/layers-divide-stages']);
    expect(rules(on, '  --bf16 \\', off, stages(3))).toEqual(['error megatron-lm/layers-divide-stages']);
  });

  test.each([
    ['conditions', (count: number) => `k:\n${'{{- if .x }}\n  a: 1\n{{- end }}\n'.repeat(count)}`],
    [
      'conditions within each other',
      (count: number) => `${'{{- if .x }}\n'.repeat(count)}a: 1\n${'{{- end }}\n'.repeat(count)}`,
    ],
    ['comments that do not end', (count: number) => `${'{{/* x\n'.repeat(count)}{{- if .x }}\n`],
  ])('takes time in proportion to many %s', (_, text) => {
    const took = (count: number): number => processorTime(() => withoutDirectives(text(count)));
    // The constant allows for garbage collection; comparing lines with each other would take minutes.
    expect(took(40_000)).toBeLessThan(took(10_000) * 12 + 1000);
  });

  test('has no certain error if a condition is among the words', () => {
    const list = `      command:\n${words
      .split(' ')
      .map((word) => `        - "${word}"\n`)
      .join('')}`;
    expect(found(container(list))).toEqual(['error 31']);
    const more = '        {{- if .Values.mock }}\n        - --mock-data\n        {{- end }}\n';
    expect(found(container(list + more))).toEqual(['warning 31']);
  });
});
