import type { Place } from '../text/span.ts';
import { unknownVariable } from './assign.ts';
import { exitFlow, type Flow, type Shell, type Status } from './shell.ts';
import type { Store, Variable } from './store.ts';
import { blankVariable } from './store.ts';

/** Whether what follows a condition runs: yes, no, or both ways to be joined. */
export function decide(shell: Shell, status: Status): 'yes' | 'no' | 'join' {
  if (status.fork === undefined) return status.code === 0 ? 'yes' : 'no';
  const side = shell.run.choose(status.fork.fork);
  if (side === undefined) return 'join';
  return (side === 0) === status.fork.first ? 'yes' : 'no';
}

/** Runs several continuations of one state and joins what they leave: values that differ are not known any more. */
export function joinBranches(shell: Shell, place: Place, bodies: readonly (() => Flow)[]): Flow {
  const before = shell.store;
  const { cwd, positionals } = shell;
  const ends: { store: Store; flow: Flow; cwd: string | undefined }[] = [];
  for (const body of bodies) {
    shell.store = before.copy();
    shell.cwd = cwd;
    shell.positionals = positionals;
    // A guard's exit on one of several joined sides does not begin the path again.
    const wasSubshell = shell.subshell;
    shell.subshell = true;
    const flow = body();
    shell.subshell = wasSubshell;
    ends.push({ store: shell.store, flow, cwd: shell.cwd });
  }
  const lasting = ends.filter(({ flow }) => flow?.kind !== 'exit');
  const [first, ...rest] = lasting;
  if (first === undefined) return exitFlow;
  shell.store = first.store;
  shell.cwd = rest.every((end) => end.cwd === first.cwd) ? first.cwd : undefined;
  for (const end of rest) mergeInto(shell, end.store.visible(), place, 'branch');
  return rest.every(({ flow }) => flow?.kind === first.flow?.kind) ? first.flow : undefined;
}

/** Makes every variable that differs from `other` unknown. */
export function mergeInto(
  shell: Shell,
  other: ReadonlyMap<string, Variable>,
  place: Place,
  reason: 'branch' | 'loop' | 'too-complex',
): void {
  const mine = shell.store.visible();
  for (const name of new Set([...mine.keys(), ...other.keys()])) {
    const a = mine.get(name);
    const b = other.get(name);
    if (a === b || (a !== undefined && b !== undefined && sameValue(a, b))) continue;
    shell.store.set(name, unknownVariable(a ?? b ?? blankVariable, name, place, reason));
  }
}

/** Whether two variables hold the same known text. */
function sameValue(a: Variable, b: Variable): boolean {
  if (a.kind !== b.kind || a.elements.size !== b.elements.size || a.exported !== b.exported) return false;
  const same = (x: Variable['value'], y: Variable['value'] | undefined): boolean => {
    if (y === undefined) return false;
    if (x === y) return true;
    const text = (pieces: Variable['value']): string | undefined => {
      let out = '';
      for (const piece of pieces) {
        if (piece.kind === 'hole') return undefined;
        out += piece.text;
      }
      return out;
    };
    const left = text(x);
    return left !== undefined && left === text(y);
  };
  if (!same(a.value, b.value)) return false;
  for (const [key, value] of a.elements) if (!same(value, b.elements.get(key))) return false;
  return true;
}
