import data from '../../../../schemas/common/allocations.json';

/**
 * AReaL's allocation strings (areal/api/alloc_mode.py at 4aef98d8): `fsdp:d4`, `sglang:d4t2`,
 * `megatron:(attn:d4p4t2|ffn:d2p4e4)` in the per-engine `backend` fields, and chains such as `sglang:d4+fsdp:d4`
 * in the older `allocation_mode`.
 */

/** Sizes of an engine in GPUs or ranks: data, tensor, pipeline, context and expert parallel; `world` = d × t × p × c. */
interface Dimensions {
  readonly d: number;
  readonly t: number;
  readonly p: number;
  readonly c: number;
  readonly e: number;
  /** Tensor-parallel size of the experts; 1 unless the hybrid form states another. */
  readonly etp: number;
  readonly world: number;
}

/** One engine of an allocation string. */
export interface Allocation extends Dimensions {
  readonly backend: string;
  readonly name: string | null;
  /** Whether it shares the GPUs of the component before it (`|`). */
  readonly colocated: boolean;
}

/** Why a string is refused; `at` is the offset of the first wrong character. */
interface AllocationError {
  readonly kind: 'syntax' | 'several' | 'no-backend' | 'sizes' | 'names';
  readonly message: string;
  readonly at: number | undefined;
}

/** What a string says, or why it is refused. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: AllocationError };

const namesOf = (task: string): readonly string[] =>
  data.engines.flatMap((engine) => (engine.task === task ? [engine.name] : []));
const oneOf = (names: readonly string[]): RegExp => new RegExp(`^(?:${names.join('|')})`);

/** Engines that generate. */
export const inferenceBackends = namesOf('generation');
/** Engines that train. */
export const trainingBackends = namesOf('training');

const inferenceName = oneOf(inferenceBackends);
const trainingName = oneOf(trainingBackends);
/** The size letters that each part of an allocation may have. */
const { letters } = data;

/** Whether a backend serves generation (`sglang`, `vllm`). */
function isInference(backend: string): boolean {
  return inferenceBackends.includes(backend);
}

class Refusal extends Error {
  readonly reason: AllocationError;
  constructor(kind: AllocationError['kind'], message: string, at?: number) {
    super(message);
    this.reason = { kind, message, at };
  }
}

