import { forEachChild, type ParsedScript, type ParseError, parse, type SyntaxNode } from 'unbash';

/** The tree of a Bash text; among its errors are those that the parser lets pass and Bash does not. */
export function parseBash(text: string): ParsedScript {
  const script = parse(text);
  const errors = errorsOf(script, text);
  return errors.length === (script.errors ?? []).length ? script : { ...script, errors };
}

/** The syntax errors of a text that has been parsed, in order: those of the parser, and those that it lets pass. */
export function errorsOf({ commands, errors = [] }: ParsedScript, text: string): readonly ParseError[] {
  if (!mayLetPass.test(text)) return errors;
  const faults = commands.flatMap((command) => [...faultsIn(command, text)]);
  return faults.length === 0 ? errors : [...errors, ...faults].sort((one, other) => one.pos - other.pos);
}

/** A counted loop, or an assignment before the name of a function. */
const mayLetPass = /\bfor[ \t]*\(|=[^\s"'`]*[ \t]+[\w-]+[ \t]*\([ \t]*\)/;

function* faultsIn(node: SyntaxNode, text: string): Generator<ParseError, void> {
  const fault = faultOf(node, text);
  if (fault !== undefined) yield fault;
  // What stands between backquotes is read when it runs, and is counted from its own beginning.
  if ('text' in node && typeof node.text === 'string' && node.text.startsWith('`')) return;
  const within: SyntaxNode[] = [];
  forEachChild(node, (child) => {
    within.push(child);
  });
  for (const child of within) yield* faultsIn(child, text);
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
  if (node.type !== 'Function') return undefined;
  const before = /(?:^|[\s;&|({])([A-Za-z_]\w*\+?=[^\s;&|()]*)[ \t]+$/.exec(
    text.slice(lineStart(text, pos), pos),
  );
  return before === null
    ? undefined
    : { pos: text.indexOf('(', pos), message: `${before[1]} cannot stand before a function` };
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}
