import {
  forEachChild,
  type ParsedScript,
  type ParseError,
  parse,
  type Statement,
  type SyntaxNode,
} from 'unbash';
import { lineStart } from '../../text/lines.ts';

/** The tree of a Bash text; among its errors are those that the parser lets pass and Bash does not. */
export function parseBash(text: string): ParsedScript {
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

/** The tree of a text; one that cannot be read as it stands may be readable with stand-ins. */
function parsedAsMeant(text: string): ParsedScript {
  const script = parse(text);
  const count = script.errors?.length ?? 0;
  if (count === 0 || !/(?:=~|[!=]=)[^\n]*[(|]#/.test(text)) return script;
  const other = parse(
    text.replace(/(?:=~|[!=]=)[^\n]*/g, (condition) => condition.replace(/([(|])#/g, `$1${hashStandIn}`)),
  );
  return (other.errors?.length ?? 0) < count ? other : script;
}

/** The syntax errors of a text that has been parsed, in order: those of the parser, and those that it lets pass. */
export function errorsOf({ commands, errors = [] }: ParsedScript, text: string): readonly ParseError[] {
  if (!mayLetPass.test(text)) return errors;
  const told = new Set(errors.map(({ pos }) => pos));
  const faults = faultsOf(commands, text).filter(({ pos }) => !told.has(pos));
  return faults.length === 0 ? errors : [...errors, ...faults].sort((one, other) => one.pos - other.pos);
}

/** A counted loop, an assignment before the name of a function, a semicolon behind an ampersand or another one, or at the beginning of a line. */
const mayLetPass =
  /\bfor[ \t]*\(|=[^\s"'`]*[ \t]+[\w-]+[ \t]*\([ \t]*\)|[&;][ \t]*;(?![;&])|^[ \t]*;(?![;&])/m;

/** How often each character of a text is read again for the substitutions that it stands in: these are parsed when they are asked for. */
const mostNested = 20;

/**
 * Commands and all that they hold, in no order. What stands between backquotes is left out: it is read when it runs, and counted from its own beginning.
 * @param isWanted no for a node that is left out with all that it holds
 */
export function* nodesWithin(
  commands: readonly SyntaxNode[],
  text: string,
  isWanted: (node: SyntaxNode) => boolean = () => true,
): Generator<SyntaxNode, void, undefined> {
  const stack: SyntaxNode[] = [...commands];
  let left = mostNested * text.length;
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (!isWanted(node)) continue;
    yield node;
    if ('text' in node && typeof node.text === 'string' && node.text.startsWith('`')) continue;
    if ('script' in node) left -= node.end - node.pos;
    if (left < 0) break;
    forEachChild(node, (child) => {
      stack.push(child);
    });
  }
}

/** The faults of commands and of all that they hold. */
function faultsOf(commands: readonly SyntaxNode[], text: string): readonly ParseError[] {
  const faults: ParseError[] = [];
  for (const node of nodesWithin(commands, text)) {
    const fault = faultOf(node, text);
    if (fault !== undefined) faults.push(fault);
  }
  return faults;
}

function faultOf(node: SyntaxNode, text: string): ParseError | undefined {
  const { pos } = node;
  if (node.type === 'ArithmeticFor') {
    const head = text.slice(pos, node.body.pos);
    if (!/^for[ \t]*\(\(/.test(head))
      return { pos: pos + head.indexOf('('), message: 'a loop that counts is written for ((…; …; …))' };
    return head.includes('))')
      ? undefined
      : { pos: pos + head.indexOf('('), message: 'these (( are never closed with ))' };
  }
  if (node.type === 'Statement') return endedTwice(node, text);
  if (node.type !== 'Function') return undefined;
  const before = /(?:^|[\s;&|({])([A-Za-z_]\w*\+?=[^\s;&|()]*)[ \t]+$/.exec(
    text.slice(lineStart(text, pos), pos),
  );
  return before === null
    ? undefined
    : { pos: text.indexOf('(', pos), message: `${before[1]} cannot stand before a function` };
}

/** Characters behind a command that are looked through: blank lines and a comment. */
const mostBetween = 1000;

/** What is said of a semicolon where the command before it has ended: behind its `&` or its own semicolon, or on another line. */
export const surplusEnd = 'nothing stands before this ;';

function endedTwice({ pos, end, background }: Statement, text: string): ParseError | undefined {
  const gap = background === true ? /^[ \t]*/ : /^[ \t]*(?:;[ \t]+|(?:#.*)?\n\s*)/;
  const at = end + (gap.exec(text.slice(end, end + mostBetween))?.[0].length ?? -1);
  if (at < end || !/^;(?![;&])/.test(text.slice(at, at + 2))) return undefined;
  // The text of a here-document may begin with anything.
  if (text.slice(lineStart(text, pos), at).includes('<<')) return undefined;
  return { pos: at, message: surplusEnd };
}
