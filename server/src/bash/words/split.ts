import type { Place } from '../../text/span.ts';
import {
  hole,
  isUncounted,
  knownText,
  madeAt,
  type Pieces,
  type ShellHole,
  type ShellPiece,
  sliceText,
} from '../state/pieces.ts';
import type { Variable } from '../state/store.ts';

/** What a word is expanded to before word splitting. */
export type Item =
  /** Text or a hole; `quoted` means that it is not a pattern, `splits` that it comes from an unquoted expansion. */
  | {
      readonly kind: 'piece';
      readonly piece: ShellPiece;
      readonly quoted: boolean;
      readonly splits: boolean;
      /** A list of unknown length: it may be no word or several even within quotes. */
      readonly many?: boolean;
    }
  /** A boundary between the elements of `"$@"`. */
  | {
      readonly kind: 'break';
      readonly place: Place;
      /** The separator if the elements become one value. */
      readonly joint: string;
      /** The separator if the value is assigned, if different. */
      readonly assigned?: string;
      /** The character at which the elements are split into words, if it is not a blank: empty elements then count. */
      readonly separator?: string;
    }
  /** After the known elements of a list: what else it may contain. Among words it is recorded with the command; within a text it is a hole. */
  | { readonly kind: 'more'; readonly hole: ShellHole }
  /** Quotes: the word remains even if they are empty. */
  | { readonly kind: 'quotes' };

/** One field, which becomes a word and still knows what was quoted. */
export interface Field {
  readonly parts: readonly { readonly piece: ShellPiece; readonly quoted: boolean }[];
}

/** The default IFS. */
export const ordinarySeparators = ' \t\n';

/** Splits expanded items into fields at the characters of IFS, as Bash does for the results of unquoted expansions. */
export function splitFields(items: readonly Item[], separators: string): readonly Field[] {
  const cutter = new FieldSplitter(separators);
  const settled = items.some(mayTakeBlank) ? withoutOpenBlanks(items) : items;
  let next = 0;
  for (const item of settled) {
    next += 1;
    cutter.take(item, settled[next]);
  }
  return cutter.end();
}

function mayTakeBlank(item: Item): boolean {
  return item.kind === 'piece' && item.splits && item.piece.kind === 'hole' && item.piece.takesBlank === true;
}

/**
 * If a hole absorbs the blank on one side and is directly next to text on the other (`x${A[*]}y`), it is unknown whether that text and what
 * comes after the blank are one word: the blank then counts as part of the hole.
 */
function withoutOpenBlanks(given: readonly Item[]): readonly Item[] {
  const items = [...given];
  given.forEach((item, index) => {
    if (!mayTakeBlank(item) || item.kind !== 'piece') return;
    const [before, after] = [items[index - 1], items[index + 1]];
    const [isBlankBefore, isBlankAfter] = [blankAt(before, -1), blankAt(after, 0)];
    if (isBlankBefore === undefined || isBlankAfter === undefined || isBlankBefore === isBlankAfter) return;
    items[index] = { ...item, many: true };
    const [at, open] = isBlankBefore ? [index - 1, before] : [index + 1, after];
    if (open?.kind !== 'piece' || open.piece.kind === 'hole') return;
    const { length } = open.piece.text;
    const piece = sliceText(open.piece, isBlankBefore ? 0 : 1, isBlankBefore ? length - 1 : length);
    items[at] = { ...open, piece };
  });
  return items.filter(
    (item) => item.kind !== 'piece' || item.piece.kind === 'hole' || item.piece.text !== '',
  );
}

/** Whether an item has a separating blank at one of its ends; undefined if there is nothing. */
function blankAt(item: Item | undefined, at: number): boolean | undefined {
  if (item === undefined || item.kind === 'break' || item.kind === 'more') return undefined;
  if (item.kind === 'quotes' || item.piece.kind === 'hole') return false;
  if (item.piece.text === '') return undefined;
  return item.splits && item.piece.text.at(at) === ' ';
}

type OfKind<Kind extends Item['kind']> = Extract<Item, { readonly kind: Kind }>;

/** Turns items into fields, one by one. */
class FieldSplitter {
  readonly #separators: string;
  readonly #fields: Field[] = [];
  #parts: Part[] = [];
  /** Whether the word remains even if it is empty. */
  #kept = false;
  #delimiter: 'none' | 'space' | 'hard' = 'none';

  constructor(separators: string) {
    this.#separators = separators;
  }

  /** @param next the item after it */
  take(item: Item, next: Item | undefined): void {
    if (item.kind === 'piece') {
      if (item.splits && item.piece.kind === 'text') this.#cut(item, item.piece);
      else this.#add(item, next);
    } else if (item.kind === 'break') this.#break(item);
    else if (item.kind === 'more') this.#more(item.hole);
    else this.#keep();
  }

  end(): readonly Field[] {
    this.#finish();
    return this.#fields;
  }

