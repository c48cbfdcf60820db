import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Finding } from '../../../server/src/rules/finding.ts';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { loadKnowledge, testLinter } from '../../support/knowledge.ts';
import { memoryHost } from '../../support/memoryHost.ts';
import { numbers } from '../../support/random.ts';
import { thorough } from '../../support/thorough.ts';

const knowledge = loadKnowledge();
const path = '/repository/job.yaml';
const lint = (text: string): readonly Finding[] =>
  testLinter(knowledge, memoryHost({ [path]: text })).lint(path, text).findings;

/** The marks of a template's program. */
interface Marks {
  readonly if: string;
  readonly else: string;
  readonly end: string;
  readonly loop: string;
  readonly endLoop: string;
  readonly value: string;
  readonly fill: string;
  readonly comment: string;
}

const helm: Marks = {
  if: '{{- if .Values.a }}',
  else: '{{- else }}',
  end: '{{- end }}',
  loop: '{{- range .Values.b }}',
  endLoop: '{{- end }}',
  value: '{{ .Values.lr }}',
  fill: '{{- toYaml .Values.c | nindent 8 }}',
  comment: '{{- /* about this */}}',
};
const jinja: Marks = {
  if: '{% if a %}',
  else: '{% else %}',
  end: '{% endif %}',
  loop: '{% for b in c %}',
  endLoop: '{% endfor %}',
  value: '{{ lr }}',
  fill: '{{ c }}',
  comment: '{# about this #}',
};

/** What the template's program makes of a text: with all conditions true or none, and loops that run once or not at all. */
function rendered(text: string, holds: boolean): string {
  const out: string[] = [];
  const open: boolean[] = [];
  for (const line of text.split('\n')) {
    const mark = /^\s*\{[{%]-?\s*(if|else|end|range|for)/.exec(line)?.[1];
    const isAlone = /^\s*(?:\{\{.*\}\}|\{%.*%\}|\{#.*#\})\s*$/.test(line);
    if (isAlone && mark === 'else') open.push(open.pop() === false);
    else if (isAlone && mark === 'end') open.pop();
    else if (isAlone && mark !== undefined) open.push(holds);
    if (!isAlone && open.every((each) => each)) out.push(line.replace(/\{\{.*?\}\}/g, '1e-4'));
  }
  return out.join('\n');
}

const isValid = (text: string): boolean => parseAllDocuments(text).every(({ errors }) => errors.length === 0);
const kept = (text: string): readonly string[] =>
  text.split('\n').filter((line) => /^\s*\{[{%#]|#/.test(line));

/** A job in a template: what it launches has faults, and lines of the template stand in random places. */
function template(random: () => number, marks: Marks): string {
  const maybe = (...lines: readonly string[]): readonly string[] => (random() < 0.4 ? lines : []);
  const either = <T>(...choices: readonly [T, ...T[]]): T =>
    choices[Math.floor(random() * choices.length)] ?? choices[0];
  const words = [
    '--num-layers',
    '32',
    '--hidden-size',
    '4096',
    '--num-attention-heads',
    '32',
    '--seq-length',
    '4096',
    '--max-position-embeddings',
    '4096',
    '--micro-batch-size',
    '1',
    '--tensor-model-parallel-size',
    either('4', '3'),
    '--pipeline-model-parallel-size',
    either('1', '5'),
    '--lr',
    marks.value,
    '--train-iters',
    '10',
  ];
  const env = [
    ...either(
      [
        '        env:',
        ...maybe(
          `          ${marks.if}`,
          '          - name: A',
          '            value: "1"',
          `          ${marks.end}`,
        ),
        '          - name: NCCL_DEBUG # logs',
        '            value: INFO',
        ...maybe(
          `          ${marks.loop}`,
          '          - name: B',
          '            value: "1"',
          `          ${marks.endLoop}`,
        ),
      ],
      [],
    ),
  ];
  const half = words.length / 2;
  const line = (some: readonly string[]): string => some.join(' ');
  const command = either(
    [
      '        command: [torchrun, --nproc_per_node, "8"]',
      '        args:',
      '          - pretrain_gpt.py',
      ...words.slice(0, half).map((word) => `          - "${word}"`),
      ...maybe(`          ${marks.if}`, '          - --bf16', `          ${marks.end}`),
      ...maybe(
        `          ${marks.if}`,
        '          - --bf16',
        `          ${marks.else}`,
        '          - --fp16',
        `          ${marks.end}`,
      ),
      ...words.slice(half).map((word) => `          - "${word}"`),
      ...maybe(`          ${marks.loop}`, `          - "${marks.value}"`, `          ${marks.endLoop}`),
    ],
    [
      '        command:',
      '          - bash',
      either('          - -c', '          - -exc'),
      either('          - |', '          - |-'),
      `            torchrun --nproc_per_node 8 pretrain_gpt.py ${line(words.slice(0, half))} \\`,
      ...maybe(`            ${marks.if}`, '            --bf16 \\', `            ${marks.end}`),
      ...maybe(
        `            ${marks.if}`,
        '              --bf16 \\',
        `            ${marks.else}`,
        '              --fp16 \\',
        `            ${marks.end}`,
      ),
      `              ${line(words.slice(half))}`,
      ...maybe('            echo done # said'),
    ],
    [`        command: [bash, -c, "torchrun --nproc_per_node 8 pretrain_gpt.py ${line(words)}"]`],
  );
  return [
    'kind: Job',
    'metadata:',
    '  name: gpt',
    ...maybe(`  ${marks.comment}`),
    ...maybe(`  ${marks.if}`, '  labels: {a: b} # set', `  ${marks.else}`, '  labels: {}', `  ${marks.end}`),
    'spec:',
    '  template:',
    '    spec:',
    ...maybe('      nodeSelector:', `        ${marks.fill}`),
    '      containers:',
    ...maybe(`      ${marks.if}`, '      - name: side', '        image: x', `      ${marks.end}`),
    '      - name: gpt',
    '        image: y',
    ...maybe(`        ${marks.if}`, '        tty: true', `        ${marks.end}`),
    ...(random() < 0.5 ? [...env, ...command] : [...command, ...env]),
    ...maybe('        # the end'),
    '',
  ].join('\n');
}

test.each([
  ['Helm', helm],
  ['Jinja', jinja],
])('each fix in a template of %s mends its finding and leaves a template that makes YAML', (_, marks) => {
  const random = numbers(7);
  let applied = 0;
  for (let run = 0; run < (thorough ? 2000 : 25); run += 1) {
    const text = template(random, marks);
    const before = lint(text);
    for (const finding of before)
      for (const fix of finding.fixes) {
        const after = applyEdits(text, fix.edits) ?? '';
        const what = `${finding.rule}: ${fix.title}\n${text}\n=== becomes\n${after}`;
        applied += 1;
        for (const holds of [true, false])
          expect(isValid(rendered(after, holds)), what).toBe(isValid(rendered(text, holds)));
        expect(kept(after), what).toEqual(kept(text));
        const isSame = ({ rule, message }: Finding): boolean =>
          rule === finding.rule && message === finding.message;
        expect(lint(after).filter(isSame).length, what).toBeLessThan(before.filter(isSame).length);
      }
  }
  expect(applied).toBeGreaterThan(20);
});
