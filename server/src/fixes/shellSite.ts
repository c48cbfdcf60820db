import type { Command, Script, SyntaxNode } from 'unbash';
import { childrenOf } from '../bash/text/nodes.ts';
import type { Span } from '../text/span.ts';
import type { Quoting } from './shellQuote.ts';

/** Words next to each other: the arguments of a command, the elements of an array, or the words in a quoted text or a heredoc. */
export interface Row {
  readonly kind: 'command' | 'array' | 'text';
  /** All words, in order. A quoted word of a command or array includes its quotes. */
  readonly tokens: readonly Span[];
  /** The region that contains the words: inside the parentheses or quotes, or the command. */
  readonly region: Span;
}

/** The context of a span in a shell text. */
export interface Site {
  /** How the characters of the span are quoted. */
  readonly quoting: Quoting;
  readonly row: Row;
  /** Index of the word of the row that contains the span; -1 if it is more than one word. */
  readonly index: number;
  /** The quoted text, when the span is in one. */
  readonly quoted: Span | undefined;
  /** The innermost assignment, if the span is in its value (also in an array). */
  readonly assignment: Span | undefined;
  /** The whole value of that assignment. */
  readonly assigned: Span | undefined;
  /** The innermost statement. */
  readonly statement: Span | undefined;
  /** The surrounding command with all its parts: assignments before it, its name, its arguments. */
  readonly command: Row | undefined;
  /** True inside `${x:-…}`, `$(…)`, `$((…))` and the like. */
  readonly nested: boolean;
}

const expansions: ReadonlySet<string> = new Set([
  'ParameterExpansion',
  'CommandExpansion',
  'ArithmeticExpansion',
  'ProcessSubstitution',
  'BraceExpansion',
  'ExtendedGlob',
]);

/** Finds the context of a span; undefined if it is not in a word of a command, an array or an assignment. */
export function siteOf(script: Script, text: string, span: Span): Site | undefined {
  return siteWithin(pathTo(script, text, span), text, span, isElement);
}

/** A word that a loop takes a value from. */
export interface LoopWord {
  readonly site: Site;
  /** Whether the loop has other values as well. */
  readonly isOneOfMany: boolean;
}

/** The word in the list of `for x in a b` that contains a span. */
export function loopWordOf(script: Script, text: string, span: Span): LoopWord | undefined {
  const path = pathTo(script, text, span);
  const loopAt = path.findLastIndex((node, at) => node.type === 'For' && path[at + 1]?.type === 'Word');
  const [loop, word] = path.slice(loopAt);
  if (loop?.type !== 'For' || word?.type !== 'Word' || loop.wordlist?.includes(word) !== true)
    return undefined;
  const site = siteWithin(path, text, span, (holder) => holder === loop);
  const isOneOfMany =
    loop.wordlist.length > 1 || word.parts?.some(({ type }) => expansions.has(type)) === true;
  return site === undefined ? undefined : { site, isOneOfMany };
}

function siteWithin(
  path: readonly SyntaxNode[],
  text: string,
  span: Span,
  isHolder: (node: SyntaxNode | undefined) => boolean,
): Site | undefined {
  const last = (type: string): SyntaxNode | undefined => path.findLast((node) => node.type === type);
  const body = path.findLastIndex((node) => node.type === 'HereDocBody');
  const wordAt = path.findLastIndex((node, at) => node.type === 'Word' && isHolder(path[at - 1]));
  const statement = last('Statement');
  const assignmentAt = path.findLastIndex((node) => node.type === 'Assignment');
  const assignment = path[assignmentAt];
  const command = last('Command');
  const common = {
    command: command?.type === 'Command' ? commandRow(command, text) : undefined,
    statement: statement === undefined ? undefined : spanOf(statement),
    assignment: assignment === undefined ? undefined : spanOf(assignment),
    assigned: assignment?.type === 'Assignment' ? spanOf(assignment.value) : undefined,
  };
  if (body > wordAt) {
    const node = path[body];
    if (node === undefined) return undefined;
    const region = spanOf(node);
    const nested = path.slice(body + 1).some((each) => expansions.has(each.type));
    const row = textRow(text, region);
    return siteIn(row, span, { ...common, quoting: 'here-document', quoted: region, nested });
  }
  const word = path[wordAt];
  const holder = path[wordAt - 1];
  if (word === undefined || holder === undefined) return undefined;
  const inside = path.slice(wordAt + 1);
  const nested = inside.some((node) => expansions.has(node.type));
  const quotes = inside.findLast((node) => node.type === 'DoubleQuoted' || node.type === 'SingleQuoted');
  const odd = inside.some((node) => node.type === 'AnsiCQuoted' || node.type === 'LocaleString');
  if (odd) return undefined;
  const quoting: Quoting = nested
    ? 'operand'
    : quotes === undefined
      ? 'bare'
      : quotes.type === 'DoubleQuoted'
        ? 'double'
        : 'single';
  const quoted = quotes === undefined ? undefined : { start: quotes.pos + 1, end: quotes.end - 1 };
  const whole = quotes !== undefined && quotes.pos === word.pos && quotes.end === word.end;
  const holds = quoted !== undefined && /\s/.test(text.slice(quoted.start, quoted.end));
  const inText = quoted !== undefined && (holder.type === 'Assignment' || (whole && holds));
  const row = inText && !nested ? textRow(text, quoted) : rowOf(holder, word, text);
  return siteIn(row, span, { ...common, quoting, quoted, nested });
}

