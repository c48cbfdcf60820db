import type { BashResult } from '../../bash/options.ts';
import type { Launch } from '../../launch/launch.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';

/** A variable at the beginning of a line that holds options: an array of them, or a text. */
const optionList = /^[ \t]*([A-Za-z_]\w*)=(\(|"|')(?:\s|#[^\n]*\n)*(--[A-Za-z][\w-]*)/gm;

/** What may expand a variable whose name is not in the text, or pass it to something that is not read. */
const expandsOthers =
  /\$\{!|(?<![\w-])eval(?![\w-])|\bcompgen\b|\benvsubst\b|\b(?:declare|local|typeset)[ \t]+-\w*n|\bset[ \t]+-\w*a/;

const reads = /(?:^|[;&|])[ \t]*(?:source|\.)[ \t]+\S/gm;

/**
 * Options that a script keeps in a variable that is never expanded: no launch gets them.
 *
 * @param read text of a file
 */
export function unusedOptionFindings(
  path: string,
  { sources, problems }: Pick<BashResult, 'sources' | 'problems'>,
  launches: readonly Launch[],
  { read, common }: { readonly read: (path: string) => string | undefined; readonly common: CommonRules },
): Finding[] {
  const text = read(path) ?? '';
  const lists = [...text.matchAll(optionList)];
  if (lists.length === 0) return [];
  const files = [...new Set(sources)].filter((source) => source !== path);
  const texts = [text, ...files.map((file) => read(file) ?? '')];
  const isOpen =
    problems.some(({ kind }) => kind === 'missing-file') || [...text.matchAll(reads)].length > files.length;
  if (isOpen || texts.some((one) => expandsOthers.test(one))) return [];
  const seen = new Set<string>();
  const named = new Set(texts.flatMap(namesIn));
  return lists.flatMap(({ 0: whole, 1: name = '', 2: opening = '', 3: option = '', index }) => {
    if (seen.has(name) || named.has(name)) return [];
    seen.add(name);
    const start = index + whole.indexOf(name);
    const use = opening === '(' ? `"\${${name}[@]}"` : `$${name}`;
    return commonFinding(
      common,
      'unused-options',
      { path, span: { start, end: start + name.length } },
      { name, option },
      { certainty: 'likely', settings: [option], fixes: fixOf(launches, use, path, text) },
    );
  });
}

/** A name, whether it is the first of its line, and the assignment operator after it. */
const nameInLine = /(?:(^)[ \t]*|(?<![\w-]))([A-Za-z_]\w*)(\+?=)?/gm;

/** The names anywhere in a text, including its comments, except where they are assigned. */
function namesIn(text: string): string[] {
  return [...text.matchAll(nameInLine)].flatMap(([, lineStart, name, assigns]) =>
    name === undefined || (lineStart !== undefined && assigns !== undefined) ? [] : [name],
  );
}

/** The expansion after the last word of the only launch, on a line of its own if that word has one. */
function fixOf(launches: readonly Launch[], use: string, path: string, text: string): readonly Fix[] {
  const ends = new Set(launches.map(({ command }) => command.words.at(-1)?.place.span.end));
  const words = launches[0]?.command.words ?? [];
  const last = words.at(-1)?.place;
  const before = words.findLast(({ place }) => place.span.start !== last?.span.start)?.place;
  if (ends.size !== 1 || before?.path !== path || last?.path !== path) return [];
  const gap = text.slice(before.span.end, last.span.start);
  const between = /^[ \t]+(?:\\\r?\n[ \t]*)?$/.test(gap) ? gap : ' ';
  const edits = [{ path, span: { start: last.span.end, end: last.span.end }, newText: between + use }];
  return [suggestedFix(`Add ${use} to the launch`, edits)];
}
