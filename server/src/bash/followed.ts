import type { Assumption, Command } from '../launch/command.ts';
import type { Word } from '../value/word.ts';
import { joinedDoubts } from './state/doubt.ts';
import { areOpposite, assumedOn, type Decision } from './state/fork.ts';
import type { Plan } from './state/plan.ts';

/** A path through the script that has been followed to its end. */
export interface Followed {
  readonly commands: readonly Command[];
  readonly assumptions: readonly Assumption[];
  readonly failed: boolean;
  readonly given: ReadonlySet<string>;
  readonly decisions: readonly Decision[];
}

/** A command as started by the first path, with all the paths that start it. */
interface Met {
  readonly command: Command;
  readonly paths: Map<Followed, readonly Assumption[]>;
  shared: readonly Assumption[];
  /** The assumptions of a command that a path starts on only one of the sides that it joins. */
  readonly sides: Set<string>;
  /** What is in doubt on any of these paths. */
  doubtful: Command['doubtful'];
}

/** The commands of all paths; a command that several paths start is listed once. */
export function commandsOf(paths: readonly Followed[]): readonly Command[] {
  const [first, ...others] = paths;
  if (others.length === 0) return first?.commands ?? [];
  const all = new Map<string, Met>();
  for (const path of paths) collect(all, path);
  return [...all.values()].map((met) => settled(met, paths));
}

/** Adds the commands of a path to those already met. */
function collect(all: Map<string, Met>, path: Followed): void {
  const times = new Map<string, number>();
  const sidesOf = sidesWithin(path);
  for (const command of path.commands) {
    const plain = commandKey(command);
    const count = times.get(plain) ?? 0;
    times.set(plain, count + 1);
    const key = `${plain} ${count}`;
    const known = all.get(key);
    const sides = sidesOf(command);
    if (known === undefined)
      all.set(key, {
        command,
        paths: new Map([[path, command.assumptions]]),
        shared: command.assumptions,
        sides: new Set(sides),
        doubtful: command.doubtful,
      });
    else {
      known.doubtful = joinedDoubts(known.doubtful, command.doubtful);
      known.paths.set(path, command.assumptions);
      known.shared = shared(known.shared, command.assumptions);
      for (const side of sides) known.sides.add(side);
    }
  }
}

/** Returns a function from a path's command to the keys of its assumptions that the path itself does not make. */
function sidesWithin({ assumptions }: Followed): (command: Command) => readonly string[] {
  const own = new Set(assumptions.map(assumptionKey));
  // Consecutive commands mostly have the same list.
  let last: readonly Assumption[] = [];
  let sides: readonly string[] = [];
  return (command) => {
    if (command.assumptions !== last) {
      last = command.assumptions;
      sides = last.map(assumptionKey).filter((key) => !own.has(key));
    }
    return sides;
  };
}

/**
 * A command that several paths start keeps only their common assumptions, unless another path with those assumptions does not start it, or not
 * on all of its sides: then it keeps the assumptions of the first path.
 */
function settled(met: Met, all: readonly Followed[]): Command {
  const { paths, shared, sides, doubtful } = met;
  const command = doubtful === met.command.doubtful ? met.command : { ...met.command, doubtful };
  if (shared.length === command.assumptions.length) return command;
  const isOnSide = sides.size > 0 && !isWithin(sides, shared);
  // A path on which the script gives up says nothing about the command, unless all paths that start it give up.
  const isGivenUp = [...paths.keys()].every(({ failed }) => failed);
  const isMissing = all.some((path) => {
    if ((path.failed && !isGivenUp) || paths.has(path)) return false;
    return shared.every((assumption) => mayHoldOn(path, assumption));
  });
  if (isMissing || isOnSide) return command;
  const kept = withFirm(shared, [...paths.values()]);
  return kept === undefined ? command : { ...command, assumptions: kept };
}

/**
 * The common assumptions of several paths, plus those of any of them whose other side no path need have: that a guard passes, that a variable
 * is not given. Undefined if the paths contradict each other there.
 */
