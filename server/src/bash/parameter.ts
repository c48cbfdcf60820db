import type {
  ParameterExpansionPart,
  ParameterOperation,
  SimpleExpansionPart,
  Word as WordNode,
} from 'unbash';
import type { Place } from '../text/span.ts';
import { evaluateIndex } from './arithmetic-text.ts';
import { assignScalar } from './assign.ts';
import { expandParts, partsOf } from './expand.ts';
import { append, appendList, sliceList } from './lists.ts';
import { inBraces } from './literal.ts';
import { hole, knownText, made, nothing, type Pieces, slicePieces, through } from './pieces.ts';
import {
  demand,
  type ListReading,
  type Reading,
  readList,
  readScalar,
  seenThrough,
  targetName,
} from './read.ts';
import { emptiness } from './shadow.ts';
import type { Shell } from './shell.ts';
import type { Source } from './source.ts';
import { type Item, joinItems } from './split.ts';
import { operationTransform, transformer } from './transform.ts';

/** Expands `$x` or `${…}` and appends what comes of it. */
export function expandParameter(
  shell: Shell,
  source: Source,
  part: SimpleExpansionPart | ParameterExpansionPart,
  quoted: boolean,
  out: Item[],
): void {
  const place = source.place(part.pos, part.end);
  if (!shell.run.meter.spend()) {
    append(out, [hole('too-complex', part.text, place)], quoted);
    return;
  }
  if (part.type === 'SimpleExpansion') {
    const name = part.text.slice(1);
    if (name === '@' || name === '*')
      appendList(shell, readList(shell, name, place), name === '*', quoted, place, out);
    else appendScalar(shell, name, readScalar(shell, name, place), quoted, place, out);
    return;
  }
  new Expansion(shell, source, part, quoted, place, out).expand();
}

function appendScalar(
  shell: Shell,
  name: string,
  reading: Reading,
  quoted: boolean,
  place: Place,
  out: Item[],
): void {
  if (!shell.run.meter.spend(reading.pieces.length >> 2)) {
    append(out, [hole('too-complex', `$${name}`, place)], quoted);
    return;
  }
  const pieces = seenThrough(shell, name, reading, place);
  refer(shell, name, reading, pieces, place);
  append(out, pieces, quoted);
}

function refer(shell: Shell, name: string, reading: Reading, pieces: Pieces, place: Place): void {
  shell.run.refer(place, () => ({
    kind: 'expansion',
    name,
    place,
    word: { pieces, place },
    assignments: reading.variable?.places ?? [],
  }));
}

/** One `${…}`. */
class Expansion {
  readonly shell: Shell;
  readonly source: Source;
  readonly part: ParameterExpansionPart;
  readonly quoted: boolean;
  readonly place: Place;
  readonly out: Item[];

  constructor(
    shell: Shell,
    source: Source,
    part: ParameterExpansionPart,
    quoted: boolean,
    place: Place,
    out: Item[],
  ) {
    this.shell = shell;
    this.source = source;
    this.part = part;
    this.quoted = quoted;
    this.place = place;
    this.out = out;
  }

  expand(): void {
    const { part } = this;
    const subscript = part.index?.text;
    const whole = subscript === '@' || subscript === '*';
    if (part.operation?.type === 'Names') this.#names(part.operation.operator === '*');
    else if (part.prefix === '!' && whole) this.#keys(subscript === '*');
    else if (part.prefix === '!') this.#indirect();
    else if (part.prefix === '#') this.#length(whole);
    else if (part.parameter === '@' || part.parameter === '*')
      this.#list(part.parameter, part.parameter === '*');
    else if (whole) this.#list(part.parameter, subscript === '*');
    else this.#scalar(part.parameter, part.index);
  }

