import { calculate, callFunction, functions, matches } from './awkFunctions.ts';
import { type Cell, compare, format, isTrue, type Machine, numberOf, textOf, unset } from './awkRun.ts';
import { type Expression, fieldAt, isFollowed, type Target, variable } from './awkTarget.ts';
import { type Token, TokenReader, tokenize } from './awkTokens.ts';

/** One `pattern { action }`. */
export interface Rule {
  readonly when: 'begin' | 'end' | 'line';
  run(machine: Machine): void;
}

type Statement = (machine: Machine) => void;

/** Compiles an awk program; undefined for what is not supported or not valid. */
export function compileAwk(source: string): readonly Rule[] | undefined {
  const tokens = tokenize(source);
  return tokens === undefined ? undefined : new Parser(tokens).program();
}

const keywords: ReadonlySet<string> = new Set(
  'for while do in function func getline delete break continue return else exit next if print printf BEGIN END'.split(
    ' ',
  ),
);
class Parser extends TokenReader {
  private depth = 0;
  /** Inside `print …` outside parentheses, `>` would redirect. */
  private printing = false;

  program(): readonly Rule[] | undefined {
    const rules: Rule[] = [];
    this.skipSeparators();
    while (!this.failed && this.at < this.tokens.length) {
      rules.push(this.rule());
      this.skipSeparators();
    }
    return this.failed || rules.length === 0 ? undefined : rules;
  }

  private rule(): Rule {
    const special = this.accept('BEGIN', 'END');
    if (special !== undefined) {
      const run = this.block();
      return { when: special === 'BEGIN' ? 'begin' : 'end', run };
    }
    const pattern = this.is('{') ? undefined : this.expression();
    if (this.is(',')) this.failed = true;
    const action: Statement = this.is('{')
      ? this.block()
      : (machine) => machine.output.push(`${machine.fields[0] ?? ''}\n`);
    return {
      when: 'line',
      run: (machine) => {
        if (pattern === undefined || isTrue(machine, pattern(machine))) action(machine);
      },
    };
  }

  private block(): Statement {
    this.expect('{');
    const statements: Statement[] = [];
    this.skipSeparators();
    while (!this.failed && !this.is('}')) {
      statements.push(this.statement());
      if (!this.is('}') && !this.is(';') && !this.is('\n') && this.tokens[this.at - 1]?.text !== '}')
        this.failed = true;
      this.skipSeparators();
    }
    this.expect('}');
    return (machine) => {
      for (const statement of statements)
        if (!machine.skips && !machine.ended && !machine.failed) statement(machine);
    };
  }

  private statement(): Statement {
    this.depth += 1;
    if (this.depth > 50) this.failed = true;
    const statement = this.oneStatement();
    this.depth -= 1;
    return statement;
  }

  private oneStatement(): Statement {
    if (this.is('{')) return this.block();
    if (this.accept('next') !== undefined) {
      return (machine) => {
        machine.skips = true;
      };
    }
    if (this.accept('exit') !== undefined) return this.exit();
    if (this.accept('print') !== undefined) return this.print();
    if (this.accept('printf') !== undefined) {
      const cells = this.printed();
      if (cells.length === 0) this.failed = true;
      return (machine) =>
        machine.output.push(
          format(
            machine,
            cells.map((cell) => cell(machine)),
          ),
        );
    }
    if (this.accept('if') !== undefined) return this.condition();
    const expression = this.expression();
    return (machine) => void expression(machine);
  }

  private exit(): Statement {
    const status = this.is('}') || this.is(';') || this.is('\n') ? undefined : this.expression();
    return (machine) => {
      if (status !== undefined) machine.status = numberOf(machine, status(machine)) & 0xff;
      machine.ended = true;
    };
  }

  private print(): Statement {
    const cells = this.printed();
    return (machine) => {
      const separator = textOf(machine, machine.variables.get('OFS') ?? { kind: 'string', text: ' ' });
      const texts = cells.map((cell) => textOf(machine, cell(machine)));
      machine.output.push(`${cells.length === 0 ? (machine.fields[0] ?? '') : texts.join(separator)}\n`);
    };
  }