function withFirm(
  shared: readonly Assumption[],
  all: readonly (readonly Assumption[])[],
): readonly Assumption[] | undefined {
  const sharedTexts = new Set(shared.map(({ text }) => text));
  const firm = new Map<string, Assumption>();
  for (const assumptions of new Set(all))
    for (const assumption of assumptions) {
      const { text, absent } = assumption;
      if ((isFirm(assumption) || absent !== undefined) && !sharedTexts.has(text)) firm.set(text, assumption);
    }
  for (const [text, one] of firm) {
    if (shared.some((other) => areOpposite(one, other))) return undefined;
    for (const [otherText, other] of firm) {
      if (!areOpposite(one, other)) continue;
      // With a variable and without it; for a guard, each path says on which side it continued.
      if (one.kind === other.kind) return undefined;
      firm.delete(text);
      firm.delete(otherText);
    }
  }
  const left = [...firm.values()].filter(isFirm);
  // Guards with the same question and different answers.
  const asked = left.filter(({ kind, given }) => kind === 'guard' && given === undefined);
  const places = new Set(asked.map(({ place }) => `${place.path} ${place.span.start}`));
  if (places.size < asked.length) return undefined;
  return left.length === 0 ? shared : [...shared, ...left];
}

/** Whether an assumption is one whose other side no path need have. */
function isFirm({ kind }: Assumption): boolean {
  return kind === 'default' || kind === 'guard';
}

function isWithin(keys: ReadonlySet<string>, assumptions: readonly Assumption[]): boolean {
  const assumed = new Set(assumptions.map(assumptionKey));
  return [...keys].every((key) => assumed.has(key));
}

/** Marks assumptions on questions whose other sides were not followed to their end: what those sides start is unknown. */
export function withCutPaths(
  commands: readonly Command[],
  paths: readonly Followed[],
  cut: readonly Plan['choices'][],
): readonly Command[] {
  const open = new Set(cut.flatMap((choices) => [...choices.keys()]));
  if (open.size === 0) return commands;
  const keys = new Set(
    paths.flatMap(({ decisions }) =>
      decisions
        .filter(({ fork }) => open.has(fork.key))
        .map(({ fork, choice }) => assumptionKey(assumedOn(fork, choice, 'branch'))),
    ),
  );
  return commands.map((command) => ({
    ...command,
    assumptions: command.assumptions.map((assumption) =>
      keys.has(assumptionKey(assumption)) ? { ...assumption, alone: true } : assumption,
    ),
  }));
}

/** Whether an assumption may hold on a path: the path asked and found it so, or never asked. */
function mayHoldOn({ given, decisions }: Followed, { kind, absent, text, place }: Assumption): boolean {
  if (kind === 'default') return absent === undefined || !given.has(absent);
  return !decisions.some(
    ({ fork, choice }) =>
      fork.place.span.start === place.span.start && fork.sides.includes(text) && fork.sides[choice] !== text,
  );
}

function shared(left: readonly Assumption[], right: readonly Assumption[]): readonly Assumption[] {
  if (left.length === 0) return left;
  const texts = new Set(right.map(({ text }) => text));
  return left.filter(({ text }) => texts.has(text));
}

function assumptionKey({ place, text }: Pick<Assumption, 'place' | 'text'>): string {
  return `${place.span.start} ${text}`;
}

function commandKey(command: Command): string {
  const words = command.words.map(wordKey).join('\u0001');
  const env = [...command.env].map(([name, word]) => `${name}=${wordKey(word)}`).join('\u0001');
  const { place } = command;
  return `${place.path} ${place.span.start} ${command.via.length}\u0002${words}\u0002${env}\u0002${command.cwd ?? ''}`;
}

function wordKey(word: Word): string {
  return word.pieces
    .map((piece) => (piece.kind === 'hole' ? `\u0003${piece.label}\u0003` : piece.text))
    .join('');
}
