import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

// The launcher begins with a space for new objects that does not grow, and collects new objects on the thread that made them.

/** Bytes up to which the space for new objects may grow: a quarter of what V8 takes for it, both halves together. */
const largest = 8 * 1024 * 1024;

/**
 * Lets the space for new objects grow to a quarter of what V8 would take: V8 has no setting for it that a running program can change, but
 * one for how much it grows.
 * @returns what is to be called before each file that is linted
 */
export function limitedNewObjects(): () => void {
  let isLargest = false;
  return () => {
    if (isLargest) return;
    isLargest = newObjects() >= largest;
    setFlagsFromString(`--semi-space-growth-factor=${isLargest ? 1 : 2}`);
  };
}

/** Bytes of the space for new objects. */
function newObjects(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? largest;
}

/** Collects new objects as V8 would by itself, beside the program and in a space that grows: for a server, which runs for hours. */
export function collectAsServer(): void {
  for (const setting of ['--semi-space-growth-factor=2', '--parallel-scavenge']) setFlagsFromString(setting);
}
