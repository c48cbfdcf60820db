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

/** What the sources of the Megatron that is run, and of its script, say of words that are not known here. */
export interface OwnSources {
  /** Whether they declare a flag: in quotes, or as a field that a flag is made of. */
  declares(flag: string): boolean;
  /** Whether they name a choice where they declare a flag. */
  offers(flag: string, choice: string): boolean;
  /** Whether they declare a flag with a type of which a text is a value. */
  accepts(flag: string, text: string): boolean;
  /** Whether they declare a flag without a word against it: it is in use there, whatever has become of it upstream. */
  uses(flag: string): boolean;
  /** Whether they say where they declare a flag that it is deprecated. */
  disowns(flag: string): boolean;
}

/**
 * The sources as the workspace holds them: the script itself, the files beside it or above that declare Megatron's options, and for
 * somebody's own script the arguments of the packages at the top of the workspace.
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
  // These are many files, and fields in them are seldom flags.
  const ofPatch = once(() =>
    patchingPackages(entry, path, host).flatMap((folder) => packageFiles(folder, host)),
  );
  const sources = sourcesIn(paths, host);
  const isOfPatch = (flag: string, as: DeclaredAs): boolean =>
    isDeclaredIn(ofPatch(), (text) => foundIn(inQuotes(flag), text), host, as);
  return {
    ...sources,
    declares: (flag) => sources.declares(flag) || isOfPatch(flag, () => true),
    uses: (flag) => sources.uses(flag) || isOfPatch(flag, isInUse),
  };
}

/** The trees of Megatron at the top of the workspace that holds a file: a script which is not at its path may be one of theirs. */
export function sourcesBeside(options: readonly OptionFact[], path: string, host: Host): OwnSources {
  const files = declaringFiles(options);
  return sourcesIn(
    atTop(path, host).flatMap((folder) => files.map((file) => `${folder}/${file}`)),
    host,
  );
}

function sourcesIn(paths: readonly string[], host: Host): OwnSources {
  const isDeclared = (flag: string, as: DeclaredAs): boolean =>
    isDeclaredIn(
      paths,
      (text) => declarationIn(declarationOf(optionOfCoreField, flag), text).found,
      host,
      as,
    );
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

/** What must hold of the declaration of a flag, in a source. */
type DeclaredAs = (declaration: string, source: string) => boolean;

function isDeclaredIn(
  files: readonly string[],
  find: (text: string) => string | undefined,
  host: Host,
  as: DeclaredAs,
): boolean {
  return files.some((each) => {
    const text = host.kind(each) === 'file' ? host.read(each) : undefined;
    const declaration = text === undefined ? undefined : find(text);
    return text !== undefined && declaration !== undefined && as(declaration, text);
  });
}

/** Characters of sources that are kept for one flag: the arguments of two or three trees. */
const mostCharacters = 1_000_000;

/** What {@link foundIn} finds: launches of one tree ask for the same flags of the same sources again and again. */
const declarationIn = rememberingBy(
  (sought: Sought, text): { readonly found: string | undefined } => ({ found: foundIn(sought, text) }),
  mostCharacters,
);

/** The beginning of what a text holds of what is sought. */
function foundIn({ words, pattern }: Sought, text: string): string | undefined {
  const at = words.map((word) => text.indexOf(word)).filter((index) => index >= 0);
  if (at.length === 0) return undefined;
  // The pattern is slow on what stands before the first of the words: thousands of indented lines.
  const rest = text.slice(lineStart(text, Math.min(...at)));
  const found = pattern.exec(rest);
  return found === null ? undefined : rest.slice(found.index, found.index + longestDeclaration);
}

/** A function that computes its answer when it is first asked. */
function once<T>(compute: () => T): () => T {
  let answer: { readonly value: T } | undefined;
  return () => {
    answer ??= { value: compute() };
    return answer.value;
  };
}

/** The type that the declaration of one option names: `type=float`. */
function typeIn(declaration: string): string | undefined {
  return /\btype\s*=\s*([\w.]+)/.exec(ofOne(declaration))?.[1];
}

/** What of a text that begins with the declaration of an option belongs to it. */
function ofOne(declaration: string): string {
  const next = declaration.indexOf('add_argument(');
  return next === -1 ? declaration : declaration.slice(0, next);
}

/** Whether the declaration of an option says nothing against it. */
function isInUse(declaration: string): boolean {
  return !saysDeprecated.test(ofOne(declaration));
}

/** What the help of an option says, or the name under which its value is kept, where it is not to be given any more. */
const saysDeprecated = /deprecat/i;

/** Whether argparse makes a value of a type out of a text: numbers it reads as Python does, and of a fork's own types nothing is known. */
function isOfType(text: string, type: string | undefined, source: string): boolean {
  if (type === undefined) return false;
  if (type === 'int') return /^\s*[-+]?\d+(?:_\d+)*\s*$/.test(text);
  if (type === 'float') return text.trim() !== '' && !Number.isNaN(Number(text));
  return isConverted(text, type, source) ?? true;
}

/** Characters that the declaration of one option takes at most, its choices and help included. */
const longestDeclaration = 800;

/** A pattern, and words of which a text that it matches holds one: most sources hold none, and a word is found much faster. */
interface Sought {
  readonly words: readonly string[];
  readonly pattern: RegExp;
}

/** A flag in quotes, or the field of a dataclass that it is made of; fields whose flags are called otherwise make none of this name. */
const declarationOf = rememberingBy((fields: typeof optionOfCoreField, flag): Sought => {
  const { words, pattern } = inQuotes(flag);
  const field = flag.replace(/^--(?:no-)?/, '').replaceAll('-', '_');
  return /^\w+$/.test(field) && !fields.has(field)
    ? { words: [...words, field], pattern: new RegExp(`${pattern.source}|^\\s+${field}\\s*:`, 'm') }
    : { words, pattern };
});

function inQuotes(flag: string): Sought {
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

/** The packages at the top of the workspace that holds a file. */
function packagesOf(path: string, host: Host): readonly string[] {
  return atTop(path, host).filter((folder) => /\/\w+$/.test(folder));
}
