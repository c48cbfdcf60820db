import data from '../../../../schemas/slime/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import { display, textOf } from '../../value/word.ts';
import { folderAbove } from '../above.ts';
import { importPaths } from '../importPaths.ts';

/** Flags that only slime and its descendants have. */
const telling: ReadonlySet<string> = new Set(data.tellingFlags);
const shared: ReadonlySet<string> = new Set(data.sharedFlags);

/** Last part of the script or module that a launch runs (`train.py`), with the path as written. Undefined for other programs. */
export function trainerScript(launch: Launch): { readonly name: string; readonly shown: string } | undefined {
  const { kind, word } = launch.entry;
  if (kind === 'program') return undefined;
  const written = display(word);
  const shown = kind === 'module' ? `${written.replaceAll('.', '/')}.py` : written;
  return { name: shown.slice(shown.lastIndexOf('/') + 1), shown };
}

/**
 * Whether the words of a launch identify slime: several of its flags or, if it runs a script with slime's name (`entry`), one flag that no
 * other trainer has. In a folder with slime's name, or next to slime itself, any one flag is enough.
 */
export function hasTellingFlags(launch: Launch, entry: boolean, host: Host): boolean {
  const found = tellingFlags(launch);
  if (found.size >= enoughFlags) return true;
  if (!entry || found.size === 0) return false;
  return (
    [...found].some((flag) => !shared.has(flag)) ||
    /(?:^|\/)slime\//.test(display(launch.entry.word)) ||
    folderAbove(importPaths(launch), data.declaration, host) !== undefined
  );
}

/** Whether the words of a launch contain any flag of slime's own. */
export function namesTellingOption(launch: Launch): boolean {
  return tellingFlags(launch).size > 0;
}

/** How many flags of slime's own identify it, whatever the script is called. */
const enoughFlags = 3;

/** The different flags of slime's own among the words of a launch. */
function tellingFlags(launch: Launch): ReadonlySet<string> {
  const found = new Set<string>();
  for (const word of launch.args) {
    const text = textOf(word);
    if (text?.startsWith('--') !== true) continue;
    const end = text.indexOf('=');
    const flag = end === -1 ? text : text.slice(0, end);
    if (telling.has(flag)) found.add(flag);
  }
  return found;
}

/** Whether a launch names a function of another package that descends from slime: `miles.rollout.sft_rollout.generate_rollout`. */
export function namesOtherPackage({ args }: Launch): boolean {
  return args.some((word) => ofOtherPackage.test(textOf(word) ?? ''));
}

const ofOtherPackage = new RegExp(`^(?:--[\\w-]+=)?(?:${data.otherPackages.join('|')})(?:\\.\\w+){2,}$`);

const anyTellingFlag = new RegExp(data.tellingFlags.join('|'));

/** Whether a text contains a flag of slime's own. */
export function namesTellingFlag(text: string): boolean {
  return anyTellingFlag.test(text);
}

/** ` through ray job submit`, or an empty string if the launch starts the program itself. */
export function throughWrapper(launch: Launch): string {
  const wrapper = launch.wrappers.at(-1);
  return wrapper === undefined ? '' : ` through ${wrapper}`;
}

/**
 * Whether the workspace has the script that runs, and it is not slime's: it has the name of slime's script but imports nothing from slime, or
 * it reads the arguments of another package.
 */
export function isOthersProgram(launch: Launch, host: Host): boolean {
  const script = textOf(launch.entry.word);
  if (launch.entry.kind !== 'script' || script === undefined) return false;
  const text = sourceOf(script, launch, host);
  if (text === undefined || importsSlime.test(text)) return false;
  return (
    /(^|\/)train(_async)?\.py$/.test(script) || /^[ \t]*from\s+\w+\.utils\.arguments\s+import\b/m.test(text)
  );
}

/** Whether the script that runs exists and uses slime. */
export function usesSlime(launch: Launch, host: Host): boolean {
  const script = textOf(launch.entry.word);
  const text =
    script === undefined || launch.entry.kind !== 'script' ? undefined : sourceOf(script, launch, host);
  return text !== undefined && importsSlime.test(text);
}

const importsSlime = /^[ \t]*(from|import)\s+slime\b/m;

/**
 * The source of a script: relative to the working directory or, if that is unknown or outside the workspace (`cd /opt/miles`), to a folder
 * above the text that starts it.
 */
function sourceOf(script: string, launch: Launch, host: Host): string | undefined {
  if (script.startsWith('/')) return host.read(script);
  const { cwd } = launch.command;
  const relative = script.replace(/^\.\//, '');
  const isKnown = cwd !== undefined && host.rootOf(`${cwd}/${relative}`) !== undefined;
  const folder = isKnown ? cwd : folderAbove([launch.place.path], relative, host);
  return folder === undefined ? undefined : host.read(`${folder}/${relative}`);
}
