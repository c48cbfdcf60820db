import type { Meter } from '../automaton.ts';
import { isAscii } from '../quote.ts';
import { compileRegex, type Regex, type RegexSyntax } from '../regex.ts';
import { type Filter, readOperands, searchMeter, splitLines, success } from './filter.ts';
import { has, parseOptions } from './options.ts';

type Address =
  | { readonly kind: 'line'; readonly line: number }
  | { readonly kind: 'last' }
  | { readonly kind: 'regex'; readonly regex: Regex };

type Action =
  | { readonly kind: 'delete' }
  | { readonly kind: 'print' }
  | { readonly kind: 'quit' }
  /** `i`, `a`, `c`: a line before this one, after it, or in its place. */
  | { readonly kind: 'before' | 'behind' | 'instead'; readonly text: string }
  | { readonly kind: 'translate'; readonly from: readonly string[]; readonly to: readonly string[] }
  | {
      readonly kind: 'substitute';
      readonly regex: Regex;
      /** Texts and group numbers; 0 is the whole match. */
      readonly replacement: readonly (string | number)[];
      readonly global: boolean;
      readonly nth: number;
      readonly print: boolean;
    };

interface Command {
  readonly from: Address | undefined;
  readonly to: Address | undefined;
  readonly negated: boolean;
  readonly action: Action;
}

/** `sed` with -n -E -r -e, and the commands s, d, p, q, y, a, i, c with line, `$` and pattern addresses. */
export const sed: Filter = (args, input, context) => {
  const options = parseOptions(args, {
    flags: 'nEru',
    valued: 'e',
    long: { quiet: 'n', silent: 'n', 'regexp-extended': 'E', expression: 'e' },
  });
  if (options === undefined) return undefined;
  const scripts = options.values.get('e') ?? options.operands.slice(0, 1);
  const files = options.values.has('e') ? options.operands : options.operands.slice(1);
  const texts = readOperands(files, input, context);
  const syntax = has(options, 'E') || has(options, 'r') ? 'extended' : 'basic';
  const commands = scripts.length === 0 ? undefined : new ScriptParser(scripts.join('\n'), syntax).parse();
  if (texts === undefined || texts.length !== 1 || commands === undefined) return undefined;
  const [text = ''] = texts;
  if (!isAscii(text) && !commands.every(anyLocale)) return undefined;
  const output = edit(text, commands, has(options, 'n'));
  return output === undefined ? undefined : success(output);
};

function anyLocale({ from, to, action }: Command): boolean {
  const regexes = [from, to].flatMap((address) => (address?.kind === 'regex' ? [address.regex] : []));
  if (action.kind === 'substitute') regexes.push(action.regex);
  return action.kind !== 'translate' && regexes.every((regex) => regex.anyLocale);
}

function edit(text: string, commands: readonly Command[], quiet: boolean): string | undefined {
  const { lines, closed } = splitLines(text);
  const out: string[] = [];
  const meter = searchMeter();
  // For each command, the address at which its open range ends, or `closed`.
  const ranges = new Map<Command, Address | 'closed'>();
  // A missing final newline stays missing only if the last line itself is what was printed last.
  let endsOpen = false;
  for (const [index, original] of lines.entries()) {
    const isOpen = index + 1 === lines.length && !closed;
    const print = (line: string, isOpenLine = isOpen): void => {
      out.push(line);
      endsOpen = isOpenLine;
    };
    let line = original;
    let deleted = false;
    let quit = false;
    const behind: string[] = [];
    for (const command of commands) {
      if (selects(command, ranges, line, index + 1, lines.length) === command.negated) continue;
      const { action } = command;
      if (action.kind === 'delete') deleted = true;
      else if (action.kind === 'quit') quit = true;
      else if (action.kind === 'print') print(line);
      else if (action.kind === 'translate') {
        line = [...line].map((char) => action.to[action.from.indexOf(char)] ?? char).join('');
      } else if (action.kind === 'substitute') {
        const changed = substitute(line, action, meter);
        if (changed === undefined || meter.left < 0) return undefined;
        if (changed.count > 0 && action.print) print(changed.text);
        line = changed.text;
      } else {
        if (action.kind === 'behind') behind.push(action.text);
        else print(action.text, false);
        deleted ||= action.kind === 'instead';
      }
      if (deleted || quit) break;
    }
    if (!deleted && !quiet) print(line);
    for (const added of behind) print(added, false);
    if (quit) {
      endsOpen = false;
      break;
    }
  }
  return out.length === 0 ? '' : `${out.join('\n')}${endsOpen ? '' : '\n'}`;
}

