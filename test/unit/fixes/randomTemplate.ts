/** The directives of a template engine. */
export interface Marks {
  readonly if: string;
  readonly else: string;
  readonly end: string;
  readonly loop: string;
  readonly endLoop: string;
  readonly value: string;
  readonly fill: string;
  readonly comment: string;
}

export const helm: Marks = {
  if: '{{- if .Values.a }}',
  else: '{{- else }}',
  end: '{{- end }}',
  loop: '{{- range .Values.b }}',
  endLoop: '{{- end }}',
  value: '{{ .Values.lr }}',
  fill: '{{- toYaml .Values.c | nindent 8 }}',
  comment: '{{- /* about this */}}',
};

export const jinja: Marks = {
  if: '{% if a %}',
  else: '{% else %}',
  end: '{% endif %}',
  loop: '{% for b in c %}',
  endLoop: '{% endfor %}',
  value: '{{ lr }}',
  fill: '{{ c }}',
  comment: '{# about this #}',
};

/** Draws the contents of a template; all alternatives of a draw are generated before it. */
class Draws {
  readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
  }

  maybe(...lines: readonly string[]): readonly string[] {
    return this.random() < 0.4 ? lines : [];
  }

  either<T>(...choices: readonly [T, ...T[]]): T {
    return choices[Math.floor(this.random() * choices.length)] ?? choices[0];
  }
}

/** A job in a template: its launch has faults, and template directives stand in random places. */
export function randomTemplate(random: () => number, marks: Marks): string {
  const draws = new Draws(random);
  const words = options(draws, marks);
  const env = draws.either(environment(draws, marks), []);
  const command = draws.either(listedCommand(words, draws, marks), scriptCommand(words, draws, marks), [
    `        command: [bash, -c, "torchrun --nproc_per_node 8 pretrain_gpt.py ${words.join(' ')}"]`,
  ]);
  return [
    'kind: Job',
    'metadata:',
    '  name: gpt',
    ...draws.maybe(`  ${marks.comment}`),
    ...draws.maybe(
      `  ${marks.if}`,
      '  labels: {a: b} # set',
      `  ${marks.else}`,
      '  labels: {}',
      `  ${marks.end}`,
    ),
    'spec:',
    '  template:',
    '    spec:',
    ...draws.maybe('      nodeSelector:', `        ${marks.fill}`),
    '      containers:',
    ...draws.maybe(`      ${marks.if}`, '      - name: side', '        image: x', `      ${marks.end}`),
    '      - name: gpt',
    '        image: y',
    ...draws.maybe(`        ${marks.if}`, '        tty: true', `        ${marks.end}`),
    ...(random() < 0.5 ? [...env, ...command] : [...command, ...env]),
    ...draws.maybe('        # the end'),
    '',
  ].join('\n');
}

function options(draws: Draws, marks: Marks): readonly string[] {
  const fixed = '--num-layers 32 --hidden-size 4096 --num-attention-heads 32 --seq-length 4096';
  return [
    ...fixed.split(' '),
    '--max-position-embeddings',
    '4096',
    '--micro-batch-size',
    '1',
    '--tensor-model-parallel-size',
    draws.either('4', '3'),
    '--pipeline-model-parallel-size',
    draws.either('1', '5'),
    '--lr',
    marks.value,
    '--train-iters',
    '10',
  ];
}

function environment(draws: Draws, marks: Marks): readonly string[] {
  const variable = ['          - name: A', '            value: "1"'];
  const another = ['          - name: B', '            value: "1"'];
  return [
    '        env:',
    ...draws.maybe(`          ${marks.if}`, ...variable, `          ${marks.end}`),
    '          - name: NCCL_DEBUG # logs',
    '            value: INFO',
    ...draws.maybe(`          ${marks.loop}`, ...another, `          ${marks.endLoop}`),
  ];
}

/** The command as items of a list. */
function listedCommand(words: readonly string[], draws: Draws, marks: Marks): readonly string[] {
  const half = words.length / 2;
  const item = (word: string): string => `          - "${word}"`;
  return [
    '        command: [torchrun, --nproc_per_node, "8"]',
    '        args:',
    '          - pretrain_gpt.py',
    ...words.slice(0, half).map(item),
    ...draws.maybe(`          ${marks.if}`, '          - --bf16', `          ${marks.end}`),
    ...draws.maybe(
      `          ${marks.if}`,
      '          - --bf16',
      `          ${marks.else}`,
      '          - --fp16',
      `          ${marks.end}`,
    ),
    ...words.slice(half).map(item),
    ...draws.maybe(`          ${marks.loop}`, item(marks.value), `          ${marks.endLoop}`),
  ];
}

/** The command as a script of several lines. */
function scriptCommand(words: readonly string[], draws: Draws, marks: Marks): readonly string[] {
  const half = words.length / 2;
  const line = (some: readonly string[]): string => some.join(' ');
  return [
    '        command:',
    '          - bash',
    draws.either('          - -c', '          - -exc'),
    draws.either('          - |', '          - |-'),
    `            torchrun --nproc_per_node 8 pretrain_gpt.py ${line(words.slice(0, half))} \\`,
    ...draws.maybe(`            ${marks.if}`, '            --bf16 \\', `            ${marks.end}`),
    ...draws.maybe(
      `            ${marks.if}`,
      '              --bf16 \\',
      `            ${marks.else}`,
      '              --fp16 \\',
      `            ${marks.end}`,
    ),
    `              ${line(words.slice(half))}`,
    ...draws.maybe('            echo done # said'),
  ];
}
