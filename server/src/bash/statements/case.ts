import type { Case, CaseItem, Word } from 'unbash';
import type { Place } from '../../text/span.ts';
import { awaitSkipped } from '../conditions/awaited.ts';
import { factOf, factsOfPattern, possibleTexts, settled } from '../conditions/narrowed.ts';
import { literalText, matchPattern } from '../conditions/textComparison.ts';
import { ask, outcome } from '../conditions/verdict.ts';
import type { PatternPart } from '../library/pattern.ts';
import type { Fact } from '../state/fact.ts';
import type { Fork } from '../state/fork.ts';
import { unionOf } from '../state/needs.ts';
import { displayed, identified, made, type Pieces } from '../state/pieces.ts';
import { type Flow, type Shell, type Status, success } from '../state/shell.ts';
import type { Source } from '../text/source.ts';
import { expandValue } from '../words/expand.ts';
import { expandPattern } from '../words/expandPattern.ts';
import { branch, followFork } from './branch.ts';
import { executeStatements, touching } from './execute.ts';

/** A `case` and its word. */
interface Question {
  readonly shell: Shell;
  readonly source: Source;
  readonly node: Case;
  readonly place: Place;
  readonly value: Pieces;
  /** The texts that the word can have, if they are known. */
  readonly possible: readonly string[] | undefined;
}

/** Stands for no alternative in place of an index. */
const none = -1;

/** `case`: runs the matching alternative; if several may match, each is followed on its own path. */
export function executeCase(shell: Shell, source: Source, node: Case): Flow {
  const place = source.place(node.word.pos, node.word.end);
  let value: Pieces = [];
  const touched = touching(shell, () => {
    value = settled(shell, expandValue(shell, source, node.word, false));
    return success;
  });
  if (shell.refused !== undefined) return shell.giveUp(shell.refused);
  const question: Question = { shell, source, node, place, value, possible: possibleTexts(shell, value) };
  // Whether each alternative matches, up to the first that certainly does; undefined if a pattern is unknown.
  const results: (Status | undefined)[] = [];
  for (const item of node.items) if (!isSure(results.at(-1))) results.push(matchItem(question, item));
  const certain = isSure(results.at(-1)) ? results.length - 1 : none;
  const open = results.flatMap((status, index) =>
    status === undefined || (status.fork !== undefined && (certain < 0 || index < certain)) ? [index] : [],
  );
  const needs = unionOf([touched.needs, ...results.map((status) => status?.needs ?? [])]);
  if (open.length === 0) {
    for (const [index, item] of node.items.entries())
      if (index !== certain) awaitSkipped(shell, needs, item.body, place);
    return shell.within({ code: 0, needs, presumed: false }, place, () => runFrom(question, certain));
  }
  // What matches no alternative comes first: an unknown word is rarely the option that a case is about.
  const sides = isCovered(question, open) ? open : [certain, ...open];
  const bodies = sides.map((index) => (): Flow => runFrom(question, index));
  return followFork(shell, forkOf(question, sides, { open, certain, needs }), place, bodies);
}

function isSure(status: Status | undefined): boolean {
  return status !== undefined && status.fork === undefined && status.code === 0;
}

/** Whether an alternative matches: the status of the first pattern that certainly matches, or else of one that may. */
function matchItem({ shell, source, value, possible, place }: Question, item: CaseItem): Status | undefined {
  let status: Status = outcome(false);
  for (const word of item.pattern) {
    const parts = patternOf(shell, source, word);
    if (parts === undefined) return undefined;
    const one = matchOneOf(shell, value, possible, parts, place);
    if (isSure(one)) return one;
    if (one.fork !== undefined || status.needs.length === 0)
      status = one.fork !== undefined || status.fork === undefined ? one : status;
  }
  return status;
}

/** Whether each text that the word can have matches one of some alternatives. */
function isCovered(question: Question, open: readonly number[]): boolean {
  return question.possible?.every((text) => open.some((index) => fits(question, index, text))) === true;
}

function fits({ shell, source, node, place }: Question, index: number, text: string): boolean {
  return node.items[index]?.pattern.some((word) => isPattern(shell, source, word, text, place)) === true;
}

/** The fork of a `case` with several possible alternatives: its sides with their assumptions. */
function forkOf(
  question: Question,
  sides: readonly number[],
  {
    open,
    certain,
    needs,
  }: Pick<Fork, 'needs'> & { readonly open: readonly number[]; readonly certain: number },
): Fork {
  const { node, place, value } = question;
  const label = displayed(value);
  return {
    key: `case ${place.path} ${place.span.start} ${identified(value)}`,
    place,
    sides: sides.map((index) => {
      const patterns = node.items[index]?.pattern.map((word) => word.text).join('|');
      return patterns === undefined || patterns === '*'
        ? `${label} is not one of the cases`
        : `${label} is ${patterns}`;
    }),
    joins: false,
    needs,
    facts: sides.map((index) =>
      index === certain ? factsOfOthers(question, open) : factsOfItem(question, index),
    ),
  };
}

