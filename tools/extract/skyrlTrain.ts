/**
 * Writes the options of SkyRL's first package as in its releases: node tools/run.mjs tools/extract/skyrlTrain.ts GIT >
 * schemas/skyrl-train/options.json
 *
 * GIT is a clone of NovaSky-AI/SkyRL with its tags. A default is unknown if the releases with the option disagree on it, or if it refers to
 * another option.
 */
import { execFileSync } from 'node:child_process';
import { isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from 'yaml';

const releases = ['0.1.0', '0.2.0', '0.3.0', '0.4.0'];
const folder = 'skyrl-train/skyrl_train/config';

/** The files that Hydra composes, each with the path of its keys in the result. */
const files: readonly (readonly [file: string, below: string])[] = [
  ['ppo_base_config.yaml', ''],
  ['megatron_config/policy.yaml', 'trainer.policy.megatron_config'],
  ['megatron_config/ref.yaml', 'trainer.ref.megatron_config'],
  ['skyrl_gym_config/default.yaml', 'environment.skyrl_gym'],
];

/** Options that default to another option, as stated in `schemas/skyrl-train/derive.yaml`. */
const following = new Set([
  'generator.max_input_length',
  'generator.eval_sampling_params.max_generate_length',
]);

/** Names by which derivations and constraints refer to the started program. */
const entry = {
  'entry.kind': 'str',
  'entry.own_generator': 'bool',
  'entry.own_losses': 'bool',
  'entry.own_run': 'bool',
};

/** A key of one release's configuration. */
interface Key {
  readonly kind: 'group' | 'dict' | 'value';
  readonly value: unknown;
  readonly isFloat: boolean;
  readonly source: string;
}

function git(repository: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-C', repository, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** The text of a file in a release; undefined if the release does not contain it. */
function textAt(repository: string, release: string, file: string): string | undefined {
  try {
    return git(repository, 'show', `skyrl_train-v${release}:${folder}/${file}`);
  } catch {
    return undefined;
  }
}

function readKeys(text: string, file: string, below: string, out: Map<string, Key>): void {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, version: '1.1' });
  const walk = (node: Node | null, prefix: string): void => {
    if (!isMap(node)) return;
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue;
      const name = prefix === '' ? String(key.value) : `${prefix}.${String(key.value)}`;
      if (name === 'defaults') continue;
      const source = `${folder}/${file}:${lines.linePos(key.range?.[0] ?? 0).line}`;
      const isGroup = isMap(value) && value.items.length > 0;
      const isFloat = isScalar(value) && typeof value.value === 'number' && /[.e]/i.test(value.source ?? '');
      const kind = isGroup ? 'group' : isMap(value) ? 'dict' : 'value';
      out.set(name, {
        kind,
        value: isNode(value) ? value.toJS(document) : value,
        isFloat,
        source,
      });
      if (isGroup) walk(value, name);
    }
  };
  if (below !== '')
    out.set(below, { kind: 'group', value: {}, isFloat: false, source: `${folder}/${file}:1` });
  walk(document.contents, below);
}

function keysOf(repository: string, release: string): ReadonlyMap<string, Key> {
  const out = new Map<string, Key>();
  for (const [file, below] of files) {
    const text = textAt(repository, release, file);
    if (text !== undefined) readKeys(text, file, below, out);
  }
  // Until 0.3.0, sections of DeepSpeed's own configuration are next to ours, because the roles refer to them. Their content belongs to
  // DeepSpeed and is ignored.
  for (const name of [...out.keys()]) if (name.startsWith('deepspeed_config')) out.delete(name);
  if (textAt(repository, release, 'deepspeed_config/train.yaml') !== undefined)
    out.set('deepspeed_config', {
      kind: 'dict',
      value: '${deepspeed_config}',
      isFloat: false,
      source: `${folder}/deepspeed_config/train.yaml:1`,
    });
  return out;
}

function isReference(value: unknown): boolean {
  return typeof value === 'string' ? value.includes('${') : Array.isArray(value) && value.some(isReference);
}

function typeOf(name: string, keys: readonly Key[]): string {
  if (/\.(?:deepspeed_config|rope_scaling)$/.test(name) || keys.some(({ kind }) => kind === 'dict'))
    return 'dict';
  if (following.has(name)) return 'int';
  const types = keys
    .filter(({ value }) => value !== null && !(typeof value === 'string' && isReference(value)))
    .at(-1);
  if (types === undefined) return 'any';
  if (Array.isArray(types.value)) return 'list';
  if (typeof types.value === 'boolean') return 'bool';
  if (typeof types.value === 'string') return 'str';
  return keys.some(({ isFloat }) => isFloat) ? 'float' : 'int';
}

function optionOf(name: string, found: ReadonlyMap<number, Key>): object {
  const positions = [...found.keys()];
  const keys = [...found.values()];
  const last = keys.at(-1);
  const first = positions[0] ?? 0;
  const end = positions.at(-1) ?? 0;
  const since = first > 0 ? { since: releases[first] } : {};
  const until = end < releases.length - 1 ? { until: releases[end] } : {};
  const at = 'until' in until ? ` at ${until.until}` : '';
  const source = `${last?.source ?? ''}${at}`;
  if (last?.kind === 'group') return { name, type: 'group', default: {}, ...since, ...until, source };
  const values = keys.map(({ value }) => value);
  const type = typeOf(name, keys);
  const isHidden =
    !following.has(name) &&
    (values.some(isReference) || new Set(values.map((one) => JSON.stringify(one))).size > 1);
  const isOff = isReference(last?.value);
  return {
    name,
    type,
    ...(type === 'dict' ? { open: true } : {}),
    ...(isOff || values.includes(null) ? { nullable: true } : {}),
    default: isOff ? null : last?.value,
    ...(isHidden ? { defaultUnknown: true } : {}),
    ...since,
    ...until,
    source,
  };
}

const [repository] = process.argv.slice(2);
if (repository === undefined) {
  console.error('usage: node tools/run.mjs tools/extract/skyrlTrain.ts GIT');
  process.exit(2);
}
const byName = new Map<string, Map<number, Key>>();
for (const [position, release] of releases.entries())
  for (const [name, key] of keysOf(repository, release)) {
    const found = byName.get(name) ?? new Map<number, Key>();
    byName.set(name, found.set(position, key));
  }
const options: readonly object[] = [
  ...[...byName].map(([name, found]) => optionOf(name, found)),
  ...Object.entries(entry).map(([name, type]) => ({
    name,
    type,
    default: null,
    defaultUnknown: true,
    parser: 'entry',
    source: 'skyrl-train/skyrl_train/entrypoints/main_base.py:1',
  })),
];
const newest = releases.at(-1) ?? '';
const head = {
  framework: 'skyrl-train',
  repository: 'NovaSky-AI/SkyRL',
  commit: git(repository, 'rev-parse', `skyrl_train-v${newest}^{commit}`).trim(),
  release: newest,
};
const lines = Object.entries(head).map(
  ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},`,
);
const rows = options.map((option) => `    ${JSON.stringify(option)}`);
console.log(['{', ...lines, '  "options": [', rows.join(',\n'), '  ]', '}'].join('\n'));
