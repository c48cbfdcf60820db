import * as z from 'zod';
import { configSchema } from '../../server/src/config/schema.ts';

/** The part of a JSON Schema shown on the page. */
const shape = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  get properties() {
    return z.record(z.string(), shape).optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), shape]).optional();
  },
  get items() {
    return shape.optional();
  },
  get anyOf() {
    return z.array(shape).optional();
  },
});
type Shape = z.infer<typeof shape>;

function typeOf(schema: Shape): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  if (schema.properties !== undefined) return 'map';
  if (typeof schema.additionalProperties === 'object') return `map to ${typeOf(schema.additionalProperties)}`;
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any']);
  const names: { readonly [type: string]: string } = {
    string: 'text',
    integer: 'whole number',
    boolean: 'true or false',
  };
  return types.map((type) => names[type] ?? type).join(' or ');
}

/** Settings with a table of their own. */
const sections: ReadonlySet<string> = new Set(['machine', 'overrides', 'constraints']);

function table(schema: Shape): string[] {
  const rows = Object.entries(schema.properties ?? {}).map(
    ([name, inner]) =>
      `| \`${name}\` | ${typeOf(inner)}${sections.has(name) ? ', see below' : ''} | ${inner.description ?? ''} |`,
  );
  return ['| setting | value | meaning |', '|---|---|---|', ...rows, ''];
}

const introduction = `# Configuration

<!-- Generated from server/src/config/schema.ts by \`npm run docs\`. -->

oomlint works without any configuration. Use a file \`.oomlint.yaml\`, or the table \`[tool.oomlint]\` in a \`pyproject.toml\`, to tell it what your scripts do not say
and which rules your project wants.

- A file is linted with the nearest configuration above it, within the repository if there is one. \`extends\` builds on another configuration.
- \`oomlint init\` writes a small, commented configuration. \`oomlint config FILE\` prints the settings in force for a file, and where each of them comes from.
- An invalid setting is reported with its line and is ignored; all other settings still apply. The exit code is then 2.

\`\`\`yaml
machine: {gpus_per_node: 8, gpu_memory_gib: 80, compute_capability: 90}
variables: {NNODES: 4, "1": /data/checkpoints}     # "1" is the first positional argument
rules: {slime/reference-model-for-a-metric: "off"}
overrides:
  - paths: ["experiments/**"]
    rules: {unknown-option: warning}
constraints:
  - id: memory-fraction-of-our-cluster
    framework: slime
    severity: error
    when: sglang_mem_fraction_static > 0.85
    message: "Our nodes take at most 0.85, not {sglang_mem_fraction_static}."
    fixes: [{title: Use 0.85, set: {sglang_mem_fraction_static: 0.85}}]
unsuppressible: [memory-fraction-of-our-cluster]
\`\`\`

The same in \`pyproject.toml\`:

\`\`\`toml
[tool.oomlint]
rules = {unknown-option = "warning"}

[tool.oomlint.machine]
gpus_per_node = 8
\`\`\`
`;

/** docs/configuration.md: every setting, from the schema that also checks it. */
export function configurationPage(): string {
  const schema = shape.parse(
    z.toJSONSchema(configSchema, { target: 'draft-7', io: 'input', unrepresentable: 'any' }),
  );
  const part = (name: string): Shape | undefined => schema.properties?.[name];
  const parts = [
    [
      'machine',
      part('machine'),
      'Fields that you leave out are unknown, and an unknown value never causes an error. `--profile FILE` sets the same fields for one run.',
    ],
    [
      'overrides',
      part('overrides')?.items,
      'A pattern may contain at most four `**`, and at most four `*` between two slashes. Patterns use `/` and are case-sensitive on every system.',
    ],
    [
      'constraints',
      part('constraints')?.items,
      '`when`, and `{…}` in messages, use the same language as [the built-in rules](constraints.md). A pattern in `matches()` may repeat at most twice, and may not repeat a group that itself contains a repeat or a choice.',
    ],
  ] as const;
  return [
    introduction,
    '## Settings',
    '',
    ...table(schema),
    ...parts.flatMap(([name, inner, text]) => [
      `## \`${name}\``,
      '',
      text,
      '',
      ...(inner === undefined ? [] : table(inner)),
    ]),
    'The language server completes settings, rules and values in every editor. For validation and hovers by `yaml-language-server`, put\n`# yaml-language-server: $schema=…/dist/config.schema.json` on the first line; in VS Code, the extension registers this schema with the YAML extension.',
    '',
  ].join('\n');
}