  #append(pieces: Pieces): void {
    append(this.out, pieces, this.quoted);
  }

  #unknown(pieces: Pieces = nothing, nonEmpty = false): void {
    const first = pieces.find((piece) => piece.kind === 'hole');
    const reason = first?.kind === 'hole' ? first.reason : 'too-complex';
    this.#append([hole(reason, this.part.text, this.place, { nonEmpty })]);
  }

  #names(star: boolean): void {
    const elements = this.shell.store.namesWith(this.part.parameter).map((name) => made(name, this.place));
    const list = { elements, keys: [], open: false, variable: undefined, needs: [] };
    appendList(this.shell, list, star, this.quoted, this.place, this.out);
  }

  #keys(star: boolean): void {
    const { keys } = readList(this.shell, this.part.parameter, this.place);
    const elements = keys.map((key) => made(key, this.place));
    const list = { elements, keys: [], open: false, variable: undefined, needs: [] };
    appendList(this.shell, list, star, this.quoted, this.place, this.out);
  }

  /** `${!x}`: the parameter that x names. */
  #indirect(): void {
    const reading = this.#read(this.part.parameter, this.part.index);
    const name = knownText(reading.pieces);
    const match = name === undefined ? null : /^([A-Za-z_]\w*|\d+|[@*#?])(?:\[(.+)\])?$/.exec(name);
    if (!reading.set || match === null) {
      this.#unknown(reading.pieces);
      return;
    }
    const [, base = '', subscript] = match;
    if (subscript === undefined && base !== '@' && base !== '*') this.#scalar(base, undefined);
    else if (subscript === undefined || subscript === '@' || subscript === '*')
      this.#list(base, base === '*' || subscript === '*');
    else {
      const list = readList(this.shell, base, this.place);
      const element = list.elements[list.keys.indexOf(subscript)];
      if (this.part.operation === undefined)
        this.#append(element === undefined ? nothing : through(element, this.place));
      else this.#unknown();
    }
  }

  #length(whole: boolean): void {
    const { shell, part, place } = this;
    if (whole || part.parameter === '@' || part.parameter === '*') {
      const list = readList(shell, part.parameter, place);
      const count = String(list.elements.length);
      const uncertain = list.elements.some((element) =>
        element.some((piece) => piece.kind === 'hole' && piece.splits),
      );
      if (uncertain)
        this.#append([hole('positional', part.text, place, { shape: 'integer', nonEmpty: true })]);
      else if (list.open || list.needs.length > 0)
        this.#append([
          hole('positional', part.text, place, {
            shape: 'integer',
            nonEmpty: true,
            assumed: count,
            needs: ['@', '#'],
          }),
        ]);
      else this.#append(made(count, place));
      return;
    }
    const reading = this.#read(part.parameter, part.index);
    const pieces = seenThrough(shell, part.parameter, reading, place);
    this.#append(
      transformer(
        shell,
        part.text,
        place,
        'integer',
      )(pieces, (text) => made(String([...text].length), place)),
    );
  }

  #read(name: string, index: WordNode | undefined): Reading {
    const { shell, source, place } = this;
    if (index === undefined) return readScalar(shell, name, place);
    const variable = shell.store.get(targetName(shell, name));
    const list = readList(shell, name, place);
    const key = evaluateIndex(shell, source, index, variable?.kind === 'associative', list.keys);
    if (key === undefined)
      return { set: true, pieces: [hole('too-complex', this.part.text, place)], needs: [], variable };
    const at = list.keys.indexOf(key);
    const element = at < 0 ? undefined : list.elements[at];
    if (element !== undefined) return { set: true, pieces: element, needs: [], variable };
    return { set: false, pieces: nothing, needs: list.needs, variable };
  }

  #scalar(name: string, index: WordNode | undefined): void {
    const { shell, place } = this;
    const reading = this.#read(name, index);
    const { operation } = this.part;
    if (operation === undefined) {
      appendScalar(shell, name, reading, this.quoted, place, this.out);
      return;
    }
    if (operation.type === 'Default') {
      this.#default(name, index, reading, operation);
      return;
    }
    const pieces = seenThrough(shell, name, reading, place);
    refer(shell, name, reading, pieces, place);
    // Whatever an operator does, of an unset parameter it makes nothing.
    if (!reading.set) {
      this.#append(pieces);
      return;
    }
    const transform = this.#transform(operation);
    if (transform === undefined) this.#unknown(pieces);
    else this.#append(transformer(shell, this.part.text, place)(pieces, transform));
  }

  #transform(
    operation: ParameterOperation,
  ): ((text: string, pieces: Pieces) => Pieces | undefined) | undefined {
    const transform = operationTransform(this.shell, this.source, operation, this.quoted);
    if (transform === undefined) return undefined;
    return (text, pieces) => {
      const result = transform(text);
      if (result === undefined) return undefined;
      return typeof result === 'string'
        ? made(result, this.place)
        : slicePieces(pieces, result[0], result[1]);
    };
  }

  #default(
    name: string,
    index: WordNode | undefined,
    reading: Reading,
    operation: Extract<ParameterOperation, { type: 'Default' }>,
  ): void {
    const { shell, place } = this;
    const { run } = shell;
    const colon = operation.operator.startsWith(':');
    const kind = operation.operator.at(-1);
    let missing = !reading.set;
    let needs = reading.needs;
    if (reading.set && colon) {
      const state = emptiness(shell, reading.pieces);
      if (state.kind === 'unknown') {
        if (kind === '+' || kind === '?') {
          this.#unknownDefault(reading, kind, operation.operand);
        } else
          this.#append(
            through(reading.pieces, place).map((piece) =>
              piece.kind === 'hole' ? { ...piece, label: this.part.text } : piece,
            ),
          );
        return;
      }
      missing = state.kind === 'empty';
      needs = state.needs;
    }
    if (needs.length > 0 && shell.touched !== undefined) for (const need of needs) shell.touched.add(need);
    if (kind === '+') {
      if (!missing) this.#operand(operation.operand);
      return;
    }
    if (!missing) {
      // What the environment may hold instead of the default has the default's shape as well.
      const pieces = reading.pieces.map((piece) =>
        piece.kind === 'hole' && piece.reason === 'environment' && reading.variable === undefined
          ? { ...piece, shape: 'any' as const }
          : piece,
      );
      appendScalar(shell, name, { ...reading, pieces }, this.quoted, place, this.out);
      return;
    }
    if (kind === '?') {
      const missingNames = needs.length > 0 ? needs : [reading.set ? `=${name}` : name];
      for (const need of missingNames) demand(shell, need, place);
      this.#append([
        hole(/^\d+$/.test(name) ? 'positional' : 'environment', `$${name}`, place, { nonEmpty: true }),
      ]);
      return;
    }
    for (const need of needs)
      if (!need.startsWith('=')) run.assume({ place, kind: 'default', text: `${need} is not set` });
    const before = this.out.length;
    this.#operand(operation.operand);
    const value = joinItems(this.out.slice(before));
    if (kind === '=') {
      assignScalar(shell, this.source, name, index, value, place, [place]);
      if (!this.quoted) {
        // Bash splits the assigned text, whatever quotes stood in the operand.
        this.out.length = before;
        this.#append(value);
      }
    }
    run.refer(place, () => ({
      kind: 'expansion',
      name,
      place,
      word: { pieces: value, place },
      assignments: reading.variable?.places ?? [],
    }));
  }

  #unknownDefault(reading: Reading, kind: string, operand: WordNode): void {
    if (kind === '?') {
      this.#append(through(reading.pieces, this.place));
      return;
    }
    const before = this.out.length;
    this.#operand(operand);
    this.out.length = before;
    this.#unknown(reading.pieces);
  }

  #operand(operand: WordNode): void {
    const { shell, source, quoted, out } = this;
    if (operand.text === '') return;
    if (quoted) expandParts(shell, source, partsOf(operand), inBraces, out);
    else expandParts(shell, source, partsOf(operand), { quoted: false, splits: true, tilde: 'start' }, out);
  }

  #list(name: string, star: boolean): void {
    const { shell, place, quoted, out } = this;
    const list = readList(shell, name, place);
    const { operation } = this.part;
    if (operation === undefined) {
      this.#noteUnassigned(name, list);
      shell.run.refer(place, () => ({
        kind: 'expansion',
        name,
        place,
        word: undefined,
        assignments: list.variable?.places ?? [],
      }));
      appendList(shell, list, star, quoted, place, out);
      return;
    }
    if (operation.type === 'Default') {
      this.#listDefault(list, star, operation);
      return;
    }
    if (operation.type === 'Slice') {
      const elements = sliceList(
        shell,
        this.source,
        list,
        operation.offset,
        operation.length,
        name === '@' || name === '*',
      );
      if (elements === undefined) {
        this.#append([{ ...hole('too-complex', this.part.text, place), splits: true }]);
        return;
      }
      appendList(shell, { ...list, elements }, star, quoted, place, out);
      return;
    }
    const transform = this.#transform(operation);
    const elements = list.elements.map((element) =>
      transform === undefined
        ? [hole('too-complex', this.part.text, place)]
        : transformer(shell, this.part.text, place)(element, transform),
    );
    appendList(shell, { ...list, elements }, star, quoted, place, out);
  }

  #noteUnassigned(name: string, list: ListReading): void {
    const { run } = this.shell;
    if (list.needs.length === 0 || list.elements.length > 0 || name === '@' || name === '*') return;
    if (list.open || run.given.has(name)) return;
    if (!run.shared.unassigned.has(name)) run.shared.unassigned.set(name, this.place);
  }

  #listDefault(
    list: ListReading,
    star: boolean,
    operation: Extract<ParameterOperation, { type: 'Default' }>,
  ): void {
    const { shell, place, quoted, out } = this;
    const kind = operation.operator.at(-1);
    const colon = operation.operator.startsWith(':');
    const empty =
      list.elements.length === 0 ||
      (colon && list.elements.length === 1 && emptiness(shell, list.elements[0] ?? nothing).kind === 'empty');
    if (list.open && list.elements.length === 0) shell.openPlaces.push(place);
    if (kind === '+') {
      if (!empty) this.#operand(operation.operand);
    } else if (!empty) appendList(shell, list, star, quoted, place, out);
    else if (kind === '?') for (const need of list.needs) demand(shell, need, place);
    else this.#operand(operation.operand);
  }
}
