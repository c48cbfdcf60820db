import type { Place } from '../../text/span.ts';
import { chosenDescriptor, ofChosenDescriptor } from '../state/chosenDescriptor.ts';
import { hole, knownText, made, type Pieces } from '../state/pieces.ts';
import type { Flow, Shell } from '../state/shell.ts';
import { changedMap } from '../state/shellFacts.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { blankVariable } from '../state/store.ts';
import { assignElement, forget } from '../statements/assign.ts';
import { keyOf } from '../words/arithmeticText.ts';
import { keysOf, readElement } from '../words/listReading.ts';
import { readScalar, targetName } from '../words/read.ts';

/** What is left to read from a descriptor (`exec 3< FILE`); undefined if unknown. */
export function inputOf(shell: Shell, descriptor: number): Pieces | undefined {
  return shell.store.facts.inputs.get(descriptor);
}

/** Sets what can be read from a descriptor; undefined if that is unknown. */
export function setInput({ store }: Shell, descriptor: number, pieces: Pieces | undefined): void {
  const inputs = changedMap(store.facts.inputs, descriptor, pieces);
  if (inputs !== store.facts.inputs) store.keep({ inputs });
}

/** Forgets the remaining input of descriptors that a subshell has read from: the read position is shared. */
export function loseInputs(shell: Shell, subshell: Shell): void {
  const { inputs } = shell.store.facts;
  const own = subshell.store.facts.inputs;
  if (inputs === own) return;
  for (const [descriptor, pieces] of inputs)
    if (own.get(descriptor) !== pieces) setInput(shell, descriptor, undefined);
}

/** Chooses a descriptor as Bash does (`exec {FD}> FILE`): a free one, whose number the variable then holds. */
export function chooseDescriptor(shell: Shell, name: string, place: Place): number {
  let descriptor = 10;
  while (shell.outputs.has(descriptor) || shell.store.facts.inputs.has(descriptor)) descriptor += 1;
  // The caller of the script may have left lower ones open.
  const facts = { shape: 'integer', nonEmpty: true, of: ofChosenDescriptor(descriptor) } as const;
  const value = [hole('random', `$${name}`, place, facts)];
  const { base, subscript } = partsOf(name);
  if (subscript === undefined)
    shell.store.set(name, { ...blankVariable, kind: 'scalar', value, places: [place] });
  else {
    const key = keyIn(shell, base, subscript, place);
    if (key === undefined) forget(shell, targetName(shell, base), place);
    else assignElement(shell, base, key, value, place);
  }
  return descriptor;
}

/** The descriptor that Bash has chosen for a name; undefined if none is known. */
export function descriptorChosen(shell: Shell, name: string, place: Place): number | undefined {
  const { base, subscript } = partsOf(name);
  if (subscript === undefined) return descriptorMeant(readScalar(shell, name, place).pieces);
  const key = keyIn(shell, base, subscript, place);
  return key === undefined ? undefined : descriptorMeant(readElement(shell, base, key, name, place).pieces);
}

/** The array and the subscript of a name that may denote an element. */
function partsOf(name: string): { readonly base: string; readonly subscript: string | undefined } {
  const [, base = name, subscript] = /^(\w+)\[(.+)\]$/s.exec(name) ?? [];
  return { base, subscript };
}

function keyIn(shell: Shell, name: string, subscript: string, place: Place): string | undefined {
  if (/[$`"'\\]/.test(subscript)) return undefined;
  return keyOf(shell, made(subscript, place), keysOf(shell, name, place), place);
}

/** The descriptor that a word denotes: a literal number, or the value of a variable with a chosen one. */
export function descriptorMeant(pieces: Pieces): number | undefined {
  const text = knownText(pieces);
  if (text !== undefined) return /^\d+$/.test(text) ? Number(text) : undefined;
  const [only, ...others] = pieces;
  return only?.kind === 'hole' && others.length === 0 ? chosenDescriptor(only.of) : undefined;
}

/** Runs a builtin with a descriptor as its standard input. */
export function fromDescriptor(shell: Shell, word: ShellWord | undefined, body: () => Flow): Flow {
  const descriptor = word === undefined ? 0 : descriptorMeant(word.pieces);
  if (descriptor === 0) return body();
  const pieces = descriptor === undefined ? undefined : inputOf(shell, descriptor);
  const outer = shell.stdin;
  const stream = pieces === undefined ? undefined : { pieces };
  shell.stdin = stream;
  const flow = body();
  shell.stdin = outer;
  if (descriptor !== undefined && stream !== undefined) setInput(shell, descriptor, stream.pieces);
  return flow;
}
