import { type Automaton, type CharacterTest, endsOf, type State, widthAt } from './automaton.ts';

/** A run of pattern characters; in a quoted run all of them are literal. */
export interface PatternPart {
  readonly text: string;
  readonly quoted: boolean;
}

/** The shell options that affect pattern matching. */
export interface PatternOptions {
  /** `?(..) *(..) +(..) @(..) !(..)` are operators (`shopt -s extglob`; always in `[[ x == p ]]`). */
  readonly extglob: boolean;
  /** `shopt -s nocasematch`. */
  readonly ignoreCase?: boolean;
}

/** A compiled shell pattern. All positions are offsets in UTF-16 units; lengths are of the matched text. */
export interface Pattern {
  /**
   * False for a `!(..)` next to other operators: Bash 5.2's own matcher then misses some prefixes and suffixes (`v=bba; echo ${v#*!(a)[!a]}`),
   * so only `matches` is sure to agree with it.
   */
  readonly certain: boolean;
  /** Whether the whole text matches. */
  matches(text: string): boolean;
  /** Length of the shortest matching prefix (`${v#p}`), or undefined when none matches. */
  shortestPrefix(text: string): number | undefined;
  /** Length of the longest matching prefix (`${v##p}`). */
  longestPrefix(text: string): number | undefined;
  /** Length of the shortest matching suffix (`${v%p}`). */
  shortestSuffix(text: string): number | undefined;
  /** Length of the longest matching suffix (`${v%%p}`). */
  longestSuffix(text: string): number | undefined;
  /** The leftmost longest match at or after `from`, as `[start, end]`. */
  find(text: string, from: number): readonly [number, number] | undefined;
}

type Node =
  | { readonly kind: 'one'; readonly test: CharacterTest }
  | { readonly kind: 'star' }
  | {
      readonly kind: 'group';
      readonly operator: '?' | '*' | '+' | '@' | '!';
      readonly alternatives: readonly (readonly Node[])[];
    };

/** A pattern character after quoting has been resolved: a literal one is never an operator. */
interface Token {
  readonly char: string;
  readonly literal: boolean;
}

/**
 * Compiles a shell pattern. Matching follows all alternatives in parallel (Thompson's construction), so it takes at most quadratic time in the
 * text whatever the pattern.
 */
export function compilePattern(parts: readonly PatternPart[], options: PatternOptions): Pattern {
  const nodes = new Parser(tokenize(parts), options).sequence();
  const forward = compile(nodes);
  const backward = compile(reverse(nodes));
  let searched: { readonly text: string; readonly starts: readonly number[] } | undefined;
  const startsIn = (text: string): readonly number[] => {
    if (searched?.text !== text) {
      const ends = endsOf(backward, reverseText(text), 0, true);
      searched = { text, starts: ends.map((end) => text.length - end).reverse() };
    }
    return searched.starts;
  };
  const negates = (items: readonly Node[]): boolean =>
    items.some((node) => node.kind === 'group' && (node.operator === '!' || node.alternatives.some(negates)));
  return {
    certain: !negates(nodes) || nodes.length === 1,
    matches: (text) => endsOf(forward, text, 0, false).at(-1) === text.length,
    shortestPrefix: (text) => endsOf(forward, text, 0, false)[0],
    longestPrefix: (text) => endsOf(forward, text, 0, false).at(-1),
    shortestSuffix: (text) => endsOf(backward, reverseText(text), 0, false)[0],
    longestSuffix: (text) => endsOf(backward, reverseText(text), 0, false).at(-1),
    find: (text, from) => {
      const starts = startsIn(text);
      let low = 0;
      let high = starts.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((starts[middle] ?? 0) < from) low = middle + 1;
        else high = middle;
      }
      const start = starts[low];
      if (start === undefined) return undefined;
      const end = endsOf(forward, text, start, false).at(-1);
      return end === undefined ? undefined : [start, end];
    },
  };
}

/** Whether unquoted characters make this a pattern (`*`, `?`, `[`, or an extglob group): only then is it replaced by file names. */
export function hasPatternCharacters(parts: readonly PatternPart[], extglob: boolean): boolean {
  const tokens = tokenize(parts);
  const lastClosing = lastClosingOf(tokens);
  return tokens.some((token, index) => {
    if (token.literal) return false;
    if (token.char === '*' || token.char === '?') return true;
    if (token.char === '[') return index < lastClosing;
    const next = tokens[index + 1];
    return extglob && '+@!'.includes(token.char) && next !== undefined && !next.literal && next.char === '(';
  });
}

/** Where `${v/p/r}` replaces the pattern: its first match, all matches (`//`), at the start (`/#`), at the end (`/%`). */
export type ReplaceMode = 'first' | 'all' | 'prefix' | 'suffix';

