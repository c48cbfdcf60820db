import type { Launch } from '../launch/launch.ts';
import type { Host } from '../value/host.ts';
import { remembering, rememberingBy } from '../value/remember.ts';
import type { BindingContext, BindingProblem, Run } from './framework.ts';
import type { Knowledge, OptionFact } from './knowledge.ts';

/** A framework's own declaration of its options, found in the workspace. */
interface Declaration {
  readonly text: string;
  /** Names of options that it declares and that are not known here. */
  readonly additions: ReadonlySet<string>;
  /** Names that are known here and that it does not have. */
  readonly absent: ReadonlySet<string>;
}

/** Where the declaration stands upstream, and what of it is known here. */
export interface KnownDeclaration {
  /** Paths from the top of upstream's repository: `areal/api/cli_args.py`. The first tells where the repository is. */
  readonly files: readonly [string, ...string[]];
  /** Names that these files declare in the version that is known here. */
  readonly names: ReadonlySet<string>;
  /** All names that are known, wherever they are declared. */
  readonly all: ReadonlySet<string>;
  /** The names that a text of that file declares. */
  readonly declared: (text: string) => ReadonlySet<string>;
}

/** So many options of its own a fork may add before nothing that is known here is certain for it any more. */
const fewAdditions = 5;

/**
 * The declaration that the workspace holds above one of the paths, the nearest one. Undefined when there is none: then the
 * framework is installed in a version that nobody tells of.
 */
function declarationAbove(
  paths: readonly string[],
  known: KnownDeclaration,
  host: Host,
): Declaration | undefined {
  for (const path of paths) {
    const root = host.rootOf(path);
    if (root === undefined) continue;
    for (let end = path.lastIndexOf('/'); end >= root.length; end = path.lastIndexOf('/', end - 1)) {
      const [first, ...others] = known.files.map((file) => host.read(`${path.slice(0, end)}/${file}`));
      if (first !== undefined) return compared(known, [first, ...others].join('\n'));
    }
  }
  return undefined;
}

/** Where Python finds the framework of a launch before what is installed: the working directory, then the folders above the text. */
export function importPaths(launch: Launch): readonly string[] {
  const { cwd, place } = launch.command;
  return cwd === undefined ? [place.path] : [`${cwd}/.`, place.path];
}

const compared = rememberingBy((known: KnownDeclaration, text): Declaration => {
  const declared = known.declared(text);
  return {
    text,
    additions: new Set([...declared].filter((name) => !known.all.has(name))),
    absent: new Set([...known.names].filter((name) => !declared.has(name))),
  };
});

/** Whether the declaration is of another version than the one that is known here, not of a fork with a few options of its own. */
function isOtherVersion({ additions, absent }: Declaration): boolean {
  return absent.size > 0 || additions.size > fewAdditions;
}

/**
 * A run of the framework that is really there. What the declaration of the workspace has is not unknown, removed or out of choice;
 * under another version, also one that the project declares (`versions: {areal: "1.0.2"}`), nothing is certain.
 */
export function asInstalled(
  run: Run,
  paths: readonly string[],
  known: (knowledge: Knowledge) => KnownDeclaration,
  { host, knowledge, machine }: BindingContext,
): Run {
  const declaration = declarationAbove(paths, known(knowledge), host);
  if (declaration === undefined) {
    const declared = machine.versions[knowledge.framework];
    return isOtherRelease(declared, knowledge.release) ? withoutCertainty(run) : run;
  }
  const problems = run.problems.filter((problem) => !isDeclared(problem, declaration));
  return isOtherVersion(declaration) ? withoutCertainty({ ...run, problems }) : { ...run, problems };
}

/** Whether a release differs from the one that is known here in a number that both have. */
function isOtherRelease(declared: string | undefined, known: string | undefined): boolean {
  if (declared === undefined || known === undefined) return false;
  const numbers = (release: string): readonly string[] =>
    /^v?(\d+(?:\.\d+)*)/.exec(release.trim())?.[1]?.split('.') ?? [];
  const other = numbers(known);
  return numbers(declared).some((number, at) => other[at] !== undefined && other[at] !== number);
}

