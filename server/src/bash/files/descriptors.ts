import type { Place } from '../../text/span.ts';
import { chosenDescriptor, ofChosenDescriptor } from '../state/chosenDescriptor.ts';
import { hole, knownText, made, type Pieces } from '../state/pieces.ts';
import type { Flow, Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { blankVariable } from '../state/store.ts';
import { assignElement, forget } from '../statements/assign.ts';
import { keyOf } from '../words/arithmeticText.ts';
import { keysOf, readElement } from '../words/listReading.ts';
import { readScalar, targetName } from '../words/read.ts';

const prefix = ' input ';

/** The name under which a shell keeps what is left to read from a descriptor other than that of its input. */
function inputName(descriptor: number): string {
  return `${prefix}${descriptor}`;
}

/** Where the shell notes that it keeps such: most never do. */
const anyInput = ' inputs';

/** What is left to read from a descriptor (`exec 3< FILE`); undefined when that is not known. */
export function inputOf(shell: Shell, descriptor: number): Pieces | undefined {
  const variable = shell.store.get(inputName(descriptor));
  if (variable?.kind !== 'scalar' || variable.perhapsUnset) return undefined;
  // Paths that have read different amounts came together.
  const isMerged = variable.value.some(
    (piece) => piece.kind === 'hole' && (piece.reason === 'branch' || piece.reason === 'loop'),
  );
  return isMerged ? undefined : variable.value;
}

/** Lets a descriptor give a text; undefined where nothing is known of it. */
export function setInput(shell: Shell, descriptor: number, pieces: Pieces | undefined, place: Place): void {
  const { store } = shell;
  const name = inputName(descriptor);
  if (pieces === undefined && store.get(name) === undefined) return;
  store.setGlobal(
    name,
    pieces === undefined ? undefined : { ...blankVariable, kind: 'scalar', value: pieces, places: [place] },
  );
  if (pieces !== undefined && store.get(anyInput) === undefined) store.setGlobal(anyInput, blankVariable);
}

/** Forgets what is left of descriptors from which a subshell has read: it reads on where this shell stood, and the other way around. */
export function loseInputs(shell: Shell, subshell: Shell): void {
  if (shell.store.get(anyInput) === undefined) return;
  for (const [name, variable] of shell.store.visible())
    if (name.startsWith(prefix) && subshell.store.get(name) !== variable)
      shell.store.setGlobal(name, undefined);
}

/** Lets Bash choose a descriptor (`exec {FD}> FILE`): a free one, whose number the variable holds. */
export function chooseDescriptor(shell: Shell, name: string, place: Place): number {
  let descriptor = 10;
  while (shell.outputs.has(descriptor) || shell.store.get(inputName(descriptor)) !== undefined)
    descriptor += 1;
  // Whoever starts the script may have left lower ones open.
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

/** The descriptor that Bash has chosen for a name; undefined where none is known. */
export function descriptorChosen(shell: Shell, name: string, place: Place): number | undefined {
  const { base, subscript } = partsOf(name);
  if (subscript === undefined) return descriptorMeant(readScalar(shell, name, place).pieces);
  const key = keyIn(shell, base, subscript, place);
  return key === undefined ? undefined : descriptorMeant(readElement(shell, base, key, name, place).pieces);
}

/** The array and the subscript of a name that may be that of an element. */
function partsOf(name: string): { readonly base: string; readonly subscript: string | undefined } {
  const [, base = name, subscript] = /^(\w+)\[(.+)\]$/s.exec(name) ?? [];
  return { base, subscript };
}

function keyIn(shell: Shell, name: string, subscript: string, place: Place): string | undefined {
  if (/[$`"'\\]/.test(subscript)) return undefined;
  return keyOf(shell, made(subscript, place), keysOf(shell, name, place), place);
}

/** The descriptor that a word means: a number, or what holds that of a chosen one. */
export function descriptorMeant(pieces: Pieces): number | undefined {
  const text = knownText(pieces);
  if (text !== undefined) return /^\d+$/.test(text) ? Number(text) : undefined;
  const [only, ...others] = pieces;
  return only?.kind === 'hole' && others.length === 0 ? chosenDescriptor(only.of) : undefined;
}

/** Runs a builtin with what a descriptor gives as its input. */
export function fromDescriptor(
  shell: Shell,
  word: ShellWord | undefined,
  place: Place,
  body: () => Flow,
): Flow {
  const descriptor = word === undefined ? 0 : descriptorMeant(word.pieces);
  if (descriptor === 0) return body();
  const pieces = descriptor === undefined ? undefined : inputOf(shell, descriptor);
  const outer = shell.stdin;
  const stream = pieces === undefined ? undefined : { pieces };
  shell.stdin = stream;
  const flow = body();
  shell.stdin = outer;
  if (descriptor !== undefined && stream !== undefined) setInput(shell, descriptor, stream.pieces, place);
  return flow;
}
