import type { Data } from '../../value/value.ts';
import type { TypedData } from './scalar.ts';

/**
 * What Hydra's override grammar makes of a value. `open`: a function or interpolation whose result is not computed here; `referring` is the
 * value with its interpolations as text, if it contains no function.
 */
export type HydraValue =
  | { readonly kind: 'value'; readonly value: TypedData }
  | { readonly kind: 'open'; readonly label: string; readonly referring?: Data }
  | { readonly kind: 'sweep' }
  | { readonly kind: 'refused'; readonly refused: string };

const integer = /^[-+]?(?:0|[1-9](?:_?[0-9])*)$/;
const float =
  /^[-+]?(?:(?:(?:0|[1-9](?:_?[0-9])*)\.|(?:0|[1-9](?:_?[0-9])*)?\.[0-9](?:_?[0-9])*)(?:[eE][-+]?[0-9](?:_?[0-9])*)?|(?:0|[1-9](?:_?[0-9])*)[eE][-+]?[0-9](?:_?[0-9])*|[iI][nN][fF]|[nN][aA][nN])$/;
/** Characters allowed in an unquoted value, besides letters, digits, blanks and colons. */
const unquoted = /[A-Za-z0-9_/\-\\+.$%*@?|:]/;
/**
 * Functions that turn one argument into one value, and those that always stand for several (a sweep): those of Hydra 1.3.2 and 1.4.0.dev1,
 * which the frameworks pin (hydra/core/override_parser/overrides_parser.py:create_functions). Later versions also have json_str and
 * extend_list.
 */
const functions: ReadonlySet<string> = new Set('bool float int shuffle sort str'.split(' '));
const sweeps: ReadonlySet<string> = new Set('choice glob interval range tag'.split(' '));
const escapable = '\\()[]{}:=, \t';

/**
 * Reads a value as Hydra's override grammar does (version 1.1 and later; the grammar files under hydra/grammar/).
 * An empty text is the empty string there.
 */
export function parseHydraValue(text: string): HydraValue {
  if (text.trim() === '') return { kind: 'value', value: { data: '', type: 'str' } };
  const reader = new Reader(text);
  const value = reader.element();
  if (value.kind !== 'value' && value.kind !== 'open') return value;
  reader.blanks();
  if (reader.peek() === ',')
    return reader.rest().trim() === ',' ? refusal('nothing after the last comma') : { kind: 'sweep' };
  if (!reader.done()) return refusal(`unexpected ${reader.peek()}`);
  return value;
}

/** The name of the function that a value calls. */
function functionOf(text: string): string | undefined {
  return /^([A-Za-z_][A-Za-z0-9_]*)[ \t]*\(/.exec(text)?.[1];
}

/**
 * Whether a call stands for several values: a sweep, a call with several unnamed arguments (`sort(2,1)`), or a call with an argument that does.
 */
function standsForSeveral(text: string, depth = 0): boolean {
  const name = functionOf(text.trimStart());
  if (name === undefined || depth > deepest) return false;
  if (sweeps.has(name)) return true;
  const given = argumentsOf(text);
  const unnamed = given.filter((one) => !named.test(one));
  return unnamed.length > 1 || given.some((one) => standsForSeveral(one.replace(named, ''), depth + 1));
}

/** How deep nested calls are examined: each is read once for every call around it. */
const deepest = 4;

/** The name of a named argument. */
const named = /^[ \t]*[A-Za-z_][A-Za-z0-9_]*[ \t]*=/;

/** The arguments of a call that makes up the whole text, as written. */
export function argumentsOf(call: string): string[] {
  const out: string[] = [];
  let depth = 0;
  let start = call.indexOf('(') + 1;
  for (let at = start - 1; at < call.length; at++) {
    const here = call[at] ?? '';
    if (here === "'" || here === '"') at = closingQuote(call, at);
    else if ('([{'.includes(here)) depth++;
    else if (')]}'.includes(here)) depth--;
    if ((here === ',' && depth === 1) || (here === ')' && depth === 0)) {
      out.push(call.slice(start, at));
      start = at + 1;
    }
  }
  return out;
}

/** The index of the quote that closes the one at `open`; the end of the text if it is not closed. */
function closingQuote(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === text[open]) return at;
  }
  return text.length;
}

