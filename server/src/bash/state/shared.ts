import type { Place } from '../../text/span.ts';
import type { BashOptions, BashProblem, Requirement, VariableReference } from '../options.ts';
import { type Source, sourceOfText } from '../text/source.ts';
import type { Meter } from './budget.ts';

/** What all paths of one evaluation share. */
export interface Shared {
  readonly options: BashOptions;
  /** Whether the script is followed beyond what Bash cannot parse. */
  readonly pastErrors: boolean;
  readonly meter: Meter;
  readonly problems: Map<string, BashProblem>;
  /** Arrays expanded without a previous assignment on the path, with the first such place. */
  readonly unassigned: Map<string, Place>;
  /** Missing names for whose absence something was skipped, with the first such place. */
  readonly awaited: Map<string, Place>;
  readonly sources: Set<string>;
  readonly required: Map<string, Requirement>;
  /** By file, then by place. */
  readonly references: Map<string, Map<number, VariableReference>>;
  readonly parsed: Map<string, Source | undefined>;
  /** Names of functions removed by `unset`: whether programs with these names exist is unknown. */
  readonly formerFunctions: Set<string>;
  /** How often a path may still be restarted. */
  restartsLeft: number;
  /** Steps that restarts may still repeat. */
  repeatsLeft: number;
}

/** The parsed text of a file that the script wrote or that is in the workspace. */
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
