import type { Host } from '../../value/host.ts';
import { remembering } from '../../value/remember.ts';
import type { OptionFact } from '../knowledge.ts';
import { optionOfCoreField } from './coreFields.ts';
import type { EntryScript } from './entries.ts';
import { treesOf } from './tree.ts';

/** What the sources of the Megatron that is run, and of its script, say of words that are not known here. */
export interface OwnSources {
  /** Whether they declare a flag: in quotes, or as a field that a flag is made of. */
  declares(flag: string): boolean;
  /** Whether they name a choice where they declare a flag. */
  offers(flag: string, choice: string): boolean;
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
  const isDeclared = (flag: string, as: (declaration: string) => boolean): boolean => {
    const pattern = declarationOf(flag);
    return paths.some((each) => {
      const text = host.kind(each) === 'file' ? host.read(each) : undefined;
      const found = text === undefined ? null : pattern.exec(text);
      return found !== null && as(found.input.slice(found.index, found.index + longestDeclaration));
    });
  };
  return {
    declares: (flag) => isDeclared(flag, () => true),
    offers: (flag, choice) =>
      isDeclared(flag, (text) => text.includes(`'${choice}'`) || text.includes(`"${choice}"`)),
  };
}

/** Characters that the declaration of one option takes at most, its choices and help included. */
const longestDeclaration = 800;

/** A flag in quotes, or the field of a dataclass that it is made of; fields whose flags are called otherwise make none of this name. */
function declarationOf(flag: string): RegExp {
  const quoted = `["']${flag.replace(/[^\w-]/g, '\\$&')}["']`;
  const field = flag.replace(/^--(?:no-)?/, '').replaceAll('-', '_');
  return /^\w+$/.test(field) && !optionOfCoreField.has(field)
    ? new RegExp(`${quoted}|^\\s+${field}\\s*:`, 'm')
    : new RegExp(quoted);
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

/** The folders at the top of the workspace that holds a file. */
function packagesOf(path: string, host: Host): readonly string[] {
  const root = host.rootOf(path);
  const names = root === undefined ? [] : (host.list(root) ?? []);
  return names.filter((name) => /^\w+$/.test(name)).map((name) => `${root}/${name}`);
}
