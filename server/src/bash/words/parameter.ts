import type {
  ParameterExpansionPart,
  ParameterOperation,
  SimpleExpansionPart,
  Word as WordNode,
} from 'unbash';
import type { Place } from '../../text/span.ts';
import { isFilledSomewhere } from '../slips/unassigned.ts';
import {
  hole,
  identified,
  identityOfElement,
  isUncounted,
  knownText,
  made,
  nothing,
  type Pieces,
  slicePieces,
} from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import { isBare, type Variable } from '../state/store.ts';
import type { Source } from '../text/source.ts';
import { beforeFirst, expandSubscript, keyOrBefore } from './arithmeticText.ts';
import { expandDefault, expandListDefault } from './default.ts';
import { demand } from './demand.ts';
import { describeList, describeScalar, isDescription } from './described.ts';
import { appendScalar, appendUnknown, type Expansion, refer } from './expansion.ts';
import { keysOf, type ListReading, plainList, readElement, readList } from './listReading.ts';
import { append, appendList, appendSeveral, sliceList, uncountedList } from './lists.ts';
import { type Reading, readScalar, seenThrough, targetName } from './read.ts';
import { type Item, separatorsOf } from './split.ts';
import { isAscii, operationTransform, removedAtEdge, transformer } from './transform.ts';

/** Expands `$x` or `${…}` and appends the result. */
export function expandParameter(
  shell: Shell,
  source: Source,
  part: SimpleExpansionPart | ParameterExpansionPart,
  quoted: boolean,
  out: Item[],
  assigned = false,
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
  expandBraced({ shell, source, part, quoted, assigned, place, out });
}

function expandBraced(expansion: Expansion): void {
  const { shell, source, part } = expansion;
  if (shell.inHereText && !part.text.endsWith('}')) {
    const [line] = part.text.split('\n', 1);
    const message = `A quote keeps ${line} from being closed in this here-document: Bash does not run the command.`;
    shell.refuse(shell.switches.errexit ? 'unset' : 'expansion', expansion.place, message);
    appendUnknown(expansion);
    return;
  }
  if (!source.hasHoles && isMalformed(part, (name) => shell.store.get(name) !== undefined)) {
    const text = part.text.startsWith('${{') ? `${part.text}}` : part.text;
    const message = `${text} is not an expansion that Bash knows: it skips the command.`;
    shell.refuse(shell.switches.errexit ? 'unset' : 'expansion', expansion.place, message);
    appendUnknown(expansion);
    return;
  }
  const subscript = part.index?.text;
  const whole = subscript === '@' || subscript === '*';
  if (part.operation?.type === 'Names') names(expansion, part.operation.operator === '*');
  else if (part.prefix === '!' && whole) keys(expansion, subscript === '*');
  else if (part.prefix === '!') indirect(expansion);
  else if (part.prefix === '#') length(expansion, whole);
  else if (part.parameter === '@' || part.parameter === '*')
    list(expansion, part.parameter, part.parameter === '*');
  else if (whole) list(expansion, part.parameter, subscript === '*');
  else scalar(expansion, part.parameter, part.index);
}

/**
 * `${args.lr}`, `${A[]}`, `${:-x}`, `${x:}`: a bad substitution to Bash. `${x~}` is an undocumented one that it supports; `${{ x }}` is filled
 * in before Bash reads it, unless the script has a variable of that name.
 */
