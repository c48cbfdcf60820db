import { endOfCommands } from '../bash/text/commentLines.ts';
import { suggestSpelling } from '../frameworks/suggest.ts';
import { LineIndex } from '../text/lines.ts';
import type { Place, Span } from '../text/span.ts';
import { closest, isSwapped } from '../text/spelling.ts';
import { commonFinding } from './commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from './finding.ts';
import type { CommonRules } from './rule.ts';

/** A suppression comment. */
export interface Suppression {
  readonly kind: 'line' | 'next-line' | 'file';
  /** Rule ids as written, with or without the framework's name before them. */
  readonly rules: readonly { readonly id: string; readonly span: Span }[];
  readonly reason: string | undefined;
  /** The comment, from `#` to the end of the line. */
  readonly span: Span;
  /** The characters whose findings it suppresses. */
  readonly covers: Span;
}

const comment = /(?<=^|\s)#[ \t]*oomlint-disable(-next-line|-line|-file)?(?![\w-])([^\n\r]*)/gm;

/**
 * Finds `# oomlint-disable-line`, `-next-line` and `-file RULE, RULE -- reason` (plain `oomlint-disable` means the file).
 * They work wherever they stand in the text: also inside scripts embedded in YAML and in here-documents.
 * A next-line comment covers what begins on the next line that is not a comment: a command with its continuation
 * lines, quoted texts, arrays and here-documents, a YAML key with everything below it.
 */
export function suppressionsOf(text: string, isYaml: boolean): Suppression[] {
  if (!text.includes('oomlint-disable')) return [];
  const lines = new LineIndex(text);
  const out: Suppression[] = [];
  // Comments below each other share the statement that follows; looking for it once keeps thousands of them linear.
  let shared: { readonly from: number; readonly to: number; readonly covers: Span } | undefined;
  const next = (line: number): Span => {
    if (shared === undefined || line < shared.from || line > shared.to) {
      // Within what another comment covers it is not looked for again how far that goes.
      const isWithin = shared !== undefined && lines.lineStart(line) < shared.covers.end;
      const covers = nextStatement(text, lines, line, isYaml ? 'yaml' : isWithin ? 'lines' : 'commands');
      shared = { from: line, to: lines.positionAt(covers.start).line, covers };
    }
    return shared.covers;
  };
  for (const match of text.matchAll(comment)) {
    const start = match.index;
    // A colon or an equals sign before the rules, as other linters have it, means nothing.
    const rest = (match[2] ?? '').replace(/^([ \t]*)[:=]/, '$1 ');
    const dashes = /(?:^|\s)--(?:\s|$)/.exec(rest);
    const list = dashes === null ? rest : rest.slice(0, dashes.index);
    const reason = dashes === null ? undefined : rest.slice(dashes.index + dashes[0].length).trim();
    const listStart = start + match[0].length - rest.length;
    const rules = [...list.matchAll(/[^\s,]+/g)].map((name) => ({
      id: name[0],
      span: { start: listStart + name.index, end: listStart + name.index + name[0].length },
    }));
    const span = { start, end: start + match[0].length };
    const kind = match[1] === '-next-line' ? 'next-line' : match[1] === '-line' ? 'line' : 'file';
    const line = lines.positionAt(start).line;
    const covers =
      kind === 'file'
        ? { start: 0, end: text.length }
        : kind === 'line'
          ? { start: lines.lineStart(line), end: lines.lineStart(line + 1) }
          : next(line + 1);
    out.push({ kind, rules, reason: reason === '' ? undefined : reason, span, covers });
  }
  return out;
}

