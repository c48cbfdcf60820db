import type { ParseError } from 'unbash';
import { lineStart } from '../../text/lines.ts';

/** A slip at which Bash stops, often further on, and what was meant. */
export interface GrammarSlip {
  readonly start: number;
  readonly end: number;
  /** What is wrong, for users, without a final full stop. */
  readonly message: string;
  /** The replacement with which Bash reads on. */
  readonly text: string;
  /** What was meant, for users. */
  readonly meant: string;
}

/** Number of lines before an error in which its cause is looked for, and number of texts tried. */
const mostLines = 200;
const mostTried = 4;

/**
 * The slip that causes a syntax error.
 *
 * @param isMended whether Bash reads further in a text than in the one with the error
 */
export function grammarSlip(
  text: string,
  error: ParseError,
  isMended: (text: string) => boolean,
): GrammarSlip | undefined {
  let tried = 0;
  for (const slip of candidates(text, error)) {
    if (isMended(text.slice(0, slip.start) + slip.text + text.slice(slip.end))) return slip;
    tried += 1;
    if (tried === mostTried) break;
  }
  return undefined;
}

function* candidates(text: string, { pos, message }: ParseError): Generator<GrammarSlip, void> {
  const [, token] = /^unexpected token '(.*)'$/s.exec(message) ?? [];
  if (token === '(') yield* spacedLists(text, pos);
  if (token === ')') yield* openCaseItems(text, pos);
  if (token !== undefined && /^\d+$/.test(token)) yield* withoutFile(text, pos);
  if (token === 'then' || token === 'do') yield* joinedKeywords(text, pos);
  if (/^expected command after '(?:then|else|do)'$/.test(message) && text[pos] === ';') {
    const keyword = message.slice("expected command after '".length, -1);
    yield {
      start: pos,
      end: pos + 1,
      message: `a command follows ${keyword}, not ;`,
      text: '',
      meant: keyword,
    };
  }
  yield* conditions(text, pos);
  if (/^expected (?:'then'|'do'|'\}' to close)/.test(message)) yield* keywordsAsWords(text, pos);
  if (message === "expected 'fi' to close 'if'") yield* elseIfs(text, pos);
}

/** `ARGS =(`, `ARGS= (` and `ARGS (`, which do not begin a list. */
function* spacedLists(text: string, pos: number): Generator<GrammarSlip, void> {
  const start = lineStart(text, pos);
  const before = /(?:^|[\s;])([A-Za-z_]\w*)([ \t]*\+?=?[ \t]*)$/.exec(text.slice(start, pos));
  if (before === null) return;
  const [, name = '', between = ''] = before;
  const begin = `${name}${between.trim() || '='}(`;
  yield {
    start: pos - between.length - name.length,
    end: pos + 1,
    message: `${name}${between}( does not begin a list: ${between.trim() === '' ? 'its = is missing' : 'there must be no space around its ='}`,
    text: begin,
    meant: `${begin} … )`,
  };
}

/** `> 2>&1`, where the first operator has no file. */
function* withoutFile(text: string, pos: number): Generator<GrammarSlip, void> {
  const [operator] = /&?[<>]+\|?[ \t]*$/.exec(text.slice(lineStart(text, pos), pos)) ?? [];
  const [next] = /^\d+[<>]+(?:&\d+)?/.exec(text.slice(pos)) ?? [];
  if (operator === undefined || next === undefined) return;
  yield {
    start: pos - operator.length,
    end: pos,
    message: `no file follows ${operator.trim()}: ${next} is a redirection of its own`,
    text: '',
    meant: next,
  };
}

/** Commands of a `case` that go on into the next pattern. */
function* openCaseItems(text: string, pos: number): Generator<GrammarSlip, void> {
  const start = lineStart(text, pos);
  const before = text.slice(0, start).trimEnd();
  if (!/\bcase\b/.test(before) || text.slice(start, pos).includes('(')) return;
  yield {
    start: before.length,
    end: before.length,
    message: `no ;; ends the commands before ${text.slice(start, pos + 1).trim()}`,
    text: ' ;;',
    meant: ';;',
  };
}

