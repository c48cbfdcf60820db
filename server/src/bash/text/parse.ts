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

/** Text of the tree as it was written. */
export function asWritten(text: string): string {
  return text.includes(hashStandIn) ? text.replaceAll(hashStandIn, '#') : text;
}

/** Whether a line has such a pattern. */
function mayHoldHash(line: string): boolean {
  const operator = line.search(/=~|[!=]=/);
  return operator >= 0 && /[(|]#/.test(line.slice(operator));
}

/** The tree of a text; one that cannot be read as it stands may be readable with stand-ins. */
function parsedAsMeant(text: string): ParsedScript {
  const script = parse(text);
  const count = script.errors?.length ?? 0;
  if (count === 0 || !text.split('\n').some(mayHoldHash)) return script;
  const other = parse(
    text.replace(/(?:=~|[!=]=)[^\n]*/g, (condition) => condition.replace(/([(|])#/g, `$1${hashStandIn}`)),
  );
  return (other.errors?.length ?? 0) < count ? other : script;
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
