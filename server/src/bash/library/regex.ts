import { literally } from '../../text/literal.ts';
import {
  type Automaton,
  type CharacterTest,
  endsOf,
  findLongest,
  type Meter,
  type State,
} from './automaton.ts';
import { characterClasses } from './pattern.ts';
import { isAscii } from './quote.ts';

/** The syntax of `grep` and `sed`, or that of `-E` and `[[ =~ ]]`. */
export type RegexSyntax = 'basic' | 'extended';

/** A compiled POSIX regular expression over one line of text. */
export interface Regex {
  /** False when `.`, a negated set or a class makes the answer depend on the locale for text beyond ASCII. */
  readonly anyLocale: boolean;
  readonly groupCount: number;
  test(text: string, meter?: Meter): boolean;
  /** The leftmost longest match at or after `from`. */
  find(text: string, from: number, meter?: Meter): readonly [number, number] | undefined;
  /** All places, ascending, where a match that begins at `start` can end. */
  ends(text: string, start: number): readonly number[];
  /**
   * The texts of the groups of the match `[start, end]`, the whole match first; undefined if it is uncertain that POSIX's rules and ours divide
   * the match in the same way.
   */
  groups(text: string, match: readonly [number, number]): readonly (string | undefined)[] | undefined;
}

type Node =
  | { readonly kind: 'one'; readonly source: string; readonly text?: string }
  | { readonly kind: 'assert'; readonly source: string; readonly at: Assertion }
  | { readonly kind: 'sequence'; readonly items: readonly Node[] }
  | { readonly kind: 'choice'; readonly items: readonly Node[] }
  | { readonly kind: 'group'; readonly item: Node }
  | { readonly kind: 'repeat'; readonly item: Node; readonly min: number; readonly max: number };

type Assertion = (text: string, position: number) => boolean;

const mostStates = 3000;

/**
 * Compiles a basic or extended regular expression of grep and sed. Undefined if it might not mean the same here: back references, collating
 * symbols, malformed expressions, repeats that are too large.
 */
export function compileRegex(source: string, syntax: RegexSyntax, ignoreCase = false): Regex | undefined {
  const parser = new Parser(source, syntax);
  const tree = parser.parse();
  if (tree === undefined) return undefined;
  const automaton = build(tree, ignoreCase);
  if (automaton === undefined) return undefined;
  const required = ignoreCase ? '' : requiredText(tree);
  const find: Regex['find'] = (text, from, meter) =>
    text.includes(required, from) ? findLongest(automaton, text, from, meter) : undefined;
  return {
    anyLocale: !parser.dependsOnLocale && !(ignoreCase && !isAscii(source)),
    groupCount: countGroups(tree),
    test: (text, meter) => find(text, 0, meter) !== undefined,
    find,
    ends: (text, start) => endsOf(automaton, text, start, false),
    groups: (text, match) => divide(tree, ignoreCase, text, match),
  };
}

class Parser {
  dependsOnLocale = false;
  private at = 0;
  private failed = false;
  private readonly source: string;
  private readonly extended: boolean;

  constructor(source: string, syntax: RegexSyntax) {
    this.source = source;
    this.extended = syntax === 'extended';
  }

  parse(): Node | undefined {
    const tree = this.choice(0);
    return this.failed || this.at < this.source.length ? undefined : tree;
  }

  /** Whether an operator comes next: `(` in the extended, `\(` in the basic syntax. */
  private sees(operator: string): boolean {
    return this.source.startsWith(this.extended ? operator : `\\${operator}`, this.at);
  }

  private skip(): void {
    this.at += this.extended ? 1 : 2;
  }

  private choice(depth: number): Node {
    const items = [this.sequence(depth)];
    while (!this.failed && this.sees('|')) {
      this.skip();
      items.push(this.sequence(depth));
    }
    const [only] = items;
    return items.length === 1 && only !== undefined ? only : { kind: 'choice', items };
  }

  private sequence(depth: number): Node {
    const items: Node[] = [];
    if (depth > 50) this.failed = true;
    while (
      !this.failed &&
      this.at < this.source.length &&
      !this.sees('|') &&
      !(depth > 0 && this.sees(')'))
    ) {
      const atom = this.atom(depth, items.length === 0);
      if (atom !== undefined) items.push(this.repeats(atom));
    }
    return { kind: 'sequence', items };
  }