/** `if[ … ]; then`, `elseif`: program names to Bash. */
function* joinedKeywords(text: string, pos: number): Generator<GrammarSlip, void> {
  const from = lineStart(text, pos);
  const [word, keyword] =
    /\b(if|elif|while|until)(?=[[(!])|\b(?:elseif|elsif)\b/.exec(text.slice(from, pos)) ?? [];
  if (word === undefined) return;
  const start = from + text.slice(from, pos).indexOf(word);
  const end = start + word.length;
  if (keyword === undefined)
    yield {
      start,
      end,
      message: `${word} is the name of a program, not a keyword of Bash`,
      text: 'elif',
      meant: 'elif',
    };
  else {
    const next = text.charAt(end);
    yield {
      start,
      end,
      message: `${word}${next} is the name of a program: a space is missing after ${word}`,
      text: `${word} `,
      meant: `${word} ${next}`,
    };
  }
}

/** Operators that join conditions in `[ … ]`, or commands, but not conditions in `[[ … ]]`. */
const joining = /(?<!\S)(?:-a|-o|&)(?!\S)/g;

function meantBy(operator: string): string {
  return operator === '-o' ? '||' : '&&';
}

/** `-a`, `-o` and `&` between two conditions of `[[ … ]]`, and pattern alternatives without `@( )`. */
function* conditions(text: string, pos: number): Generator<GrammarSlip, void> {
  const from = lineStart(text, pos);
  const newline = text.indexOf('\n', pos);
  const line = text.slice(from, newline < 0 ? text.length : newline);
  const [, open = '', inner = ''] = /^(.*?\[\[)(\s.*?\s)\]\]/.exec(line) ?? [];
  const shift = from + open.length;
  const joins = [...inner.matchAll(joining)];
  const [first] = joins;
  const last = joins.at(-1);
  if (first !== undefined && last !== undefined) {
    const start = shift + first.index;
    const end = shift + last.index + last[0].length;
    const meant = meantBy(first[0]);
    yield {
      start,
      end,
      message: `${first[0]} does not join conditions in [[ … ]]; ${meant} does`,
      text: text.slice(start, end).replace(joining, meantBy),
      meant,
    };
  }
  const choice = /(?<=[=!]?=\s+)[^\s|&()"'`$]+(?:\|[^\s|&()"'`$]+)+(?=\s)/.exec(inner);
  if (choice === null) return;
  const start = shift + choice.index;
  yield {
    start,
    end: start + choice[0].length,
    message: `${choice[0]} in [[ … ]] is not a choice between patterns without @( )`,
    text: `@(${choice[0]})`,
    meant: `@(${choice[0]})`,
  };
}

/** Maximum length of a line that is searched for such words: the time grows with its square. */
const longestLine = 1_000;

/** `then`, `do` and `}` that become words of the preceding command because there is no `;` between. */
function* keywordsAsWords(text: string, pos: number): Generator<GrammarSlip, void> {
  const lines = text.slice(0, pos).split('\n');
  let end = pos;
  for (const line of lines.slice(-mostLines).reverse()) {
    const start = end - line.length;
    end = start - 1;
    if (line.length > longestLine) continue;
    const match =
      /^(\s*(?:if|elif|while|until|for|select)\s.*?[^;&|\s])([ \t]+)(then|do)(?=\s|$)/.exec(line) ??
      /^(.*?\{\s[^;]*[^;&|\s])([ \t]+)(\})(?=\s|$)/.exec(line);
    if (match === null) continue;
    const [, before = '', blank = '', word = ''] = match;
    const at = start + before.length;
    yield {
      start: at,
      end: at + blank.length + word.length,
      message: `${word} belongs to the command before it, because no ; ends that`,
      text: `; ${word}`,
      meant: `; ${word}`,
    };
  }
}

/** `else if`, which begins another `if` that needs its own `fi`. */
function* elseIfs(text: string, pos: number): Generator<GrammarSlip, void> {
  const all = [...text.slice(0, pos).matchAll(/^([ \t]*)(else[ \t]+if)\b/gm)];
  for (const { index, 1: indent = '', 2: written = '' } of all.reverse()) {
    const start = index + indent.length;
    yield {
      start,
      end: start + written.length,
      message:
        'this else if begins another if, and one fi is missing for the two. elif goes on with the one before',
      text: 'elif',
      meant: 'elif',
    };
  }
}
