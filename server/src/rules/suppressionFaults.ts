import type { Span } from '../text/span.ts';
import { closest, isSwapped } from '../text/spelling.ts';
import { commonFinding } from './commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from './finding.ts';
import type { CommonRules } from './rule.ts';
import { nameOf, suggestRule } from './ruleNames.ts';
import type { NamedRule, Suppression } from './suppressionComments.ts';

/** What suppressions are checked against. */
export interface SuppressionPolicy {
  /** Ids of all rules, to distinguish a misspelt rule from one that found nothing. */
  readonly known: readonly string[];
  readonly common: CommonRules;
  /** Whether the rules actually ran on this file. */
  readonly reportUnused: boolean;
  /** Rules that comments cannot suppress. */
  readonly unsuppressible: readonly string[];
}

/** A text with its suppression comments. */
export interface Commented {
  readonly path: string;
  readonly text: string;
  readonly suppressions: readonly Suppression[];
}

/** What is known about a name in a comment: whether it is a rule's, or which rule was probably meant. */
type Judge = (name: string) => { readonly known: boolean; readonly near: string | undefined };

/** Judges each name once. */
function judgeOf(known: readonly string[]): Judge {
  const judged = new Map<string, ReturnType<Judge>>();
  const names = new Set(known.flatMap((id) => [id, nameOf(id)]));
  return (name) => {
    const earlier = judged.get(name);
    if (earlier !== undefined) return earlier;
    const isKnown = names.has(name);
    const made = { known: isKnown, near: isKnown ? undefined : suggestRule(name, known) };
    judged.set(name, made);
    return made;
  };
}

/** What comments achieved: the names in them that suppressed a finding, and those that would have if that were allowed. */
export interface SuppressionUse {
  readonly used: ReadonlySet<NamedRule>;
  readonly forbidden: ReadonlySet<NamedRule>;
}

/** What is wrong with the comments of a file: those that name no rule or a wrong one, suppress nothing, or are misspelt. */
export function suppressionFaults(
  file: Commented,
  policy: SuppressionPolicy,
  use: SuppressionUse,
): Finding[] {
  const judge = judgeOf(policy.known);
  return [
    ...file.suppressions.flatMap((suppression) => faultsOf(suppression, file, policy, use, judge)),
    ...(policy.reportUnused ? misspeltComments(file, policy.common) : []),
  ];
}

function faultsOf(
  suppression: Suppression,
  file: Commented,
  { common, reportUnused }: SuppressionPolicy,
  { used, forbidden }: SuppressionUse,
  judge: Judge,
): Finding[] {
  const make = (
    id: string,
    span: Span,
    values: { readonly [name: string]: string },
    more: Partial<Finding> = {},
  ): Finding[] => commonFinding(common, id, { path: file.path, span }, values, more);
  if (suppression.rules.length === 0) return make('unscoped-suppression', suppression.span, {});
  const { rules, reason } = withoutReason(suppression, judge);
  const findings = rules.flatMap((rule) => {
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
  if (reason === undefined) return findings;
  const values = { name: reason.first.id, hint: ' A reason goes after `--`.' };
  const fixes = [withDashes(file, reason.first)];
  return [...findings, ...make('unknown-suppression', reason.span, values, { fixes })];
}

/** What people put before a reason instead of `--`. */
const dashes = /^[-–—:]+/;
const mark = /^[-–—:(#]/;

/**
 * The rules of a comment, separated from a reason that lacks its `--`: from the second word on, several words that neither are nor resemble a
 * rule, or one that begins with a mark.
 */
function withoutReason(
  { rules }: Suppression,
  judge: Judge,
): {
  readonly rules: readonly NamedRule[];
  readonly reason: { readonly first: NamedRule; readonly span: Span } | undefined;
} {
  const isForeign = ({ id }: NamedRule): boolean => !judge(id).known && judge(id).near === undefined;
  const from = rules.findLastIndex((rule) => !isForeign(rule)) + 1;
  const [first, second] = rules.slice(from);
  const last = rules.at(-1);
  if (
    from === 0 ||
    first === undefined ||
    last === undefined ||
    (second === undefined && !mark.test(first.id))
  )
    return { rules, reason: undefined };
  return {
    rules: rules.slice(0, from),
    reason: { first, span: { start: first.span.start, end: last.span.end } },
  };
}

/** Puts `--` before a reason, replacing what was written instead. */
function withDashes({ path }: Commented, { id, span }: NamedRule): Fix {
  const written = dashes.exec(id)?.[0] ?? '';
  const end = span.start + written.length;
  const newText = written === id ? '--' : '-- ';
  return suggestedFix('Put -- before the reason', [{ path, span: { start: span.start, end }, newText }]);
}

function renaming({ path }: { readonly path: string }, span: Span, newText: string): Fix {
  return suggestedFix(`Write ${newText}`, [{ path, span, newText }]);
}

/** Removes one of several rules from a comment, with the separator after it, or before it if it is the last. */
function shortening({ path }: { readonly path: string }, rules: readonly NamedRule[], rule: NamedRule): Fix {
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
/** What may be meant as a suppression comment: `oomlint-disable-nextline`, `oomlint: disable=`, `oomlint-enable`. */
const alike =
  /(?<=^|\s)#[ \t]*(oomlint(?:-[\w-]+|:[ \t]*(?:disable|ignore|off|suppress)[\w-]*|[ \t]+(?:disable-(?:next-?line|line|file)|(?:disable|ignore|suppress)(?=[ \t]*[:=]))))(?:[ \t]*[:=][ \t]*)?/gim;

/**
 * Which comment is meant by one that suppresses nothing; undefined for correct ones, and for words with another meaning.
 * @param isAlone whether it is on a line of its own
 */
function meantBy(written: string, isAlone: boolean): string | undefined {
  if (/^oomlint-disable(?:-next-line|-line|-file)?$/.test(written)) return undefined;
  const plain = written.toLowerCase().replace(/[:\s]+/, '-');
  const near = spellings.find((name) => closest(plain, [name], 1) !== undefined || isSwapped(plain, name));
  if (near !== undefined) return near;
  if (!/disable|ignore|suppress|enable|-off\b/i.test(written)) return undefined;
  if (/file/i.test(written)) return 'oomlint-disable-file';
  // A comment that stands alone is not meant for its own line, unless it says so.
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

/** A comment with the blanks before it, or its whole line if nothing else is on it. */
function withLine(text: string, span: Span): Span {
  let start = span.start;
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start--;
  const alone = start === 0 || text[start - 1] === '\n';
  let end = span.end;
  if (alone && text[end] === '\r') end++;
  if (alone && text[end] === '\n') end++;
  return { start, end };
}