  private atom(depth: number, first: boolean): Node | undefined {
    if (this.sees('(')) {
      this.skip();
      const item = this.choice(depth + 1);
      if (!this.sees(')')) this.failed = true;
      this.skip();
      return { kind: 'group', item };
    }
    const char = this.source[this.at] ?? '';
    if (char === '\\') return this.escape();
    if (char === '[') return this.bracket();
    this.at += 1;
    if (char === '.') {
      this.dependsOnLocale = true;
      return { kind: 'one', source: '[\\s\\S]' };
    }
    if (char === '^' && (this.extended || first)) return startOfText;
    if (
      char === '$' &&
      (this.extended || this.at === this.source.length || this.sees('|') || this.sees(')'))
    ) {
      return endOfText;
    }
    if (char === '*' && first && !this.extended) return literal('*');
    // A repeat of nothing, `{` that begins no interval, an unmatched parenthesis: each tool treats them differently.
    if (this.extended && '*+?{})('.includes(char)) this.failed = true;
    return literal(char);
  }

  private escape(): Node | undefined {
    const char = this.source[this.at + 1];
    this.at += 2;
    if (char === undefined || /[1-9{}+?()|nt]/.test(char)) {
      const literalHere = char !== undefined && this.extended && '{}+?()|'.includes(char);
      if (!literalHere) this.failed = true;
      return literal(char ?? '');
    }
    if (char === 'w' || char === 'W' || char === 's' || char === 'S') {
      this.dependsOnLocale = true;
      return {
        kind: 'one',
        source: char === 's' ? '[ \\t\\n\\r\\f\\v]' : char === 'S' ? '[^ \\t\\n\\r\\f\\v]' : `\\${char}`,
      };
    }
    const boundary = boundaries.get(char);
    if (boundary !== undefined) {
      this.dependsOnLocale = true;
      return boundary;
    }
    if (/[A-Za-z0-9`']/.test(char)) this.failed = true;
    return literal(char);
  }

  private repeats(atom: Node): Node {
    let node = atom;
    for (;;) {
      const bounds = this.bounds();
      if (bounds === undefined) return node;
      if (atom.kind === 'assert') this.failed = true;
      node = { kind: 'repeat', item: node, min: bounds[0], max: bounds[1] };
    }
  }

  private bounds(): readonly [number, number] | undefined {
    if (this.source[this.at] === '*') {
      this.at += 1;
      return [0, Number.POSITIVE_INFINITY];
    }
    for (const [operator, min, max] of [
      ['+', 1, Number.POSITIVE_INFINITY],
      ['?', 0, 1],
    ] as const) {
      if (this.sees(operator)) {
        this.skip();
        return [min, max];
      }
    }
    const interval = this.extended ? /\{(\d+)(,?)(\d*)\}/y : /\\\{(\d+)(,?)(\d*)\\\}/y;
    interval.lastIndex = this.at;
    const found = interval.exec(this.source);
    if (found === null) return undefined;
    this.at += found[0].length;
    const min = Number(found[1]);
    const max = found[2] === '' ? min : found[3] === '' ? Number.POSITIVE_INFINITY : Number(found[3]);
    if (min > max || min > 255 || (Number.isFinite(max) && max > 255)) this.failed = true;
    return [min, max];
  }

  private bracket(): Node {
    const found = /\[(\^?)(\]?(?:\[:[a-z]+:\]|\[(?![.=:])|[^\][])*)\]/y;
    found.lastIndex = this.at;
    const parts = found.exec(this.source);
    if (parts === null) {
      this.failed = true;
      return literal('');
    }
    this.at += parts[0].length;
    const [, negation = '', inside = ''] = parts;
    let set = '';
    const items = /\[:([a-z]+):\]|([\s\S])-([^\]])|([\s\S])/g;
    for (const [, name, low, high, single] of inside.matchAll(items)) {
      if (name !== undefined) {
        set += characterClasses.get(name) ?? '';
        this.dependsOnLocale = true;
        if (!characterClasses.has(name)) this.failed = true;
      } else if (low !== undefined && high !== undefined) {
        if (low > high) this.failed = true;
        set += `${literally(low)}-${literally(high)}`;
      } else set += literally(single ?? '');
    }
    if (negation !== '') this.dependsOnLocale = true;
    return { kind: 'one', source: `[${negation}${set}]` };
  }
}

const isWord = (text: string, position: number): boolean => /\w/.test(text.charAt(position));
const startOfText: Node = { kind: 'assert', source: '^', at: (_, position) => position === 0 };
const endOfText: Node = { kind: 'assert', source: '$', at: (text, position) => position === text.length };
const boundaries: ReadonlyMap<string, Node> = new Map<string, Node>([
  ['b', { kind: 'assert', source: '\\b', at: (text, at) => isWord(text, at - 1) !== isWord(text, at) }],
  ['B', { kind: 'assert', source: '\\B', at: (text, at) => isWord(text, at - 1) === isWord(text, at) }],
  [
    '<',
    { kind: 'assert', source: '\\b(?=\\w)', at: (text, at) => !isWord(text, at - 1) && isWord(text, at) },
  ],
  [
    '>',
    { kind: 'assert', source: '\\b(?!\\w)', at: (text, at) => isWord(text, at - 1) && !isWord(text, at) },
  ],
]);

function literal(char: string): Node {
  return { kind: 'one', source: literally(char), text: char };
}

/** The longest text that every match holds, as far as the outermost sequence tells. */
function requiredText(tree: Node): string {
  if (tree.kind === 'group') return requiredText(tree.item);
  if (tree.kind === 'repeat') return tree.min > 0 ? requiredText(tree.item) : '';
  if (tree.kind === 'one') return tree.text ?? '';
  if (tree.kind !== 'sequence') return '';
  let longest = '';
  let running = '';
  for (const item of tree.items) {
    const inner = item.kind === 'one' ? '' : requiredText(item);
    running = item.kind === 'one' && item.text !== undefined ? running + item.text : '';
    for (const text of [running, inner]) if (text.length > longest.length) longest = text;
  }
  return longest;
}

function build(tree: Node, ignoreCase: boolean): Automaton | undefined {
  const states: State[] = [{ kind: 'accept' }];
  const add = (state: State): number => states.push(state) - 1;
  const compile = (node: Node, next: number): number => {
    if (states.length > mostStates) return next;
    if (node.kind === 'one') return add({ kind: 'one', test: characterTest(node.source, ignoreCase), next });
    if (node.kind === 'assert') return add({ kind: 'assert', test: node.at, next });
    if (node.kind === 'group') return compile(node.item, next);
    if (node.kind === 'sequence') return node.items.reduceRight((after, item) => compile(item, after), next);
    if (node.kind === 'choice')
      return add({ kind: 'fork', next: node.items.map((item) => compile(item, next)) });
    let entry = next;
    if (Number.isFinite(node.max)) {
      for (let count = node.min; count < node.max; count++)
        entry = add({ kind: 'fork', next: [compile(node.item, entry), next] });
    } else {
      const exits = [next];
      entry = add({ kind: 'fork', next: exits });
      exits.push(compile(node.item, entry));
    }
    for (let count = 0; count < node.min; count++) entry = compile(node.item, entry);
    return entry;
  };
  const start = compile(tree, 0);
  return states.length > mostStates ? undefined : { states, start };
}

function characterTest(source: string, ignoreCase: boolean): CharacterTest {
  const expression = new RegExp(`^(?:${source})$`, ignoreCase ? 'i' : '');
  return (codePoint) =>
    codePoint <= 0xffff
      ? expression.test(String.fromCharCode(codePoint))
      : source.startsWith('[^') || source === '[\\s\\S]';
}

/** Groups of a match by JavaScript's own engine, if its greedy choices are also POSIX's. */
function divide(
  tree: Node,
  ignoreCase: boolean,
  text: string,
  [start, end]: readonly [number, number],
): readonly (string | undefined)[] | undefined {
  if (countGroups(tree) === 0) return [text.slice(start, end)];
  const most = text.length > 200 ? 6 : 8;
  if (!dividesAlike(tree, ignoreCase) || countRepeats(tree) > most || text.length > 2000) return undefined;
  const expression = new RegExp(show(tree), ignoreCase ? 'iy' : 'y');
  expression.lastIndex = start;
  const found = expression.exec(text);
  // Character classes decide a choice only in ASCII.
  if (!isAscii(text)) return undefined;
  return found === null || found[0].length !== end - start ? undefined : [...found];
}

function show(node: Node): string {
  if (node.kind === 'one' || node.kind === 'assert') return node.source;
  if (node.kind === 'sequence') return node.items.map(show).join('');
  if (node.kind === 'choice') return `(?:${node.items.map(show).join('|')})`;
  if (node.kind === 'group') return `(${show(node.item)})`;
  const max = Number.isFinite(node.max) ? String(node.max) : '';
  return `(?:${show(node.item)}){${node.min},${max}}`;
}

/**
 * Whether JavaScript's greedy engine divides as POSIX requires: only single characters are repeated (or a group is optional), and the first
 * character decides every choice, so its first match gives each repeat the most that still leaves a match.
 */
function dividesAlike(node: Node, ignoreCase: boolean): boolean {
  const alike = (item: Node): boolean => dividesAlike(item, ignoreCase);
  if (node.kind === 'sequence') return node.items.every(alike);
  if (node.kind === 'group') return alike(node.item);
  if (node.kind === 'choice') return node.items.every(alike) && isDecided(node.items, ignoreCase);
  if (node.kind !== 'repeat' || node.item.kind === 'one') return true;
  return node.max === 1 && beginnings(node.item, ignoreCase) !== undefined && alike(node.item);
}

/** Whether no ASCII character can begin two of the alternatives, or all are texts of which none is a prefix of another. */
function isDecided(alternatives: readonly Node[], ignoreCase: boolean): boolean {
  const texts = alternatives.map((item) => /^\w+$/.exec(show(item))?.[0].toLowerCase());
  const apart = (a: string | undefined, at: number): boolean =>
    texts.every((b, index) => index === at || (a !== undefined && b !== undefined && !b.startsWith(a)));
  if (texts.every(apart)) return true;
  const sets = alternatives.map((item) => beginnings(item, ignoreCase));
  const all = sets.flatMap((set) => [...(set ?? [])]);
  return sets.every((set) => set !== undefined) && new Set(all).size === all.length;
}

/** The ASCII characters that a match can begin with; undefined if it can be empty (or is not simple). */
function beginnings(node: Node, ignoreCase: boolean): ReadonlySet<number> | undefined {
  if (node.kind === 'one') {
    const test = characterTest(node.source, ignoreCase);
    return new Set(Array.from({ length: 128 }, (_, code) => code).filter(test));
  }
  if (node.kind === 'group') return beginnings(node.item, ignoreCase);
  if (node.kind === 'repeat') return node.min > 0 ? beginnings(node.item, ignoreCase) : undefined;
  if (node.kind === 'sequence') {
    const [first] = node.items;
    return first === undefined ? undefined : beginnings(first, ignoreCase);
  }
  if (node.kind === 'assert') return undefined;
  const sets = node.items.map((item) => beginnings(item, ignoreCase));
  return sets.every((set) => set !== undefined)
    ? new Set(sets.flatMap((set) => [...(set ?? [])]))
    : undefined;
}

function countGroups(node: Node): number {
  if (node.kind === 'group') return 1 + countGroups(node.item);
  if (node.kind === 'repeat') return countGroups(node.item);
  if (node.kind === 'sequence' || node.kind === 'choice')
    return node.items.reduce((sum, item) => sum + countGroups(item), 0);
  return 0;
}

/** The search effort: an optional item has two ways, any other repeat as many as there are characters. */
function countRepeats(node: Node): number {
  if (node.kind === 'repeat') return (node.max > 1 ? 1 : 0.3) + countRepeats(node.item);
  if (node.kind === 'group') return countRepeats(node.item);
  if (node.kind === 'sequence' || node.kind === 'choice')
    return node.items.reduce((sum, item) => sum + countRepeats(item), 0);
  return 0;
}
