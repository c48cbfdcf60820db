import type { ArithmeticExpression, Word as WordNode, WordPart } from 'unbash';
import type { Place } from '../../text/span.ts';
import type { Reason } from '../../value/value.ts';
import { settled } from '../conditions/narrowed.ts';
import { assumedTextOf } from '../conditions/shadow.ts';
import { union } from '../state/needs.ts';
import {
  firstHole,
  hole,
  knownText,
  made,
  type Pieces,
  type ShellHole,
  type ShellPiece,
} from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import { assignElement, assignReferred, forget } from '../statements/assign.ts';
import { isOfElement, referredBy } from '../statements/referred.ts';
import { inQuotes } from '../text/literal.ts';
import type { Source } from '../text/source.ts';
import {
  type Amount,
  type ArithmeticScope,
  evaluateArithmetic,
  exactly,
  unknownAmount,
} from './arithmetic.ts';
import { demand } from './demand.ts';
import { expandParts, partsOf } from './expand.ts';
import { type Keys, keysOf, readElement } from './listReading.ts';
import { isReadonly, type Reading, readScalar, targetName } from './read.ts';
import { type Item, joinItems } from './split.ts';
import { substituteCommand } from './substitute.ts';

/** The span and text of an expression. */
interface Written {
  readonly pos: number;
  readonly end: number;
  readonly text: string;
}

/** `$((…))`: its number, or a hole. */
export function expandArithmetic(
  shell: Shell,
  source: Source,
  expression: ArithmeticExpression | undefined,
  part: Written,
): Pieces {
  const place = source.place(part.pos, part.end);
  const amount =
    expression === undefined ? unparsed(shell, part, place) : evaluateExpression(shell, source, expression);
  if (amount !== undefined) return amountPieces(amount, part.text, place);
  shell.refuse('expansion', place, `Bash cannot compute ${part.text} and gives the command up.`);
  return [hole('too-complex', part.text, place, { shape: 'integer', nonEmpty: true })];
}

