import type { ParameterOperation, Word as WordNode } from 'unbash';
import data from '../../../../schemas/common/programs.json';
import { emptiness } from '../conditions/shadow.ts';
import { hole, identityMade, identityOf, knownText, nothing, through } from '../state/pieces.ts';
import { assignScalar } from '../statements/assign.ts';
import { attributed } from '../statements/attributed.ts';
import { argumentOf } from './arguments.ts';
import { demand } from './demand.ts';
import { appendScalar, appendUnknown, type Expansion, expandOperand } from './expansion.ts';
import { type ListReading, openPlace } from './listReading.ts';
import { append, appendList, appendSeveral } from './lists.ts';
import { absentValue, labelOf, type Reading } from './read.ts';
import { joinItems } from './split.ts';

type Default = Extract<ParameterOperation, { type: 'Default' }>;

/** `${x:-word}` and the like for a scalar parameter. */
export function expandDefault(
  expansion: Expansion,
  name: string,
  index: WordNode | undefined,
  reading: Reading,
  operation: Default,
): void {
  const { shell, place, quoted, out } = expansion;
  const colon = operation.operator.startsWith(':');
  const kind = operation.operator.at(-1);
  let missing = !reading.set;
  let needs = reading.needs;
  if (reading.set && (colon || reading.perhapsUnset === true)) {
    const state = colon ? emptiness(shell, reading.pieces) : undefined;
    if (state === undefined || state.kind === 'unknown') {
      unknownDefault(expansion, name, index, reading, operation);
      return;
    }
    missing = state.kind === 'empty';
    needs = state.needs;
  }
  if (needs.length > 0 && shell.touched !== undefined) for (const need of needs) shell.touched.add(need);
  if (kind === '+') {
    if (!missing) expandOperand(expansion, operation.operand);
    else for (const need of needs) shell.run.restOn(need, place);
  } else if (!missing) {
    // A value that the environment provides instead of the default may also have the default's shape.
    const pieces = reading.pieces.map((piece) =>
      piece.kind === 'hole' && piece.reason === 'environment' && reading.variable === undefined
        ? { ...piece, shape: 'any' as const }
        : piece,
    );
    appendScalar(shell, name, { ...reading, pieces }, quoted, place, out);
  } else if (kind === '?') demandMissing(expansion, name, { ...reading, needs }, operation.operator);
  else takeDefault(expansion, name, index, { ...reading, needs }, operation);
}

/** `${x:?}` of a missing parameter: whoever starts the script must provide it. */
function demandMissing(expansion: Expansion, name: string, reading: Reading, operator: string): void {
  const { shell, place, quoted, out } = expansion;
  const { needs } = reading;
  const positional = /^\d+$/.test(name);
  // The function's caller passes the arguments: nobody else can provide another one.
  if (positional && needs.length === 0 && !shell.positionals.open) {
    const message = `Nothing sets $${name} here, so \${${name}${operator}} ends the script.`;
    // A copy of the shell ends alone, which may be intended: the script continues.
    if (shell.subshell) shell.refused ??= 'unset';
    else shell.refuse('unset', place, message);
    return;
  }
  const missingNames = needs.length > 0 ? needs : [reading.set ? `=${name}` : name];
  for (const need of missingNames) demand(shell, need, place);
  const [only, ...others] = reading.pieces;
  const of =
    only?.kind === 'hole' && others.length === 0
      ? identityOf(only)
      : positional
        ? argumentOf(shell, needs[0])
        : undefined;
  const facts = { nonEmpty: true, oneWord: positional, of };
  append(
    out,
    [hole(positional ? 'positional' : 'environment', labelOf(name, reading), place, facts)],
    quoted,
  );
}

/**
 * Switches that make a script only print what it would start: if on by default, the user is meant to read that and then start the script
 * without.
 */
const rehearsing: ReadonlySet<string> = new Set(data.rehearses);

