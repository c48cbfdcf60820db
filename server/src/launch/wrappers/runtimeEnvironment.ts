import data from '../../../../schemas/common/runtime-environment.json';
import { namesIn } from '../../text/names.ts';
import { holeOf, type TextPiece, textOf, type Word } from '../../value/word.ts';
import { cut, type Unit, unitsOf } from '../pieces.ts';

/** A JSON value as far as it can be read: texts and scalars keep their origins as words. */
type Json =
  | { readonly kind: 'object'; readonly entries: ReadonlyMap<string, Json>; readonly keys: readonly Word[] }
  | { readonly kind: 'scalar'; readonly word: Word; readonly isText: boolean }
  | { readonly kind: 'other' };

const depthLimit = 32;

/**
 * The variables of a Ray runtime environment (`{"env_vars": {"A": "b"}}`), given as the word with the JSON text. Values keep the origins of
 * their characters within the JSON; holes stay holes. Text that is not JSON yields what can be read before the mistake.
 */
export function runtimeVariables(json: Word): ReadonlyMap<string, Word> {
  const root = new Reader(json).value(0);
  const variables = new Map<string, Word>();
  const found = root.kind === 'object' ? root.entries.get('env_vars') : undefined;
  if (found?.kind !== 'object') return variables;
  for (const [name, value] of found.entries) if (value.kind === 'scalar') variables.set(name, value.word);
  return variables;
}

/**
 * Whether the JSON text of a runtime environment has a hole that may contain variables: one outside of quotes, or any if there is no
 * `env_vars`.
 */
export function mayHoldVariables(json: Word): boolean {
  if (holeOf(json) === undefined) return false;
  let before = '';
  for (const piece of json.pieces) {
    if (piece.kind === 'text') before += piece.text;
    else if (!isWithinQuotes(before)) return true;
  }
  return !before.includes('env_vars');
}

