import type { Place } from '../../text/span.ts';
import { LayeredMap } from './layeredMap.ts';
import type { Pieces, ShellHole } from './pieces.ts';

/** What a shell is told to react to with commands: an event in it, or a signal by its name without `SIG`. */
export type TrapEvent = 'EXIT' | 'ERR' | 'RETURN' | 'DEBUG' | `SIG${string}`;

/** Commands that are told to a shell for an event (`trap COMMANDS EVENT`). */
export interface Trap {
  /** Nothing in it: the event is ignored. */
  readonly commands: Pieces;
  readonly place: Place;
}

/** What an alias stands for. */
export interface Alias {
  /** Undefined where it was taken away. */
  readonly text: Pieces | undefined;
  /** Where it was given that text. */
  readonly place: Place;
  /** What it stood for before: on its line, and in front of it, it still does. */
  readonly before: Omit<Alias, 'before'> | undefined;
}

/**
 * What a shell keeps beside its variables, and a copy of it begins with. It is never changed in place, so that copies of a shell may share
 * it.
 */
export interface ShellFacts {
  readonly traps: ReadonlyMap<TrapEvent, Trap>;
  /** A script may have very many: another one makes a cheap copy. */
  readonly aliases: LayeredMap<Alias>;
  /** What is left to read from descriptors other than that of its input; undefined for an open one of which that is not known. */
  readonly inputs: ReadonlyMap<number, Pieces | undefined>;
  /** Which descriptors the script has opened or closed itself; `either` where only one of two joined paths has. */
  readonly descriptors: ReadonlyMap<number, 'open' | 'closed' | 'either'>;
  /** The number of the command that was put into the background last. */
  readonly lastJob: ShellHole | undefined;
  /** Where the jobs were started that the script has ended itself. */
  readonly endedJobs: readonly Place[];
  /** The working directory before the present one; undefined where there was none. */
  readonly formerDirectory: Pieces | undefined;
  /** The directories to which `popd` returns, the latest first. */
  readonly directories: readonly Pieces[];
  /** What the present directory is kept under where it is not known; undefined where it is, or where it may be one of several. */
  readonly whereabouts: string | undefined;
  /** The working directory is the one that is taken for it wherever the script is started. */
  readonly isDirectorySettled: boolean;
  /** Nobody says in which directory the shell is: files are looked for in one all the same. */
  readonly isDirectoryGuessed: boolean;
  /** The number of letters that `getopts` has read of a word of options. */
  readonly lettersRead: number;
  /** Where values were written of which the shell no longer knows for certain that they are there; undefined where it holds nothing in doubt. */
  readonly doubts: readonly Place[] | undefined;
}

/** What a shell keeps that has done nothing yet. */
export const firstFacts: ShellFacts = {
  traps: new Map(),
  aliases: LayeredMap.empty(),
  inputs: new Map(),
  descriptors: new Map(),
  lastJob: undefined,
  endedJobs: [],
  formerDirectory: undefined,
  directories: [],
  whereabouts: undefined,
  isDirectorySettled: false,
  isDirectoryGuessed: false,
  lettersRead: 0,
  doubts: undefined,
};

/** The event that the commands for a signal are kept under, by its name without `SIG`. */
export function atSignal(signal: string): TrapEvent {
  return `SIG${signal}`;
}

/** A map with another value for a key, or without one; the same map where nothing changes. */
export function changedMap<K, V>(map: ReadonlyMap<K, V>, key: K, value: V | undefined): ReadonlyMap<K, V> {
  if (value === undefined && !map.has(key)) return map;
  const out = new Map(map);
  if (value === undefined) out.delete(key);
  else out.set(key, value);
  return out;
}
