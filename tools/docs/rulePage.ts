import { stringify } from 'yaml';
import type { FrameworkId } from '../../server/src/frameworks/framework.ts';
import { titleOf } from '../../server/src/frameworks/framework.ts';
import { whenOf } from '../../server/src/report/phase.ts';
import { substituteData } from '../../server/src/rules/compileConstraint.ts';
import {
  type BaseEntry,
  type ConstraintEntry,
  constraintSchema,
  type ExampleEntry,
} from '../../server/src/rules/constraintFile.ts';
import { messageText } from '../../server/src/rules/messageText.ts';
import { argumentLines } from './argumentLines.ts';

function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>#|]/g, '\\$&').replace(/\s+/g, ' ');
}

/**
 * Text that Markdown shows literally. Addresses become links, in which nothing may be escaped, and text between backticks is code, except for
 * characters that would separate table cells.
 */
export function markdown(text: string): string {
  return inline(text).trim();
}

function inline(text: string): string {
  return text
    .split(/(https?:\/\/[^\s)|]+|`[^`|]+`)/)
    .map((part, index) => (index % 2 === 0 ? escaped(part) : part.replace(/\s+/g, ' ')))
    .join('');
}

/** A message's placeholders as inline code. */
export function withPlaceholders(text: string): string {
  const bare = text.replace(/`(\{\w+\})`/g, '$1');
  // Marks expressions with a character that no message contains until the text around them is escaped.
  return messageText(bare, (expression) => `\u0001${expression}\u0001`)
    .split('\u0001')
    .map((part, index) => (index % 2 === 0 ? inline(part) : `\`${part}\``))
    .join('')
    .trim();
}

/** The entry for its first role, so that examples can be shown as people would write them. */
function firstVariant(entry: ConstraintEntry): ConstraintEntry {
  const assignment = new Map(
    Object.entries(entry.each ?? {}).map(([variable, values]) => [variable, values[0] ?? '']),
  );
  return constraintSchema.parse(substituteData(entry, assignment));
}