type Sizes = Map<string, number>;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get at(): number {
    return this.#at;
  }

  space(): void {
    while (/[ \t\f\r\n]/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  /** Consumes `literal` if it comes next. */
  take(literal: string): boolean {
    this.space();
    if (!this.#text.startsWith(literal, this.#at)) return false;
    this.#at += literal.length;
    return true;
  }

  expect(literal: string, what: string): void {
    if (!this.take(literal)) this.fail(what);
  }

  match(pattern: RegExp): string | undefined {
    this.space();
    const found = pattern.exec(this.#text.slice(this.#at));
    if (found === null || found.index !== 0) return undefined;
    this.#at += found[0].length;
    return found[0];
  }

  rewind(at: number): void {
    this.#at = at;
  }

  get done(): boolean {
    this.space();
    return this.#at >= this.#text.length;
  }

  fail(what: string): never {
    this.space();
    const rest = this.#text[this.#at];
    const found = rest === undefined ? 'the text ends' : `“${rest}” stands`;
    throw new Refusal('syntax', `${found} where ${what} is expected`, this.#at);
  }
}

/** One or more sizes such as `d4t2`; the last one of a repeated letter counts, as upstream. */
function sizes(reader: Reader, allowed: string): Sizes {
  const found: Sizes = new Map();
  const anyLetter = new RegExp(`^[${allowed}]`);
  for (;;) {
    const letter = reader.match(anyLetter);
    if (letter === undefined) {
      if (found.size === 0) reader.fail(`a size such as ${allowed[0]}4 (letters ${[...allowed].join(', ')})`);
      return found;
    }
    const number = reader.match(/^[1-9][0-9]*/);
    if (number === undefined) reader.fail(`a whole number from 1 after “${letter}”`);
    found.set(letter, Number(number));
  }
}

function dimensions(found: Sizes, e: number, etp: number): Dimensions {
  const of = (letter: string): number => found.get(letter) ?? 1;
  const world = of('d') * of('t') * of('p') * of('c');
  if (e > 1 && world % (of('p') * etp * e) !== 0) {
    throw new Refusal(
      'sizes',
      `expert parallelism takes a multiple of p × etp × e = ${of('p') * etp * e} GPUs, but d × t × p × c = ${world}`,
    );
  }
  return { d: of('d'), t: of('t'), p: of('p'), c: of('c'), e, etp, world };
}

/** `(attn:d4p4t2|ffn:d2p4e4)`, parentheses optional. Undefined if the text does not start like that. */
function hybrid(reader: Reader): { readonly attention: Sizes; readonly experts: Sizes } | undefined {
  const start = reader.at;
  const open = reader.take('(');
  if (!reader.take('attn')) {
    if (open) reader.fail('“attn:”');
    reader.rewind(start);
    return undefined;
  }
  reader.expect(':', '“:”');
  const attention = sizes(reader, letters.attention);
  reader.expect('|', '“|ffn:”');
  reader.expect('ffn', '“ffn:”');
  reader.expect(':', '“:”');
  const experts = sizes(reader, letters.experts);
  reader.take(')');
  return { attention, experts };
}

function hybridDimensions(attention: Sizes, experts: Sizes): Dimensions {
  const a = (letter: string): number => attention.get(letter) ?? 1;
  const x = (letter: string): number => experts.get(letter) ?? 1;
  const p = a('p');
  const expertP = experts.get('p') ?? p;
  if (expertP !== p) {
    throw new Refusal(
      'sizes',
      `attention has ${p} pipeline stages and the experts have ${expertP}; they must be equal`,
    );
  }
  const world = a('d') * a('t') * p * a('c');
  const withoutData = x('e') * x('t') * p;
  let d = experts.get('d');
  if (d === undefined) {
    if (world % withoutData !== 0) {
      throw new Refusal(
        'sizes',
        `attention takes ${world} GPUs, which e × t × p = ${withoutData} of the experts does not divide`,
      );
    }
    d = world / withoutData;
  }
  if (d * withoutData !== world) {
    throw new Refusal(
      'sizes',
      `attention takes ${world} GPUs and the experts take ${d * withoutData}; they must be equal`,
    );
  }
  return dimensions(attention, x('e'), x('t'));
}

function component(reader: Reader): Allocation {
  const inference = reader.match(inferenceName);
  const training = inference === undefined ? reader.match(trainingName) : undefined;
  const backend = inference ?? training;
  if (backend === undefined) return bare(reader);
  let name: string | null = null;
  if (reader.take('[')) {
    name = reader.match(/^[a-zA-Z_][a-zA-Z0-9_]*/) ?? reader.fail('a name');
    reader.expect(']', '“]”');
  }
  reader.expect(':', '“:” and sizes (fsdp:d4)');
  const both = training !== undefined && name === null ? hybrid(reader) : undefined;
  const found =
    both === undefined
      ? sizes(reader, inference === undefined ? letters.training : letters.generation)
      : undefined;
  const pending = (): Dimensions =>
    both !== undefined
      ? hybridDimensions(both.attention, both.experts)
      : dimensions(found ?? new Map(), found?.get('e') ?? 1, 1);
  const size = pending();
  if (!takesAll(backend, size)) {
    throw new Refusal(
      'sizes',
      'fsdp takes d, t and c only; pipeline and expert sizes need megatron or archon',
    );
  }
  return { backend, name, ...size, colocated: false };
}

/** Whether an engine takes every size above 1. None of the engines with limits has Megatron's hybrid form. */
function takesAll(backend: string, size: Sized): boolean {
  const takes = data.engines.find(({ name }) => name === backend)?.takes;
  return takes === undefined || spread.every((letter) => takes.includes(letter) || size[letter] === 1);
}

const spread = ['d', 't', 'p', 'c', 'e'] as const;
type Sized = Pick<Dimensions, (typeof spread)[number]>;

/** Sizes without a backend: upstream parses them only to refuse them with a message of its own. */
function bare(reader: Reader): never {
  if (reader.take('[')) {
    if (reader.match(/^[a-zA-Z_][a-zA-Z0-9_]*/) === undefined) reader.fail('a name');
    reader.expect(']', '“]”');
    reader.expect(':', '“:”');
    sizes(reader, letters.training);
  } else if (hybrid(reader) === undefined) {
    const start = reader.at;
    const letter = reader.match(new RegExp(`^[${letters.training}]`));
    const number = letter === undefined ? undefined : reader.match(/^[1-9][0-9]*/);
    if (number === undefined) {
      reader.rewind(start);
      reader.fail(`a backend (${[...inferenceBackends, ...trainingBackends].join(', ')})`);
    }
  }
  throw new Refusal('no-backend', 'sizes stand without a backend; write fsdp:d4, megatron:d4t2, sglang:d4 …');
}

function colocated(reader: Reader): Allocation[] {
  const first = component(reader);
  const group = [first];
  while (reader.take('|')) {
    const next = component(reader);
    if (next.name === null) {
      throw new Refusal('names', 'every component after “|” needs a name: fsdp[actor]:d4|fsdp[critic]:d4');
    }
    if (next.world !== first.world) {
      throw new Refusal(
        'sizes',
        `components that share GPUs must be of equal size; here ${first.world} and ${next.world} GPUs`,
      );
    }
    group.push({ ...next, colocated: true });
  }
  return group;
}

function chain(text: string): Allocation[] {
  const reader = new Reader(text);
  const all = colocated(reader);
  let plus = false;
  while (reader.take('+')) {
    plus = true;
    all.push(...colocated(reader));
  }
  if (!reader.done) reader.fail('the end, “+” or “|”');
  const names = all.flatMap((one) => (one.name === null ? [] : [one.name]));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Refusal('names', `the name “${twice}” is used twice`);
  const unnamed = all.length - names.length;
  if (plus && all.length >= 3 && unnamed > 0) {
    throw new Refusal('names', `with three or more components all need names; ${unnamed} have none`);
  }
  return all;
}

function attempt<T>(work: () => T): Parsed<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, error: error.reason };
    throw error;
  }
}

/**
 * Reads a per-engine `backend` field: one component, backend required.
 * Source: ModelAllocation.from_str, areal/api/alloc_mode.py:291.
 */
export function parseAllocation(text: string): Parsed<Allocation> {
  return attempt(() => {
    if (text.includes('+')) {
      throw new Refusal(
        'several',
        'a backend field takes one component; “+” belongs to allocation_mode',
        text.indexOf('+'),
      );
    }
    const all = chain(text);
    const [only] = all;
    if (only === undefined || all.length > 1) {
      throw new Refusal('several', `a backend field takes one component, here there are ${all.length}`);
    }
    return only;
  });
}

/** How an `allocation_mode` divides the GPUs. Source: _AllocationMode, areal/api/alloc_mode.py:345. */
export interface AllocationMode {
  readonly components: readonly Allocation[];
  /** The only component for generation; undefined if there is none or more than one. */
  readonly generation: Allocation | undefined;
  readonly training: Allocation | undefined;
  /** `ambiguous` when upstream raises on asking for it (three components, or two of a kind). */
  readonly type: 'server-only' | 'colocated' | 'decoupled' | 'ambiguous';
  /** GPUs of all components, without those that share the GPUs of another. */
  readonly world: number;
}

/**
 * Converts an `allocation_mode` of releases up to v1.0.2 to the later syntax. Sizes without an engine belong to the first engine that takes
 * them, FSDP or Megatron; the first releases write a dot after the engine. Source: areal/api/alloc_mode.py:278 at f39e60f2.
 */
export function withEngines(text: string): string {
  return text
    .split('+')
    .map((part) => {
      if (!/^(?:[a-z]\d+)+$/.test(part)) return part.replace(/^([a-z]+)\./, '$1:');
      const whole = trainingBackends.map((name) => `${name}:${part}`);
      return whole.find((one) => parseAllocation(one).ok) ?? part;
    })
    .join('+');
}

/** Reads the older `allocation_mode` of the SPMD launchers. */
export function parseAllocationMode(text: string): Parsed<AllocationMode> {
  return attempt(() => {
    const components = chain(text);
    const generation = components.filter((one) => isInference(one.backend));
    const training = components.filter((one) => !isInference(one.backend));
    const shares = components.some((one) => one.colocated);
    const type =
      components.length === 1
        ? generation.length === 1
          ? 'server-only'
          : 'colocated'
        : components.length > 2 || generation.length !== 1 || training.length !== 1
          ? 'ambiguous'
          : shares
            ? 'colocated'
            : 'decoupled';
    return {
      components,
      generation: generation.length === 1 ? generation[0] : undefined,
      training: training.length === 1 ? training[0] : undefined,
      type,
      world: components.reduce((sum, one) => sum + (one.colocated ? 0 : one.world), 0),
    };
  });
}