function refusal(refused: string): HydraValue {
  return { kind: 'refused', refused };
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  peek(): string {
    return this.#text[this.#at] ?? '';
  }

  /** The text that has not been read yet. */
  rest(): string {
    return this.#text.slice(this.#at);
  }

  done(): boolean {
    return this.#at >= this.#text.length;
  }

  blanks(): void {
    while (this.peek() === ' ' || this.peek() === '\t') this.#at++;
  }

  element(): HydraValue {
    this.blanks();
    const first = this.peek();
    if (first === '[') return this.#list();
    if (first === '{') return this.#dict();
    if (first === "'" || first === '"') return this.#quoted(first);
    const called = functionOf(this.rest());
    if (called !== undefined)
      return functions.has(called) || sweeps.has(called)
        ? this.#call()
        : refusal(`there is no function ${called}`);
    return this.#primitive();
  }

  #list(): HydraValue {
    this.#at++;
    const items: Data[] = [];
    let open: OpenValue | undefined;
    this.blanks();
    if (this.peek() === ']') {
      this.#at++;
      return { kind: 'value', value: { data: items, type: 'list' } };
    }
    for (;;) {
      const item = this.element();
      if (item.kind === 'refused' || item.kind === 'sweep') return item;
      if (item.kind === 'open') open = withoutData(open) ?? item;
      const data = dataOf(item);
      if (data !== undefined) items.push(data);
      this.blanks();
      const next = this.peek();
      this.#at++;
      if (next === ',') continue;
      if (next === ']') return together(items, 'list', open);
      return refusal(next === '' ? 'a list that is not closed' : `unexpected ${next}`);
    }
  }

  #dict(): HydraValue {
    this.#at++;
    const entries: [string, Data][] = [];
    let open: OpenValue | undefined;
    this.blanks();
    if (this.peek() === '}') {
      this.#at++;
      return { kind: 'value', value: { data: {}, type: 'dict' } };
    }
    for (;;) {
      this.blanks();
      if (/^["']/.test(this.peek())) return refusal('a key in quotes, which the grammar does not take');
      const key = this.#dictKey();
      if (key === undefined) return refusal('a dictionary key without “:”');
      const item = this.element();
      if (item.kind === 'refused' || item.kind === 'sweep') return item;
      if (item.kind === 'open') open = withoutData(open) ?? item;
      const data = dataOf(item);
      if (data !== undefined) entries.push([key, data]);
      this.blanks();
      const next = this.peek();
      this.#at++;
      if (next === ',') continue;
      if (next === '}') return together(Object.fromEntries(entries), 'dict', open);
      return refusal(next === '' ? 'a dictionary that is not closed' : `unexpected ${next}`);
    }
  }

  #dictKey(): string | undefined {
    const start = this.#at;
    while (!this.done() && !',:{}[]()\'"'.includes(this.peek())) this.#at++;
    const key = this.#text.slice(start, this.#at).trim();
    if (this.peek() !== ':' || key === '') return undefined;
    this.#at++;
    return key;
  }

  #quoted(quote: string): HydraValue {
    let out = '';
    this.#at++;
    while (!this.done()) {
      const here = this.peek();
      if (here === '\\' && (this.#text[this.#at + 1] === quote || this.#text[this.#at + 1] === '\\')) {
        out += this.#text[this.#at + 1] ?? '';
        this.#at += 2;
        continue;
      }
      this.#at++;
      if (here === quote)
        return out.includes('${')
          ? { kind: 'open', label: out, referring: out }
          : { kind: 'value', value: { data: out, type: 'str' } };
      out += here;
    }
    return refusal('a quotation that is not closed');
  }

  #call(): HydraValue {
    const start = this.#at;
    let depth = 0;
    while (!this.done()) {
      const here = this.peek();
      if (here === "'" || here === '"') this.#at = closingQuote(this.#text, this.#at);
      this.#at++;
      if (here === '(') depth++;
      if (here !== ')' || --depth > 0) continue;
      const call = this.#text.slice(start, this.#at);
      return standsForSeveral(call) ? { kind: 'sweep' } : called(call);
    }
    return refusal('a parenthesis that is not closed');
  }

  #primitive(): HydraValue {
    let out = '';
    let plain = true;
    let interpolated = false;
    for (;;) {
      const here = this.peek();
      const next = this.#text[this.#at + 1] ?? '';
      if (here === '$' && next === '{') {
        const end = closingBrace(this.#text, this.#at + 1);
        if (end === undefined) return refusal('an interpolation that is not closed');
        out += this.#text.slice(this.#at, end + 1);
        this.#at = end + 1;
        interpolated = true;
      } else if (here === '\\' && next !== '' && escapable.includes(next)) {
        out += next;
        plain = false;
        this.#at += 2;
      } else if (here === ' ' || here === '\t' || unquoted.test(here)) {
        out += here;
        this.#at++;
      } else break;
    }
    const here = this.peek();
    if (here === '~' && out === '') return refusal('no shell expands ~ after this key; write $HOME');
    if (here !== '' && !',]}'.includes(here)) return refusal(`${here} needs quotes`);
    const text = plain ? out.trim() : out;
    if (text === '') return refusal('a missing value');
    if (interpolated) return { kind: 'open', label: text, referring: text };
    return { kind: 'value', value: plain ? scalar(text) : { data: text, type: 'str' } };
  }
}

