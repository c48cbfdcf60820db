import { type Stats, statSync } from 'node:fs';
import type { Host } from '../value/host.ts';
import { onDisk } from './native.ts';

/** The kind of a path, from its stat result; undefined means that nothing is there. */
export function kindOf(stat: Stats | undefined): ReturnType<Host['kind']> {
  if (stat === undefined) return 'absent';
  return stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : 'unknown';
}

/** What is at a path; links are followed. */
export function kindOnDisk(path: string): ReturnType<Host['kind']> {
  try {
    return kindOf(statSync(onDisk(path), { throwIfNoEntry: false }));
  } catch {
    // A loop of links or a folder without permission: it may be readable where the job runs.
    return 'unknown';
  }
}