/** What begins on the first line from `line` on that is neither blank nor a comment: a key, commands, or a line with those that continue it. */
function nextStatement(
  text: string,
  lines: LineIndex,
  line: number,
  kind: 'yaml' | 'commands' | 'lines',
): Span {
  const lineText = (at: number): string => text.slice(lines.lineStart(at), lines.lineStart(at + 1)).trimEnd();
  let first = line;
  while (first < lines.count && /^\s*(#.*)?$/.test(lineText(first))) first++;
  let last = first;
  if (kind === 'yaml') {
    const indent = indentOf(lineText(first));
    while (
      last + 1 < lines.count &&
      (lineText(last + 1).trim() === '' ||
        indentOf(lineText(last + 1)) > indent ||
        lineText(last).endsWith('\\'))
    )
      last++;
  } else {
    if (kind === 'commands')
      last = Math.max(first, lines.positionAt(endOfCommands(text, lines.lineStart(first))).line);
    while (last + 1 < lines.count && lineText(last).endsWith('\\')) last++;
  }
  return { start: lines.lineStart(first), end: lines.lineStart(last + 1) };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function names(suppressed: string, rule: string): boolean {
  return rule === suppressed || rule.endsWith(`/${suppressed}`);
}

/**
 * Whether a comment could suppress a rule.
 * @param unsuppressible the rules of which a configuration forbids it
 */
export function isSuppressible(
  rule: string,
  { common, unsuppressible }: Pick<SuppressionPolicy, 'common' | 'unsuppressible'>,
): boolean {
  return common.get(rule)?.suppressible !== false && !unsuppressible.some((id) => names(id, rule));
}

/** What suppressions are held against. */
export interface SuppressionPolicy {
  /** Ids of all rules, to tell a misspelt one from one that found nothing. */
  readonly known: readonly string[];
  readonly common: CommonRules;
  /** Whether the rules really ran on this file. */
  readonly reportUnused: boolean;
  /** Rules that comments cannot suppress. */
  readonly unsuppressible: readonly string[];
}

/** A text with its suppression comments. */
interface Commented {
  readonly path: string;
  readonly text: string;
  readonly suppressions: readonly Suppression[];
}

/**
 * Takes suppressed findings out and reports comments that suppress nothing or name no rule.
 * A comment works at the finding's own place, at every related place in its file and at those that the finding rests on without showing them.
 * @param file the file that is linted, whose comments are judged
 * @param others files that it uses
 */
export function applySuppressions(
  findings: readonly Finding[],
  file: Commented,
  others: readonly Commented[],
  policy: SuppressionPolicy,
): { kept: Finding[]; suppressed: Finding[] } {
  const commented = [file, ...others].filter(({ suppressions }) => suppressions.length > 0);
  if (commented.length === 0 && !/oomlint/i.test(file.text)) return { kept: [...findings], suppressed: [] };
  const used = new Set<Suppression['rules'][number]>();
  const forbidden = new Set<Suppression['rules'][number]>();
  const kept: Finding[] = [];
  const suppressed: Finding[] = [];
  for (const finding of findings) {
    const places = placesOf(finding);
    const naming = commented
      .flatMap(({ path, suppressions }) =>
        suppressions.filter(({ covers }) => places.some((place) => isWithin(place, path, covers))),
      )
      .flatMap(({ rules }) => rules.filter(({ id }) => names(id, finding.rule)));
    const isForbidden = !isSuppressible(finding.rule, policy);
    const hits = isForbidden ? [] : naming;
    for (const rule of naming) (isForbidden ? forbidden : used).add(rule);
    (hits.length > 0 ? suppressed : kept).push(finding);
  }
  const judge = judgeOf(policy.known);
  for (const suppression of file.suppressions)
    kept.push(...complaints(suppression, file, policy, { used, forbidden }, judge));
  if (policy.reportUnused) kept.push(...misspeltComments(file, policy.common));
  return { kept, suppressed };
}

/** Where a comment about a finding may stand, whether that place is shown with it or not. */
export function placesOf({ place, related, grounds = [] }: Finding): readonly Place[] {
  return [place, ...related.map((other) => other.place), ...grounds];
}

function isWithin({ path: at, span }: Place, path: string, covers: Span): boolean {
  return at === path && covers.start <= span.start && span.start < Math.max(covers.end, covers.start + 1);
}

/** What is known of a name in a comment: that a rule has it, or which rule was probably meant. */
type Judge = (name: string) => { readonly known: boolean; readonly near: string | undefined };

/** Judges each name once. */
function judgeOf(known: readonly string[]): Judge {
  const judged = new Map<string, ReturnType<Judge>>();
  const spellings = new Set(known.flatMap((id) => [id, id.slice(id.indexOf('/') + 1)]));
  return (name) => {
    const earlier = judged.get(name);
    if (earlier !== undefined) return earlier;
    const isKnown = spellings.has(name) || known.some((id) => names(name, id));
    const made = { known: isKnown, near: isKnown ? undefined : suggestSpelling(name, spellings) };
    judged.set(name, made);
    return made;
  };
}

function complaints(
  suppression: Suppression,
  file: { readonly path: string; readonly text: string },
  { common, reportUnused }: SuppressionPolicy,
  {
    used,
    forbidden,
  }: { readonly [which in 'used' | 'forbidden']: ReadonlySet<Suppression['rules'][number]> },
  judge: Judge,
): Finding[] {
  const make = (
    id: string,
    span: Span,
    values: { readonly [name: string]: string },
    more: Partial<Finding> = {},
  ): Finding[] => commonFinding(common, id, { path: file.path, span }, values, more);
  const { rules } = suppression;
  if (rules.length === 0) return make('unscoped-suppression', suppression.span, {});
  return rules.flatMap((rule) => {
    const { known, near } = judge(rule.id);
    if (!known) {
      const isNew = near !== undefined && rules.every(({ id }) => id !== near);
      return make(
        'unknown-suppression',
        rule.span,
        { name: rule.id, hint: near === undefined ? '' : ` Did you mean ${near}?` },
        { fixes: isNew ? [renaming(file, rule.span, near)] : [] },
      );
    }
    const fix = rules.length === 1 ? removal(file, suppression.span) : shortening(file, rules, rule);
    if (forbidden.has(rule))
      return make('forbidden-suppression', rule.span, { name: rule.id }, { fixes: [fix] });
    if (!reportUnused || used.has(rule)) return [];
    return make('unused-suppression', rule.span, { name: rule.id }, { fixes: [fix], tags: ['unnecessary'] });
  });
}

function renaming({ path }: { readonly path: string }, span: Span, newText: string): Fix {
  return suggestedFix(`Write ${newText}`, [{ path, span, newText }]);
}

/** Takes one of several rules out of a comment, with what parts it from the next one, or from the one before. */
function shortening(
  { path }: { readonly path: string },
  rules: Suppression['rules'],
  rule: Suppression['rules'][number],
): Fix {
  const at = rules.indexOf(rule);
  const [before, next] = [rules[at - 1], rules[at + 1]];
  const start = next === undefined ? (before?.span.end ?? rule.span.start) : rule.span.start;
  const end = next?.span.start ?? rule.span.end;
  return {
    title: `Take ${rule.id} out of the comment`,
    safety: 'safe',
    cost: undefined,
    edits: [{ path, span: { start, end }, newText: '' }],
  };
}

/** The comments that suppress something, as they are spelled. */
const spellings = ['oomlint-disable-next-line', 'oomlint-disable-line', 'oomlint-disable-file'] as const;
/** What may be meant for a suppression comment: `oomlint-disable-nextline`, `oomlint: disable=`, `oomlint-enable`. */
const alike =
  /(?<=^|\s)#[ \t]*(oomlint(?:-[\w-]+|:[ \t]*(?:disable|ignore|off|suppress)[\w-]*|[ \t]+(?:disable-(?:next-?line|line|file)|(?:disable|ignore|suppress)(?=[ \t]*[:=]))))(?:[ \t]*[:=][ \t]*)?/gim;

/**
 * Which comment is meant by one that suppresses nothing; undefined for those that are right, and for words of another meaning.
 * @param isAlone whether it stands on a line of its own
 */
function meantBy(written: string, isAlone: boolean): string | undefined {
  if (/^oomlint-disable(?:-next-line|-line|-file)?$/.test(written)) return undefined;
  const plain = written.toLowerCase().replace(/[:\s]+/, '-');
  const near = spellings.find((name) => closest(plain, [name], 1) !== undefined || isSwapped(plain, name));
  if (near !== undefined) return near;
  if (!/disable|ignore|suppress|enable|-off\b/i.test(written)) return undefined;
  if (/file/i.test(written)) return 'oomlint-disable-file';
  // Nobody means the line of a comment that stands alone, unless it says so.
  return /next/i.test(written) || (isAlone && !/line/i.test(written))
    ? 'oomlint-disable-next-line'
    : 'oomlint-disable-line';
}

function misspeltComments({ path, text }: Commented, common: CommonRules): Finding[] {
  return [...text.matchAll(alike)].flatMap((match) => {
    const written = match[1] ?? '';
    const start = match.index + match[0].indexOf(written);
    const span = { start, end: start + written.length };
    const isAlone = /^[ \t]*$/.test(text.slice(text.lastIndexOf('\n', match.index - 1) + 1, match.index));
    const meant = meantBy(written, isAlone);
    if (meant === undefined) return [];
    const end = match.index + match[0].length;
    const newText = end > span.end ? `${meant} ` : meant;
    const fix = suggestedFix(`Write ${meant}`, [
      { path, span: { start, end: Math.max(end, span.end) }, newText },
    ]);
    const fixes = /enable/i.test(written) ? [] : [fix];
    return commonFinding(common, 'misspelt-suppression', { path, span }, { name: written, meant }, { fixes });
  });
}

function removal(file: { readonly path: string; readonly text: string }, span: Span): Fix {
  return {
    title: 'Remove the comment',
    safety: 'safe',
    cost: undefined,
    edits: [{ path: file.path, span: withLine(file.text, span), newText: '' }],
  };
}

/** A comment with the blank before it, or its whole line when it stands alone there. */
function withLine(text: string, span: Span): Span {
  let start = span.start;
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start--;
  const alone = start === 0 || text[start - 1] === '\n';
  let end = span.end;
  if (alone && text[end] === '\r') end++;
  if (alone && text[end] === '\n') end++;
  return { start, end };
}
