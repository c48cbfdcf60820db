import type { CompiledConstraint } from '../expression/compiled.ts';
import { namesOf } from '../expression/tree.ts';
import type { Host } from '../value/host.ts';

/** The workspace's sources of a framework, as far as rules need them. */
export interface OwnSourcesOfRules {
  /** Their root folder, to which upstream's paths are relative. */
  readonly folder: string;
  readonly host: Host;
  /** Whether a name is that of an option rather than of something derived. */
  readonly isOption: (name: string) => boolean;
  /** Names, as used in these sources, of options that only they have and that the run gives: `evolving_gym`. */
  readonly given: readonly string[];
}

/**
 * Whether the workspace's sources decide differently from upstream what a rule is about: the files of the check exist but lack the text that
 * identifies it, or contain the text that shows that it was fixed; or the check there also depends on an option that only these sources have and
 * that the run gives.
 */
export function isDecidedOtherwise(
  { upstream, at, when, upstreamHas, upstreamLacks }: CompiledConstraint,
  { folder, host, isOption, given }: OwnSourcesOfRules,
): boolean {
  const texts = filesOf(upstream).map((file) => host.read(`${folder}/${file}`));
  if (
    upstreamHas !== undefined &&
    texts.every((text) => text !== undefined && !containsCode(text, upstreamHas))
  )
    return true;
  if (
    upstreamLacks !== undefined &&
    texts.some((text) => text !== undefined && containsCode(text, upstreamLacks))
  )
    return true;
  const names = [...at, ...namesOf(when)];
  const keys = [...new Set(names.filter(isOption).map(keyOf))];
  // An option that upstream has removed exists only in these sources, but a rule about it depends on it anyway.
  const known = new Set(names.map(keyOf));
  const others = given.filter((name) => !known.has(name));
  if (others.length === 0 || keys.length === 0) return false;
  const mentions = new RegExp(`\\b(?:${keys.join('|')})\\b`);
  const asks = new RegExp(`(?:\\.|\\w\\(\\w+, ["'])(?:${others.join('|')})\\b`);
  return texts.some((text) => text !== undefined && isConditionedNearby(mentions, asks, text.split('\n')));
}

/**
 * Whether the workspace's sources lack all files in which upstream makes a check, although they have their folders: such a version makes the
 * check elsewhere, or not at all.
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

/** The distinct Python files in the places of a check. */
function filesOf(upstream: readonly string[]): readonly string[] {
  return [...new Set(upstream.flatMap((place) => /^[\w./-]+\.py(?=[: ]|$)/.exec(place) ?? []))];
}

/** Whether a source has a text outside comment lines: a check that a fork has commented out is no longer made. */
function containsCode(text: string, code: string): boolean {
  return text.includes(code) && text.replace(/^[ \t]*#.*/gm, '').includes(code);
}

/** Whether a condition near a line with known options depends on one that only these sources have. */
function isConditionedNearby(mentions: RegExp, asks: RegExp, lines: readonly string[]): boolean {
  const isCondition = (line: string): boolean =>
    asks.test(line) && /\b(?:if|elif|and|or|not|assert)\b/.test(line);
  return lines.some(
    (line, at) =>
      mentions.test(line) && lines.slice(Math.max(0, at - reach), at + reach + 1).some(isCondition),
  );
}

/** How many lines a condition may extend before and after an option in it. */
const reach = 2;

/** The names of options in sources: `evolving_gym` for `--evolving-gym`, `own_key` for `trainer.own_key`. */
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
