import type { Place } from '../../text/span.ts';
import { closest } from '../../text/spelling.ts';
import type { BashProblem, Correction } from '../options.ts';
import type { Shared } from '../state/shared.ts';
import type { Source } from '../text/source.ts';

/** Maximum number of wrong characters in a name that still counts as another one. */
const mostWrong = 2;

/** Arrays that are expanded and that no line of the scripts assigns, not even on a path that was not taken. */
export function unassignedArrays(shared: Shared, source: Source): readonly BashProblem[] {
  if (shared.unassigned.size === 0) return [];
  const texts = textsOf(shared, source);
  const out: BashProblem[] = [];
  for (const [name, place] of shared.unassigned) {
    const declared = new RegExp(
      `\\b(?:read|mapfile|readarray|declare|local|typeset|export)\\b[^\\n;]*\\b${name}\\b`,
    );
    if (assigns(texts, name) || texts.some((text) => declared.test(text))) continue;
    const correction = corrected(name, place, texts, shared);
    const hint = correction === undefined ? '' : ` Did you mean ${correction.meant}?`;
    const message = `Nothing assigns the array ${name}: it expands to nothing.${hint}`;
    // Without a likely intended array, it is usually a leftover of a template.
    const severity = correction === undefined ? 'info' : 'warning';
    out.push({ kind: 'unassigned-array', message, place, correction, severity });
  }
  return out;
}

/** The scripts that were read, without their comments. */
function textsOf(shared: Shared, source: Source): readonly string[] {
  return [source, ...shared.parsed.values()].map((script) => script?.text.replace(/^[ \t]*#.*$/gm, '') ?? '');
}

function assigns(texts: readonly string[], name: string): boolean {
  const assignment = new RegExp(`(?:^|[^\\w$\\{!#-])${name}(?:\\[[^\\]]*\\])?\\+?=`, 'm');
  return texts.some((text) => assignment.test(text));
}

/** Whether some line of the scripts assigns to an array, or has a builtin do so. */
export function isFilledSomewhere(shared: Shared, source: Source, name: string): boolean {
  const texts = textsOf(shared, source);
  const read = new RegExp(`\\b(?:read|mapfile|readarray)\\b[^\\n;]*\\b${name}\\b|\\blocal +-\\w*n`);
  return assigns(texts, name) || texts.some((text) => read.test(text));
}

/** The evidently intended array: one with nearly the same name that is assigned but never expanded. */
function corrected(
  name: string,
  place: Place,
  texts: readonly string[],
  { options }: Shared,
): Correction | undefined {
  const { path, span } = place;
  const start = span.start + '${'.length;
  if (options.host.read(path)?.slice(start, start + name.length) !== name) return undefined;
  const names = (pattern: RegExp): Set<string> =>
    new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, array = '']) => array)));
  const expanded = names(/\$\{([A-Za-z_]\w*)\[[@*]\]/g);
  const idle = [...names(/(?:^|[\s;])([A-Za-z_]\w*)=\(/g)].filter((array) => !expanded.has(array));
  const meant = closest(name, idle, Math.min(mostWrong, name.length >> 2));
  if (meant === undefined) return undefined;
  return { place: { path, span: { start, end: start + name.length } }, text: meant, meant };
}
