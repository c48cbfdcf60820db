import type { Launch } from '../../launch/launch.ts';
import { closest } from '../../text/spelling.ts';
import { knownPrefix, textOf, type Word, writtenAt } from '../../value/word.ts';
import type { BindingContext, BindingProblem } from '../framework.ts';
import type { LaunchForm } from './launchForm.ts';
import { locate } from './located.ts';

type Found = Pick<BindingProblem, 'rule' | 'place' | 'values'> & {
  readonly replacement?: string | undefined;
};

/** What is wrong with how a launch names its configuration: it names none, or a file that certainly does not exist. */
export function missingConfig(
  form: LaunchForm,
  name: string | undefined,
  path: string | undefined,
  launch: Launch,
  context: BindingContext,
): BindingProblem | undefined {
  if (form.config === undefined) return problemOf(unnamed(form, launch), 'error');
  if (name === undefined) return undefined;
  // Upstream takes it as the current folder, which exists, and then as a file name that Hydra does not find (areal/api/cli_args.py:2901).
  if (name === '')
    return problemOf(
      {
        rule: 'missing-value',
        place: form.config.place,
        values: { name: flag, detail: ': an empty text names no file' },
      },
      'error',
    );
  if (path !== undefined) return misnamed(name, path, form.config.place, context);
  // If the script is not here either, both are in another repository.
  const isElsewhere = form.script !== undefined && locate(form.script, launch, context.host) === undefined;
  if (form.mode === 'controller' && isElsewhere) return undefined;
  const { cwd } = launch.command;
  const full = name.startsWith('/') ? name : cwd === undefined ? undefined : `${cwd}/${name}`;
  if (full === undefined || context.host.kind(full) !== 'absent') return undefined;
  // The script may write the file, and it may be started from another folder.
  const value = fromTop(name, form.config.place.path, context);
  return problemOf({ rule: 'missing-config', place: form.config.place, values: { value } }, 'warning');
}

/** A path for display: relative to the workspace if it is inside, so that it reads the same on every machine. */
function fromTop(name: string, at: string, { host }: BindingContext): string {
  const root = `${host.rootOf(at) ?? ''}/`;
  return name.startsWith(root) ? name.slice(root.length) : name;
}

/** Hydra reads only the name up to and including its first `.yaml` (areal/api/cli_args.py:2909). */
function misnamed(
  name: string,
  path: string,
  place: BindingProblem['place'],
  { host }: BindingContext,
): BindingProblem | undefined {
  const begin = path.lastIndexOf('/') + 1;
  const read = `${path.slice(begin).split('.yaml')[0] ?? ''}.yaml`;
  if (read === path.slice(begin) || host.kind(path.slice(0, begin) + read) !== 'absent') return undefined;
  const values = { value: `${read}, which Hydra reads for ${name},` };
  return problemOf({ rule: 'missing-config', place, values }, 'error');
}

const flag = '--config';

/**
 * Upstream's parser requires the flag (areal/api/cli_args.py, parse_cli_args): it was misspelt, omitted before a file, or omitted altogether.
 */
function unnamed({ bareFlag, overrides }: LaunchForm, launch: Launch): Found {
  if (bareFlag !== undefined)
    return {
      rule: 'missing-value',
      place: writtenAt(bareFlag),
      values: { name: knownPrefix(bareFlag), detail: '' },
    };
  const misspelt = overrides.find((word) => /^-c$|^--?[A-Za-z]+$/.test(textOf(word) ?? '') && isMeant(word));
  if (misspelt !== undefined) {
    const values = { name: textOf(misspelt) ?? '', hint: ` Did you mean ${flag}?` };
    return {
      rule: 'unknown-option',
      place: writtenAt(misspelt),
      values,
      replacement: written(misspelt, flag),
    };
  }
  const values = { name: flag };
  const file = overrides.find((word) => /^[^=]+\.ya?ml$/.test(textOf(word) ?? ''));
  if (file === undefined) return { rule: 'required-option', place: launch.entry.word.place, values };
  const replacement = written(file, `${flag} ${textOf(file) ?? ''}`);
  return { rule: 'required-option', place: writtenAt(file), values, replacement };
}

function isMeant(word: Word): boolean {
  const text = textOf(word) ?? '';
  return text === '-c' || closest(text.replace(/^-+/, ''), ['config'], 2) !== undefined;
}

/** The replacement for a word, or undefined if the word is not written verbatim. */
function written({ pieces: [piece, ...others] }: Word, text: string): string | undefined {
  return piece?.kind === 'text' && piece.origin.verbatim && others.length === 0 ? text : undefined;
}

function problemOf({ replacement, ...found }: Found, severity: BindingProblem['severity']): BindingProblem {
  return { ...found, setting: undefined, replacement, severity, related: [] };
}
