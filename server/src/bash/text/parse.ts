import { type ParsedScript, type ParseError, parse } from 'unbash';
import type { Span } from '../../text/span.ts';
import { mayMissErrors, missedErrors } from './letPass.ts';
import { readPastOpenLists } from './openList.ts';

/** The tree of a Bash text; its errors include those that the parser misses but Bash does not. */
export function parseBash(text: string): ParsedScript {
  const script = withErrors(text);
  return script.errors === undefined ? script : readPastOpenLists(script, text, withErrors);
}

function withErrors(text: string): ParsedScript {
  const script = parsedAsMeant(text);
  const errors = errorsOf(script, text);
  return errors.length === (script.errors ?? []).length ? script : { ...script, errors };
}

/**
 * Replaces a `#` within the pattern of `[[ … =~ ^(#|$) ]]` for the parser, which would take it as the start of a comment in a command
 * substitution.
 */
const hashStandIn = '\ufdd0';
/**
 * Replaces the first letter of a word `case` for the parser, which would take it as a keyword anywhere in a command substitution: `$(grep -c
 * case FILE)`.
 */
const caseStandIn = '\ufdd1';

/** Text of the tree as it was written. */
export function asWritten(text: string): string {
  if (!text.includes(hashStandIn) && !text.includes(caseStandIn)) return text;
  return text.replaceAll(hashStandIn, '#').replaceAll(caseStandIn, 'c');
}

/** Whether a line may have such a pattern. */
function mayHoldHash(line: string): boolean {
  const operator = line.search(/=~|[!=]=/);
  return operator >= 0 && /[(|]#/.test(line.slice(operator));
}

function withoutHashes(text: string): string {
  if (!text.split('\n').some(mayHoldHash)) return text;
  return text.replace(/(?:=~|[!=]=)[^\n]*/g, (condition) =>
    condition.replace(/([(|])#/g, `$1${hashStandIn}`),
  );
}

/** After these a command begins, so `case` is the keyword. */
const beforeCommand = /(?:[;&|({!`]|^(?:do|elif|else|if|then|time|until|while))$/;

function withoutCaseWords(text: string): string {
  return text.replace(/\bcase(?=[\s);&|<>]|$)/g, (word, at: number) => {
    const before = wordBefore(text, at);
    return before === undefined || beforeCommand.test(before) ? word : `${caseStandIn}ase`;
  });
}

/** The end of the word before an offset in the same command; undefined if there is none. */
function wordBefore(text: string, at: number): string | undefined {
  const near = text.slice(Math.max(0, at - 200), at).replaceAll('\\\n', '  ');
  const words = near.trimEnd();
  const gap = near.slice(words.length);
  if (words === '' || gap === '' || gap.includes('\n')) return undefined;
  return words.slice(Math.max(...[' ', '\t', '\n'].map((blank) => words.lastIndexOf(blank))) + 1);
}

/** The tree of a text; if it cannot be parsed as it is, stand-ins may help. */
function parsedAsMeant(text: string): ParsedScript {
  let best = parse(text);
  for (const change of [
    withoutHashes,
    withoutCaseWords,
    (each: string) => withoutCaseWords(withoutHashes(each)),
  ]) {
    if (best.errors === undefined || best.errors.length === 0) return best;
    const changed = change(text);
    if (changed === text) continue;
    const other = parse(changed);
    if ((other.errors?.length ?? 0) < best.errors.length) best = other;
  }
  return best;
}

/**
 * The syntax errors of a parsed text, in order: the parser's, and those that it misses.
 * @param within where the commands are in it
 */
export function errorsOf(
  { commands, errors = [] }: ParsedScript,
  text: string,
  within: Span = { start: 0, end: text.length },
): readonly ParseError[] {
  const isNear = errors.length === 0 ? mayMissErrors(text, within) : everywhere;
  if (isNear === undefined) return errors;
  const reported = new Set(errors.map(({ pos }) => pos));
  const faults = missedErrors(commands, text, isNear).filter(({ pos }) => !reported.has(pos));
  return faults.length === 0 ? errors : [...errors, ...faults].sort((one, other) => one.pos - other.pos);
}

function everywhere(): boolean {
  return true;
}
