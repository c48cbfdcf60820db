import type { Meter } from '../automaton.ts';
import { isAscii } from '../quote.ts';
import { type Filter, type Lines, readOperands, searchMeter, splitLines, success } from './filter.ts';
import { has, parseOptions } from './options.ts';
import { type Action, type Address, type Command, parseScript } from './sedScript.ts';

type Substitution = Extract<Action, { kind: 'substitute' }>;

/** The actions that change the text or the output, and nothing else. */
type Changing = Extract<
  Action,
  {
    kind:
      | 'keep'
      | 'keep-also'
      | 'take'
      | 'take-also'
      | 'exchange'
      | 'translate'
      | 'before'
      | 'behind'
      | 'instead';
  }
>;

/** A text that sed holds, and whether it is printed without a newline, as the last line of a file may lack one. */
interface Held {
  readonly text: string;
  readonly isOpen: boolean;
}

/** What follows a cycle: the next line, the same text again, or nothing. */
type After = 'line' | 'same' | 'quit';

/** `sed` with -n -E -r -e, and all commands but those that read or write files, with line, `$` and pattern addresses. */
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
  const commands = scripts.length === 0 ? undefined : parseScript(scripts.join('\n'), syntax);
  if (texts === undefined || texts.length !== 1 || commands === undefined) return undefined;
  const [text = ''] = texts;
  if (!isAscii(text) && !commands.every(anyLocale)) return undefined;
  const output = new Editor(splitLines(text), commands, has(options, 'n')).run();
  return output === undefined ? undefined : success(output);
};

function anyLocale({ from, to, action }: Command): boolean {
  const regexes = [from, to].flatMap((address) => (address?.kind === 'regex' ? [address.regex] : []));
  if (action.kind === 'substitute') regexes.push(action.regex);
  return action.kind !== 'translate' && regexes.every((regex) => regex.anyLocale);
}

/** The state of sed while it goes through the lines of a text. */
class Editor {
  private readonly out: string[] = [];
  private readonly meter = searchMeter();
  // For each command, the address at which its open range ends, or `closed`.
  private readonly ranges = new Map<Command, Address | 'closed'>();
  // A missing final newline stays missing only if the last line itself is what was printed last.
  private endsOpen = false;
  /** The line being edited, the number of the last one read, and the text kept apart. */
  private line: Held = { text: '', isOpen: false };
  private number = 0;
  private kept: Held = { text: '', isOpen: false };
  /** Whether a substitution was made since the last line was read or `t` jumped. */
  private hasSubstituted = false;
  private failed = false;
  /** Lines that `a` adds after this one. */
  private behind: string[] = [];
  private readonly text: Lines;
  private readonly commands: readonly Command[];
  private readonly quiet: boolean;

  constructor(text: Lines, commands: readonly Command[], quiet: boolean) {
    this.text = text;
    this.commands = commands;
    this.quiet = quiet;
  }

  run(): string | undefined {
    let follows: After = 'line';
    while (follows !== 'quit') {
      if (follows === 'line' && !this.read()) break;
      follows = this.cycle();
      if (this.failed || this.meter.left < 0) return undefined;
      this.addLines();
    }
    return this.out.length === 0 ? '' : `${this.out.join('\n')}${this.endsOpen ? '' : '\n'}`;
  }

  /** Reads the next line, if there is one. */
  private read(joins = false): boolean {
    const next = this.text.lines[this.number];
    if (next === undefined) return false;
    this.number += 1;
    this.hasSubstituted = false;
    const isOpen = this.isAtEnd && !this.text.closed;
    this.line = { text: joins ? `${this.line.text}\n${next}` : next, isOpen };
    return true;
  }

  private get isAtEnd(): boolean {
    return this.number === this.text.lines.length;
  }

  private print({ text, isOpen }: Held): void {
    this.out.push(text);
    this.endsOpen = isOpen;
  }

  private addLines(): void {
    for (const text of this.behind) this.print({ text, isOpen: false });
    this.behind = [];
  }

  /** Runs the commands on the current text. */
  private cycle(): After {
    let at = 0;
    for (let command = this.commands[0]; command !== undefined; command = this.commands[at]) {
      this.meter.left -= 1;
      if (this.failed || this.meter.left < 0) return 'quit';
      const { action } = command;
      at += 1;
      if (this.selects(command) === command.negated) {
        if (action.kind === 'group') at = action.end;
        continue;
      }
      const done = this.perform(action);
      if (typeof done === 'number') at = done;
      else if (done !== undefined) return done;
    }
    if (!this.quiet) this.print(this.line);
    return 'line';
  }