  #emit(): void {
    // If a list is a word of its own, what else it contains becomes words, too.
    if (this.#parts.every(({ isMore }) => isMore === true)) this.#parts = [];
    this.#fields.push({ parts: settleHoles(this.#parts, this.#kept) });
    this.#parts = [];
    this.#kept = false;
  }

  #finish(): void {
    if (this.#kept || this.#parts.some(({ isMore }) => isMore !== true)) this.#emit();
    this.#parts = [];
  }

  #break({ separator, place }: OfKind<'break'>): void {
    if (separator === undefined) {
      this.#finish();
      this.#delimiter = 'none';
    } else if (ordinarySeparators.includes(separator)) {
      // Even after leading empty elements it combines with a separator that follows.
      const isFilled = this.#kept || this.#parts.length > 0;
      if (isFilled) this.#emit();
      if (isFilled || this.#delimiter === 'none') this.#delimiter = 'space';
    } else this.take(separatorItem(separator, place), undefined);
  }

  #keep(): void {
    this.#kept = true;
    this.#delimiter = 'none';
  }

  #more(hole: ShellHole): void {
    if (hole.apart !== true) this.#parts.push({ piece: hole, quoted: true, splits: false, isMore: true });
  }

  /** Adds an item that is not split. */
  #add(item: OfKind<'piece'>, next: Item | undefined): void {
    const isApart =
      item.splits &&
      item.piece.kind === 'hole' &&
      item.piece.apart === true &&
      this.#separators.includes(' ');
    // If it is empty, the text on both sides is one word.
    const isBetween = isApart && attaches(next, this.#separators);
    if (isApart && !isBetween) this.#finish();
    this.#parts.push(isBetween ? { ...item, many: true } : item);
    this.#delimiter = 'none';
  }

  #cut({ quoted }: OfKind<'piece'>, piece: Extract<ShellPiece, { kind: 'text' }>): void {
    const { text } = piece;
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charAt(at);
      if (!this.#separators.includes(character)) continue;
      if (at > from) this.#part(sliceText(piece, from, at), quoted);
      from = at + 1;
      this.#separate(ordinarySeparators.includes(character));
    }
    if (from < text.length) this.#part(sliceText(piece, from, text.length), quoted);
  }

  #part(piece: ShellPiece, quoted: boolean): void {
    this.#parts.push({ piece, quoted, splits: true });
    this.#delimiter = 'none';
  }

  #separate(isBlank: boolean): void {
    const isStarted = this.#parts.length > 0 || this.#kept;
    if (isBlank) {
      if (!isStarted) return;
      this.#emit();
      this.#delimiter = 'space';
      return;
    }
    // Blanks before it belong to the same delimiter.
    if (isStarted || this.#delimiter !== 'space') this.#emit();
    this.#delimiter = 'hard';
  }
}

/** Whether an item continues the preceding word. */
function attaches(item: Item | undefined, separators: string): boolean {
  if (item === undefined || item.kind === 'break' || item.kind === 'more') return false;
  if (item.kind === 'quotes' || !item.splits || item.piece.kind === 'hole') return true;
  return item.piece.text !== '' && !separators.includes(item.piece.text.charAt(0));
}

function separatorItem(text: string, place: Place): OfKind<'piece'> {
  return {
    kind: 'piece',
    piece: { kind: 'text', text, origin: madeAt(place) },
    quoted: false,
    splits: true,
  };
}

interface Part {
  readonly piece: ShellPiece;
  readonly quoted: boolean;
  readonly splits: boolean;
  readonly many?: boolean;
  readonly isMore?: boolean;
}

/** Whether a hole stands for at most one word even if unquoted. */
function isOneWord(piece: ShellHole): boolean {
  return piece.shape !== 'any' || piece.oneWord === true;
}

/** A hole that is a bare word may be no word or several; a quoted or attached one is part of one word. */
function settleHoles(
  parts: readonly Part[],
  kept: boolean,
): readonly { piece: ShellPiece; quoted: boolean }[] {
  if (parts.every(({ many }) => many === true)) return parts;
  const bare =
    !kept && parts.every(({ piece, splits, quoted }) => piece.kind === 'hole' && splits && !quoted);
  const splits = bare && parts.some(({ piece }) => piece.kind === 'hole' && !isOneWord(piece));
  const vanishes =
    bare &&
    parts.every(({ piece }) => piece.kind === 'hole' && piece.shape === 'any' && piece.nonEmpty !== true);
  return parts.map((part) => {
    const { piece, quoted } = part;
    if (piece.kind === 'text') return { piece, quoted };
    const cut = splits || (!bare && mayBeCut(part, piece));
    const takesBlank = parts.length > 1 && piece.takesBlank === true;
    const stays = (piece.vanishes ?? false) === vanishes && (piece.takesBlank ?? false) === takesBlank;
    if (piece.splits === cut && stays) return { piece, quoted };
    return { piece: { ...piece, splits: cut, vanishes, takesBlank }, quoted };
  });
}

