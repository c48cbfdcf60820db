import type { Place } from '../../text/span.ts';
import { extended } from '../conditions/extended.ts';
import { loseDirectory } from '../state/elsewhere.ts';
import { hole, isSameText, isUncounted, knownText, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import { blankVariable, type Positionals, type Store, type Variable } from '../state/store.ts';
import { unknownVariable } from './assign.ts';
import { joinFacts } from './joinedFacts.ts';
import { type Files, filesOf, joinFiles } from './joinedFiles.ts';

/** What part of a script may change, and what is joined after it. */
export interface State {
  readonly store: Store;
  readonly positionals: Positionals;
  readonly cwd: string | undefined;
  readonly files: Files;
}

/** The current state of a shell. */
export function stateOf(shell: Shell): State {
  const { store, positionals, cwd, run } = shell;
  return { store: store.copy(), positionals, cwd, files: filesOf(run) };
}

/** Makes everything that differs from another state unknown. */
export function mergeState(
  shell: Shell,
  other: State,
  place: Place,
  reason: 'branch' | 'loop' | 'too-complex',
): void {
  mergeInto(shell, other.store, place, reason);
  joinRest(shell, other, place);
  joinFiles(shell.run, other.files, place);
}

/** Keeps of the working directory, the positional parameters and the pipeline what both sides have in common. */
export function joinRest(shell: Shell, other: Omit<State, 'store' | 'files'>, place: Place): void {
  if (other.cwd !== shell.cwd) loseDirectory(shell);
  shell.pipeline = undefined;
  const { positionals } = shell;
  if (positionals === other.positionals) return;
  const { words } = other.positionals;
  const same =
    positionals.words.length === words.length &&
    positionals.words.every((word, index) => isSameText(word, words[index]));
  if (same && positionals.open === other.positionals.open) return;
  const all: Pieces = [{ ...hole('positional', '$@', place), splits: true }];
  shell.positionals = { ...positionals, words: [all] };
}

/** Makes every variable that differs from `other` unknown; returns whether any does. */
export function mergeInto(
  shell: Shell,
  other: Store,
  place: Place,
  reason: 'branch' | 'loop' | 'too-complex',
): boolean {
  let differs = joinFacts(shell.store, other.facts, place, reason);
  shell.store.joinKnown(other);
  for (const name of shell.store.differences(other)) {
    const a = shell.store.get(name);
    const b = other.get(name);
    if (a === b) continue;
    const attributes = joinedAttributes(a ?? blankVariable, b ?? blankVariable);
    if (a !== undefined && b !== undefined && holdsSame(a, b)) {
      // More may have been added on only one of the sides.
      const open = a.open.length === 0 ? b.open : a.open;
      if (open !== a.open || attributes !== undefined) shell.store.set(name, { ...a, ...attributes, open });
      if (attributes !== undefined) differs = true;
      continue;
    }
    differs = true;
    const kept = isArray(b) && !isArray(a) ? b : (a ?? b ?? blankVariable);
    const merged = {
      ...unknownVariable(kept, name, place, reason, sharedElements(a, b)),
      ...attributes,
      perhapsUnset: !isSet(a) || !isSet(b),
    };
    const [x, y] = [textIn(a), textIn(b)];
    const value = extended(x, y, merged.value) ?? extended(y, x, merged.value);
    if (value !== undefined) shell.store.set(name, { ...merged, value });
    else shell.store.set(name, reason === 'branch' ? oneOf(a, b, merged) : merged);
  }
  return differs;
}

function textIn(variable: Variable | undefined): Pieces | undefined {
  return variable?.kind === 'scalar' ? variable.value : undefined;
}

/** The attributes of a variable after a join; undefined if both sides have the same. After different ones, assigned values are unknown. */
function joinedAttributes(
  a: Variable,
  b: Variable,
): Partial<Pick<Variable, 'integer' | 'letters' | 'readonly' | 'exported' | 'perhapsExported'>> | undefined {
  const declared =
    a.integer === b.integer && a.letters === b.letters && a.readonly === b.readonly
      ? undefined
      : { integer: false, letters: 'unsure' as const, readonly: a.readonly && b.readonly };
  // What one side does not touch is there as the caller has it.
  const isExportedAlike =
    a === blankVariable ||
    b === blankVariable ||
    (a.exported === b.exported && (a.perhapsExported === true) === (b.perhapsExported === true));
  return isExportedAlike ? declared : { ...declared, exported: true, perhapsExported: true };
}

function isArray(variable: Variable | undefined): variable is Variable {
  return variable?.kind === 'indexed' || variable?.kind === 'associative';
}

function isSet(variable: Variable | undefined): boolean {
  return variable !== undefined && variable.kind !== 'unset' && !variable.perhapsUnset;
}

/** The elements that two arrays begin with in common. */
function sharedElements(a: Variable | undefined, b: Variable | undefined): readonly Pieces[] {
  if (a?.kind !== 'indexed' || b?.kind !== 'indexed') return [];
  const out: Pieces[] = [];
  for (const [key, value] of a.elements) {
    if (key !== String(out.length) || isUncounted(value)) break;
    if (!isSameText(value, b.elements.get(key))) break;
    out.push(value);
  }
  return out;
}

/** What is known of a variable that holds one of two texts: that it is a number, or one word. */
function oneOf(a: Variable | undefined, b: Variable | undefined, merged: Variable): Variable {
  const [only] = merged.value;
  if (a?.kind !== 'scalar' || b?.kind !== 'scalar' || only?.kind !== 'hole') return merged;
  const texts = [knownText(a.value), knownText(b.value)];
  if (!texts.every((text) => text !== undefined && /^[^\s*?[\\]+$/.test(text))) return merged;
  const integer = texts.every((text) => text !== undefined && /^\d+$/.test(text));
  const value: Pieces = [
    { ...only, shape: integer ? 'integer' : 'any', nonEmpty: true, oneWord: true, oneLine: true },
  ];
  return { ...merged, value };
}

/** Whether two variables hold the same known text. */
export function sameValue(a: Variable, b: Variable): boolean {
  return a.exported === b.exported && holdsSame(a, b);
}

function holdsSame(a: Variable, b: Variable): boolean {
  if (a.kind !== b.kind || a.elements.size !== b.elements.size) return false;
  if (a.perhapsUnset !== b.perhapsUnset || !isSameText(a.value, b.value)) return false;
  if (a.elements.shares(b.elements)) return true;
  for (const [key, value] of a.elements) if (!isSameText(value, b.elements.get(key))) return false;
  return true;
}
