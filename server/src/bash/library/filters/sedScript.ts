import { isAscii } from '../quote.ts';
import { compileRegex, type Regex, type RegexSyntax } from '../regex.ts';

/** Lines that a command is for. */
export type Address =
  | { readonly kind: 'line'; readonly line: number }
  | { readonly kind: 'last' }
  | { readonly kind: 'regex'; readonly regex: Regex };

/** What a command does. */
export type Action =
  | { readonly kind: 'delete' }
  | { readonly kind: 'print' }
  | { readonly kind: 'quit' }
  /** `n`, `N`: the next line in place of this one, or after it. */
  | { readonly kind: 'next' | 'join' }
  /** `P`, `D`: the text up to the first newline. */
  | { readonly kind: 'print-first' | 'delete-first' }
  /** `h`, `H`, `g`, `G`, `x`: the text kept apart. */
  | { readonly kind: 'keep' | 'keep-also' | 'take' | 'take-also' | 'exchange' }
  /** `b` and `t`, which jumps after a substitution only: the command to continue with. */
  | { readonly kind: 'jump' | 'jump-if-substituted'; readonly to: number }
  /** `{`: the command after the group, for lines that are not selected. */
  | { readonly kind: 'group'; readonly end: number }
  /** `i`, `a`, `c`: a line before this one, after it, or in its place. */
  | { readonly kind: 'before' | 'behind' | 'instead'; readonly text: string }
  | { readonly kind: 'translate'; readonly characters: ReadonlyMap<string, string> }
  | {
      readonly kind: 'substitute';
      readonly regex: Regex;
      /** Texts and group numbers; 0 is the whole match. */
      readonly replacement: readonly (string | number)[];
      readonly global: boolean;
      readonly nth: number;
      readonly print: boolean;
    };

/** A command of a sed script. */
export interface Command {
  readonly from: Address | undefined;
  readonly to: Address | undefined;
  readonly negated: boolean;
  readonly action: Action;
}

/** The commands of a sed script; undefined if one of them is not understood. */
export function parseScript(script: string, syntax: RegexSyntax): readonly Command[] | undefined {
  return new ScriptParser(script, syntax).parse();
}

/** Actions that are a single letter. */
const letters: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['d', { kind: 'delete' }],
  ['p', { kind: 'print' }],
  ['q', { kind: 'quit' }],
  ['n', { kind: 'next' }],
  ['N', { kind: 'join' }],
  ['P', { kind: 'print-first' }],
  ['D', { kind: 'delete-first' }],
  ['h', { kind: 'keep' }],
  ['H', { kind: 'keep-also' }],
  ['g', { kind: 'take' }],
  ['G', { kind: 'take-also' }],
  ['x', { kind: 'exchange' }],
]);

class ScriptParser {
  private at = 0;
  private readonly script: string;
  private readonly syntax: RegexSyntax;
  private readonly commands: Command[] = [];
  private readonly labels = new Map<string, number>();
  /** Commands that jump, with their labels. */
  private readonly jumps = new Map<Command, string>();
  /** The groups that are open. */
  private readonly open: number[] = [];

  constructor(script: string, syntax: RegexSyntax) {
    this.script = script;
    this.syntax = syntax;
  }

  parse(): readonly Command[] | undefined {
    for (;;) {
      this.skip(/[\s;]*/y);
      if (this.at >= this.script.length) return this.finished();
      if (this.script[this.at] === ':') {
        if (!this.label()) return undefined;
        continue;
      }
      if (this.script[this.at] === '}') {
        if (!this.closed()) return undefined;
        continue;
      }
      const command = this.command();
      if (command === undefined) return undefined;
      this.commands.push(command);
      if (command.action.kind !== 'group' && !this.isAtEnd()) return undefined;
    }
  }

