/** Whether a character, given by its code point, matches. */
export type CharacterTest = (codePoint: number) => boolean;

/**
 * A state: it consumes a character, asserts something about the position, forks, or (for `!(..)`) skips every text that the inner automaton
 * does not match.
 */
export type State =
  | { readonly kind: 'one'; readonly test: CharacterTest; readonly next: number }
  | {
      readonly kind: 'assert';
      readonly test: (text: string, position: number) => boolean;
      readonly next: number;
    }
  | { readonly kind: 'fork'; readonly next: readonly number[] }
  | { readonly kind: 'not'; readonly inner: Automaton; readonly next: number }
  | { readonly kind: 'accept' };

/** A nondeterministic automaton; all its states are followed in parallel, so matching never takes exponential time. */
export interface Automaton {
  readonly states: readonly State[];
  readonly start: number;
}

/**
 * All positions, ascending, where a match that begins at `from` can end; with `anywhere`, where a match that begins at or after `from` can end.
 */
export function endsOf(
  automaton: Automaton,
  text: string,
  from: number,
  anywhere: boolean,
): readonly number[] {
  const ends: number[] = [];
  const waiting = new Map<number, Set<number>>();
  let everywhereLater: { readonly state: number; readonly except: ReadonlySet<number> }[] = [];
  const schedule = (position: number, state: number): void => {
    const set = waiting.get(position);
    if (set === undefined) waiting.set(position, new Set([state]));
    else set.add(state);
  };
  schedule(from, automaton.start);
  for (let position = from; position <= text.length; position += widthAt(text, position)) {
    const active = waiting.get(position) ?? new Set<number>();
    waiting.delete(position);
    if (anywhere) active.add(automaton.start);
    for (const { state, except } of everywhereLater) if (!except.has(position)) active.add(state);
    // A set is iterated in insertion order, including items added meanwhile: this computes the closure over forks.
    for (const index of active) {
      const state = automaton.states[index];
      if (state === undefined) continue;
      if (state.kind === 'accept') ends.push(position);
      else if (state.kind === 'fork') for (const next of state.next) active.add(next);
      else if (state.kind === 'assert') {
        if (state.test(text, position)) active.add(state.next);
      } else if (state.kind === 'not') {
        const except = new Set(endsOf(state.inner, text, position, false));
        if (!except.has(position)) active.add(state.next);
        everywhereLater.push({ state: state.next, except });
      } else if (position < text.length && state.test(text.codePointAt(position) ?? 0)) {
        schedule(position + widthAt(text, position), state.next);
      }
    }
    everywhereLater = joinExceptions(everywhereLater);
    if (waiting.size === 0 && everywhereLater.length === 0 && !anywhere) break;
  }
  return ends;
}

/** Several `!(..)` with the same state that began at different positions: a position is excluded only if all exclude it. */
function joinExceptions<T extends { readonly state: number; readonly except: ReadonlySet<number> }>(
  items: readonly T[],
): T[] {
  const byState = new Map<number, T>();
  for (const item of items) {
    const other = byState.get(item.state);
    if (other === undefined) byState.set(item.state, item);
    else {
      const both = new Set([...item.except].filter((position) => other.except.has(position)));
      byState.set(item.state, { ...item, except: both });
    }
  }
  return [...byState.values()];
}

/** UTF-16 units of the character at a position. */
export function widthAt(text: string, position: number): number {
  return (text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1;
}

/** Bounds the total work of many searches; once `left` is negative, later answers must be discarded. */
export interface Meter {
  left: number;
}

/** The leftmost longest match that begins at or after `from`, as `[start, end]`; for automata without `not`. */
export function findLongest(
  automaton: Automaton,
  text: string,
  from: number,
  meter: Meter = { left: 10_000_000 },
): readonly [number, number] | undefined {
  let best: readonly [number, number] | undefined;
  const later = new Map<number, Map<number, number>>();
  for (let position = from; position <= text.length; position += widthAt(text, position)) {
    // Maps a state to the leftmost position where a match leading to it began.
    const active = later.get(position) ?? new Map<number, number>();
    later.delete(position);
    const queue: [number, number][] = [...active].sort((a, b) => a[1] - b[1]);
    if (best === undefined) queue.push([automaton.start, position]);
    const seen = new Set<number>();
    meter.left -= 1 + queue.length;
    if (meter.left < 0) return undefined;
    for (const [index, began] of queue) {
      const state = automaton.states[index];
      if (state === undefined || seen.has(index) || (best !== undefined && began > best[0])) continue;
      seen.add(index);
      if (state.kind === 'accept') best = [began, position];
      else if (state.kind === 'fork') for (const next of state.next) queue.push([next, began]);
      else if (state.kind === 'assert') {
        if (state.test(text, position)) queue.push([state.next, began]);
      } else if (
        state.kind === 'one' &&
        position < text.length &&
        state.test(text.codePointAt(position) ?? 0)
      ) {
        const target = position + widthAt(text, position);
        const next = later.get(target) ?? new Map<number, number>();
        next.set(state.next, Math.min(began, next.get(state.next) ?? began));
        later.set(target, next);
      }
    }
    if (best !== undefined && later.size === 0) break;
  }
  return best;
}
