import type { CompiledConstraint } from '../expression/compiled.ts';
import { namesOf } from '../expression/tree.ts';
import type { Host } from '../value/host.ts';

/** The sources of a framework that the workspace holds, as far as rules ask them. */
export interface OwnSourcesOfRules {
  /** Where they lie: upstream's paths begin there. */
  readonly folder: string;
  readonly host: Host;
  /** Whether a name is that of an option, not of something that is derived. */
  readonly isOption: (name: string) => boolean;
  /** Names in these sources of options that only they have and that the run gives: `evolving_gym`. */
  readonly given: readonly string[];
}

/**
 * Whether the sources of the workspace decide otherwise than upstream what a rule is about: the files of the check are there without the
 * text that tells it, or the check also asks there for an option of these sources' own that the run gives.
 */
export function isDecidedOtherwise(
  { upstream, at, when, toldBy }: CompiledConstraint,
  { folder, host, isOption, given }: OwnSourcesOfRules,
): boolean {
  const texts = filesOf(upstream).map((file) => host.read(`${folder}/${file}`));
  if (toldBy !== undefined && texts.every((text) => text !== undefined && !tells(text, toldBy))) return true;
  const keys = [...new Set([...at, ...namesOf(when)].filter(isOption).map(keyOf))];
  if (given.length === 0 || keys.length === 0) return false;
  const mentions = new RegExp(`\\b(?:${keys.join('|')})\\b`);
  const asks = new RegExp(`(?:\\.|\\w\\(\\w+, ["'])(?:${given.join('|')})\\b`);
  return texts.some((text) => text !== undefined && isAskedBeside(mentions, asks, text.split('\n')));
}

/**
 * Whether the sources of the workspace have none of the files in which upstream makes a check, though they have the folders of these: such a version
 * makes it elsewhere, or not at all.
 */
export function isMadeElsewhere(
  { upstream }: Pick<CompiledConstraint, 'upstream'>,
  { folder, host }: Pick<OwnSourcesOfRules, 'folder' | 'host'>,
): boolean {
  const files = filesOf(upstream).map((file) => `${folder}/${file}`);
  const isMissing = (file: string): boolean =>
    host.kind(file.slice(0, file.lastIndexOf('/'))) === 'directory' && host.kind(file) !== 'file';
  return files.length > 0 && files.every(isMissing);
}

/** The files of Python that the places of a check name, each once. */
function filesOf(upstream: readonly string[]): readonly string[] {
  return [...new Set(upstream.flatMap((place) => /^[\w./-]+\.py(?=[: ]|$)/.exec(place) ?? []))];
}

/** Whether sources have a text in a line that is in force: a check that a fork has commented out is not made any more. */
function tells(text: string, toldBy: string): boolean {
  return text.includes(toldBy) && text.replace(/^[ \t]*#.*/gm, '').includes(toldBy);
}

/** Whether a condition beside a line with known options asks for one of these sources' own. */
function isAskedBeside(mentions: RegExp, asks: RegExp, lines: readonly string[]): boolean {
  const isCondition = (line: string): boolean =>
    asks.test(line) && /\b(?:if|elif|and|or|not|assert)\b/.test(line);
  return lines.some(
    (line, at) =>
      mentions.test(line) && lines.slice(Math.max(0, at - reach), at + reach + 1).some(isCondition),
  );
}

/** So many lines a condition goes on before and behind an option of it. */
const reach = 2;

/** What options are called in sources: `evolving_gym` for `--evolving-gym`, `own_key` for `trainer.own_key`. */
export function keysOf(names: readonly string[]): readonly string[] {
  const keys = names.map((name) =>
    keyOf(
      name
        .replace(/^--(?:no-)?/, '')
        .replaceAll('-', '_')
        .replace(/=.*/s, ''),
    ),
  );
  return keys.filter((key) => /^\w+$/.test(key));
}

function keyOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).replace('[]', '');
}