function selects(
  command: Command,
  ranges: Map<Command, Address | 'closed'>,
  line: string,
  number: number,
  last: number,
): boolean {
  const { from, to } = command;
  const at = (address: Address): boolean => {
    if (address.kind === 'line') return address.line === number;
    return address.kind === 'last' ? number === last : address.regex.test(line);
  };
  if (from === undefined) return true;
  if (to === undefined) return at(from);
  const open = ranges.get(command);
  if (open === undefined || open === 'closed') {
    if (!at(from)) return false;
    const over = (to.kind === 'line' && to.line <= number) || (to.kind === 'last' && number === last);
    ranges.set(command, over ? 'closed' : to);
    return true;
  }
  const ends = open.kind === 'line' ? open.line <= number : at(open);
  if (ends) ranges.set(command, 'closed');
  return !(open.kind === 'line' && open.line < number);
}

function substitute(
  line: string,
  action: Extract<Action, { kind: 'substitute' }>,
  meter: Meter,
): { readonly text: string; readonly count: number } | undefined {
  let out = '';
  let at = 0;
  let before = -1;
  let seen = 0;
  let count = 0;
  while (at <= line.length) {
    const found = action.regex.find(line, at, meter);
    if (found === undefined) break;
    const [start, end] = found;
    out += line.slice(at, start);
    if (start === end && start === before) {
      out += line.charAt(start);
      at = start + 1;
      continue;
    }
    seen += 1;
    if (seen < action.nth) out += line.slice(start, end);
    else {
      const groups = action.regex.groups(line, found);
      const usesGroups = action.replacement.some((part) => typeof part === 'number' && part > 0);
      if (groups === undefined && usesGroups) return undefined;
      for (const part of action.replacement) {
        out += typeof part === 'string' ? part : part === 0 ? line.slice(start, end) : (groups?.[part] ?? '');
      }
      count += 1;
    }
    before = end;
    at = end;
    if (start === end) {
      out += line.charAt(start);
      at = start + 1;
    }
    if (count > 0 && !action.global) break;
  }
  return { text: at <= line.length ? out + line.slice(at) : out, count };
}

class ScriptParser {
  private at = 0;
  private readonly script: string;
  private readonly syntax: RegexSyntax;

  constructor(script: string, syntax: RegexSyntax) {
    this.script = script;
    this.syntax = syntax;
  }

  parse(): readonly Command[] | undefined {
    const commands: Command[] = [];
    for (;;) {
      this.skip(/[\s;]*/y);
      if (this.at >= this.script.length) return commands;
      const command = this.command();
      if (command === undefined || !/^[ \t]*($|[;\n])/.test(this.script.slice(this.at))) return undefined;
      commands.push(command);
    }
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
    // With a range, `c` prints its text only in place of the last line.
    if (action === undefined || (action.kind === 'instead' && to !== undefined)) return undefined;
    return { from, to, negated, action };
  }

  private action(letter: string): Action | undefined {
    if (letter === 'd') return { kind: 'delete' };
    if (letter === 'p') return { kind: 'print' };
    if (letter === 'q') return { kind: 'quit' };
    if (letter === 's') return this.substitution();
    if (letter === 'a' || letter === 'i' || letter === 'c') return this.line(letter);
    if (letter !== 'y') return undefined;
    const [from, to] = this.delimited(2) ?? [];
    if (from === undefined || to === undefined || /\\/.test(from + to) || from.length !== to.length)
      return undefined;
    return { kind: 'translate', from: [...from], to: [...to] };
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
    // An empty regex repeats the last one; a tab is the only control character that scripts use.
    if (source === '' || (ignoreCase && !isAscii(source))) return undefined;
    const tabs = source.replace(/\\([\s\S])/g, (whole, char: string) => (char === 't' ? '\t' : whole));
    return compileRegex(tabs, this.syntax, ignoreCase);
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