/** `$(( ))` that is empty, or is only valid after its expansions. */
function unparsed(shell: Shell, part: Written, place: Place): Amount | undefined {
  const inner = part.text.replace(/^\$(?:\(\(|\[)/, '').replace(/(?:\)\)|\])$/, '');
  if (/[$`'"\\]/.test(inner) && !/^[ \t\n]*\[/.test(inner)) return unknownAmount;
  return evaluateText(shell, made(inner, place), place);
}

/** A number as a value: text when it is certain, else a hole that keeps what Bash would have. */
export function amountPieces(amount: Amount, label: string, place: Place): Pieces {
  if (amount.value === undefined)
    return [hole(amount.reason ?? 'too-complex', label, place, { shape: 'integer', nonEmpty: true })];
  const text = String(amount.value);
  if (!amount.soft) return made(text, place);
  return [
    hole(amount.reason ?? 'environment', label, place, {
      shape: 'integer',
      nonEmpty: true,
      assumed: text,
      needs: amount.needs,
    }),
  ];
}

/** Evaluates an expression as Bash does: its `$…` are expanded first, then the text is parsed as arithmetic. */
export function evaluateExpression(
  shell: Shell,
  source: Source,
  expression: ArithmeticExpression,
): Amount | undefined {
  const place = source.place(expression.pos, expression.end);
  if (!shell.run.meter.spend()) return unknownAmount;
  if (expression.pos >= expression.end || expression.end > source.text.length) return unknownAmount;
  const all: ShellPiece[] = [];
  let at = expression.pos;
  const text = (from: number, to: number): void => {
    if (to > from)
      all.push({
        kind: 'text',
        text: source.text.slice(from, to),
        origin: { place, via: [], verbatim: false },
      });
  };
  for (const leaf of leavesOf(expression)) {
    if (leaf.type === 'ArithmeticWord' && isPlainOperand(leaf, source)) continue;
    text(at, leaf.pos);
    at = leaf.end;
    if (leaf.type === 'ArithmeticCommandExpansion') {
      all.push(...substituteCommand(shell, source, leaf));
      continue;
    }
    const parts = leaf.parts ?? unstructured(leaf);
    const items: Item[] = [];
    expandParts(shell, source, parts, inQuotes, items);
    all.push(...joinItems(items));
  }
  text(at, expression.end);
  if (shell.refused !== undefined) return unknownAmount;
  return evaluateText(shell, all, place);
}

/** Whether an operand is a number or name without expansions. */
function isPlainOperand(leaf: Leaf, source: Source): boolean {
  return (
    leaf.type === 'ArithmeticWord' &&
    leaf.parts === undefined &&
    !source.hasHoles &&
    !leaf.value.includes('$')
  );
}

/** The parts of an operand that the parser did not split: `$x`, or characters. */
function unstructured(leaf: Extract<Leaf, { type: 'ArithmeticWord' }>): readonly WordPart[] {
  const { pos, end, value } = leaf;
  if (/^\$(\w+|[@*#?$!-])$/.test(value)) return [{ type: 'SimpleExpansion', pos, end, text: value }];
  return [{ type: 'Literal', pos, end, value, text: value }];
}

type Leaf = Extract<ArithmeticExpression, { type: 'ArithmeticWord' | 'ArithmeticCommandExpansion' }>;

function leavesOf(expression: ArithmeticExpression): readonly Leaf[] {
  const out: Leaf[] = [];
  const visit = (node: ArithmeticExpression): void => {
    switch (node.type) {
      case 'ArithmeticBinary':
        visit(node.left);
        visit(node.right);
        break;
      case 'ArithmeticUnary':
        visit(node.operand);
        break;
      case 'ArithmeticTernary':
        visit(node.test);
        visit(node.consequent);
        visit(node.alternate);
        break;
      case 'ArithmeticGroup':
        visit(node.expression);
        break;
      default:
        out.push(node);
    }
  };
  visit(expression);
  return out;
}

/** Evaluates expanded text as arithmetic. Undefined if Bash certainly refuses it. */
export function evaluateText(shell: Shell, pieces: Pieces, place: Place): Amount | undefined {
  const holes: ShellHole[] = [];
  let text = '';
  for (const piece of pieces) {
    if (piece.kind === 'text') text += piece.text;
    else if (holes.length >= 6000) return unknownAmount;
    else {
      text += String.fromCharCode(0xe000 + holes.length);
      holes.push(piece);
    }
  }
  if (text.length > 20_000) return unknownAmount;
  // `$[[ … ]]`, whatever its content.
  if (/^[ \t\n]*\[/.test(text)) return undefined;
  const scope = new ShellScope(shell, holes, place);
  const amount = evaluateArithmetic(text, scope);
  const [first] = holes;
  if (amount === undefined) {
    if (first === undefined) return undefined;
    forgetAssigned(shell, text, place);
    return { ...unknownAmount, reason: first.reason };
  }
  if (amount.value !== undefined && !amount.soft) return amount;
  // The assumed values may not yield a number (division by zero), but given ones may.
  const reason = amount.value === undefined ? (scope.reason ?? scope.soft) : scope.soft;
  return reason === undefined ? amount : { ...amount, reason };
}

/** A name that an expression assigns. */
const assigned =
  /\b([A-Za-z_]\w*)(?:\[[^\]]*\])?[ \t\n]*(?:(?:<<|>>|[-+*/%&^|])?=(?!=)|\+\+|--)|(?:\+\+|--)([A-Za-z_]\w*)/g;

/** Handles an expression that is only valid depending on its unknown parts: what it assigns becomes unknown. */
function forgetAssigned(shell: Shell, text: string, place: Place): void {
  for (const [, after, before] of text.matchAll(assigned)) {
    const name = after ?? before;
    if (name !== undefined && !isReadonly(shell, name)) forget(shell, targetName(shell, name), place);
  }
}

/** The value of the array element that a name refers to (`declare -n R='A[1]'`); undefined for other names. */
function readReferred(shell: Shell, name: string, place: Place): Reading | undefined {
  const target = targetName(shell, name);
  if (!isOfElement(shell, target)) return undefined;
  const referred = referredBy(shell, shell.store.get(target), place);
  if (referred?.kind !== 'element' || referred.key === undefined) return undefined;
  return readElement(shell, referred.name, referred.key, `$${name}`, place);
}

/** Maximum depth of values evaluated within each other. */
const deepest = 20;

/** How often a text may be read within itself. */
const mostTimes = 2;

/**
 * Whether one of the texts that lead from one to the next certainly recurs forever: none changes a variable, so that nothing differs the next
 * time, and none has an operand that need not be read.
 */
function leadsBack(texts: readonly string[]): boolean {
  const isSteady = (text: string): boolean => !/=|\+\+|--|\?|&&|\|\|/.test(text);
  return new Set(texts).size < texts.length && texts.every(isSteady);
}

/** The variables of the shell as arithmetic sees them. */
class ShellScope implements ArithmeticScope {
  readonly #shell: Shell;
  readonly #holes: readonly ShellHole[];
  readonly #place: Place;
  readonly #above: readonly string[];
  /** Why the first unknown value is unknown. */
  reason: Reason | undefined;
  /** The possible source of values that Bash only assumes while they are not given: arguments take precedence over variables. */
  soft: 'environment' | 'positional' | undefined;

  /** @param above the texts of the variables and subscripts that led here, the outermost first */
  constructor(shell: Shell, holes: readonly ShellHole[], place: Place, above: readonly string[] = []) {
    this.#shell = shell;
    this.#holes = holes;
    this.#place = place;
    this.#above = above;
  }

  spend(): boolean {
    return this.#shell.run.meter.spend();
  }

  hole(mark: string): Amount {
    const piece = this.#holes[mark.charCodeAt(0) - 0xe000];
    return (piece === undefined ? undefined : this.#amount([piece])) ?? unknownAmount;
  }

  read(name: string, subscript: string | undefined): Amount | undefined {
    const shell = this.#shell;
    if (subscript === undefined) {
      const reading = readReferred(shell, name, this.#place) ?? readScalar(shell, name, this.#place);
      if (reading.set) return this.#amount(reading.pieces);
      if (reading.needs.length === 0) {
        shell.refuseUnset(name, this.#place);
        return exactly(0n);
      }
      if (shell.switches.nounset) {
        for (const need of reading.needs) demand(shell, need, this.#place);
        return unknownAmount;
      }
      this.soft ??= 'environment';
      return { value: 0n, soft: true, needs: reading.needs };
    }
    const key = this.#key(name, subscript);
    if (key === undefined) {
      // Whatever the index is.
      const kind = shell.store.get(name)?.kind ?? 'unset';
      if (shell.switches.nounset && kind === 'unset') this.read(name, undefined);
      return unknownAmount;
    }
    const element = readElement(shell, name, key, `\${${name}[${subscript}]}`, this.#place);
    if (element.set) return this.#amount(element.pieces);
    return element.needs.length === 0 ? exactly(0n) : { value: 0n, soft: true, needs: element.needs };
  }

  write(name: string, subscript: string | undefined, value: Amount): boolean {
    const shell = this.#shell;
    if (isReadonly(shell, name)) return false;
    const key = subscript === undefined ? undefined : this.#key(name, subscript);
    if (subscript !== undefined && key === undefined) {
      forget(shell, targetName(shell, name), this.#place);
      return true;
    }
    const pieces = amountPieces(value, name, this.#place);
    const variable = key === undefined ? shell.store.get(targetName(shell, name)) : undefined;
    const referred = referredBy(shell, variable, this.#place);
    if (referred === undefined) assignElement(shell, name, key, pieces, this.#place);
    else assignReferred(shell, referred, pieces, false, this.#place);
    return true;
  }

  #key(name: string, subscript: string): string | undefined {
    const known = keysOf(this.#shell, name, this.#place);
    if (known.associative)
      return /[\ue000-\uf8ff]/.test(subscript) ? undefined : subscript.replace(/["']/g, '');
    const scope = new ShellScope(this.#shell, this.#holes, this.#place, [...this.#above, subscript]);
    return indexKey(evaluateArithmetic(subscript, scope), known);
  }

  #amount(pieces: Pieces): Amount | undefined {
    const text = knownText(pieces);
    if (text !== undefined) return this.#nested(text);
    const shadow = assumedTextOf(this.#shell, pieces);
    if (shadow === undefined) {
      this.reason ??= firstHole(pieces)?.reason;
      return unknownAmount;
    }
    if (firstHole(pieces)?.reason === 'positional') this.soft = 'positional';
    else this.soft ??= 'environment';
    const amount = this.#nested(shadow.text) ?? unknownAmount;
    return { value: amount.value, soft: true, needs: union(amount.needs, shadow.needs) };
  }

  #nested(text: string): Amount | undefined {
    const above = [...this.#above, text];
    // Bash goes much deeper before it refuses a text that leads back to itself. With several such names, each would be followed again and
    // again.
    const comesBack = above.filter((one) => one === text).length > mostTimes;
    if (!comesBack && above.length <= deepest)
      return evaluateArithmetic(text, new ShellScope(this.#shell, [], this.#place, above));
    if (leadsBack(above)) return undefined;
    // How often they are assigned further on is not known.
    for (const one of new Set(above)) forgetAssigned(this.#shell, one, this.#place);
    return unknownAmount;
  }
}

/** Stands for an index before the first element of an array (`${A[-1]}` of an empty one), for which Bash reports an error. */
export const beforeFirst: unique symbol = Symbol('before the first element');

type Index = string | typeof beforeFirst | undefined;

/** The key for an index, or `beforeFirst`; undefined if the index is unknown, or negative when the end is uncertain. */
function indexOrBefore(amount: Amount | undefined, { next, certain }: Keys): Index {
  if (amount?.value === undefined || amount.soft) return undefined;
  if (amount.value >= 0n) return String(amount.value);
  const index = next + Number(amount.value);
  if (!certain) return undefined;
  return index < 0 ? beforeFirst : String(index);
}

function indexKey(amount: Amount | undefined, known: Keys): string | undefined {
  const key = indexOrBefore(amount, known);
  return key === beforeFirst ? undefined : key;
}

/** The number that a word (`${x:OFFSET}`) evaluates to, if certain. */
export function expandNumber(shell: Shell, source: Source, word: WordNode): number | undefined {
  const items: Item[] = [];
  expandParts(shell, source, partsOf(word), inQuotes, items);
  const amount = evaluateText(shell, joinItems(items), source.place(word.pos, word.end));
  if (amount === undefined) shell.refused = 'expansion';
  if (amount?.value === undefined || amount.soft) return undefined;
  return Number(amount.value);
}

/** The expanded content of a subscript. */
export function expandSubscript(shell: Shell, source: Source, word: WordNode, { associative }: Keys): Pieces {
  const items: Item[] = [];
  const around = associative ? ({ quoted: false, splits: false, tilde: 'no' } as const) : inQuotes;
  expandParts(shell, source, partsOf(word), around, items);
  return joinItems(items);
}

/** The key that a subscript denotes: text in an associative array, an index otherwise. Undefined if unknown. */
export function evaluateIndex(shell: Shell, source: Source, word: WordNode, known: Keys): string | undefined {
  const subscript = expandSubscript(shell, source, word, known);
  return keyOf(shell, subscript, known, source.place(word.pos, word.end));
}

/** The key that an expanded subscript denotes. */
export function keyOf(shell: Shell, subscript: Pieces, known: Keys, place: Place): string | undefined {
  const key = keyOrBefore(shell, subscript, known, place);
  return key === beforeFirst ? undefined : key;
}

/** The same, or `beforeFirst` if there is certainly no such element. */
export function keyOrBefore(shell: Shell, subscript: Pieces, known: Keys, place: Place): Index {
  if (known.associative) return knownText(settled(shell, subscript));
  const amount = evaluateText(shell, subscript, place);
  if (amount === undefined) shell.refused = 'expansion';
  return indexOrBefore(amount, known);
}