/** `${x:-word}` and `${x:=word}` of a missing parameter. */
function takeDefault(
  expansion: Expansion,
  name: string,
  index: WordNode | undefined,
  reading: Reading,
  { operator, operand }: Default,
): void {
  const { shell, place, quoted, out } = expansion;
  const { run } = shell;
  const { needs, variable } = reading;
  for (const need of needs) run.restOn(need, place);
  const before = out.length;
  expandOperand(expansion, operand);
  if (shell.refused !== undefined) return;
  let value = joinItems(out.slice(before));
  if (rehearsing.has(name) && !/^(?:|0|false|no|off)$/i.test(knownText(value) ?? ''))
    for (const need of needs) if (!run.shared.awaited.has(need)) run.shared.awaited.set(need, place);
  if (needs.length > 0 && !reading.set && knownText(value) === '') {
    // `${X:-}` only says that X may be absent (`set -u`): a value from the environment is used as for `$X`.
    value = [absentValue(shell, name, reading, place)];
    out.length = before;
    append(out, value, quoted);
  }
  if (operator.endsWith('=')) {
    const changes = variable !== undefined && (variable.integer || variable.letters !== undefined);
    if (changes) value = attributed(shell, variable, value, place);
    assignScalar(shell, expansion.source, name, index, value, place, [place]);
    const isList = out.slice(before).some((item) => item.kind === 'break');
    if (!quoted || changes || isList) {
      // Bash expands to the assigned text: it splits that whatever quotes are in the operand, and within quotes a list is one word.
      out.length = before;
      append(out, value, quoted);
    }
  }
  run.refer(place, () => ({
    kind: 'expansion',
    name,
    place,
    word: { pieces: value, place },
    assignments: variable?.places ?? [],
  }));
}

/** The default of a parameter that may or may not be missing. */
function unknownDefault(
  expansion: Expansion,
  name: string,
  index: WordNode | undefined,
  { pieces }: Reading,
  { operator, operand }: Default,
): void {
  const { shell, part, place, quoted, out } = expansion;
  const kind = operator.at(-1);
  if (kind === '?') append(out, through(pieces, place), quoted);
  else if (kind === '+') {
    const before = out.length;
    expandOperand(expansion, operand);
    out.length = before;
    appendUnknown(expansion, pieces);
  } else {
    const labelled = through(pieces, place).map((piece) => {
      if (piece.kind !== 'hole') return piece;
      const of = identityMade(index === undefined ? part.text : `${operator}${operand.text}`, [piece]);
      return { ...piece, label: part.text, of };
    });
    append(out, labelled, quoted);
    if (kind === '=') assignScalar(shell, expansion.source, name, index, labelled, place, [place]);
  }
}

/** `${a[@]:-word}` and its kin. */
export function expandListDefault(
  expansion: Expansion,
  list: ListReading,
  star: boolean,
  operation: Default,
): void {
  const { shell, place, quoted, out } = expansion;
  const kind = operation.operator.at(-1);
  const colon = operation.operator.startsWith(':');
  if (list.counted === 0 && list.elements.length > 0) {
    appendSeveral(out, expansion.part.text, place, list.elements[0], quoted);
    return;
  }
  const empty =
    list.elements.length === 0 ||
    (colon && list.elements.length === 1 && emptiness(shell, list.elements[0] ?? nothing).kind === 'empty');
  if (list.open && list.elements.length === 0)
    shell.openPlaces.push(openPlace({ ...list, next: undefined }, place));
  if (kind !== '+' && !empty) appendList(shell, list, star, quoted, place, out);
  else if (kind === '?') for (const need of list.needs) demand(shell, need, place);
  else if (kind !== '+' || list.elements.length > 0) {
    // The replacement of the list is one word, even if it is empty.
    if (quoted) out.push({ kind: 'quotes' });
    if (kind !== '+' || !empty) expandOperand(expansion, operation.operand);
  }
}
