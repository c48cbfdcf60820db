import { closest } from '../text/spelling.ts';

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1);
}

/** The words of the parts between the first and the last. */
function middleWords(key: string): readonly string[] {
  return key.split('.').slice(1, -1).join('_').split(/[-_]/).filter(Boolean);
}

/**
 * Whether a key may stand elsewhere in the tree under the same last part: that says enough by itself (`max_grad_norm`), or one of them stands right
 * below the top, or they lie in parts of one name. `optimizer.type` is no `kl_ctrl.type`.
 */
function isRelated(key: string, candidate: string): boolean {
  if (/[-_]/.test(lastPart(key))) return true;
  const [words, others] = [middleWords(key), middleWords(candidate)];
  return words.length === 0 || others.length === 0 || words.some((word) => others.includes(word));
}

/**
 * The known key that somebody probably meant: a few letters off, or the same last part elsewhere in the tree.
 * @returns undefined when nothing is near enough to be worth saying
 */
export function nearestKey(key: string, known: Iterable<string>): string | undefined {
  const last = lastPart(key);
  const moved: string[] = [];
  const others: string[] = [];
  for (const candidate of known) {
    // The group that a key stands in takes no value.
    if (key.startsWith(`${candidate}.`)) continue;
    const isMoved = lastPart(candidate) === last && isRelated(key, candidate);
    (isMoved ? moved : others).push(candidate);
  }
  const limit = Math.min(3, Math.floor(key.length / 5));
  // Where only the sections above it are left out, the first of them that has it: the policy's before the reference model's.
  const [below] = key.includes('.') ? moved.filter((candidate) => candidate.endsWith(`.${key}`)) : [];
  if (below !== undefined) return below;
  return (
    // Of equals, the one with the same last part: the slip is in another one.
    closest(key.replaceAll('-', '_'), [...moved, ...others], limit) ??
    closest(key, mostAlike(key, moved), Number.POSITIVE_INFINITY)
  );
}

/** Those of some keys that share the most parts with a key. */
function mostAlike(key: string, candidates: readonly string[]): readonly string[] {
  const parts = new Set(key.split('.'));
  const shared = (candidate: string): number => candidate.split('.').filter((part) => parts.has(part)).length;
  const most = Math.max(0, ...candidates.map(shared));
  return candidates.filter((candidate) => shared(candidate) === most);
}

/** The choice that was probably meant: a few letters off, or the only one that the value begins or that begins the value. */
export function nearestChoice(value: string, choices: readonly string[]): string | undefined {
  const near = nearestKey(value, choices);
  if (near !== undefined || value.length < 3) return near;
  const alike = choices.filter(
    (choice) => choice.length >= 3 && (choice.startsWith(value) || value.startsWith(choice)),
  );
  return alike.length === 1 ? alike[0] : undefined;
}