  private printed(): readonly Expression[] {
    const cells: Expression[] = [];
    if (this.is('}') || this.is(';') || this.is('\n') || this.at >= this.tokens.length) return cells;
    this.printing = true;
    do cells.push(this.expression());
    while (!this.failed && this.accept(',') !== undefined);
    this.printing = false;
    return cells;
  }

  private condition(): Statement {
    this.expect('(');
    const test = this.expression();
    this.expect(')');
    this.skipNewlines();
    const yes = this.statement();
    const before = this.at;
    this.skipSeparators();
    if (this.accept('else') === undefined) {
      this.at = before;
      return (machine) => {
        if (isTrue(machine, test(machine))) yes(machine);
      };
    }
    this.skipNewlines();
    const no = this.statement();
    return (machine) => (isTrue(machine, test(machine)) ? yes(machine) : no(machine));
  }

  private expression(): Expression {
    this.depth += 1;
    if (this.depth > 200) this.failed = true;
    const start = this.at;
    const target = this.failed ? undefined : this.target();
    const operator = target === undefined ? undefined : this.accept('=', '+=', '-=', '*=', '/=', '%=');
    let result: Expression;
    if (target !== undefined && operator !== undefined)
      result = this.assignment(target, operator, this.expression());
    else {
      this.at = start;
      result = this.conditional();
    }
    this.depth -= 1;
    return result;
  }

  private assignment(target: Target, operator: string, value: Expression): Expression {
    return (machine) => {
      const right = value(machine);
      const cell =
        operator === '=' ? right : calculate(machine, operator.charAt(0), target.read(machine), right);
      target.write(machine, cell);
      return cell;
    };
  }

  private conditional(): Expression {
    const test = this.binary(0);
    if (this.accept('?') === undefined) return test;
    const yes = this.expression();
    this.expect(':');
    const no = this.expression();
    return (machine) => (isTrue(machine, test(machine)) ? yes(machine) : no(machine));
  }

  private binary(level: number): Expression {
    if (this.failed) return () => unset;
    const operators = [
      ['||'],
      ['&&'],
      ['~', '!~'],
      ['<', '<=', '==', '!=', '>', '>='],
      undefined,
      ['+', '-'],
      ['*', '/', '%'],
    ];
    if (level === 4) return this.concatenation();
    const here = operators[level];
    if (here === undefined) return this.unary();
    let left = this.binary(level + 1);
    // Comparisons do not chain.
    let compared = false;
    for (;;) {
      if (this.printing && this.is('>')) this.failed = true;
      const operator = this.failed ? undefined : this.accept(...here);
      if (operator === undefined) return left;
      if (level === 3 && compared) this.failed = true;
      compared = true;
      left = this.apply(
        operator,
        left,
        operator === '~' || operator === '!~' ? this.pattern() : this.binary(level + 1),
      );
    }
  }

  /** The right side of `~`: only a pattern between slashes or a literal text is certain. */
  private pattern(): Expression {
    const token = this.tokens[this.at];
    this.at += 1;
    if (token === undefined || (token.kind !== 'regex' && token.kind !== 'string')) this.failed = true;
    return () => ({ kind: 'string', text: token?.text ?? '' });
  }

  private apply(operator: string, left: Expression, right: Expression): Expression {
    const truth = (value: boolean): Cell => ({ kind: 'number', number: value ? 1 : 0 });
    if (operator === '||')
      return (machine) => truth(isTrue(machine, left(machine)) || isTrue(machine, right(machine)));
    if (operator === '&&')
      return (machine) => truth(isTrue(machine, left(machine)) && isTrue(machine, right(machine)));
    if (operator === '~' || operator === '!~') {
      return (machine) =>
        truth(
          matches(machine, textOf(machine, left(machine)), textOf(machine, right(machine))) ===
            (operator === '~'),
        );
    }
    if (/[<>=]/.test(operator))
      return (machine) => truth(compare(machine, operator, left(machine), right(machine)));
    return (machine) => calculate(machine, operator, left(machine), right(machine));
  }

