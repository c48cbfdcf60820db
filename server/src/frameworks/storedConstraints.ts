import type { CompiledConstraint } from '../expression/compiled.ts';
import { markOf, withWords } from '../expression/repeated.ts';

/** Fields that are needed for only a few constraints of a run. Each is on its own line, which is parsed on demand. */
export const lateFields = ['when', 'message', 'why', 'fixes'] as const;
type LateField = (typeof lateFields)[number];

/** The fields by which a constraint is found, which are parsed immediately. */
export type EarlyConstraint = Omit<CompiledConstraint, LateField>;

/** A knowledge file that is read in parts: a string, or ASCII bytes outside V8's heap. */
export interface Written {
  readonly length: number;
  /** The characters from `start` up to, but not including, `end`. */
  slice(start: number, end: number): string;
  /** The position of the next line end from `start` on; -1 if there is none. */
  indexOf(lineEnd: '\n', start: number): number;
}

/** The mark of a word as written in ASCII JSON. */
function writtenMark(index: number): string {
  return `\\u${markOf(index).charCodeAt(0).toString(16)}`;
}

/** The lines of a knowledge file after the part that is parsed immediately: one for each constraint, field after field. */
export class LateLines {
  readonly #text: Written;
  /** Where the lines of each field begin. */
  readonly #starts: { readonly [Field in LateField]: number };
  readonly #offsets = new Map<LateField, readonly number[]>();

  /**
   * @param text the whole file
   * @param start where the first line begins
   * @param lengths the length in characters of all lines of each field
   */
  constructor(text: Written, start: number, lengths: { readonly [Field in LateField]: number }) {
    this.#text = text;
    const when = start;
    const message = when + lengths.when;
    const why = message + lengths.message;
    this.#starts = { when, message, why, fixes: why + lengths.why };
  }

  /** The line of a field of the constraint at a position. */
  line(field: LateField, position: number): string {
    const offsets = this.#offsetsOf(field);
    const start = offsets[position] ?? this.#text.length;
    return this.#text.slice(start, this.#text.indexOf('\n', start));
  }

  #offsetsOf(field: LateField): readonly number[] {
    const known = this.#offsets.get(field);
    if (known !== undefined) return known;
    const offsets: number[] = [];
    const next = lateFields.map((name) => this.#starts[name]).find((start) => start > this.#starts[field]);
    const end = next ?? this.#text.length;
    for (let at = this.#starts[field]; at < end; at = this.#text.indexOf('\n', at) + 1) offsets.push(at);
    this.#offsets.set(field, offsets);
    return offsets;
  }
}

/** A constraint as stored in a knowledge file. */
export class LateConstraint implements CompiledConstraint {
  readonly id: string;
  readonly severity: CompiledConstraint['severity'];
  readonly declared: CompiledConstraint['declared'];
  readonly phase: string;
  readonly at: readonly string[];
  readonly upstream: readonly string[];
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly upstreamHas: string | undefined;
  readonly upstreamLacks: string | undefined;
  readonly earlier: CompiledConstraint['earlier'];
  readonly narrower: readonly string[];
  readonly role: string | undefined;
  readonly tags: readonly string[];
  readonly restsOn: CompiledConstraint['restsOn'];
  readonly #lines: LateLines;
  readonly #position: number;
  readonly #words: readonly string[];
  #when: CompiledConstraint['when'] | undefined;
  #fixes: CompiledConstraint['fixes'] | undefined;

  /** @param words the replacement for each mark, if several constraints share their lines */
  constructor(early: EarlyConstraint, lines: LateLines, position: number, words: readonly string[]) {
    this.id = early.id;
    this.severity = early.severity;
    this.declared = early.declared;
    this.phase = early.phase;
    this.at = early.at;
    this.upstream = early.upstream;
    this.since = early.since;
    this.until = early.until;
    this.upstreamHas = early.upstreamHas;
    this.upstreamLacks = early.upstreamLacks;
    this.earlier = early.earlier;
    this.narrower = early.narrower;
    this.role = early.role;
    this.tags = early.tags;
    this.restsOn = early.restsOn;
    this.#lines = lines;
    this.#position = position;
    this.#words = words;
  }

  get when(): CompiledConstraint['when'] {
    // Results are cached by expression object, so it must always be the same object.
    if (this.#when === undefined) this.#when = this.#read('when');
    return this.#when;
  }

  get fixes(): CompiledConstraint['fixes'] {
    this.#fixes ??= this.#read('fixes');
    return this.#fixes;
  }

  get message(): string {
    return this.#read('message');
  }

  get why(): string {
    return this.#read('why');
  }

  #read<Field extends LateField>(field: Field): CompiledConstraint[Field] {
    const value: CompiledConstraint[Field] = JSON.parse(
      withWords(this.#lines.line(field, this.#position), this.#words, writtenMark),
    );
    return value;
  }
}