  private isAtEnd(): boolean {
    return /^[ \t]*($|[;\n}])/.test(this.script.slice(this.at));
  }

  /** The commands with the places of their labels. */
  private finished(): readonly Command[] | undefined {
    if (this.open.length > 0) return undefined;
    const { commands } = this;
    for (const [command, label] of this.jumps) {
      const to = label === '' ? commands.length : this.labels.get(label);
      const { action } = command;
      if (to === undefined || !('to' in action)) return undefined;
      commands[commands.indexOf(command)] = { ...command, action: { ...action, to } };
    }
    return commands;
  }

  /** `:NAME`: where `b NAME` continues. */
  private label(): boolean {
    this.at += 1;
    this.skip(/[ \t]*/y);
    const name = this.skip(/\w+/y);
    if (name === '' || this.labels.has(name) || !this.isAtEnd()) return false;
    this.labels.set(name, this.commands.length);
    return true;
  }

  /** The end of a group. */
  private closed(): boolean {
    this.at += 1;
    const start = this.open.pop();
    const group = start === undefined ? undefined : this.commands[start];
    if (start === undefined || group === undefined || !this.isAtEnd()) return false;
    this.commands[start] = { ...group, action: { kind: 'group', end: this.commands.length } };
    return true;
  }

  private skip(expression: RegExp): string {
    expression.lastIndex = this.at;
    const text = expression.exec(this.script)?.[0] ?? '';
    this.at += text.length;
    return text;
  }

  private command(): Command | undefined {
    const from = this.address();
    if (from === 'invalid') return undefined;
    let to: Address | undefined;
    if (from !== undefined && this.skip(/ *, */y) !== '') {
      const end = this.address();
      if (end === 'invalid' || end === undefined) return undefined;
      to = end;
    }
    const negated = this.skip(/ *! */y).includes('!');
    this.skip(/ */y);
    const letter = this.script[this.at++];
    const action = this.action(letter ?? '');
    // With a range, `c` prints its text only in place of the last line, and `q` is an error.
    const isForOneLine = action?.kind === 'instead' || action?.kind === 'quit';
    if (action === undefined || (isForOneLine && to !== undefined)) return undefined;
    const command = { from, to, negated, action };
    if (action.kind === 'group') this.open.push(this.commands.length);
    if ('to' in action) {
      this.skip(/[ \t]*/y);
      this.jumps.set(command, this.skip(/\w*/y));
    }
    return command;
  }

  private action(letter: string): Action | undefined {
    const simple = letters.get(letter);
    if (simple !== undefined) return simple;
    if (letter === '{') return { kind: 'group', end: 0 };
    if (letter === 'b') return { kind: 'jump', to: 0 };
    if (letter === 't') return { kind: 'jump-if-substituted', to: 0 };
    if (letter === 's') return this.substitution();
    if (letter === 'a' || letter === 'i' || letter === 'c') return this.line(letter);
    if (letter !== 'y') return undefined;
    const [from, to] = this.delimited(2) ?? [];
    if (from === undefined || to === undefined || /\\/.test(from + to) || from.length !== to.length)
      return undefined;
    // A character that is written twice becomes what it is first.
    const characters = new Map(
      [...from].map((char, index) => [char, [...to][index] ?? ''] as const).reverse(),
    );
    return { kind: 'translate', characters };
  }

  /** The text of `a`, `i` and `c`: the rest of the line, or the next one. */
  private line(letter: 'a' | 'i' | 'c'): Action | undefined {
    this.skip(/[ \t]*(?:\\(?:[ \t]*\n)?)?/y);
    const text = this.skip(/[^\n]*/y);
    if (text === '' || text.includes('\\')) return undefined;
    return { kind: letter === 'a' ? 'behind' : letter === 'i' ? 'before' : 'instead', text };
  }

  private substitution(): Action | undefined {
    const [source, replacement] = this.delimited(2) ?? [];
    const flags = this.skip(/[gpiI0-9]*/y);
    if (source === undefined || replacement === undefined || !/^\D*\d{0,3}\D*$/.test(flags)) return undefined;
    const nth = Number(/\d+/.exec(flags)?.[0] ?? 1);
    const regex = this.regex(source, /i/i.test(flags));
    const parts = parseReplacement(replacement);
    if (regex === undefined || parts === undefined || nth === 0) return undefined;
    if (parts.some((part) => typeof part === 'number' && part > regex.groupCount)) return undefined;
    return {
      kind: 'substitute',
      regex,
      replacement: parts,
      global: flags.includes('g'),
      nth,
      print: flags.includes('p'),
    };
  }

  private address(): Address | undefined | 'invalid' {
    const line = this.skip(/\d+/y);
    if (line !== '')
      return /^0/.test(line) || this.script[this.at] === '~'
        ? 'invalid'
        : { kind: 'line', line: Number(line) };
    if (this.skip(/\$/y) !== '') return { kind: 'last' };
    if (this.skip(/\\(?=[^\n\\])/y) === '' && this.script[this.at] !== '/') return undefined;
    const [source] = this.delimited(1) ?? [];
    const ignoreCase = this.skip(/I/y) !== '';
    const regex = source === undefined ? undefined : this.regex(source, ignoreCase);
    return regex === undefined ? 'invalid' : { kind: 'regex', regex };
  }

  private regex(source: string, ignoreCase: boolean): Regex | undefined {
    // An empty regex repeats the last one; tabs and newlines are the only control characters that scripts use.
    if (source === '' || (ignoreCase && !isAscii(source))) return undefined;
    const plain = source.replace(/\\([\s\S])/g, (whole, char: string) =>
      char === 't' ? '\t' : char === 'n' ? '\n' : whole,
    );
    return compileRegex(plain, this.syntax, ignoreCase);
  }

  /** Texts between delimiters, starting at the first delimiter: `/a/b/`. */
  private delimited(count: number): readonly string[] | undefined {
    const delimiter = this.script[this.at] ?? '';
    if (delimiter === '' || delimiter === '\n' || delimiter === '\\') return undefined;
    this.at += 1;
    const texts: string[] = [];
    let text = '';
    while (texts.length < count) {
      const char = this.script[this.at];
      // A newline inside is an error unless it is escaped.
      if (char === undefined || char === '\n') return undefined;
      this.at += 1;
      if (char === delimiter) {
        texts.push(text);
        text = '';
      } else if (char === '\\' && this.script[this.at] === delimiter) {
        // Versions differ in whether an escaped delimiter that is an operator means the character or the operator.
        if (/[|+?(){}.*[\]^$&n]/.test(delimiter)) return undefined;
        text += delimiter;
        this.at += 1;
      } else if (char === '\\') {
        text += char + (this.script[this.at] ?? '');
        this.at += 1;
      } else text += char;
    }
    return texts;
  }
}

function parseReplacement(source: string): readonly (string | number)[] | undefined {
  const parts: (string | number)[] = [];
  for (const [text] of source.matchAll(/\\[\s\S]|&|[^\\&]+|\\$/g)) {
    if (text === '&') parts.push(0);
    else if (!text.startsWith('\\')) parts.push(text);
    else if (/^\\[0-9]$/.test(text)) parts.push(Number(text.slice(1)));
    else if (text === '\\n' || text === '\\\n') parts.push('\n');
    else if (text === '\\t') parts.push('\t');
    else if (/^\\[^A-Za-z]$/.test(text)) parts.push(text.slice(1));
    else return undefined;
  }
  return parts;
}