  private concatenation(): Expression {
    let left = this.binary(5);
    for (;;) {
      const token = this.tokens[this.at];
      const begins =
        token !== undefined &&
        !this.failed &&
        (['number', 'string', 'regex'].includes(token.kind) ||
          (token.kind === 'name' && !keywords.has(token.text)) ||
          (token.kind === 'operator' && ['$', '('].includes(token.text)));
      if (!begins) return left;
      const [before, after] = [left, this.binary(5)];
      left = (machine) => ({
        kind: 'string',
        text: textOf(machine, before(machine)) + textOf(machine, after(machine)),
      });
    }
  }

  private unary(): Expression {
    const operator = this.accept('!', '-', '+');
    if (operator === undefined) return this.power();
    const value = this.unary();
    return (machine) => {
      const cell = value(machine);
      if (operator === '!') return { kind: 'number', number: isTrue(machine, cell) ? 0 : 1 };
      const number = numberOf(machine, cell);
      return { kind: 'number', number: operator === '-' ? 0 - number : number };
    };
  }

  private power(): Expression {
    const step = this.accept('++', '--');
    if (step !== undefined) {
      const target = this.target();
      if (target === undefined) this.failed = true;
      return target === undefined ? () => unset : this.stepped(target, step, true);
    }
    const start = this.at;
    const target = this.target();
    const after = target === undefined ? undefined : this.accept('++', '--');
    if (target !== undefined && after !== undefined) return this.stepped(target, after, false);
    this.at = start;
    const base = this.primary();
    if (this.accept('^') === undefined) return base;
    const exponent = this.unary();
    return (machine) => ({
      kind: 'number',
      number: numberOf(machine, base(machine)) ** numberOf(machine, exponent(machine)),
    });
  }

  private stepped(target: Target, operator: string, first: boolean): Expression {
    return (machine) => {
      const before = numberOf(machine, target.read(machine));
      const number = operator === '++' ? before + 1 : before - 1;
      target.write(machine, { kind: 'number', number });
      return { kind: 'number', number: first ? number : before };
    };
  }

  /** A variable or a field, when one stands here. */
  private target(): Target | undefined {
    const token = this.tokens[this.at];
    if (token?.kind === 'name' && !keywords.has(token.text) && !token.joined && !functions.has(token.text)) {
      this.at += 1;
      return this.variable(token.text);
    }
    if (this.accept('$') === undefined) return undefined;
    const index = this.is('++') || this.is('-') ? this.unary() : this.primary();
    return fieldAt(index);
  }

  private variable(name: string): Target {
    if (!isFollowed(name)) this.failed = true;
    return variable(name);
  }

  private primary(): Expression {
    const token = this.tokens[this.at];
    if (token === undefined || this.failed) {
      this.failed = true;
      return () => unset;
    }
    if (token.kind === 'number' || token.kind === 'string' || token.kind === 'regex') {
      this.at += 1;
      if (token.kind === 'number') return () => ({ kind: 'number', number: Number(token.text) });
      if (token.kind === 'string') return () => ({ kind: 'string', text: token.text });
      return (machine) => ({
        kind: 'number',
        number: matches(machine, machine.fields[0] ?? '', token.text) ? 1 : 0,
      });
    }
    if (this.accept('(') !== undefined) {
      const printing = this.printing;
      this.printing = false;
      const inner = this.expression();
      this.expect(')');
      this.printing = printing;
      return inner;
    }
    if (token.kind === 'name' && functions.has(token.text)) return this.call(token);
    const target = this.target();
    if (target === undefined) this.failed = true;
    return target?.read ?? (() => unset);
  }

  private call(token: Token): Expression {
    this.at += 1;
    const args: Expression[] = [];
    if (token.joined) {
      const printing = this.printing;
      this.printing = false;
      this.expect('(');
      if (!this.is(')')) {
        do args.push(this.expression());
        while (!this.failed && this.accept(',') !== undefined);
      }
      this.expect(')');
      this.printing = printing;
    } else if (token.text !== 'length' || this.is('(')) this.failed = true;
    const [least = 0, most = 0] = functions.get(token.text) ?? [];
    if (args.length < least || args.length > most) this.failed = true;
    return (machine) =>
      callFunction(
        machine,
        token.text,
        args.map((arg) => arg(machine)),
      );
  }
}
