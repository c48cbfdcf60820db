import { decodeEscapes } from '../escapes.ts';

type TokenKind = 'number' | 'string' | 'regex' | 'name' | 'operator' | 'newline';

/** A token of an awk program. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Whether the next token follows at once: `f(`. */
  readonly joined: boolean;
}

/** Splits an awk program into tokens; undefined when it holds something unknown. */
export function tokenize(source: string): readonly Token[] | undefined {
  const token =
    /[ \t]+|#[^\n]*|\\\n|(\n)|(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)|"((?:[^"\\\n]|\\[^\n])*)"|([A-Za-z_]\w*)|(&&|\|\||[-+*/%^=!<>]=|!~|\+\+|--|[-+*/%^=!<>~$(){}[\],;?:])/y;
  const regex = /\/((?:[^/\\\n]|\\[^\n])+)\//y;
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const last = tokens.at(-1);
    const afterOperand =
      last !== undefined &&
      (['number', 'string', 'regex', 'name'].includes(last.kind) || /^(?:[)\]$]|\+\+|--)$/.test(last.text));
    regex.lastIndex = at;
    const pattern = source[at] === '/' && !afterOperand ? regex.exec(source) : null;
    if (pattern !== null) {
      tokens.push({ kind: 'regex', text: (pattern[1] ?? '').replaceAll('\\/', '/'), joined: false });
      at += pattern[0].length;
      continue;
    }
    token.lastIndex = at;
    const found = token.exec(source);
    if (found === null) return undefined;
    at += found[0].length;
    const [, newline, number, string, name, operator] = found;
    const joined = source[at] === '(';
    if (newline !== undefined) tokens.push({ kind: 'newline', text: '\n', joined });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number, joined });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name, joined });
    else if (operator !== undefined) tokens.push({ kind: 'operator', text: operator, joined });
    else if (string !== undefined) {
      const text = /\\(?![nt"\\/])/.test(string)
        ? undefined
        : decodeEscapes(string.replaceAll('\\/', '/'), 'dollar-quote');
      if (text === undefined) return undefined;
      tokens.push({ kind: 'string', text: text.text, joined });
    }
  }
  return tokens;
}

/** Reads through tokens; `failed` is set if an unexpected one is found. */
export class TokenReader {
  protected at = 0;
  protected failed = false;
  protected readonly tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  protected is(text: string): boolean {
    const token = this.tokens[this.at];
    return (
      token !== undefined &&
      token.text === text &&
      (token.kind === 'operator' || token.kind === 'name' || token.kind === 'newline')
    );
  }

  protected accept(...texts: readonly string[]): string | undefined {
    const found = texts.find((text) => this.is(text));
    if (found !== undefined) this.at += 1;
    return found;
  }

  protected expect(text: string): void {
    if (this.accept(text) === undefined) this.failed = true;
  }

  protected skipSeparators(): void {
    while (this.accept('\n', ';') !== undefined);
  }

  protected skipNewlines(): void {
    while (this.accept('\n') !== undefined);
  }
}
