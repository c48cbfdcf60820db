import { lineStart } from '../../text/lines.ts';
import { literally } from '../../text/literal.ts';
import type { Host } from '../../value/host.ts';
import { remembering, rememberingBy } from '../../value/remember.ts';
import { atTop } from '../above.ts';
import type { OptionFact } from '../knowledge.ts';
import { packageFiles } from '../packageFiles.ts';
import { isConverted } from './conversions.ts';
import { optionOfCoreField } from './coreFields.ts';
import type { EntryScript } from './entries.ts';
import { patchingPackages, treesOf } from './tree.ts';

/** What the sources of the Megatron that runs, and of its script, say about words unknown here. */
export interface OwnSources {
  /** Whether they declare a flag: in quotes, or as a field from which a flag is generated. */
  declares(flag: string): boolean;
  /** Whether they name a choice in the declaration of a flag. */
  offers(flag: string, choice: string): boolean;
  /** Whether they declare a flag with a type that accepts a text. */
  accepts(flag: string, text: string): boolean;
  /** Whether they declare a flag without calling it deprecated: it is in use there, whatever became of it upstream. */
  uses(flag: string): boolean;
  /** Whether their declaration of a flag says that it is deprecated. */
  disowns(flag: string): boolean;
}

/**
 * The sources in the workspace: the script itself, the files beside or above it that declare Megatron's options, and for a custom script the
 * arguments of the packages at the top of the workspace.
 *
 * @param path the file that starts the script
 */
export function ownSources(
  options: readonly OptionFact[],
  entry: EntryScript | undefined,
  path: string,
  host: Host,
  ownScript: boolean,
): OwnSources {
  const paths = [
    ...(entry?.path === undefined ? [] : [entry.path]),
    ...treesOf(entry, path, host).flatMap((folder) =>
      declaringFiles(options).map((file) => `${folder}/${file}`),
    ),
    ...(ownScript ? packagesOf(path, host) : []).flatMap((folder) => [
      `${folder}/arguments.py`,
      `${folder}/training/arguments.py`,
    ]),
  ];
  const ofPatch = once(() => flagsOf(host, patchingPackages(entry, path, host)));
  const sources = sourcesIn(paths, host);
  return {
    ...sources,
    declares: (flag) => sources.declares(flag) || ofPatch().has(flag),
    uses: (flag) => sources.uses(flag) || ofPatch().get(flag) === 'in use',
  };
}

/** What the files of packages say about the flags that they name in quotes. */
function flagsOf(host: Host, packages: readonly string[]): ReadonlyMap<string, FlagUse> {
  const flags = new Map<string, FlagUse>();
  for (const folder of packages)
    for (const [flag, use] of flagsIn(host, folder)) if (flags.get(flag) !== 'in use') flags.set(flag, use);
  return flags;
}

type FlagUse = 'in use' | 'deprecated';

/**
 * The same for one package. There are many files, so each is searched once for all flags; their fields are rarely flags. A host is used for one
 * lint, which binds a launch several times.
 */
const flagsIn = rememberingBy((host: Host, folder: string): ReadonlyMap<string, FlagUse> => {
  const flags = new Map<string, FlagUse>();
  for (const file of packageFiles(folder, host)) {
    const text = host.read(file) ?? '';
    const ofFile = new Set<string>();
    for (const { 1: flag = '', index } of text.matchAll(quotedFlag)) {
      if (ofFile.has(flag) || flags.get(flag) === 'in use') continue;
      ofFile.add(flag);
      const declaration = text.slice(index, index + longestDeclaration);
      flags.set(flag, isInUse(declaration) ? 'in use' : 'deprecated');
    }
  }
  return flags;
});

