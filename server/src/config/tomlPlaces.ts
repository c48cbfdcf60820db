import { type AST, parseTOML } from 'toml-eslint-parser';
import type { Span } from '../text/span.ts';

/** The place of a name in a TOML text, and what is below it. */
interface Spot {
  /** The key; undefined for an element of a list. */
  key: Span | undefined;
  /** The value, unless it is a table or a list. */
  scalar: Span | undefined;
  readonly below: Map<string, Spot>;
}

/**
 * The places of the settings in a TOML text.
 * @param text valid TOML; in any other text no place is known
 * @param table the names of the table in which paths start
 * @returns finds the place of a path: its value unless that is a table or list, otherwise its key, or the nearest parent that is in the text
 */
export function tomlPlaces(
  text: string,
  table: readonly string[],
): (path: readonly PropertyKey[], part?: 'name') => Span {
  const top = spots(text);
  return (path, part) => {
    let spot = top;
    let best: Span = { start: 0, end: 0 };
    const names = [...table, ...path.map(String)];
    for (const [index, name] of names.entries()) {
      const next = spot.below.get(name);
      if (next === undefined) break;
      const isName = next.scalar === undefined || (part === 'name' && index === names.length - 1);
      best = (isName ? next.key : next.scalar) ?? next.scalar ?? best;
      spot = next;
    }
    return best;
  };
}

function newSpot(): Spot {
  return { key: undefined, scalar: undefined, below: new Map() };
}

function spots(text: string): Spot {
  const top = newSpot();
  const program = parsed(text);
  for (const node of program?.body[0].body ?? []) {
    if (node.type === 'TOMLKeyValue') addPair(top, node);
    else {
      const spot = under(top, node.resolvedKey.map(String));
      const last = node.key.keys.at(-1);
      if (last !== undefined) spot.key = spanOf(last);
      for (const pair of node.body) addPair(spot, pair);
    }
  }
  return top;
}

/** The syntax tree, or undefined if this parser rejects the text (another parser has accepted it before) or it is nested too deeply. */
function parsed(text: string): AST.TOMLProgram | undefined {
  try {
    return parseTOML(text);
  } catch {
    return undefined;
  }
}

function addPair(spot: Spot, { key, value }: AST.TOMLKeyValue): void {
  let at = spot;
  for (const name of key.keys) {
    at = under(at, [name.type === 'TOMLBare' ? name.name : name.value]);
    at.key ??= spanOf(name);
  }
  addValue(at, value);
}

function addValue(spot: Spot, value: AST.TOMLContentNode): void {
  if (value.type === 'TOMLInlineTable') for (const pair of value.body) addPair(spot, pair);
  else if (value.type === 'TOMLArray')
    for (const [index, element] of value.elements.entries()) addValue(under(spot, [String(index)]), element);
  else spot.scalar = spanOf(value);
}

/** The spot at a path below another one; created if it does not exist. */
function under(spot: Spot, path: readonly string[]): Spot {
  let at = spot;
  for (const name of path) {
    const next = at.below.get(name) ?? newSpot();
    at.below.set(name, next);
    at = next;
  }
  return at;
}

function spanOf({ range: [start, end] }: AST.TOMLNode): Span {
  return { start, end };
}
