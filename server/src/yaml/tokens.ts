import { type CST, Parser } from 'yaml';
import type { YamlProblem } from './document.ts';

/** Deepest nesting that is read; far beyond any configuration, far from overflowing the stack. */
const depthLimit = 200;

/** The tokens of a text, up to where it is nested too deeply. */
interface Tokens {
  readonly tokens: readonly CST.Token[];
  readonly deep?: YamlProblem;
}

/** The tokens of a text. */
export function readTokens(text: string): Tokens {
  const tokens: CST.Token[] = [];
  try {
    for (const token of new Parser().parse(text)) {
      const deep = deepIn(token);
      if (deep !== undefined) return { tokens, deep: tooDeep(deep) };
      tokens.push(token);
    }
  } catch (error) {
    // The parser closes open collections recursively.
    if (error instanceof RangeError) return { tokens, deep: tooDeep(0) };
    throw error;
  }
  return { tokens };
}

function tooDeep(at: number): YamlProblem {
  return {
    message: `Nested more than ${depthLimit} levels deep; the file is not read.`,
    span: { start: at, end: at + 1 },
    severity: 'error',
    isSyntax: true,
  };
}

/** Where collections are nested deeper than can be read; walks the tokens without recursion. */
function deepIn(token: CST.Token): number | undefined {
  const stack: { readonly token: CST.Token; readonly depth: number }[] = [{ token, depth: 0 }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { token: current, depth } = top;
    if (depth > depthLimit) return current.offset;
    if (current.type === 'document' && current.value !== undefined)
      stack.push({ token: current.value, depth });
    if (!('items' in current)) continue;
    for (const item of current.items) {
      if (item.value !== undefined) stack.push({ token: item.value, depth: depth + 1 });
      if ('key' in item && item.key !== undefined && item.key !== null)
        stack.push({ token: item.key, depth: depth + 1 });
    }
  }
  return undefined;
}