const quotedFlag = /["'](-[-\w.]+)["']/g;

/** The Megatron trees at the top of the workspace that contains a file: a script that is not at its path may belong to one of them. */
export function sourcesBeside(options: readonly OptionFact[], path: string, host: Host): OwnSources {
  const files = declaringFiles(options);
  return sourcesIn(
    atTop(path, host).flatMap((folder) => files.map((file) => `${folder}/${file}`)),
    host,
  );
}

function sourcesIn(paths: readonly string[], host: Host): OwnSources {
  const isDeclared = (flag: string, as: DeclaredAs): boolean =>
    paths.some((path) => {
      const text = host.kind(path) === 'file' ? host.read(path) : undefined;
      if (text === undefined) return false;
      const { found } = declarationIn(declarationOf(optionOfCoreField, flag), text);
      return found !== undefined && as(found, text);
    });
  return {
    declares: (flag) => isDeclared(flag, () => true),
    offers: (flag, choice) =>
      isDeclared(flag, (text) => text.includes(`'${choice}'`) || text.includes(`"${choice}"`)),
    accepts: (flag, text) =>
      isDeclared(flag, (declaration, source) => isOfType(text, typeIn(declaration), source)),
    uses: (flag) => isDeclared(flag, isInUse),
    disowns: (flag) => isDeclared(flag, (declaration) => !isInUse(declaration)),
  };
}

/** A condition on the declaration of a flag in a source. */
type DeclaredAs = (declaration: string, source: string) => boolean;

/** How many characters of sources are cached per flag: the arguments of two or three trees. */
const mostCharacters = 1_000_000;

/** Caches {@link foundIn}: launches of one tree look up the same flags in the same sources again and again. */
const declarationIn = rememberingBy(
  (wanted: Declaration, text): { readonly found: string | undefined } => ({ found: foundIn(wanted, text) }),
  mostCharacters,
);

/** The text from the first match onwards, up to `longestDeclaration` characters. */
function foundIn({ words, pattern }: Declaration, text: string): string | undefined {
  const at = words.map((word) => text.indexOf(word)).filter((index) => index >= 0);
  if (at.length === 0) return undefined;
  // The pattern is slow on the text before the first of the words: thousands of indented lines.
  const rest = text.slice(lineStart(text, Math.min(...at)));
  const found = pattern.exec(rest);
  return found === null ? undefined : rest.slice(found.index, found.index + longestDeclaration);
}

/** A function that computes its result on the first call. */
function once<T>(compute: () => T): () => T {
  let answer: { readonly value: T } | undefined;
  return () => {
    answer ??= { value: compute() };
    return answer.value;
  };
}

/** The type named in the declaration of one option: `type=float`. */
function typeIn(declaration: string): string | undefined {
  return /\btype\s*=\s*([\w.]+)/.exec(ofOne(declaration))?.[1];
}

/** The part of a text that belongs to the option declaration at its beginning. */
function ofOne(declaration: string): string {
  const next = declaration.indexOf('add_argument(');
  return next === -1 ? declaration : declaration.slice(0, next);
}

/** Whether the declaration of an option says nothing against it. */
function isInUse(declaration: string): boolean {
  return !saysDeprecated.test(ofOne(declaration));
}

/** What an option's help text, or the name under which its value is stored, says if the option should no longer be used. */
const saysDeprecated = /deprecat/i;

/** Whether argparse converts a text to a type: numbers are read as in Python, and nothing is known about a fork's own types. */
function isOfType(text: string, type: string | undefined, source: string): boolean {
  if (type === undefined) return false;
  if (type === 'int') return /^\s*[-+]?\d+(?:_\d+)*\s*$/.test(text);
  if (type === 'float') return text.trim() !== '' && !Number.isNaN(Number(text));
  return isConverted(text, type, source) ?? true;
}

/** How many characters the declaration of one option takes at most, including its choices and help. */
const longestDeclaration = 800;

/**
 * A pattern, and words of which every matching text contains at least one: most sources contain none, and searching for a word is much faster.
 */
interface Declaration {
  readonly words: readonly string[];
  readonly pattern: RegExp;
}

/** A flag in quotes, or the dataclass field it is generated from; fields whose flags have a different name do not count. */
const declarationOf = rememberingBy((fields: typeof optionOfCoreField, flag): Declaration => {
  const { words, pattern } = inQuotes(flag);
  const field = flag.replace(/^--(?:no-)?/, '').replaceAll('-', '_');
  return /^\w+$/.test(field) && !fields.has(field)
    ? { words: [...words, field], pattern: new RegExp(`${pattern.source}|^\\s+${field}\\s*:`, 'm') }
    : { words, pattern };
});

function inQuotes(flag: string): Declaration {
  return { words: [flag], pattern: new RegExp(`["']${literally(flag)}["']`) };
}

/** The files that declare the options of every entry script. */
const declaringFiles = remembering((options: readonly OptionFact[]): readonly string[] => [
  ...new Set(
    options.flatMap(({ parser, removed, source }) =>
      parser === undefined && removed === undefined && /^megatron\/[\w./]+\.py:/.test(source)
        ? [source.slice(0, source.indexOf(':'))]
        : [],
    ),
  ),
]);

/** The packages at the top of the workspace that contains a file. */
function packagesOf(path: string, host: Host): readonly string[] {
  return atTop(path, host).filter((folder) => /\/\w+$/.test(folder));
}
