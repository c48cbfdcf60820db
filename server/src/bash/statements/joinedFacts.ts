import type { Place } from '../../text/span.ts';
import { extended } from '../conditions/extended.ts';
import { addDoubts } from '../state/doubt.ts';
import { hole, isSameText, type Pieces, type ShellHole } from '../state/pieces.ts';
import type { Alias, ShellFacts, Trap } from '../state/shellFacts.ts';
import type { Store } from '../state/store.ts';

/** Why the results of two paths are joined. */
type JoinReason = 'branch' | 'loop' | 'too-complex';

/**
 * Keeps of the shell's facts only what holds on both of two paths.
 *
 * @returns whether their traps differ, which counts like different values of a variable
 */
export function joinFacts(store: Store, other: ShellFacts, place: Place, reason: JoinReason): boolean {
  const own = store.facts;
  if (own === other) return false;
  const unknown = hole(reason, 'what one of the paths left', place);
  const traps = joinedMap(own.traps, other.traps, (a, b) => joinedTrap(a, b, unknown));
  // The type requires all of them: a new fact must be joined, too.
  const joined: Omit<ShellFacts, 'doubts'> = {
    traps,
    aliases: joinedAliases(own.aliases, other.aliases, unknown),
    // An open descriptor stays open, even if it is unknown how much of it has been read.
    inputs: joinedMap(own.inputs, other.inputs, (a, b) => (a && isSameText(a, b) ? a : undefined)),
    descriptors: joinedMap(own.descriptors, other.descriptors, () => 'either'),
    lastJob: own.lastJob === other.lastJob ? own.lastJob : someJob(place),
    endedJobs:
      own.endedJobs === other.endedJobs
        ? own.endedJobs
        : [...new Set([...own.endedJobs, ...other.endedJobs])],
    waits:
      own.waits === other.waits
        ? own.waits
        : {
            least: Math.min(own.waits.least, other.waits.least),
            most: Math.max(own.waits.most, other.waits.most),
          },
    formerDirectory: joinedText(own.formerDirectory, other.formerDirectory, unknown),
    directories: joinedList(own.directories, other.directories, unknown),
    whereabouts: own.whereabouts === other.whereabouts ? own.whereabouts : undefined,
    isDirectorySettled: own.isDirectorySettled && other.isDirectorySettled,
    isDirectoryGuessed: own.isDirectoryGuessed || other.isDirectoryGuessed,
    lettersRead: own.lettersRead === other.lettersRead ? own.lettersRead : 0,
  };
  store.keep(joined);
  addDoubts(store, other.doubts);
  return traps !== own.traps;
}

type Unknown = ReturnType<typeof hole>;
type Aliases = ShellFacts['aliases'];

/** A map with its values joined; the first map itself if nothing changes. */
function joinedMap<K, V>(
  own: ReadonlyMap<K, V>,
  other: ReadonlyMap<K, V>,
  join: (a: V | undefined, b: V | undefined) => V,
): ReadonlyMap<K, V> {
  if (own === other) return own;
  const out = new Map(own);
  let changes = false;
  for (const key of new Set([...own.keys(), ...other.keys()])) {
    const [a, b] = [own.get(key), other.get(key)];
    if (a === b && own.has(key)) continue;
    const value = join(a, b);
    if (value === a && own.has(key)) continue;
    out.set(key, value);
    changes = true;
  }
  return changes ? out : own;
}

/** The process ID of one of several background commands, or of one that only one of the paths has started. */
function someJob(place: Place): ShellHole {
  return hole('random', '$!', place, { shape: 'integer', nonEmpty: true });
}

function joinedText(a: Pieces | undefined, b: Pieces | undefined, unknown: Unknown): Pieces | undefined {
  if (a === b) return a;
  if (a !== undefined && isSameText(a, b)) return a;
  return extended(a, b, [unknown]) ?? extended(b, a, [unknown]) ?? [unknown];
}

function joinedTrap(a: Trap | undefined, b: Trap | undefined, unknown: Unknown): Trap {
  if (a !== undefined && b !== undefined && isSameText(a.commands, b.commands)) return a;
  const commands = joinedText(a?.commands, b?.commands, unknown) ?? [unknown];
  return { commands, place: unknown.origin.place };
}

function joinedAliases(own: Aliases, other: Aliases, unknown: Unknown): Aliases {
  if (own === other) return own;
  const out = own.copy();
  for (const name of own.changed(other)) {
    const [a, b] = [own.entry(name)?.value, other.entry(name)?.value];
    if (a !== b) out.set(name, joinedAlias(a, b, unknown));
  }
  return out;
}

function joinedAlias(a: Alias | undefined, b: Alias | undefined, unknown: Unknown): Alias {
  const [text, place] = [joinedText(a?.text, b?.text, unknown), unknown.origin.place];
  if (a !== undefined && b !== undefined && text === a.text) return a;
  return { text, place, before: a?.before ?? b?.before };
}

/** The values that two lists begin with in common, followed by something unknown; the first list itself if all are the same. */
function joinedList(a: readonly Pieces[], b: readonly Pieces[], unknown: Unknown): readonly Pieces[] {
  if (a === b) return a;
  const end = a.findIndex((value, index) => !isSameText(value, b[index]));
  if (end < 0 && a.length === b.length) return a;
  return [...a.slice(0, end < 0 ? a.length : end), [{ ...unknown, splits: true }]];
}
