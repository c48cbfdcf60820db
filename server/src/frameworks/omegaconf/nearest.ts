import { distance } from 'fastest-levenshtein';

/**
 * The known key that somebody probably meant: the same last part elsewhere in the tree, or a few letters off.
 * @returns undefined when nothing is near enough to be worth saying
 */
export function nearestKey(key: string, known: Iterable<string>): string | undefined {
  const last = key.slice(key.lastIndexOf('.') + 1);
  let moved: string | undefined;
  let movedBy = Number.POSITIVE_INFINITY;
  let near: string | undefined;
  let nearBy = Math.min(3, Math.floor(key.length / 5)) + 1;
  for (const candidate of known) {
    if (candidate.slice(candidate.lastIndexOf('.') + 1) === last) {
      const steps = distance(key, candidate);
      if (steps < movedBy) [moved, movedBy] = [candidate, steps];
    } else if (Math.abs(candidate.length - key.length) < nearBy) {
      const steps = distance(key.replaceAll('-', '_'), candidate);
      if (steps < nearBy) [near, nearBy] = [candidate, steps];
    }
  }
  return near ?? moved;
}
