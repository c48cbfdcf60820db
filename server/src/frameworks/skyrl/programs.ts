import type { EntryPoint } from '../../launch/launch.ts';
import { remembering } from '../../value/remember.ts';
import { textOf } from '../../value/word.ts';
import type { OptionFact } from '../knowledge.ts';
import { codeOf } from '../pythonCode.ts';

/** The kinds of programs that knowledge names. */
const namedKinds = [
  'train',
  'fully-async',
  'fully-async-sim',
  'one-step-off',
  'full-context',
  'trial',
  'generate',
  'serve',
  'sft',
  'unchecked',
] as const;

/** Which checks a program runs before anything starts; undefined if unknown. */
export type ProgramKind = (typeof namedKinds)[number] | 'tinker';

/** A program that starts SkyRL. */
export interface Program {
  /** The dotted module, as far as known: `skyrl.train.entrypoints.main_base`. */
  readonly module: string;
  readonly kind: ProgramKind | undefined;
  /** It is one of upstream's own, whose options are known. */
  readonly upstream: boolean;
  /** Under the package name that SkyRL had until early 2026, when it still used Hydra. */
  readonly older: boolean;
  /** It has its own generator, or registers its own losses or environments; undefined if unknown. */
  readonly ownGenerator: boolean | undefined;
  readonly ownLosses: boolean | undefined;
  readonly ownEnvironments: boolean | undefined;
  /** It differs from upstream in what comes after the checks: trainer, tracker, evaluation data. */
  readonly ownRun: boolean | undefined;
  /** It reads its own flags (`--x value`) before the overrides. */
  readonly ownFlags: boolean;
  /** It strips Hydra's `+` from its overrides, or may do so. */
  readonly takesPlus?: boolean;
  /** Options whose defaults it may have changed. Omitted: none. */
  ownDefaults?(name: string): boolean;
}

/** Whether a text names a kind of program. */
export function isKind(text: unknown): text is ProgramKind {
  return namedKinds.some((kind) => kind === text);
}

/** The module that an entry point names: `-m a.b` or the path `a/b.py`. Undefined if it is unknown or not Python. */
export function moduleOf(entry: EntryPoint): string | undefined {
  const text = textOf(entry.word);
  if (text === undefined || entry.kind === 'program') return undefined;
  if (entry.kind === 'module') return text;
  if (!text.endsWith('.py')) return undefined;
  return text
    .replace(/\.py$/, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .join('.');
}

/** SkyRL's options that represent programs. */
const programsIn = remembering((facts: readonly OptionFact[]) =>
  facts.filter(({ parser }) => parser === 'entry'),
);

/** The program with a module name. `facts` are SkyRL's options, including one for each program of the repository. */
export function programOf(module: string, facts: readonly OptionFact[]): Program {
  if (module === 'skyrl.tinker.api' || module.endsWith('.skyrl.tinker.api'))
    return {
      module: 'skyrl.tinker.api',
      kind: 'tinker',
      upstream: true,
      older: false,
      ownGenerator: true,
      ownLosses: true,
      ownEnvironments: true,
      ownRun: true,
      ownFlags: true,
    };
  const known = programsIn(facts).find(({ name }) => sameModule(module, name.slice(6)));
  // skyrl-agent pins its own SkyRL, so its program counts as a custom one here.
  if (known !== undefined && isKind(known.default) && !known.name.startsWith('entry.skyrl_agent.')) {
    const own = known.choices ?? [];
    return {
      module: known.name.slice(6),
      kind: known.default,
      upstream: true,
      older: false,
      ownGenerator: own.includes('get_generator'),
      ownLosses: own.includes('losses'),
      ownEnvironments: own.includes('environments'),
      ownRun: false,
      ownFlags: own.includes('flags'),
    };
  }
  const older = /^(?:.*\.)?skyrl_train\./.test(module);
  return {
    module,
    kind: undefined,
    upstream: false,
    older,
    ownGenerator: undefined,
    ownLosses: undefined,
    ownEnvironments: undefined,
    ownRun: undefined,
    ownFlags: true,
  };
}

/** `x.y.skyrl.train.main_sft` (from an absolute path) is `skyrl.train.main_sft`. */
function sameModule(module: string, known: string): boolean {
  return known.includes('.') && (module === known || module.endsWith(`.${known}`));
}

/** A program that is not upstream's, completed with what its source shows about the checks it runs. */
export function programFromSource(program: Program, source: string): Program {
  if (program.kind !== undefined) return program;
  const code = codeOf(source);
  return { ...fromCode(program, code), ownDefaults: ownDefaultsOf(code) };
}

/**
 * The options whose defaults a program may change: all if its settings come not only from the command line, otherwise those that it assigns,
 * declares as fields or names in strings.
 */
function ownDefaultsOf(code: string): (name: string) => boolean {
  const readings = [...code.matchAll(/\bfrom_cli_overrides\(\s*(sys\.argv\[1:\]\s*\))?/g)];
  if (readings.length === 0 || readings.some(([, plain]) => plain === undefined)) return () => true;
  const assigned = [...code.matchAll(/\b(\w+)\s*(?::[^=\n]+)?=(?!=)\s*([\w.]*)/g)].flatMap(
    // A value passed on under its own name is unchanged.
    ([, name = '', value = '']) => (value.endsWith(`.${name}`) ? [] : [name]),
  );
  const named = [...code.matchAll(/["'](?:\w+\.)*(\w+)["']/g)].map(([, name = '']) => name);
  const changed = new Set([...assigned, ...named]);
  return (name) => changed.has(name.slice(name.lastIndexOf('.') + 1));
}

/** How a program trains; undefined if its settings choose between the ordinary and the asynchronous trainer. */
function trainingKind(source: string): ProgramKind | undefined {
  if (!/\bFullyAsync\w*/.test(source)) return 'train';
  return /\bRayPPOTrainer\b|\bsuper\(\)\.get_trainer\(/.test(source) ? undefined : 'fully-async';
}

function fromCode(program: Program, source: string): Program {
  const calls = (name: string): boolean => new RegExp(`(?<!def )\\b${name}\\(`).test(source);
  // A class that others inherit from is upstream's own, or a fork's, whose sources are consulted for each check.
  const isInheritedFrom = /^class BasePPOExp\b/m.test(source);
  let kind: ProgramKind | undefined;
  if (calls('validate_sft_cfg')) kind = 'sft';
  else if (calls('validate_cfg')) kind = trainingKind(source);
  else if (calls('validate_generator_cfg')) kind = 'generate';
  return {
    ...program,
    kind,
    // A function that processes the words first may be defined in another file.
    takesPlus:
      /["']\+\+?["']/.test(source) || /\b(?!from_cli_overrides\b|parse_)\w+\(\s*sys\.argv\[1:\]/.test(source),
    ownGenerator: !isInheritedFrom && /\bget_generator\b|Generator\b/.test(source),
    ownLosses: /Registry|register_policy_loss|register_advantage_estimator/.test(source),
    // A class from another file may do anything.
    ownRun:
      !isInheritedFrom &&
      (!/\bBasePPOExp\b/.test(source) ||
        /\bdef (?:run|_setup_trainer|get_trainer|get_tracker|get_eval_dataset)\b/.test(source)),
  };
}
