/** Number of hash table buckets of an associative array since Bash 5.0. */
const buckets = 1024;

/** The bucket of a key: the FNV-1 hash of its bytes. */
function bucketOf(key: string): number {
  let hash = 2_166_136_261;
  for (const byte of new TextEncoder().encode(key)) {
    hash = Math.imul(hash, 16_777_619);
    // Bytes are signed characters in C.
    hash ^= byte < 128 ? byte : byte - 256;
  }
  return (hash >>> 0) % buckets;
}

/**
 * The entries of an associative array, given in assignment order, in the order in which Bash walks its table: by bucket, newest first within a
 * bucket.
 */
export function inBashOrder<Value>(
  entries: readonly (readonly [string, Value])[],
): readonly (readonly [string, Value])[] {
  return entries
    .map((entry, age) => ({ entry, age, bucket: bucketOf(entry[0]) }))
    .sort((a, b) => a.bucket - b.bucket || b.age - a.age)
    .map(({ entry }) => entry);
}
