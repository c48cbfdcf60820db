import type { Pieces, ShellPiece } from '../state/pieces.ts';
import type { ShellFacts } from '../state/shellFacts.ts';
import type { Positionals, Store, Variable } from '../state/store.ts';

/**
 * Whether a round of a loop left every variable as it was, as far as is known: the same texts, and for something unknown the same question
 * about it (`USED=$(nvidia-smi …)` in each round). The next round is then the same again.
 *
 * @param before the variables before the round, a copy of which became `after`
 * @param counter the loop's own variable, which no round reads
 */
export function isRepetition(before: Store, after: Store, counter?: string): boolean {
  if (!areFactsAlike(before.facts, after.facts)) return false;
  for (const name of after.differences(before)) {
    if (name === counter) continue;
    const [a, b] = [before.get(name), after.get(name)];
    if (a !== b && (a === undefined || b === undefined || !isSameVariable(a, b))) return false;
  }
  return true;
}

/** Whether a round left the positional parameters as they were, as far as is known. */
export function arePositionalsSame(before: Positionals, after: Positionals): boolean {
  if (before === after) return true;
  const { words, open, shifted, offset } = after;
  if (before.offset !== offset) return false;
  if (before.words.length !== words.length || before.open !== open || before.shifted !== shifted)
    return false;
  return words.every((word, index) => isSameValue(before.words[index] ?? [], word));
}

type FactsCompared = (a: ShellFacts, b: ShellFacts) => boolean;

/** Compares each fact of a shell, by name, so that the compiler requires every one of them. */
const areAlike: { readonly [Fact in keyof ShellFacts]: FactsCompared } = {
  traps: (a, b) => isAlikeIn(a.traps, b.traps, (one, other) => isSameValue(one.commands, other.commands)),
  aliases: (a, b) => areAliasesAlike(a.aliases, b.aliases),
  inputs: (a, b) => isAlikeIn(a.inputs, b.inputs, (one, other) => isSameValue(one ?? [], other ?? [])),
  descriptors: (a, b) => isAlikeIn(a.descriptors, b.descriptors, () => false),
  lastJob: (a, b) => areOptionalAlike(a.lastJob && [a.lastJob], b.lastJob && [b.lastJob]),
  endedJobs: (a, b) => (a.endedJobs.length === 0) === (b.endedJobs.length === 0),
  // Only whether it has waited for a job matters, and each round starts its own.
  waits: (a, b) => (a.waits.most === 0) === (b.waits.most === 0),
  formerDirectory: (a, b) => areOptionalAlike(a.formerDirectory, b.formerDirectory),
  directories: (a, b) => areSameValues(a.directories, b.directories),
  // It may be any of the unknown directories.
  whereabouts: () => true,
  isDirectorySettled: (a, b) => a.isDirectorySettled === b.isDirectorySettled,
  isDirectoryGuessed: (a, b) => a.isDirectoryGuessed === b.isDirectoryGuessed,
  lettersRead: (a, b) => a.lettersRead === b.lettersRead,
  doubts: (a, b) => (a.doubts === undefined) === (b.doubts === undefined),
};

const comparisons: readonly FactsCompared[] = Object.values(areAlike);

/** Whether two shells hold the same facts besides variables. */
function areFactsAlike(a: ShellFacts, b: ShellFacts): boolean {
  return a === b || comparisons.every((isAlike) => isAlike(a, b));
}

function areOptionalAlike(a: Pieces | undefined, b: Pieces | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && isSameValue(a, b));
}

function areSameValues(a: readonly Pieces[], b: readonly Pieces[]): boolean {
  return a === b || (a.length === b.length && a.every((value, index) => isSameValue(value, b[index] ?? [])));
}

function areAliasesAlike(a: ShellFacts['aliases'], b: ShellFacts['aliases']): boolean {
  if (a === b) return true;
  return [...a.changed(b)].every((name) => {
    const [one, other] = [a.entry(name)?.value, b.entry(name)?.value];
    return one === other || (one && other && isSameValue(one.text ?? [], other.text ?? []));
  });
}

function isAlikeIn<K, V>(
  a: ReadonlyMap<K, V>,
  b: ReadonlyMap<K, V>,
  isAlike: (one: V, other: V) => boolean,
): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [key, one] of a) {
    const other = b.get(key);
    if (one !== other && (other === undefined || !isAlike(one, other))) return false;
  }
  return true;
}

function isSameVariable(a: Variable, b: Variable): boolean {
  if (a.kind !== b.kind || a.exported !== b.exported || a.perhapsUnset !== b.perhapsUnset) return false;
  if (a.open.length !== b.open.length || a.elements.size !== b.elements.size) return false;
  if (!isSameValue(a.value, b.value)) return false;
  if (a.elements.shares(b.elements)) return true;
  for (const [key, value] of a.elements) {
    const other = b.elements.get(key);
    if (other === undefined || !isSameValue(value, other)) return false;
  }
  return true;
}

function isSameValue(a: Pieces, b: Pieces): boolean {
  return a === b || (a.length === b.length && a.every((piece, index) => isSamePiece(piece, b[index])));
}

function isSamePiece(a: ShellPiece, b: ShellPiece | undefined): boolean {
  if (a === b) return true;
  if (a.kind === 'text' || b?.kind !== 'hole')
    return a.kind === 'text' && b?.kind === 'text' && a.text === b.text;
  return questionOf(a) === questionOf(b);
}

/** All that is known of a hole except the way it came. */
function questionOf(piece: ShellPiece): string {
  return JSON.stringify({ ...piece, origin: undefined });
}