/** The run of a version that may differ from what is known here: its errors become warnings. */
function withoutCertainty(run: Run): Run {
  return {
    ...run,
    problems: run.problems.map((problem) =>
      problem.severity === 'error' ? { ...problem, severity: 'warning' } : problem,
    ),
    scopes: run.scopes.map((scope) => ({ ...scope, ceiling: scope.ceiling ?? 'warning' })),
    upstreamEntry: false,
  };
}

const nameRules: ReadonlySet<string> = new Set(['unknown-option', 'removed-option', 'renamed-option']);

function isDeclared({ rule, values }: BindingProblem, { text, additions, absent }: Declaration): boolean {
  const { name = '', value = '' } = values;
  if (nameRules.has(rule)) return partsOf(name).some((part) => additions.has(part));
  if (rule === 'required-option') return partsOf(name).some((part) => absent.has(part));
  return rule === 'invalid-choice' && (text.includes(`"${value}"`) || text.includes(`'${value}'`));
}

/** A flag, or the keys of a dotted name. */
function partsOf(name: string): readonly string[] {
  return name.startsWith('-') ? [name.split('=', 1)[0] ?? name] : name.split('.');
}

/** What is known of the classes of `file`, whose annotated fields are the last keys of options: `batch_size: int = 8`. */
export function knownFields(file: string): (knowledge: Knowledge) => KnownDeclaration {
  const lastKey = ({ name }: OptionFact): readonly string[] => [
    name.slice(name.lastIndexOf('.') + 1).replace('[]', ''),
  ];
  return knownIn([file], lastKey, declaredFields);
}

/** What is known of the parsers of files that quote their long flags: `"--rollout-batch-size"`. */
export function knownFlags(
  ...files: readonly [string, ...string[]]
): (knowledge: Knowledge) => KnownDeclaration {
  const quoted = ({ flags = [] }: OptionFact): readonly string[] =>
    flags.filter((flag) => !flags.includes(flag.replace(/^--no-/, '--')) || !flag.startsWith('--no-'));
  return knownIn(files, quoted, declaredFlags);
}

function knownIn(
  files: KnownDeclaration['files'],
  namesOf: (option: OptionFact) => readonly string[],
  declared: KnownDeclaration['declared'],
): (knowledge: Knowledge) => KnownDeclaration {
  return remembering(({ options }: Knowledge) => {
    const present = options.filter((option) => option.removed === undefined && option.parser !== 'entry');
    const here = present.filter(({ source }) => files.some((file) => /^[: ]/.test(after(file, source))));
    return {
      files,
      declared,
      names: new Set(here.flatMap(namesOf)),
      all: new Set(present.flatMap(namesOf)),
    };
  });
}

/** What of a source stands behind its file (`:12`, ` add_train_arguments`); empty when it names another file. */
function after(file: string, source: string): string {
  return source.startsWith(file) ? source.slice(file.length) : '';
}

/** `name: type = …`, or `name: type` alone, which a line of a docstring seldom looks like. */
const field = /^ {4}(_?[a-z]\w*)\s*:\s*(?:[^=]+=|[A-Za-z_][\w.]*(?:\[[^\]]*\])?(?: \| [\w.]+)*$)/;

function declaredFields(python: string): ReadonlySet<string> {
  const out = new Set<string>();
  let inClass = false;
  for (const line of python.split('\n')) {
    if (/^\S/.test(line)) inClass = line.startsWith('class ');
    const name = inClass ? field.exec(line)?.[1] : undefined;
    if (name !== undefined) out.add(name);
  }
  return out;
}

function declaredFlags(python: string): ReadonlySet<string> {
  const out = new Set<string>();
  const code = python.replace(/#.*$/gm, '');
  for (const [, flag] of code.matchAll(/["'](--[a-z][\w-]*)["']/g)) if (flag !== undefined) out.add(flag);
  return out;
}