  /** What follows an action: another command, the end of the cycle, or the next command. */
  private perform(action: Action): After | number | undefined {
    const { kind } = action;
    const { text } = this.line;
    const newline = text.indexOf('\n');
    switch (kind) {
      case 'delete':
        return 'line';
      case 'quit':
        if (!this.quiet) this.print(this.line);
        this.addLines();
        // Of a file that is not read to its end, the last line has its newline.
        this.endsOpen = false;
        return 'quit';
      case 'print':
        this.print(this.line);
        return undefined;
      case 'print-first':
        this.print(newline < 0 ? this.line : { text: text.slice(0, newline), isOpen: false });
        return undefined;
      case 'delete-first':
        if (newline < 0) return 'line';
        this.line = { ...this.line, text: text.slice(newline + 1) };
        return 'same';
      case 'next':
        if (!this.isAtEnd && !this.quiet) this.print(this.line);
        if (!this.isAtEnd) this.addLines();
        return this.read() ? undefined : this.end();
      case 'join':
        if (!this.isAtEnd) this.addLines();
        return this.read(true) ? undefined : this.end();
      case 'jump':
        return action.to;
      case 'jump-if-substituted': {
        const { hasSubstituted } = this;
        this.hasSubstituted = false;
        return hasSubstituted ? action.to : undefined;
      }
      case 'group':
        return undefined;
      case 'substitute':
        this.substitute(action);
        return undefined;
      default:
        return this.change(action);
    }
  }

  /** What happens when no line is left to read: the text is printed. */
  private end(): After {
    if (!this.quiet) this.print(this.line);
    return 'quit';
  }

  private change(action: Changing): After | undefined {
    const { line, kept } = this;
    switch (action.kind) {
      case 'keep':
        this.kept = line;
        return undefined;
      case 'keep-also':
        this.kept = { text: `${kept.text}\n${line.text}`, isOpen: line.isOpen };
        return undefined;
      case 'take':
        this.line = kept;
        return undefined;
      case 'take-also':
        this.line = { text: `${line.text}\n${kept.text}`, isOpen: kept.isOpen };
        return undefined;
      case 'exchange':
        this.line = kept;
        this.kept = line;
        return undefined;
      case 'translate':
        this.edit([...line.text].map((char) => action.characters.get(char) ?? char).join(''));
        return undefined;
      case 'behind':
        this.behind.push(action.text);
        return undefined;
      case 'before':
      case 'instead':
        this.print({ text: action.text, isOpen: false });
        return action.kind === 'instead' ? 'line' : undefined;
    }
  }

  private edit(text: string): void {
    this.line = { text, isOpen: this.line.isOpen };
  }

  private substitute(action: Substitution): void {
    const changed = substitute(this.line.text, action, this.meter);
    if (changed === undefined) {
      this.failed = true;
      return;
    }
    this.edit(changed.text);
    this.hasSubstituted ||= changed.count > 0;
    if (changed.count > 0 && action.print) this.print(this.line);
  }

  private selects(command: Command): boolean {
    const { from, to } = command;
    const { number, ranges } = this;
    const last = this.text.lines.length;
    const at = (address: Address): boolean => {
      if (address.kind === 'line') return address.line === number;
      return address.kind === 'last' ? number === last : address.regex.test(this.line.text);
    };
    if (from === undefined) return true;
    if (to === undefined) return at(from);
    const open = ranges.get(command);
    if (open === undefined || open === 'closed') {
      // A range that is first looked at after its first line begins there, but not in every sed.
      if (open === undefined && from.kind === 'line' && from.line < number) this.failed = true;
      if (!at(from)) return false;
      const over = (to.kind === 'line' && to.line <= number) || (to.kind === 'last' && number === last);
      ranges.set(command, over ? 'closed' : to);
      return true;
    }
    const ends = open.kind === 'line' ? open.line <= number : at(open);
    if (ends) ranges.set(command, 'closed');
    return !(open.kind === 'line' && open.line < number);
  }
}

function substitute(
  line: string,
  action: Substitution,
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