/**
 * Whether a hole next to other text may split it into several words. A value from outside is assumed to be one word there (`--x=$X`); what the
 * script itself assembles may contain blanks.
 */
function mayBeCut({ splits, quoted, many }: Part, piece: ShellHole): boolean {
  if (many === true) return true;
  const ownText = piece.reason === 'loop' || piece.reason === 'branch' || piece.reason === 'too-complex';
  return splits && !quoted && (ownText || piece.blanks === true) && !isOneWord(piece);
}

/**
 * Whether one of several elements that may be absent is directly next to other text, which may then join the next element. An element with text
 * of its own is present, however many words it makes.
 */
export function attachesUncounted(items: readonly Item[]): boolean {
  const isBreak = ({ kind }: Item): boolean => kind === 'break';
  if (!items.some(isBreak)) return false;
  const ends = [...items.keys(), items.length].filter(
    (at) => at === items.length || items[at]?.kind === 'break',
  );
  return ends.some((end, index) =>
    mayJoinNext(items.slice(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, end)),
  );
}

/** Whether an element, apart from the text next to it, may be empty. */
function mayJoinNext(element: readonly Item[]): boolean {
  const own = element.flatMap((item) => (item.kind === 'piece' && item.many === true ? [item.piece] : []));
  const beside = element.filter(
    (item) => item.kind !== 'more' && !(item.kind === 'piece' && item.many === true),
  );
  return (
    own.length > 0 &&
    beside.length > 0 &&
    own.every((piece) => piece.kind === 'hole' || !/\S/.test(piece.text))
  );
}

/** The pieces of a field as one value. */
export function piecesOf(field: Field): Pieces {
  const out: ShellPiece[] = [];
  for (const { piece } of field.parts) if (piece.kind === 'hole' || piece.text !== '') out.push(piece);
  return out;
}

/**
 * The items as one value, as in an assignment or within quotes: nothing is split, and elements of `$@` are joined.
 *
 * @param isAssigned whether the value is assigned, or is a command's input: Bash then joins some lists differently
 */
export function joinItems(items: readonly Item[], isAssigned = false): Pieces {
  const values: ShellPiece[][] = [[]];
  const joints: Joint[] = [];
  for (const item of items) {
    if (item.kind === 'break') {
      values.push([]);
      const text = isAssigned ? (item.assigned ?? item.joint) : item.joint;
      joints.push({ text, place: item.place });
    } else if (item.kind === 'more') values.at(-1)?.push(item.hole);
    else if (item.kind === 'piece' && (item.piece.kind === 'hole' || item.piece.text !== ''))
      values.at(-1)?.push(item.piece);
  }
  return joints.length === 0 ? (values[0] ?? []) : joinedBy(values, joints);
}

/** Values joined with a separator. */
export function joinValues(values: readonly Pieces[], separator: string, place: Place): Pieces {
  return joinedBy(
    values,
    values.slice(1).map(() => ({ text: separator, place })),
  );
}

interface Joint {
  readonly text: string;
  readonly place: Place;
}

/**
 * Joins values. If one may be absent, its hole also stands for the adjacent separator. Only blanks are kept on both sides: where they separate
 * words, their number does not matter.
 */
function joinedBy(values: readonly Pieces[], joints: readonly Joint[]): Pieces {
  const absent = values.map(mayBeAbsent);
  const lastCertain = absent.lastIndexOf(false);
  const out: ShellPiece[] = [];
  values.forEach((value, index) => {
    const { text = '', place } = joints[index - 1] ?? {};
    const separates = absent[index - 1] !== true && (absent[index] !== true || index < lastCertain);
    if (place !== undefined && (text === ' ' || (text !== '' && separates)))
      out.push({ kind: 'text', text, origin: madeAt(place) });
    const [first] = value;
    const isBeside = text === ' ' || (index === 0 && joints[0]?.text === ' ');
    if (isBeside && absent[index] === true && value.length === 1 && first?.kind === 'hole')
      out.push({ ...first, takesBlank: true });
    else out.push(...value);
  });
  return out;
}

function mayBeAbsent(value: Pieces): boolean {
  return isUncounted(value) && value.every((piece) => piece.kind === 'hole');
}

/** Whether the characters at which words are split are unknown. */
export function isUnknownSeparator(variable: Variable | undefined): boolean {
  return variable?.kind === 'scalar' && knownText(variable.value) === undefined;
}

/** Replaces text that would be split at unknown characters by holes. */
export function withoutSeparators(items: readonly Item[], place: Place): readonly Item[] {
  return items.map((item) =>
    item.kind === 'piece' && item.splits && item.piece.kind === 'text' && item.piece.text !== ''
      ? { ...item, piece: hole('too-complex', item.piece.text, place) }
      : item,
  );
}

/** The separators given by IFS; the default ones if it is unset or unknown. */
export function separatorsOf(variable: Variable | undefined): string {
  return variable?.kind === 'scalar' ? (knownText(variable.value) ?? ordinarySeparators) : ordinarySeparators;
}