/** The innermost statement around a span. */
export function statementOf(script: Script, text: string, span: Span): Span | undefined {
  const statement = pathTo(script, text, span).findLast((node) => node.type === 'Statement');
  return statement === undefined ? undefined : spanOf(statement);
}

/** Whether the innermost statement around a span is not the only one of its block and may be removed: Bash does not allow an empty `then`. */
export function isOneOfSeveral(script: Script, text: string, span: Span): boolean {
  const block = blockOf(script, text, span);
  if (block?.type === 'Script') return true;
  return block?.type === 'CompoundList' && block.commands.length > 1;
}

/** Whether the nearest statement around a span belongs to the script itself, not to a block or a function. */
export function isOfScript(script: Script, text: string, span: Span): boolean {
  return blockOf(script, text, span)?.type === 'Script';
}

/** The node that directly contains the nearest statement around a span. */
function blockOf(script: Script, text: string, span: Span): SyntaxNode | undefined {
  const path = pathTo(script, text, span);
  return path[path.findLastIndex((node) => node.type === 'Statement') - 1];
}

function commandRow(command: Command, text: string): Row {
  const assignments = command.prefix.filter((each) => each.type === 'Assignment');
  const words = [...assignments, ...(command.name === undefined ? [] : [command.name]), ...command.args];
  return { kind: 'command', tokens: words.map((word) => tokenOf(word, text)), region: spanOf(command) };
}

function siteIn(row: Row, span: Span, rest: Omit<Site, 'row' | 'index'>): Site {
  const index = row.tokens.findIndex((token) => token.start <= span.start && span.end <= token.end);
  return { row, index, ...rest };
}

/** The nodes that contain a span, outermost first. Heredocs are outside the commands that they belong to. */
function pathTo(script: Script, text: string, span: Span): readonly SyntaxNode[] {
  const nested = !text.includes('<<');
  let innermost: Nested | undefined;
  const left: Nested[] = [{ node: script, depth: 0 }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node, depth } = next;
    const holds = node.pos <= span.start && span.end <= node.end;
    const mayHold =
      holds || !(nested || node.type === 'Word' || node.type === 'Assignment' || expansions.has(node.type));
    if (!mayHold) continue;
    if (holds && (innermost === undefined || depth > innermost.depth)) innermost = next;
    for (const child of childrenOf(node).toReversed())
      left.push({ node: child, within: next, depth: depth + 1 });
  }
  const path: SyntaxNode[] = [];
  for (let at = innermost; at !== undefined; at = at.within) path.push(at.node);
  return path.reverse();
}

interface Nested {
  readonly node: SyntaxNode;
  readonly within?: Nested;
  readonly depth: number;
}

function isElement(holder: SyntaxNode | undefined): boolean {
  return holder?.type === 'Command' || holder?.type === 'ArrayValue' || holder?.type === 'Assignment';
}

function rowOf(holder: SyntaxNode, word: SyntaxNode, text: string): Row {
  if (holder.type === 'ArrayValue')
    return {
      kind: 'array',
      tokens: holder.elements.map((element) => tokenOf(element, text)),
      region: { start: holder.pos + 1, end: holder.end - 1 },
    };
  if (holder.type === 'Command') {
    const words = [...(holder.name === undefined ? [] : [holder.name]), ...holder.args];
    return { kind: 'command', tokens: words.map((each) => tokenOf(each, text)), region: spanOf(holder) };
  }
  return { kind: 'command', tokens: [tokenOf(word, text)], region: spanOf(word) };
}

/** The words of a text that a shell will split: at blanks, line breaks and continuations, which are `\\` if a shell reads it twice. */
function textRow(text: string, region: Span): Row {
  const inner = text.slice(region.start, region.end);
  const tokens = [...inner.matchAll(/(?:(?!\\\\\r?\n)\\[^\r\n]|[^\s\\])+/g)].map((match) => ({
    start: region.start + match.index,
    end: region.start + match.index + match[0].length,
  }));
  return { kind: 'text', tokens, region };
}

/**
 * The characters of a word, without line continuations right after it, and without the carriage return of a Windows line end, which Bash takes
 * for a part of the word.
 */
function tokenOf({ pos, end }: { readonly pos: number; readonly end: number }, text: string): Span {
  if (text[end - 1] === '\r' && end - 1 > pos && (end === text.length || text[end] === '\n'))
    return { start: pos, end: end - 1 };
  // Nearly all words end before the end of their line.
  if (text[end - 1] !== '\n') return { start: pos, end };
  const [rest = ''] = /(?<!\\\r?\n)(?:\\\r?\n)+$/.exec(text.slice(pos, end)) ?? [];
  return { start: pos, end: end - rest.length };
}

function spanOf(node: { readonly pos: number; readonly end: number }): Span {
  return { start: node.pos, end: node.end };
}
