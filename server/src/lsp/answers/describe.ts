import { resultOf } from '../../expression/evaluate.ts';
import { show } from '../../expression/message.ts';
import { type Result, UNKNOWN } from '../../expression/result.ts';
import { type Run, type Scope, titleOf } from '../../frameworks/framework.ts';
import type { OptionFact } from '../../frameworks/knowledge.ts';
import { frameworkOf } from '../../frameworks/registry.ts';
import type { Reason } from '../../value/value.ts';
import { code } from './markdown.ts';

/** The parallelism sizes by their usual abbreviations, under the names that each framework gives them. */
const dimensions: readonly (readonly [string, readonly string[]])[] = [
  ['TP', ['tensor_model_parallel_size', 'model.tensor_model_parallel_size']],
  ['PP', ['pipeline_model_parallel_size', 'model.pipeline_model_parallel_size']],
  ['CP', ['context_parallel_size', 'model.context_parallel_size']],
  ['EP', ['expert_model_parallel_size', 'model.expert_model_parallel_size']],
  ['DP', ['data_parallel_size']],
];

function sizeIn(scope: Scope, names: readonly string[]): number | undefined {
  for (const name of names) {
    const found = scope.lookup(name);
    const value = found === undefined ? UNKNOWN : resultOf(found.value);
    if (typeof value === 'number') return value;
  }
  return undefined;
}

/** `TP 4 PP 4 DP 2` of a scope, without sizes of one, except DP, and without those of a job that is too small for one copy. */
function parallelism(scope: Scope): string {
  return dimensions
    .flatMap(([letter, names]) => {
      const size = sizeIn(scope, names);
      return size === undefined || size < 1 || (size === 1 && letter !== 'DP') ? [] : [`${letter} ${size}`];
    })
    .join(' ');
}

/** What an option does, as somebody has to read it who sees a flag: one that turns the option off says so. */
export function meaningOfFlag(flag: string, { action, describe }: OptionFact): string | undefined {
  if (describe === undefined) return undefined;
  const isOff = action === 'store_false' || (action === 'boolean_optional' && flag.startsWith('--no-'));
  return isOff ? `${describe} This flag turns that off.` : describe;
}

/** `Megatron-LM · 64 GPUs · TP 4 PP 4 DP 4` */
export function describeRun(run: Run): string {
  const size = resultOf(run.worldSize);
  const gpus = size === UNKNOWN ? 'GPUs unknown' : `${show(size)} GPU${size === 1 ? '' : 's'}`;
  return [
    titleOf(run.framework),
    gpus,
    ...[...rolesOf(run)].map(([role, text]) => (role === '' ? text : `${role} ${text}`)),
  ].join(' · ');
}

/** The roles of a run with the layout of each as far as it is known; if a role has several scopes, the one with the most known. */
export function rolesOf(run: Run): ReadonlyMap<string, string> {
  const byRole = new Map<string, string>();
  for (const scope of run.scopes) {
    const role = scope.role ?? '';
    const text = parallelism(scope);
    if (text.length > (byRole.get(role) ?? '').length) byRole.set(role, text);
  }
  return new Map([...byRole, ...(frameworkOf(run.framework)?.layouts?.(run) ?? [])]);
}

const reasons: { readonly [reason in Reason]: string } = {
  environment: 'taken from the environment',
  positional: 'given on the command line',
  'command-output': 'printed by a command',
  random: 'another one in each run',
  branch: 'differs between paths through the script',
  'file-not-found': 'comes from a file that is not in the workspace',
  loop: 'differs between rounds of a loop',
  interpolation: 'worked out when the job reads the configuration',
  version: 'depends on an installed version',
  outside: 'decided by something outside these files',
  'too-complex': 'not worked out',
};

/** An unknown value in Markdown: its name and why it is unknown. */
export function unknownText(label: string, reason: Reason): string {
  return `unknown: ${code(label)}, ${reasons[reason]}`;
}

/** A value as inline code; an empty text is made visible. */
export function valueText(value: Result): string {
  return code(value === '' ? "''" : show(value));
}

const kibi = 1024;

/** A human-readable number of bytes (`512 MiB`), or undefined if it is not a large enough round number. */
export function bytesText(bytes: number): string | undefined {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let size = bytes;
  let unit = 0;
  while (size >= kibi && unit < units.length - 1) {
    size /= kibi;
    unit++;
  }
  if (unit < 2) return undefined;
  return `${Number(size.toFixed(size < 10 ? 1 : 0))} ${units[unit] ?? ''}`;
}