/** Whether a JSON text ends within a quoted string. */
function isWithinQuotes(text: string): boolean {
  return (text.match(/(?:[^"\\]|\\.)"|^"/gs)?.length ?? 0) % 2 === 1;
}

/** What Ray refuses in a runtime environment given as JSON. */
export interface RuntimeFaults {
  /** Variables whose value is a number, true, false or null, which Ray refuses. */
  readonly notText: readonly { readonly name: string; readonly value: Word }[];
  /** The names of its parts. */
  readonly parts: readonly Word[];
  /** Parts given as a string although Ray expects something else. */
  readonly others: readonly { readonly name: string; readonly value: Word; readonly expected: string }[];
  /** The second of two ways to install packages. */
  readonly beside: { readonly part: Word; readonly name: string; readonly other: string } | undefined;
}

/** Parts of a runtime environment known to Ray. */
export const knownParts: readonly string[] = namesIn(data.parts);

/** Searches a runtime environment for what Ray refuses or ignores. */
export function runtimeFaults(json: Word): RuntimeFaults {
  const root = new Reader(json).value(0);
  if (root.kind !== 'object') return { notText: [], parts: [], others: [], beside: undefined };
  const found = root.entries.get('env_vars');
  const variables = found?.kind === 'object' ? [...found.entries] : [];
  return {
    notText: variables.flatMap(([name, value]) =>
      value.kind === 'scalar' && !value.isText && /^[\w.+-]+$/.test(textOf(value.word) ?? '')
        ? [{ name, value: value.word }]
        : [],
    ),
    parts: root.keys,
    others: data.noTexts.flatMap(({ part, expected }) => {
      const value = part.reduce<Json | undefined>(
        (at, key) => (at?.kind === 'object' ? at.entries.get(key) : undefined),
        root,
      );
      if (value?.kind !== 'scalar' || !value.isText || !textOf(value.word)) return [];
      return [{ name: part.join('.'), value: value.word, expected }];
    }),
    beside: besideOther(root.keys, root.entries),
  };
}

/** The second of two parts that exclude each other in every release of Ray: `pip` beside `conda`. */
function besideOther(keys: readonly Word[], entries: ReadonlyMap<string, Json>): RuntimeFaults['beside'] {
  const isSet = (name: string): boolean => {
    const value = entries.get(name);
    return value !== undefined && !(value.kind === 'scalar' && !value.isText);
  };
  const found = keys.filter((key) => data.exclusive.some((name) => textOf(key) === name && isSet(name)));
  const [first, part] = found;
  const other = first === undefined ? undefined : textOf(first);
  const name = part === undefined ? undefined : textOf(part);
  return part === undefined || name === undefined || other === undefined || name === other
    ? undefined
    : { part, name, other };
}

class Reader {
  readonly #word: Word;
  readonly #units: readonly Unit[];
  #at = 0;

  constructor(word: Word) {
    this.#word = word;
    this.#units = unitsOf(word);
  }

  value(depth: number): Json {
    // Stop reading: otherwise the enclosing values would search for their end here again and again.
    if (depth > depthLimit) this.#at = this.#units.length;
    this.#blanks();
    const next = this.#peek();
    if (next === undefined) return { kind: 'other' };
    if (next === '{') return this.#object(depth);
    if (next === '[') return this.#list(depth);
    if (next === '"') return { kind: 'scalar', word: this.#text(), isText: true };
    return this.#bare();
  }

  /** The character at the cursor; a hole is the empty string. */
  #peek(): string | undefined {
    const unit = this.#units[this.#at];
    if (unit === undefined) return undefined;
    return unit.kind === 'hole' ? '' : unit.character;
  }

  #blanks(): void {
    while (/^\s$/.test(this.#peek() ?? '')) this.#at += 1;
  }

  #object(depth: number): Json {
    const entries = new Map<string, Json>();
    const keys: Word[] = [];
    this.#at += 1;
    for (;;) {
      this.#blanks();
      const next = this.#peek();
      if (next === undefined) break;
      if (next === '}') {
        this.#at += 1;
        break;
      }
      if (next !== '"') {
        // A comma, an unknown part that holds whole entries, or a mistake: continue after it.
        this.#at += 1;
        continue;
      }
      const key = this.#text();
      this.#blanks();
      if (this.#peek() !== ':') continue;
      this.#at += 1;
      const value = this.value(depth + 1);
      keys.push(key);
      if (key.pieces.every((piece) => piece.kind === 'text'))
        entries.set(key.pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join(''), value);
    }
    return { kind: 'object', entries, keys };
  }

  #list(depth: number): Json {
    this.#at += 1;
    for (;;) {
      this.#blanks();
      const next = this.#peek();
      if (next === undefined) break;
      if (next === ']') {
        this.#at += 1;
        break;
      }
      if (next === ',') this.#at += 1;
      else this.value(depth + 1);
    }
    return { kind: 'other' };
  }

  /** A number, true, false, null, or an unknown part. Always advances. */
  #bare(): Json {
    const start = this.#at;
    do this.#at += 1;
    while (!/^[,}\]\s]$/.test(this.#peek() ?? ','));
    return { kind: 'scalar', word: cut(this.#word, start, this.#at), isText: false };
  }

  /** A text in double quotes; escapes are decoded, and the result is no longer verbatim. */
  #text(): Word {
    this.#at += 1;
    const words: Word[] = [];
    let from = this.#at;
    for (;;) {
      const next = this.#peek();
      if (next === undefined || next === '"') break;
      if (next !== '\\') {
        this.#at += 1;
        continue;
      }
      words.push(cut(this.#word, from, this.#at));
      const length = this.#units[this.#at + 1]?.kind === 'character' && this.#escaped(1) === 'u' ? 6 : 2;
      words.push(this.#unescaped(cut(this.#word, this.#at, this.#at + length)));
      this.#at += length;
      from = this.#at;
    }
    words.push(cut(this.#word, from, this.#at));
    this.#at += 1;
    return { pieces: words.flatMap((word) => word.pieces), place: this.#word.place };
  }

  #escaped(offset: number): string {
    const unit = this.#units[this.#at + offset];
    return unit?.kind === 'character' ? unit.character : '';
  }

  #unescaped(sequence: Word): Word {
    const raw = sequence.pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
    const first = sequence.pieces.find((piece): piece is TextPiece => piece.kind === 'text');
    if (first === undefined) return sequence;
    const simple: { readonly [letter: string]: string } = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
    const letter = raw.charAt(1);
    const code = Number.parseInt(raw.slice(2), 16);
    const text =
      letter === 'u' && !Number.isNaN(code) ? String.fromCharCode(code) : (simple[letter] ?? letter);
    return {
      pieces: [{ kind: 'text', text, origin: { ...first.origin, verbatim: false } }],
      place: sequence.place,
    };
  }
}
