import { closest } from '../../text/spelling.ts';

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1);
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
    (lastPart(candidate) === last ? moved : others).push(candidate);
  }
  const limit = Math.min(3, Math.floor(key.length / 5));
  return closest(key.replaceAll('-', '_'), others, limit) ?? closest(key, moved, Number.POSITIVE_INFINITY);
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