function isMalformed(
  { operation, index, parameter, prefix, text }: ParameterExpansionPart,
  isSet: (name: string) => boolean,
): boolean {
  if (operation?.type === 'Slice' && text.endsWith(':}'))
    return operation.length === undefined && operation.offset.text === '';
  const isNameless = parameter === '' && prefix === undefined;
  if (operation !== undefined && operation.type !== 'Unknown' && !isNameless) return false;
  // An unclosed one is a syntax error and reported as such.
  if (!text.endsWith('}')) return false;
  if (text.startsWith('${{')) return isSet(/^\$\{\{(\w+)\}$/.exec(text)?.[1] ?? '');
  if (operation === undefined || isNameless) return index?.text === '' || parameter === '';
  return !/[~\\]/.test(text);
}

/** `${!prefix*}`: the names in order, with those from the environment in between. */
function names({ shell, part, place, quoted, out }: Expansion, star: boolean): void {
  const others: Pieces = [
    { ...hole('environment', part.text, place, { assumed: '', blanks: true }), splits: true },
  ];
  const own = shell.store.namesWith(part.parameter).flatMap((name) => [made(name, place), others]);
  appendList(shell, plainList([others, ...own], 0), star, quoted, place, out, quoted);
}

/** `${!a[@]}`. */
function keys({ shell, part, place, quoted, out }: Expansion, star: boolean): void {
  const reading = readList(shell, part.parameter, place);
  const elements = reading.keys.slice(0, reading.counted).map((key) => made(key, place));
  const behind = reading.elements[reading.counted];
  if (behind !== undefined) elements.push(uncountedList(part.text, place, behind));
  appendList(shell, plainList(elements), star, quoted, place, out, quoted);
}

/** `${!x}`: the parameter that x names. */
function indirect(expansion: Expansion): void {
  const { shell, part, place } = expansion;
  const target = part.index === undefined ? targetName(shell, part.parameter) : part.parameter;
  if (target !== part.parameter) {
    // A nameref expands to its target's name, and with an operator to the operator's result for the variable.
    if (part.operation === undefined) append(expansion.out, made(target, place), expansion.quoted);
    else scalar(expansion, target, undefined);
    return;
  }
  const reading = readIndexed(expansion, part.parameter, part.index);
  const name = knownText(reading.pieces);
  const match = name === undefined ? null : /^([A-Za-z_]\w*|\d+|[@*#?])(?:\[(.+)\])?$/.exec(name);
  // An array without a first element names nothing, which Bash does not refuse.
  const { variable } = reading;
  const isList = variable?.kind === 'indexed' || variable?.kind === 'associative';
  if (!reading.set && isList && part.index === undefined && reading.needs.length === 0) {
    if (part.operation === undefined) append(expansion.out, nothing, expansion.quoted);
    else appendUnknown(expansion);
    return;
  }
  // Anything that cannot be a name, including an empty text, or is certainly not set.
  const isRefused = reading.set
    ? match === null && name !== undefined && !/^[-$!]$|^\w+\[/.test(name)
    : reading.needs.length === 0 &&
      part.index === undefined &&
      !shell.store.isLocal(part.parameter) &&
      !shell.unreadSource;
  if (isRefused) shell.refused ??= shell.switches.errexit ? 'unset' : 'expansion';
  // Bash also refuses it if nobody provides the name.
  if (!reading.set && part.index === undefined && !isRefused)
    for (const need of reading.needs) demand(shell, need, place);
  if (!reading.set || match === null) {
    appendUnknown(expansion, reading.pieces);
    return;
  }
  const [, base = '', subscript] = match;
  if (subscript === undefined && base !== '@' && base !== '*') scalar(expansion, base, undefined);
  else if (subscript === undefined || subscript === '@' || subscript === '*')
    list(expansion, base, base === '*' || subscript === '*');
  else if (!/^\d+$/.test(subscript) && !keysOf(shell, base, place).associative) appendUnknown(expansion);
  else ofReading(expansion, base, undefined, readElement(shell, base, subscript, part.text, place));
}

/** Whether a variable was declared but never assigned. */
function neverSet(variable: Variable | undefined): boolean {
  return variable !== undefined && isBare(variable);
}

/** `${#x}`, `${#a[@]}`. */
function length(expansion: Expansion, whole: boolean): void {
  const { shell, source, part, place, quoted, out } = expansion;
  if (whole || part.parameter === '@' || part.parameter === '*') {
    const { elements, counted, open, needs, variable } = readList(shell, part.parameter, place);
    // Outside of functions there is no FUNCNAME.
    const isMissing =
      variable === undefined
        ? needs.includes(part.parameter) || part.parameter === 'FUNCNAME'
        : neverSet(variable) && needs.length === 0;
    if (shell.switches.nounset && isMissing && elements.length === 0 && !open) {
      // What other lines assign to it is the point of the script.
      if (variable?.kind !== 'unset' && isFilledSomewhere(shell.run.shared, source, part.parameter)) {
        append(out, [hole('branch', part.text, place, { shape: 'integer', nonEmpty: true })], quoted);
        return;
      }
      shell.refuseUnset(part.parameter, place, 'expansion');
      if (shell.refused !== undefined) return;
    }
    // A scalar has one element, but under `set -u` Bash 5.2 counts elements only of arrays.
    const isGiven =
      variable === undefined && Object.hasOwn(shell.run.shared.options.machine.variables, part.parameter);
    if (shell.switches.nounset && (variable?.kind === 'scalar' || isGiven)) {
      shell.refused ??= shell.switches.errexit ? 'unset' : 'expansion';
      return;
    }
    const count = String(elements.length);
    const facts = { shape: 'integer', nonEmpty: true } as const;
    if (counted < elements.length) append(out, [hole('positional', part.text, place, facts)], quoted);
    else if (open || needs.length > 0) {
      const assumed = { ...facts, assumed: count, needs: ['@', '#'] };
      append(out, [hole('positional', part.text, place, assumed)], quoted);
    } else append(out, made(count, place), quoted);
    return;
  }
  const reading = readIndexed(expansion, part.parameter, part.index, true);
  if (shell.refused !== undefined) return;
  // For a missing element of an existing array, Bash returns a length of 0 even under `set -u`.
  const { variable } = reading;
  const isElement =
    part.index !== undefined && variable !== undefined && variable.kind !== 'scalar' && !neverSet(variable);
  if (isElement && !reading.set && reading.needs.length === 0) {
    append(out, made('0', place), quoted);
    return;
  }
  const pieces = seenThrough(shell, part.parameter, reading, place);
  const measured = transformer(
    shell,
    part.text,
    place,
    'integer',
  )(pieces, (text) => (isAscii(text) ? made(String(text.length), place) : undefined));
  append(out, measured, quoted);
}

/** @param isMeasured whether its length is asked for: Bash refuses that for an impossible element, which otherwise reads as empty */
function readIndexed(
  { shell, source, part, place }: Expansion,
  name: string,
  index: WordNode | undefined,
  isMeasured = false,
): Reading {
  if (index === undefined) return readScalar(shell, name, place);
  const known = keysOf(shell, name, place);
  const subscript = expandSubscript(shell, source, index, known);
  const key = keyOrBefore(shell, subscript, known, source.place(index.pos, index.end));
  // An associative array has no element with an empty key.
  if (key === beforeFirst || (known.associative && knownText(subscript) === '')) {
    const variable = shell.store.get(targetName(shell, name));
    const isThere = variable !== undefined && variable.kind !== 'unset' && !neverSet(variable);
    if (isMeasured && !isThere) return { set: false, pieces: nothing, needs: [], variable };
    if (shell.switches.errexit) shell.refused = 'unset';
    else if (isMeasured) shell.refused = 'expansion';
    return { set: false, pieces: nothing, needs: [], variable: undefined };
  }
  if (key === undefined) {
    // The script ends if its associative array has no such key.
    if (known.associative && shell.switches.nounset && part.operation?.type !== 'Default')
      shell.run.assume({ place, kind: 'guard', text: `${part.text} is set` });
    const of = identityOfElement(part.text, identified(subscript), place);
    const pieces = [hole('too-complex', part.text, place, { of })];
    return { set: true, pieces, needs: [], variable: undefined, perhapsUnset: true };
  }
  return readElement(shell, name, key, part.text, place);
}

function scalar(expansion: Expansion, name: string, index: WordNode | undefined): void {
  ofReading(expansion, name, index, readIndexed(expansion, name, index));
}

/** Applies the operator of an expansion to a value. */
function ofReading(expansion: Expansion, name: string, index: WordNode | undefined, reading: Reading): void {
  const { shell, part, place, quoted, out } = expansion;
  const { operation } = part;
  if (operation === undefined) {
    appendScalar(shell, name, reading, quoted, place, out);
    return;
  }
  if (operation.type === 'Default') {
    expandDefault(expansion, name, index, reading, operation);
    return;
  }
  const letter = operation.type === 'Transform' ? operation.operand.text : '';
  const describes = isDescription(letter, false);
  const variable = shell.store.get(targetName(shell, name));
  // An array has attributes even without a first element.
  if (!reading.set && describes && variable !== undefined && variable.elements.size > 0) {
    describeScalar(expansion, name, letter, reading);
    return;
  }
  const pieces = seenThrough(shell, name, reading, place);
  if (shell.refused !== undefined) return;
  refer(shell, name, reading, pieces, place);
  if (describes && (reading.set || variable !== undefined)) {
    describeScalar(expansion, name, letter, reading);
    return;
  }
  // Any operator makes nothing of an unset parameter.
  if (!reading.set) {
    append(out, pieces, quoted);
    return;
  }
  const change = changeOf(expansion, operation);
  const text = operation.type === 'Slice' && change !== undefined ? knownText(pieces) : undefined;
  // An end before the start.
  if (text !== undefined && isAscii(text) && change?.(text, pieces) === undefined)
    shell.refused = 'expansion';
  if (change === undefined) {
    appendUnknown(expansion, pieces);
    return;
  }
  const left = operation.type === 'Remove' ? removedAtEdge(operation.operator, pieces, change) : undefined;
  append(out, left ?? transformer(shell, part.text, place)(pieces, change), quoted);
}

function changeOf(
  { shell, source, place }: Expansion,
  operation: ParameterOperation,
): ((text: string, pieces: Pieces) => Pieces | undefined) | undefined {
  const transform = operationTransform(shell, source, operation);
  if (transform === undefined) return undefined;
  return (text, pieces) => {
    const result = transform(text);
    if (result === undefined) return undefined;
    return typeof result === 'string' ? made(result, place) : slicePieces(pieces, result[0], result[1]);
  };
}

/** `$@`, `${a[@]}` with an operator applied to each element. */
function list(expansion: Expansion, name: string, star: boolean): void {
  const { shell, source, part, place, quoted, out } = expansion;
  const reading = readList(shell, name, place);
  const { operation } = part;
  if (operation === undefined) {
    noteUnassigned(shell, name, reading, place);
    shell.run.refer(place, () => ({
      kind: 'expansion',
      name,
      place,
      word: undefined,
      assignments: reading.variable?.places ?? [],
    }));
    appendList(shell, reading, star, quoted, place, out);
    return;
  }
  if (operation.type === 'Default') {
    expandListDefault(expansion, reading, star, operation);
    return;
  }
  if (operation.type === 'Slice') {
    // For a scalar it is a part of the text.
    if (reading.variable?.kind === 'scalar') {
      if (quoted) out.push({ kind: 'quotes' });
      scalar(expansion, name, undefined);
      return;
    }
    const { offset, length: count } = operation;
    const kept = sliceList(shell, source, reading, offset, count, name === '@' || name === '*');
    const elements = [uncountedList(part.text, place, reading.elements[reading.counted])];
    appendList(shell, kept ?? { ...reading, elements, next: undefined }, star, quoted, place, out, quoted);
    return;
  }
  if (operation.type === 'Transform' && isDescription(operation.operand.text, true)) {
    describeList(expansion, name, star, operation.operand.text, reading);
    return;
  }
  const change = changeOf(expansion, operation);
  if (operation.type === 'Transform' && change === undefined) {
    appendSeveral(out, part.text, place, undefined, quoted);
    return;
  }
  if (!quoted && separatorsOf(shell.store.get('IFS')) === '') {
    // Bash 5.2 puts characters of its own there.
    appendSeveral(out, part.text, place, undefined, quoted);
    return;
  }
  const elements = reading.elements.map((element) => {
    if (isUncounted(element)) return uncountedList(part.text, place, element);
    return change === undefined
      ? [hole('too-complex', part.text, place)]
      : transformer(shell, part.text, place)(element, change);
  });
  const isPart = operation.type === 'Remove' || operation.type === 'Transform';
  if (shell.inHereText && star && !isPart && elements.length > 1) {
    // Bash joins these sometimes with a blank, sometimes with the first separator.
    append(out, [hole('too-complex', part.text, place)], quoted);
    return;
  }
  const changed = { ...reading, elements, next: undefined };
  appendList(shell, changed, star, quoted, place, out, quoted || isPart);
}

function noteUnassigned({ run }: Shell, name: string, reading: ListReading, place: Place): void {
  if (reading.needs.length === 0 || reading.elements.length > 0 || name === '@' || name === '*') return;
  if (reading.open || run.given.has(name)) return;
  if (!run.shared.unassigned.has(name)) run.shared.unassigned.set(name, place);
}
