import type { Host } from '../value/host.ts';
import { remembering, rememberingBy } from '../value/remember.ts';
import type { Knowledge, OptionFact } from './knowledge.ts';
import { declaredFields } from './pythonFields.ts';

/** A framework's own declaration of its options, found in the workspace. */
export interface Declaration {
  readonly text: string;
  /** Names of options that it declares. */
  readonly declared: ReadonlySet<string>;
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
  /** Further files of that repository that name values of options: whoever adds one may change nothing else. */
  readonly choosing?: readonly string[];
}

/** So many options of its own a fork may add before nothing that is known here is certain for it any more. */
const fewAdditions = 5;

/** The declaration of the version that lies in a folder. */
export function declarationIn(folder: string, known: KnownDeclaration, host: Host): Declaration {
  const texts = known.files.flatMap((file) => host.read(`${folder}/${file}`) ?? []);
  return compared(known, texts.join('\n'));
}

const compared = rememberingBy((known: KnownDeclaration, text): Declaration => {
  const declared = known.declared(text);
  return {
    text,
    declared,
    additions: new Set([...declared].filter((name) => !known.all.has(name))),
    absent: new Set([...known.names].filter((name) => !declared.has(name))),
  };
});

/** Whether the declaration is of another version than the one that is known here, not of a fork with a few options of its own. */
export function isOtherVersion({ additions, absent }: Declaration): boolean {
  return absent.size > 0 || additions.size > fewAdditions;
}

/** What is known of the classes of files, whose annotated fields are the last keys of options: `batch_size: int = 8`. */
export function knownFields(
  ...files: readonly [string, ...string[]]
): (knowledge: Knowledge) => KnownDeclaration {
  const lastKey = ({ name }: OptionFact): readonly string[] => [
    name.slice(name.lastIndexOf('.') + 1).replace('[]', ''),
  ];
  return knownIn(files, lastKey, declaredFields);
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

function declaredFlags(python: string): ReadonlySet<string> {
  const out = new Set<string>();
  const code = python.replace(/#.*$/gm, '');
  for (const [, flag] of code.matchAll(/["'](--[a-z][\w-]*)["']/g)) if (flag !== undefined) out.add(flag);
  return out;
}
