import { ExpressionReader } from './awkExpressions.ts';
import { arrayOf, format, isTrue, type Machine, numberOf, textOf } from './awkRun.ts';
import type { Expression } from './awkTarget.ts';
import { tokenize } from './awkTokens.ts';

/** One `pattern { action }`. */
export interface Rule {
  readonly when: 'begin' | 'end' | 'line';
  run(machine: Machine): void;
}

type Statement = (machine: Machine) => void;

/** Compiles an awk program; undefined if it is invalid or unsupported. */
export function compileAwk(source: string): readonly Rule[] | undefined {
  const tokens = tokenize(source);
  return tokens === undefined ? undefined : new Parser(tokens).program();
}

/** Maximum number of loop rounds. */
const mostRounds = 20_000;
/** Maximum number of program steps. */
export const mostSteps = 200_000;

class Parser extends ExpressionReader {
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
    if (this.accept('for') !== undefined) return this.counted();
    if (this.accept('while') !== undefined) {
      this.expect('(');
      const test = this.expression();
      this.expect(')');
      return this.loop(test, this.body());
    }
    if (this.accept('delete') !== undefined) return this.deletion();
    return this.simple();
  }

  private simple(): Statement {
    const expression = this.expression();
    return (machine) => void expression(machine);
  }

  private body(): Statement {
    this.skipNewlines();
    return this.accept(';') === undefined ? this.statement() : () => undefined;
  }

  /** `for (…; …; …) …`, `for (KEY in ARRAY) …`. */
  private counted(): Statement {
    this.expect('(');
    const [key, word, array] = this.tokens.slice(this.at, this.at + 3);
    if (key?.kind === 'name' && word?.text === 'in' && array?.kind === 'name') {
      this.at += 3;
      this.expect(')');
      return this.each(key.text, array.text, this.body());
    }
    const begin = this.is(';') ? undefined : this.simple();
    this.expect(';');
    const test = this.is(';') ? undefined : this.expression();
    this.expect(';');
    const step = this.is(')') ? undefined : this.simple();
    this.expect(')');
    const loop = this.loop(test, this.body(), step);
    return (machine) => {
      begin?.(machine);
      loop(machine);
    };
  }

  /** The order of several keys is unspecified. */
  private each(key: string, name: string, body: Statement): Statement {
    const target = this.variable(key);
    return (machine) => {
      const keys = [...arrayOf(machine, name).keys()];
      if (keys.length > 1) machine.failed = true;
      for (const text of machine.failed ? [] : keys) {
        target.write(machine, { kind: 'input', text });
        body(machine);
      }
    };
  }

  private loop(test: Expression | undefined, body: Statement, step?: Statement): Statement {
    return (machine) => {
      const goesOn = (): boolean => !machine.skips && !machine.ended && !machine.failed;
      for (let round = 0; goesOn() && (test === undefined || isTrue(machine, test(machine))); round += 1) {
        machine.steps += 1;
        if (round > mostRounds || machine.steps > mostSteps) machine.failed = true;
        if (goesOn()) body(machine);
        if (goesOn()) step?.(machine);
      }
    };
  }

  private deletion(): Statement {
    const name = this.tokens[this.at];
    this.at += 1;
    if (name?.kind !== 'name') this.failed = true;
    const key = this.accept('[') === undefined ? undefined : this.expression();
    if (key !== undefined) this.expect(']');
    return (machine) => {
      const array = arrayOf(machine, name?.text ?? '');
      if (key === undefined) array.clear();
      else array.delete(textOf(machine, key(machine)));
    };
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
}
