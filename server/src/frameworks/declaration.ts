import type { Host } from '../value/host.ts';
import { remembering, rememberingBy } from '../value/remember.ts';
import type { Knowledge, OptionFact } from './knowledge.ts';
import { declaredFields } from './pythonFields.ts';

/** A framework's own declaration of its options, found in the workspace. */
export interface Declaration {
  readonly text: string;
  /** Option names that it declares. */
  readonly declared: ReadonlySet<string>;
  /** Option names that it declares but that are unknown here. */
  readonly additions: ReadonlySet<string>;
  /** Names known here that it lacks. */
  readonly absent: ReadonlySet<string>;
}

/** Where upstream declares its options, and what we know of that declaration. */
export interface KnownDeclaration {
  /** Paths relative to the top of upstream's repository: `areal/api/cli_args.py`. The first identifies the repository. */
  readonly files: readonly [string, ...string[]];
  /** Names that these files declare in the known version. */
  readonly names: ReadonlySet<string>;
  /** All known names, wherever they are declared. */
  readonly all: ReadonlySet<string>;
  /** The names declared by the text of such a file. */
  readonly declared: (text: string) => ReadonlySet<string>;
  /** Other files of that repository that list option values: a new value may be the only change in them. */
  readonly choosing?: readonly string[];
}

/** How many options of its own a fork may add before the known options are no longer certain for it. */
const fewAdditions = 5;

/** The declaration of the version in a folder. */
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

/** Whether the declaration is of another version than the known one, rather than of a fork with a few options of its own. */
export function isOtherVersion({ additions, absent }: Declaration): boolean {
  return absent.size > 0 || additions.size > fewAdditions;
}

/** The known declaration for files with classes, whose annotated fields are the last keys of options: `batch_size: int = 8`. */
export function knownFields(
  ...files: readonly [string, ...string[]]
): (knowledge: Knowledge) => KnownDeclaration {
  const lastKey = ({ name }: OptionFact): readonly string[] => [
    name.slice(name.lastIndexOf('.') + 1).replace('[]', ''),
  ];
  return knownIn(files, lastKey, declaredFields);
}

/** The known declaration for files with parsers that quote their long flags: `"--rollout-batch-size"`. */
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

/** The part of a source after its file (`:12`, ` add_train_arguments`); empty if it names another file. */
function after(file: string, source: string): string {
  return source.startsWith(file) ? source.slice(file.length) : '';
}

function declaredFlags(python: string): ReadonlySet<string> {
  const out = new Set<string>();
  const code = python.replace(/#.*$/gm, '');
  for (const [, flag] of code.matchAll(/["'](--[a-z][\w-]*)["']/g)) if (flag !== undefined) out.add(flag);
  return out;
}
