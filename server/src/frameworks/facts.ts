import type { MachineProfile } from '../value/machine.ts';
import { remembering } from '../value/remember.ts';
import { known, unknown, type Value } from '../value/value.ts';
import { textOf, type Word } from '../value/word.ts';
import { allocatorSettings, allocatorVariables, allocatorVariablesReadBy } from './allocator.ts';
import type { Effective } from './framework.ts';
import type { OptionFact } from './knowledge.ts';
import { declaredRelease } from './release.ts';

/** The program that a launch starts, as the source of a value: no option has this name. */
export const programOfLaunch = 'launch.program';

/** A value in effect without a user's setting behind it. */
export function fact(value: Value, how: Effective['how']): Effective {
  return { value, how, setting: undefined, from: [], because: undefined };
}

/** The default of an option, if it is known. */
export const knownDefault = remembering((option: OptionFact) => fact(known(option.default), 'default'));

/** The value of an environment word: its text, or unknown for a word with a hole. */
export function valueOfWord(word: Word): Value {
  const text = textOf(word);
  if (text !== undefined) return known(text);
  const hole = word.pieces.find((piece) => piece.kind === 'hole');
  return hole?.kind === 'hole' ? unknown(hole.reason, hole.label) : unknown('too-complex', '…');
}

/** The value of a key in the allocator variable that is read; if it is unknown which one is read, the value that all set variables agree on. */
function allocatorFact(
  key: string,
  environment: ReadonlyMap<string, Word>,
  release: string | undefined,
): Effective {
  const read = allocatorVariablesReadBy(release);
  const set = (read ?? allocatorVariables).filter((name) => environment.has(name));
  const [first = known(null), ...others] = set
    .slice(0, read === undefined ? set.length : 1)
    .map((name) => allocatorValue(key, environment.get(name)));
  const agree = others.every(
    (other) => first.kind === 'known' && other.kind === 'known' && other.data === first.data,
  );
  const value = agree ? first : unknown('version', `which of ${set.join(' and ')} counts`);
  if (value.kind === 'known' && value.data === null) return fact(value, 'default');
  return { ...fact(value, 'given'), from: set.map((name) => `env.${name}`) };
}

function allocatorValue(key: string, word: Word | undefined): Value {
  const text = word === undefined ? '' : textOf(word);
  if (word !== undefined && text === undefined) return valueOfWord(word);
  return known(allocatorSettings(text ?? '').get(key) ?? null);
}

function machineFact(key: string, machine: MachineProfile): Effective | undefined {
  const values: { [key: string]: number | boolean | string | undefined } = {
    gpus_per_node: machine.gpusPerNode,
    nodes: machine.nodes,
    nvlink: machine.nvlink,
    gpu_memory_bytes: machine.gpuMemoryBytes,
    compute_capability: machine.computeCapability,
    gpu: machine.gpu,
  };
  if (!Object.hasOwn(values, key)) return undefined;
  const value = values[key];
  return fact(value === undefined ? unknown('outside', `the machine's ${key}`) : known(value), 'default');
}

/** Whether a name refers to the surroundings of a launch, independent of the framework: environment, allocator, machine, versions. */
export function isSurrounding(name: string): boolean {
  return /^(?:env|alloc_conf|machine|version)\./.test(name);
}

/**
 * The names that every framework has: `world_size`, `env.NAME` (null when the launch does not set it), `alloc_conf.key`,
 * `machine.x`, `version.package`. Undefined for every other name.
 */
export function makeFacts(parts: {
  readonly worldSize: Value;
  readonly environment: ReadonlyMap<string, Word>;
  readonly machine: MachineProfile;
}): (name: string) => Effective | undefined {
  return (name) => {
    if (name === 'world_size') return fact(parts.worldSize, 'derived');
    const dot = name.indexOf('.');
    if (dot < 0) return undefined;
    const key = name.slice(dot + 1);
    switch (name.slice(0, dot)) {
      case 'env': {
        const word = parts.environment.get(key);
        return word === undefined ? fact(known(null), 'default') : fact(valueOfWord(word), 'given');
      }
      case 'alloc_conf':
        return allocatorFact(key, parts.environment, declaredRelease(parts.machine, 'torch'));
      case 'machine':
        return machineFact(key, parts.machine);
      case 'version': {
        const version = declaredRelease(parts.machine, key);
        return fact(
          version === undefined ? unknown('version', `the version of ${key}`) : known(version),
          'default',
        );
      }
      default:
        return undefined;
    }
  };
}
