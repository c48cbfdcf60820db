import { calculate, callFunction, findMatch, functions, matches, splitInto } from './awkFunctions.ts';
import { arrayOf, type Cell, compare, isTrue, numberOf, textOf, unset } from './awkRun.ts';
import { type Expression, elementOf, fieldAt, isFollowed, type Target, variable } from './awkTarget.ts';
import { type Token, TokenReader } from './awkTokens.ts';

const keywords: ReadonlySet<string> = new Set(
  'for while do in function func getline delete break continue return else exit next if print printf BEGIN END'.split(
    ' ',
  ),
);

/** Maximum number of tokens read repeatedly, which deep nesting causes. */
const mostReadings = 20_000;

/** Reads the expressions of an awk program. */
export class ExpressionReader extends TokenReader {
  protected depth = 0;
  /** Inside `print …` and outside parentheses, where `>` would redirect. */
  protected printing = false;
  private readings = 0;

  protected expression(): Expression {
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
      ['in'],
      ['~', '!~'],
      ['<', '<=', '==', '!=', '>', '>='],
      undefined,
      ['+', '-'],
      ['*', '/', '%'],
    ];
    if (level === 5) return this.concatenation();
    const here = operators[level];
    if (here === undefined) return this.unary();
    let left = this.binary(level + 1);
    // Comparisons cannot be chained.
    let compared = false;
    for (;;) {
      if (this.printing && this.is('>')) this.failed = true;
      const operator = this.failed ? undefined : this.accept(...here);
      if (operator === undefined) return left;
      if (level === 4 && compared) this.failed = true;
      compared = true;
      if (operator === 'in') {
        left = this.isKey(left);
        continue;
      }
      left = this.apply(
        operator,
        left,
        operator === '~' || operator === '!~' ? this.pattern() : this.binary(level + 1),
      );
    }
  }

  /** `KEY in ARRAY`. */
  private isKey(key: Expression): Expression {
    const name = this.tokens[this.at];
    this.at += 1;
    if (name?.kind !== 'name' || keywords.has(name.text)) this.failed = true;
    return (machine) => {
      const isThere = arrayOf(machine, name?.text ?? '').has(textOf(machine, key(machine)));
      return { kind: 'number', number: isThere ? 1 : 0 };
    };
  }

  /** The right side of `~`: only a regex between slashes or a literal text is certain. */
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
    let left = this.binary(6);
    for (;;) {
      const token = this.tokens[this.at];
      const begins =
        token !== undefined &&
        !this.failed &&
        (['number', 'string', 'regex'].includes(token.kind) ||
          (token.kind === 'name' && !keywords.has(token.text)) ||
          (token.kind === 'operator' && ['$', '('].includes(token.text)));
      if (!begins) return left;
      const [before, after] = [left, this.binary(6)];
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

  /** A variable or a field, if there is one here. */
  private target(): Target | undefined {
    const token = this.tokens[this.at];
    this.readings += 1;
    if (this.readings > mostReadings) this.failed = true;
    if (token?.kind === 'name' && !keywords.has(token.text) && !token.joined && !functions.has(token.text)) {
      this.at += 1;
      return this.is('[') ? this.element(token.text) : this.variable(token.text);
    }
    if (this.accept('$') === undefined) return undefined;
    const index = this.is('++') || this.is('-') ? this.unary() : this.primary();
    return fieldAt(index);
  }

  private element(name: string): Target {
    const { printing } = this;
    this.printing = false;
    this.expect('[');
    const subscript = this.expression();
    this.expect(']');
    this.printing = printing;
    if (!isFollowed(name)) this.failed = true;
    return elementOf(name, subscript);
  }

  protected variable(name: string): Target {
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

  /** `split(TEXT, ARRAY)`, `split(TEXT, ARRAY, SEPARATOR)`. */
  private split(): Expression {
    const { printing } = this;
    this.printing = false;
    this.expect('(');
    const text = this.expression();
    this.expect(',');
    const array = this.tokens[this.at];
    this.at += 1;
    if (array?.kind !== 'name' || keywords.has(array.text)) this.failed = true;
    const separator = this.accept(',') === undefined ? undefined : this.separator();
    this.expect(')');
    this.printing = printing;
    return (machine) => {
      const between = separator?.text ?? textOf(machine, machine.variables.get('FS') ?? unset);
      return splitInto(machine, textOf(machine, text(machine)), array?.text ?? '', between);
    };
  }

  /** `match(TEXT, REGEX)`. */
  private match(): Expression {
    const { printing } = this;
    this.printing = false;
    this.expect('(');
    const text = this.expression();
    this.expect(',');
    const regex = this.pattern();
    this.expect(')');
    this.printing = printing;
    return (machine) => findMatch(machine, textOf(machine, text(machine)), textOf(machine, regex(machine)));
  }

  /** A literal separator: awk versions treat single-character regexes differently. */
  private separator(): Token | undefined {
    const token = this.tokens[this.at];
    this.at += 1;
    const isKnown =
      (token?.kind === 'string' && token.text !== '') || (token?.kind === 'regex' && token.text.length > 1);
    if (!isKnown) this.failed = true;
    return token;
  }

  private call(token: Token): Expression {
    this.at += 1;
    if (token.text === 'split') return this.split();
    if (token.text === 'match') return this.match();
    const array = token.text === 'length' ? this.tokens.slice(this.at, this.at + 3) : [];
    const named = array[0]?.text === '(' && array[2]?.text === ')' ? array[1] : undefined;
    if (named?.kind === 'name' && !functions.has(named.text) && !keywords.has(named.text)) {
      this.at += 3;
      const { read } = this.variable(named.text);
      return (machine) =>
        machine.arrays.has(named.text)
          ? { kind: 'number', number: arrayOf(machine, named.text).size }
          : callFunction(machine, 'length', [read(machine)]);
    }
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