type OpenValue = Extract<HydraValue, { kind: 'open' }>;

/** The data of a part, with its interpolations as text; undefined if it contains a function. */
function dataOf(part: OpenValue | Extract<HydraValue, { kind: 'value' }>): Data | undefined {
  return part.kind === 'value' ? part.value.data : part.referring;
}

/** The open part, if it contains a function: the whole then has no data. */
function withoutData(open: OpenValue | undefined): OpenValue | undefined {
  return open !== undefined && open.referring === undefined ? open : undefined;
}

/** A list or map of parts, one of which may be open. */
function together(data: Data, type: TypedData['type'], open: OpenValue | undefined): HydraValue {
  if (open === undefined) return { kind: 'value', value: { data, type } };
  return open.referring === undefined ? open : { kind: 'open', label: open.label, referring: data };
}

/** The result of a call: `int(2.5)` is 2. Left open for lists, named arguments and functions other than casts. */
function called(text: string): HydraValue {
  const open: HydraValue = { kind: 'open', label: text };
  const [, name, argument = ''] = /^(\w+)[ \t]*\(([^()[\]{},=]*|\$\{[\w.]+\})\)$/.exec(text) ?? [];
  if (name === undefined) return open;
  if (argument.trim() === '') return name === 'shuffle' ? open : refusal(`${name} needs a value`);
  const given = parseHydraValue(argument);
  if (given.kind === 'refused') return given;
  // An interpolation is resolved later: here it is ordinary text.
  if (given.kind !== 'value')
    return numbers.has(name) && given.kind === 'open' && given.referring !== undefined
      ? refusal(`${text} is not a value: an interpolation is resolved only afterwards`)
      : open;
  const cast = castTo(name, given.value);
  if (cast === undefined) return open;
  return cast === 'refused' ? refusal(`${text} is no value`) : { kind: 'value', value: cast };
}

/** Casts that reject text with an interpolation. */
const numbers: ReadonlySet<string> = new Set(['bool', 'float', 'int']);
/** What Python's float() accepts, without surrounding blanks. */
const pythonFloat =
  /^[-+]?(?:(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[-+]?\d+(?:_\d+)*)?|inf|infinity|nan)$/i;

function castTo(name: string, { data, type }: TypedData): TypedData | 'refused' | undefined {
  if (type === 'null') return ['bool', 'float', 'int', 'str'].includes(name) ? 'refused' : undefined;
  const number = typeof data === 'number' ? data : typeof data === 'boolean' ? Number(data) : undefined;
  switch (name) {
    case 'int':
      if (number !== undefined)
        return Number.isFinite(number) ? { data: Math.trunc(number), type: 'int' } : 'refused';
      return /^\s*[-+]?\d+(?:_\d+)*\s*$/.test(String(data))
        ? { data: Number(String(data).replaceAll('_', '')), type: 'int' }
        : 'refused';
    case 'bool':
      if (number !== undefined) return { data: number !== 0, type: 'bool' };
      return /^(?:true|false)$/i.test(String(data))
        ? { data: /^t/i.test(String(data)), type: 'bool' }
        : 'refused';
    case 'float':
      if (number !== undefined) return { data: number, type: 'float' };
      return pythonFloat.test(String(data).trim())
        ? { data: floatOf(String(data).trim().toLowerCase().replaceAll('_', '')), type: 'float' }
        : 'refused';
    case 'str':
      // A float is formatted as in Python, which another library may format with other digits.
      return type === 'float' || (typeof data === 'number' && !Number.isSafeInteger(data))
        ? undefined
        : { data: String(data), type: 'str' };
    default:
      return undefined;
  }
}

function scalar(text: string): TypedData {
  const lower = text.toLowerCase();
  if (lower === 'null') return { data: null, type: 'null' };
  if (lower === 'true' || lower === 'false') return { data: lower === 'true', type: 'bool' };
  if (integer.test(text)) return { data: Number(text.replaceAll('_', '')), type: 'int' };
  if (float.test(text)) return { data: floatOf(lower.replaceAll('_', '')), type: 'float' };
  return { data: text, type: 'str' };
}

function floatOf(lower: string): number {
  if (lower.endsWith('nan')) return Number.NaN;
  if (lower.endsWith('inf') || lower.endsWith('infinity'))
    return lower.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(lower);
}

function closingBrace(text: string, open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth++;
    if (text[at] === '}' && --depth === 0) return at;
  }
  return undefined;
}
