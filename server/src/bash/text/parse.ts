import { type ParsedScript, type ParseError, parse } from 'unbash';
import type { Span } from '../../text/span.ts';
import { faultsLetPass, mayLetPass } from './letPass.ts';
import { readPastOpenLists } from './openList.ts';

/** The tree of a Bash text; among its errors are those that the parser lets pass and Bash does not. */
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
 * Stands in what the parser reads for a `#` within the pattern of `[[ … =~ ^(#|$) ]]`, which it takes for the beginning of a
 * comment where that stands in a command substitution.
 */
const hashStandIn = '\ufdd0';
/** Stands in it for the first letter of a word `case`, which it takes for a keyword wherever that stands in one: `$(grep -c case FILE)`. */
const caseStandIn = '\ufdd1';

/** Text of the tree as it was written. */
export function asWritten(text: string): string {
  if (!text.includes(hashStandIn) && !text.includes(caseStandIn)) return text;
  return text.replaceAll(hashStandIn, '#').replaceAll(caseStandIn, 'c');
}

/** Whether a line has such a pattern. */
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

/** Behind these a command begins, so that `case` is the keyword. */
const beforeCommand = /(?:[;&|({!`]|^(?:do|elif|else|if|then|time|until|while))$/;

function withoutCaseWords(text: string): string {
  return text.replace(/\bcase(?=[\s);&|<>]|$)/g, (word, at: number) => {
    const before = wordBefore(text, at);
    return before === undefined || beforeCommand.test(before) ? word : `${caseStandIn}ase`;
  });
}

/** The word of the same command before the one at an offset, as far as its end tells what it is; undefined where there is none. */
function wordBefore(text: string, at: number): string | undefined {
  const near = text.slice(Math.max(0, at - 200), at).replaceAll('\\\n', '  ');
  const words = near.trimEnd();
  const gap = near.slice(words.length);
  if (words === '' || gap === '' || gap.includes('\n')) return undefined;
  return words.slice(Math.max(...[' ', '\t', '\n'].map((blank) => words.lastIndexOf(blank))) + 1);
}

/** The tree of a text; one that cannot be read as it stands may be readable with stand-ins. */
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
 * The syntax errors of a text that has been parsed, in order: those of the parser, and those that it lets pass.
 * @param within where the commands stand in it
 */
export function errorsOf(
  { commands, errors = [] }: ParsedScript,
  text: string,
  within: Span = { start: 0, end: text.length },
): readonly ParseError[] {
  const isNear = errors.length === 0 ? mayLetPass(text, within) : everywhere;
  if (isNear === undefined) return errors;
  const told = new Set(errors.map(({ pos }) => pos));
  const faults = faultsLetPass(commands, text, isNear).filter(({ pos }) => !told.has(pos));
  return faults.length === 0 ? errors : [...errors, ...faults].sort((one, other) => one.pos - other.pos);
}

function everywhere(): boolean {
  return true;
}