/** The pattern of an alternative. Groups that come from an expansion are special only under `shopt -s extglob`. */
function patternOf(shell: Shell, source: Source, word: Word): readonly PatternPart[] | undefined {
  const parts = expandPattern(shell, source, word);
  return shell.switches.extglob ? parts : parts?.flatMap(withoutGroups);
}

function withoutGroups(part: PatternPart): readonly PatternPart[] {
  if (part.quoted || !part.text.includes('(')) return [part];
  return part.text.split(/(\()/).map((text, index) => ({ text, quoted: index % 2 === 1 }));
}

/** The facts if none of some alternatives matches. */
function factsOfOthers({ shell, source, node, value }: Question, open: readonly number[]): readonly Fact[] {
  const texts = open.flatMap((other) => textsOf(shell, source, node.items[other]) ?? []);
  const patterns = open.flatMap((other) => patternsOf(shell, source, node.items[other]));
  const others = patterns.flatMap((pattern) => factsOfPattern(shell, value, pattern).no);
  return [...factOf(shell, value, texts, false), ...others];
}

/** The facts if an alternative matches. */
function factsOfItem(question: Question, index: number): readonly Fact[] {
  const { shell, source, node, value, possible } = question;
  const texts =
    possible?.filter((text) => fits(question, index, text)) ?? textsOf(shell, source, node.items[index]);
  if (texts !== undefined) return factOf(shell, value, texts, true);
  const [pattern, ...more] = patternsOf(shell, source, node.items[index]);
  return pattern === undefined || more.length > 0 ? [] : factsOfPattern(shell, value, pattern).yes;
}

/** Whether a value that is one of some texts matches a pattern; if the texts are unknown, as for any value. */
function matchOneOf(
  shell: Shell,
  value: Pieces,
  possible: readonly string[] | undefined,
  parts: readonly PatternPart[],
  place: Place,
): Status {
  const matching = possible?.filter((text) => isMatch(shell, text, parts, place)).length;
  if (matching === 0) return outcome(false);
  if (matching !== undefined && matching === possible?.length) return outcome(true);
  return matchPattern(shell, value, parts, place);
}

function isMatch(shell: Shell, text: string, parts: readonly PatternPart[], place: Place): boolean {
  return matchPattern(shell, made(text, place), parts, place).code === 0;
}

function isPattern(shell: Shell, source: Source, word: Word, text: string, place: Place): boolean {
  const parts = patternOf(shell, source, word);
  return parts !== undefined && isMatch(shell, text, parts, place);
}

/** The only texts that match an alternative of a `case`; undefined if others match, too: because of wildcards or `nocasematch`. */
function textsOf(shell: Shell, source: Source, item: CaseItem | undefined): readonly string[] | undefined {
  if (shell.switches.nocasematch) return undefined;
  const patterns = item?.pattern.map((word) => literalText(patternOf(shell, source, word))) ?? [];
  return patterns.every((text) => text !== undefined) ? patterns : undefined;
}

/** The patterns of an alternative with wildcards; none if one of them is unknown, or with `nocasematch`. */
function patternsOf(
  shell: Shell,
  source: Source,
  item: CaseItem | undefined,
): readonly (readonly PatternPart[])[] {
  if (shell.switches.nocasematch) return [];
  const patterns = item?.pattern.map((word) => patternOf(shell, source, word)) ?? [];
  if (patterns.every((parts) => literalText(parts) !== undefined)) return [];
  return patterns.every((parts) => parts !== undefined) ? patterns : [];
}

/** Runs no command: that succeeds. */
function runNone(shell: Shell): Flow {
  shell.status = success;
  return undefined;
}

/** Runs one alternative, those after it as long as `;&` follows, and later ones that also match after `;;&`. */
function runFrom(question: Question, index: number): Flow {
  const { shell, source, node } = question;
  if (index === none) return runNone(shell);
  for (let at = index; at < node.items.length; at += 1) {
    const item = node.items[at];
    if (item === undefined) return undefined;
    // In the first command `$?` is the status left by the word of the `case`.
    const { commands } = item.body;
    const isEmpty = commands.length === 0 && item.terminator !== ';&';
    const flow = isEmpty ? runNone(shell) : executeStatements(shell, source, commands);
    if (flow !== undefined || item.terminator === ';;' || item.terminator === undefined) return flow;
    if (item.terminator === ';;&') return runNextMatch(question, at + 1);
  }
  return undefined;
}

/** Continues with the next alternative that matches, given what the commands so far have changed. */
function runNextMatch(question: Question, from: number): Flow {
  const { shell, node, place } = question;
  const item = node.items[from];
  if (item === undefined) return undefined;
  const label = item.pattern.map((word) => word.text).join('|');
  const asked = {
    key: `case ${place.path} ${place.span.start} ${label}`,
    yes: `it is ${label}`,
    no: `it is not ${label}`,
    first: false,
  };
  return branch(
    shell,
    matchItem(question, item) ?? ask(asked, place),
    place,
    () => runFrom(question, from),
    () => runNextMatch(question, from + 1),
  );
}
