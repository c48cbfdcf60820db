import type { Place } from '../../text/span.ts';
import { LayeredMap } from './layeredMap.ts';
import type { Pieces, ShellHole } from './pieces.ts';

/** What a shell has traps for: an event, or a signal by its name without `SIG`. */
export type TrapEvent = 'EXIT' | 'ERR' | 'RETURN' | 'DEBUG' | `SIG${string}`;

/** Commands set for an event (`trap COMMANDS EVENT`). */
export interface Trap {
  /** If empty, the event is ignored. */
  readonly commands: Pieces;
  readonly place: Place;
}

/** The text of an alias. */
export interface Alias {
  /** Undefined if it was removed. */
  readonly text: Pieces | undefined;
  /** Where it got that text. */
  readonly place: Place;
  /** Its previous text: still valid on the line of the change and before it. */
  readonly before: Omit<Alias, 'before'> | undefined;
}

/** What a shell holds besides its variables, and what its copies start with. Immutable, so that copies of a shell may share it. */
export interface ShellFacts {
  readonly traps: ReadonlyMap<TrapEvent, Trap>;
  /** A layered map because a script may have very many: copies are cheap. */
  readonly aliases: LayeredMap<Alias>;
  /** What is left to read from descriptors other than standard input; undefined for an open one whose content is unknown. */
  readonly inputs: ReadonlyMap<number, Pieces | undefined>;
  /** Which descriptors the script has opened or closed itself; `either` if only one of two joined paths has. */
  readonly descriptors: ReadonlyMap<number, 'open' | 'closed' | 'either'>;
  /** The process ID of the last background command. */
  readonly lastJob: ShellHole | undefined;
  /** Where the jobs that the script itself has killed were started. */
  readonly endedJobs: readonly Place[];
  /** How often the script has waited for all jobs, after which Bash no longer knows their status: at least and at most. */
  readonly waits: { readonly least: number; readonly most: number };
  /** The previous working directory; undefined if there was none. */
  readonly formerDirectory: Pieces | undefined;
  /** The directories to which `popd` returns, the latest first. */
  readonly directories: readonly Pieces[];
  /** The key of the working directory if it is unknown; undefined if it is known, or may be one of several. */
  readonly whereabouts: string | undefined;
  /** Whether the assumed working directory is right wherever the script is started. */
  readonly isDirectorySettled: boolean;
  /** Whether the shell's directory is unspecified: files are nevertheless looked up in an assumed one. */
  readonly isDirectoryGuessed: boolean;
  /** Number of letters that `getopts` has read of an option word. */
  readonly lettersRead: number;
  /** Places of values that may no longer be current; undefined if nothing is in doubt. */
  readonly doubts: readonly Place[] | undefined;
}

/** The facts of a shell that has not done anything yet. */
export const firstFacts: ShellFacts = {
  traps: new Map(),
  aliases: LayeredMap.empty(),
  inputs: new Map(),
  descriptors: new Map(),
  lastJob: undefined,
  endedJobs: [],
  waits: { least: 0, most: 0 },
  formerDirectory: undefined,
  directories: [],
  whereabouts: undefined,
  isDirectorySettled: false,
  isDirectoryGuessed: false,
  lettersRead: 0,
  doubts: undefined,
};

/** The event key for a signal, given by its name without `SIG`. */
export function atSignal(signal: string): TrapEvent {
  return `SIG${signal}`;
}

/** A map with a changed value for a key, or without the key; the same map if nothing changes. */
export function changedMap<K, V>(map: ReadonlyMap<K, V>, key: K, value: V | undefined): ReadonlyMap<K, V> {
  if (value === undefined && !map.has(key)) return map;
  const out = new Map(map);
  if (value === undefined) out.delete(key);
  else out.set(key, value);
  return out;
}
