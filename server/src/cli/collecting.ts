import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

// The launcher starts with a new space (V8's space for new objects) that does not grow and is collected on the thread that made the objects.

/** Maximum size of the new space, in bytes: a quarter of V8's default, both halves together. */
const largest = 8 * 1024 * 1024;

/**
 * Lets the new space grow to a quarter of V8's default: a running program can change by how much V8 grows it, but not its limit.
 * @returns what to call before each linted file
 */
export function limitedNewObjects(): () => void {
  let isLargest = false;
  return () => {
    if (isLargest) return;
    isLargest = newObjects() >= largest;
    setFlagsFromString(`--semi-space-growth-factor=${isLargest ? 1 : 2}`);
  };
}

/** Size of the new space, in bytes. */
function newObjects(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? largest;
}

/** Collects new objects as V8 does by default, in parallel and in a growing space: for a server, which runs for hours. */
export function collectAsServer(): void {
  for (const setting of ['--semi-space-growth-factor=2', '--parallel-scavenge']) setFlagsFromString(setting);
}
