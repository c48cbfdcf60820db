import type { Place } from '../../text/span.ts';
import type { BashOptions, BashProblem, Requirement, VariableReference } from '../options.ts';
import { type Source, sourceOfText } from '../text/source.ts';
import type { Meter } from './budget.ts';

/** What all paths of one evaluation share. */
export interface Shared {
  readonly options: BashOptions;
  /** Whether the script is followed behind what Bash cannot read. */
  readonly pastErrors: boolean;
  readonly meter: Meter;
  readonly problems: Map<string, BashProblem>;
  /** Arrays that were expanded without having been assigned on the way, with the first such place. */
  readonly unassigned: Map<string, Place>;
  /** What is not given and for whose absence something was passed over, with the first such place. */
  readonly awaited: Map<string, Place>;
  readonly sources: Set<string>;
  readonly required: Map<string, Requirement>;
  /** By file, then by place. */
  readonly references: Map<string, Map<number, VariableReference>>;
  readonly parsed: Map<string, Source | undefined>;
  /** Names of functions that `unset` took away: whether there are programs of these names is not known. */
  readonly formerFunctions: Set<string>;
  /** How often a path may still be begun again. */
  restartsLeft: number;
  /** Steps that may still be gone again for that. */
  repeatsLeft: number;
}

/** The text of a file that the script wrote or that the workspace holds, parsed. */
export function parsedFile({ parsed }: Shared, path: string, text: string): Source {
  const key = `${path}\n${text.length}\n${text}`;
  const known = parsed.get(key);
  if (known !== undefined) return known;
  const source = sourceOfText(text, (span) => ({ path, span }));
  parsed.set(key, source);
  return source;
}

/** Reads a file of the workspace and remembers that it was read. */
export function readFile({ options: { host }, sources }: Shared, path: string): string | undefined {
  // What lies outside the workspace may be anything: a device, a pipe.
  if (host.kind(path) !== 'file') return undefined;
  const text = host.read(path);
  if (text !== undefined) sources.add(path);
  return text;
}
