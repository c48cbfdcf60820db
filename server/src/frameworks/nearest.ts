import { closest } from '../text/spelling.ts';
import { replacesWord } from './suggest.ts';

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1);
}

/** The words of the parts between the first and the last one. */
function middleWords(key: string): readonly string[] {
  return key.split('.').slice(1, -1).join('_').split(/[-_]/).filter(Boolean);
}

/**
 * Whether a key may have been meant elsewhere in the tree, under the same last part: the last part is specific enough (`max_grad_norm`), or one
 * of the two is directly below the top, or their middle parts share a word. `optimizer.type` is not `kl_ctrl.type`.
 */
function isRelated(key: string, candidate: string): boolean {
  if (/[-_]/.test(lastPart(key))) return true;
  const [words, others] = [middleWords(key), middleWords(candidate)];
  return words.length === 0 || others.length === 0 || words.some((word) => others.includes(word));
}

/**
 * The known key that was probably meant: a few letters off, or with the same last part elsewhere in the tree.
 * @returns undefined if no key is close enough to mention
 */
export function nearestKey(key: string, known: Iterable<string>): string | undefined {
  const last = lastPart(key);
  const moved: string[] = [];
  const others: string[] = [];
  for (const candidate of known) {
    // The key's own group takes no value.
    if (key.startsWith(`${candidate}.`)) continue;
    const isMoved = lastPart(candidate) === last && isRelated(key, candidate);
    (isMoved ? moved : others).push(candidate);
  }
  const limit = Math.min(3, Math.floor(key.length / 5));
  // If only sections above the key are missing, take the first that has it: the policy's before the reference model's.
  const [below] = key.includes('.') ? moved.filter((candidate) => candidate.endsWith(`.${key}`)) : [];
  if (below !== undefined) return below;
  // Among equals, prefer the one with the same last part: the mistake is in another part.
  const near = closest(key.replaceAll('-', '_'), [...moved, ...others], limit);
  return near === undefined || hasOtherPart(key, near)
    ? closest(key, mostAlike(key, moved), Number.POSITIVE_INFINITY)
    : near;
}

/** Whether a part of a key has a word that is entirely different from the candidate's, however few letters of the whole key differ. */
function hasOtherPart(key: string, candidate: string): boolean {
  const [parts, others] = [key.split('.'), candidate.split('.')];
  return parts.length === others.length && parts.some((part, at) => replacesWord(part, others[at] ?? ''));
}

/** The candidates that share the most parts with a key. */
function mostAlike(key: string, candidates: readonly string[]): readonly string[] {
  const parts = new Set(key.split('.'));
  const shared = (candidate: string): number => candidate.split('.').filter((part) => parts.has(part)).length;
  const most = Math.max(0, ...candidates.map(shared));
  return candidates.filter((candidate) => shared(candidate) === most);
}

/** The choice that was probably meant: a few letters off, or the only one of which the value is a prefix or the reverse. */
export function nearestChoice(value: string, choices: readonly string[]): string | undefined {
  const near = nearestKey(value, choices);
  if (near !== undefined || value.length < 3) return near;
  const alike = choices.filter(
    (choice) => choice.length >= 3 && (choice.startsWith(value) || value.startsWith(choice)),
  );
  return alike.length === 1 ? alike[0] : undefined;
}