/** `${v/p/r}`: the text with the longest matches replaced. `isEmpty` says that the pattern has no characters. */
export function replacePattern(
  text: string,
  pattern: Pattern,
  isEmpty: boolean,
  mode: ReplaceMode,
  replacement: (match: string) => string,
): string {
  if (isEmpty) {
    if (mode === 'prefix') return replacement('') + text;
    return mode === 'suffix' ? text + replacement('') : text;
  }
  if (mode === 'prefix') {
    const length = pattern.longestPrefix(text);
    return length === undefined ? text : replacement(text.slice(0, length)) + text.slice(length);
  }
  if (mode === 'suffix') {
    const length = pattern.longestSuffix(text);
    if (length === undefined) return text;
    return text.slice(0, text.length - length) + replacement(text.slice(text.length - length));
  }
  if (text === '') return pattern.matches('') ? replacement('') : '';
  let out = '';
  let at = 0;
  while (at < text.length) {
    const found = pattern.find(text, at);
    if (found === undefined) break;
    const [start, end] = found;
    out += text.slice(at, start) + replacement(text.slice(start, end));
    at = end;
    if (mode === 'first') break;
    if (start === end && at < text.length) {
      const width = widthAt(text, at);
      out += text.slice(at, at + width);
      at += width;
    }
  }
  return out + text.slice(at);
}

function tokenize(parts: readonly PatternPart[]): readonly Token[] {
  const tokens: Token[] = [];
  let escaped = false;
  for (const part of parts) {
    for (const char of part.text) {
      if (part.quoted || escaped) {
        tokens.push({ char, literal: true });
        escaped = false;
      } else if (char === '\\') {
        escaped = true;
      } else {
        tokens.push({ char, literal: false });
      }
    }
  }
  if (escaped) tokens.push({ char: '\\', literal: true });
  return tokens;
}

function lastClosingOf(tokens: readonly Token[]): number {
  return tokens.findLastIndex(({ literal, char }) => !literal && char === ']');
}

class Parser {
  private at = 0;
  /** Positions of groups that are never closed: remembered, or nested ones would be tried over and over. */
  private readonly unclosed = new Set<number>();
  private readonly tokens: readonly Token[];
  private readonly options: PatternOptions;
  /** The last bracket that may close a bracket expression. */
  private readonly lastClosing: number;

  constructor(tokens: readonly Token[], options: PatternOptions) {
    this.tokens = tokens;
    this.options = options;
    this.lastClosing = lastClosingOf(tokens);
  }

  /** The whole pattern. */
  sequence(): readonly Node[] {
    return this.until(() => false);
  }

  private operator(index: number): string | undefined {
    const token = this.tokens[index];
    return token === undefined || token.literal ? undefined : token.char;
  }

  private until(stop: () => boolean): readonly Node[] {
    const nodes: Node[] = [];
    while (this.at < this.tokens.length && !stop()) {
      const operator = this.operator(this.at);
      const group = this.group();
      if (group !== undefined) {
        nodes.push(group);
        continue;
      }
      const token = this.tokens[this.at];
      if (token === undefined) break;
      this.at += 1;
      if (operator === '*') nodes.push({ kind: 'star' });
      else if (operator === '?') nodes.push({ kind: 'one', test: () => true });
      else if (operator === '[') nodes.push({ kind: 'one', test: this.bracket() ?? this.literal('[') });
      else nodes.push({ kind: 'one', test: this.literal(token.char) });
    }
    return nodes;
  }

  private group(): Node | undefined {
    if (!this.options.extglob || this.operator(this.at + 1) !== '(' || this.unclosed.has(this.at))
      return undefined;
    const operator = this.operator(this.at);
    if (operator !== '?' && operator !== '*' && operator !== '+' && operator !== '@' && operator !== '!') {
      return undefined;
    }
    const before = this.at;
    const alternatives: (readonly Node[])[] = [];
    do {
      this.at += alternatives.length === 0 ? 2 : 1;
      alternatives.push(this.until(() => this.operator(this.at) === '|' || this.operator(this.at) === ')'));
    } while (this.operator(this.at) === '|');
    if (this.operator(this.at) !== ')') {
      this.unclosed.add(before);
      this.at = before;
      return undefined;
    }
    this.at += 1;
    return { kind: 'group', operator, alternatives };
  }

  private literal(char: string): CharacterTest {
    const wanted = this.fold(char.codePointAt(0) ?? 0);
    return (codePoint) => this.fold(codePoint) === wanted;
  }

  private fold(codePoint: number): number {
    if (this.options.ignoreCase !== true) return codePoint;
    return String.fromCodePoint(codePoint).toLowerCase().codePointAt(0) ?? codePoint;
  }

  /** The bracket expression after an unquoted `[`; undefined (consuming nothing) if it is not closed. */
  private bracket(): CharacterTest | undefined {
    if (this.at > this.lastClosing) return undefined;
    const before = this.at;
    const negated = this.operator(this.at) === '!' || this.operator(this.at) === '^';
    if (negated) this.at += 1;
    const tests: CharacterTest[] = [];
    let first = true;
    while (first || this.operator(this.at) !== ']') {
      first = false;
      const test = this.bracketItem();
      if (test === undefined) {
        this.at = before;
        return undefined;
      }
      tests.push(test);
    }
    this.at += 1;
    return (codePoint) => tests.some((test) => test(codePoint)) !== negated;
  }