/** Dotted overrides as equivalent YAML. */
function nested(args: string): string | undefined {
  const tree: { [key: string]: unknown } = {};
  for (const word of argumentLines(args)) {
    const match = /^\+{0,2}([\w.]+)=(.*)$/s.exec(word);
    if (match?.[1] === undefined) return undefined;
    const keys = match[1].split('.');
    let node = tree;
    for (const key of keys.slice(0, -1)) {
      const next = node[key];
      const inner: { [key: string]: unknown } = isRecord(next) ? next : {};
      node[key] = inner;
      node = inner;
    }
    const text = (match[2] ?? '').replace(/^(["'])(.*)\1$/s, '$2');
    node[keys[keys.length - 1] ?? ''] = /^-?\d+(\.\d+)?$/.test(text)
      ? Number(text)
      : text === 'true'
        ? true
        : text === 'false'
          ? false
          : text === 'null'
            ? null
            : text;
  }
  return stringify(tree, { lineWidth: 0 });
}

function isRecord(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

/** An example as a person would write it: what matters for the rule, and `…` for the rest. */
function exampleText(base: BaseEntry, example: ExampleEntry): string {
  const parts =
    typeof example === 'string'
      ? {
          args: example,
          env: {},
          yaml: undefined,
          world_size: undefined,
          versions: {},
          machine: {},
          launch: undefined,
        }
      : example;
  const out: string[] = [];
  const worldSize = parts.world_size ?? base.world_size;
  const gpus = Math.min(8, worldSize);
  const launch = (parts.launch ?? base.launch)
    .replaceAll('{gpus_per_node}', String(gpus))
    .replaceAll('{nodes}', String(Math.ceil(worldSize / gpus)));
  const environment = Object.entries(parts.env).map(
    ([name, value]) => `export ${name}=${/^[\w.:,/-]*$/.test(value) ? value : JSON.stringify(value)}`,
  );
  const yaml = parts.yaml ?? (base.yaml_name === undefined ? undefined : nested(parts.args));
  if (
    yaml !== undefined &&
    (base.yaml_name !== undefined || parts.yaml !== undefined) &&
    yaml.trim() !== '{}'
  ) {
    if (environment.length > 0) out.push(fence('bash', [...environment, launch].join('\n')));
    out.push(fence('yaml', yaml));
  } else {
    const lines = argumentLines(parts.args);
    const command = [launch, ...(base.args === '' ? [] : ['…']), ...lines].join(' \\\n  ');
    out.push(fence('bash', [...environment, command].join('\n')));
  }
  const conditions = [
    ...Object.entries(parts.versions).map(([name, version]) => `${name} ${version}`),
    ...Object.entries(parts.machine).map(([name, value]) => `${name}: ${String(value)}`),
  ];
  if (conditions.length > 0)
    out.push(`with the machine profile ${conditions.map((text) => `\`${text}\``).join(', ')}`);
  return out.join('\n\n');
}

function listOf(example: ConstraintEntry['bad']): ExampleEntry[] {
  return Array.isArray(example) ? example : [example];
}

/** Whether an example adds options to the base launch. */
function adds(example: ConstraintEntry['bad']): boolean {
  return listOf(example).every((one) => typeof one === 'string' || one.base !== 'none');
}

const severityText = {
  error: 'error: upstream refuses this, or it cannot work',
  warning: 'warning: likely to fail, or to have no effect',
  info: 'info: advice',
};

/** The page of one rule. */
export function rulePage(
  framework: FrameworkId,
  base: BaseEntry,
  written: ConstraintEntry,
  sourceBase: string,
  since: string | undefined,
): string {
  const entry = firstVariant(written);
  return [
    ...heading(framework, entry, Object.values(written.each ?? {}).flat()),
    ...examples(base, entry),
    ...fixTable(entry),
    '## Condition',
    '',
    fence('python', String(entry.when)),
    '',
    ...sources(framework, entry, sourceBase, since),
    ...suppression(framework, entry),
  ].join('\n');
}

/** Tags that are meaningful to readers; the others are for the engine and for authors of rules. */
const toldTags: ReadonlySet<string> = new Set(['memory', 'no-effect', 'override', 'deprecated', 'advice']);

/** The rule's message, and a table of its properties. */
function heading(framework: FrameworkId, entry: ConstraintEntry, roles: readonly string[]): string[] {
  const declared =
    entry.declared === undefined ? '' : `, ${entry.declared} where the project declares the release`;
  const subjects = entry.tags.filter((tag) => toldTags.has(tag)).map((tag) => tag.replaceAll('-', ' '));
  const about = subjects.join(', ');
  return [
    `# ${framework}/${entry.id}`,
    '',
    withPlaceholders(entry.message),
    '',
    withPlaceholders(entry.why),
    '',
    '| | |',
    '|---|---|',
    `| severity | ${severityText[entry.severity]}${declared} |`,
    `| shows | ${whenOf(entry.phase)} |`,
    `| applies to | ${titleOf(framework)}${roles.length > 0 ? ` (${roles.join(', ')})` : ''} |`,
    ...(about === '' ? [] : [`| about | ${about} |`]),
    '',
  ];
}

/** Maximum number of examples per kind on a page; the others test single clauses of the condition. */
const mostShown = 2;

function examples(base: BaseEntry, { bad, good }: ConstraintEntry): string[] {
  const isPlainLaunch = (example: unknown): boolean => example === '' && adds(bad);
  const shown = (all: ConstraintEntry['bad'], verdict: string): string[] => {
    const list = listOf(all);
    const left = list.length - mostShown;
    return [
      ...list
        .slice(0, mostShown)
        .flatMap((example) => [
          isPlainLaunch(example) ? 'The same launch without these options.' : exampleText(base, example),
          '',
        ]),
      ...(left > 0
        ? [`The rule is tested with ${left} more that ${left === 1 ? 'is' : 'are'} ${verdict}.`, '']
        : []),
    ];
  };
  return ['## Reported', '', ...shown(bad, 'reported'), '## Fine', '', ...shown(good, 'fine')];
}

function fixTable({ fixes }: ConstraintEntry): string[] {
  if (fixes.length === 0) return [];
  const rows = fixes.map(
    ({ title, safety, cost }) =>
      `| ${withPlaceholders(title)} | ${safety} | ${cost === undefined ? '' : markdown(cost)} |`,
  );
  return ['## Fixes', '', '| fix | safety | cost |', '|---|---|---|', ...rows, ''];
}

/** Where upstream does this, and in which releases. */
function sources(
  framework: FrameworkId,
  { upstream, until }: ConstraintEntry,
  sourceBase: string,
  since: string | undefined,
): string[] {
  if (upstream.length === 0) return [];
  const title = titleOf(framework);
  const begun = `${title} does so since ${since}, perhaps in other words before. Nothing is said where the workspace holds or declares an older one.`;
  const ended = `${title} ${until} is the last release that does so. Nothing is said where a newer one is known to be there.`;
  return [
    '## Source',
    '',
    ...upstream.map((source) => `- ${markdown(source)}`),
    '',
    `Lines are those of ${sourceBase}.`,
    '',
    ...(since === undefined ? [] : [begun, '']),
    ...(until === undefined ? [] : [ended, '']),
  ];
}

function suppression(framework: FrameworkId, { id, severity }: ConstraintEntry): string[] {
  return [
    '## When to suppress',
    '',
    severity === 'error'
      ? 'When your version or fork of the framework does not have this check:'
      : 'When you know that it does not matter here:',
    '',
    fence('bash', `# oomlint-disable-next-line ${framework}/${id} -- reason`),
    '',
  ];
}