  private bracketItem(): CharacterTest | undefined {
    const named = this.bracketClass();
    if (named !== undefined) return named;
    const low = this.tokens[this.at];
    if (low === undefined) return undefined;
    this.at += 1;
    const next = this.tokens[this.at + 1];
    if (this.operator(this.at) !== '-' || next === undefined || this.operator(this.at + 1) === ']') {
      return this.literal(low.char);
    }
    this.at += 2;
    const from = low.char.codePointAt(0) ?? 0;
    const to = next.char.codePointAt(0) ?? 0;
    if (this.options.ignoreCase !== true) return (codePoint) => codePoint >= from && codePoint <= to;
    const [lowest, highest] = [this.fold(from), this.fold(to)];
    return (codePoint) => this.fold(codePoint) >= lowest && this.fold(codePoint) <= highest;
  }

  /** `[:digit:]` inside a bracket expression. */
  private bracketClass(): CharacterTest | undefined {
    if (this.operator(this.at) !== '[' || this.operator(this.at + 1) !== ':') return undefined;
    let end = this.at + 2;
    let name = '';
    for (; /^[a-z]$/.test(this.operator(end) ?? ''); end++) name += this.operator(end);
    if (this.operator(end) !== ':' || this.operator(end + 1) !== ']') return undefined;
    const expression = characterClasses.get(name);
    if (expression === undefined) return undefined;
    this.at = end + 2;
    const test = new RegExp(`^[${expression}${beyondAscii.get(name) ?? ''}]$`, 'u');
    return (codePoint) => test.test(String.fromCodePoint(codePoint));
  }
}

/** POSIX character classes as the inside of a JavaScript character class, for ASCII text. */
export const characterClasses: ReadonlyMap<string, string> = new Map([
  ['alnum', 'A-Za-z0-9'],
  ['alpha', 'A-Za-z'],
  ['ascii', '\\x00-\\x7f'],
  ['blank', ' \\t'],
  ['cntrl', '\\x00-\\x1f\\x7f'],
  ['digit', '0-9'],
  ['graph', '\\x21-\\x7e'],
  ['lower', 'a-z'],
  ['print', '\\x20-\\x7e'],
  ['punct', '\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e'],
  ['space', ' \\t\\n\\r\\f\\v'],
  ['upper', 'A-Z'],
  ['word', 'A-Za-z0-9_'],
  ['xdigit', '0-9A-Fa-f'],
]);

/** What the classes contain beyond ASCII, in the usual UTF-8 locales. */
const beyondAscii: ReadonlyMap<string, string> = new Map([
  ['alnum', '\\p{L}'],
  ['alpha', '\\p{L}'],
  ['graph', '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}'],
  ['lower', '\\p{Ll}'],
  ['print', '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}'],
  ['punct', '\\p{P}\\p{S}'],
  ['space', '\\u3000'],
  ['upper', '\\p{Lu}'],
  ['word', '\\p{L}'],
]);

function reverse(nodes: readonly Node[]): readonly Node[] {
  return [...nodes]
    .reverse()
    .map((node) =>
      node.kind === 'group' ? { ...node, alternatives: node.alternatives.map(reverse) } : node,
    );
}

function reverseText(text: string): string {
  return [...text].reverse().join('');
}

function compile(nodes: readonly Node[]): Automaton {
  const states: State[] = [{ kind: 'accept' }];
  const add = (state: State): number => states.push(state) - 1;
  const sequence = (items: readonly Node[], next: number): number =>
    items.reduceRight((after, node) => single(node, after), next);
  const single = (node: Node, next: number): number => {
    if (node.kind === 'one') return add({ kind: 'one', test: node.test, next });
    if (node.kind === 'star') {
      const exits = [next];
      const fork = add({ kind: 'fork', next: exits });
      exits.push(add({ kind: 'one', test: () => true, next: fork }));
      return fork;
    }
    const { operator, alternatives } = node;
    if (operator === '!') {
      const anyOf: Node = { kind: 'group', operator: '@', alternatives };
      return add({ kind: 'not', inner: compile([anyOf]), next });
    }
    if (operator === '@' || operator === '?') {
      const exits = alternatives.map((alternative) => sequence(alternative, next));
      return add({ kind: 'fork', next: operator === '?' ? [...exits, next] : exits });
    }
    const again: number[] = [next];
    const loop = add({ kind: 'fork', next: again });
    const entries = alternatives.map((alternative) => sequence(alternative, loop));
    again.push(...entries);
    return operator === '*' ? loop : add({ kind: 'fork', next: entries });
  };
  const start = sequence(nodes, 0);
  return { states, start };
}
