import type { Answers } from '../../disk/answers.ts';
import type { FileReport } from '../../linter.ts';
import type { MachineProfile } from '../../value/machine.ts';
import type { Shares } from './shares.ts';

/** What a helping thread gets. */
export interface Errand {
  readonly oomlint: 'lint';
  readonly paths: readonly string[];
  /** Indices of paths in the order in which they are handed out. */
  readonly order: readonly number[];
  readonly shares: Shares;
  readonly end: 'front' | 'back';
  readonly cwd: string;
  readonly named: readonly string[];
  readonly machine: MachineProfile;
  readonly knowledge: string;
  readonly useConfig: boolean;
  /** Whether it is noted what reports are made from. */
  readonly noting: boolean;
}

/** The report of a file, and what was asked of the workspace for it where that is noted. */
export interface Linted {
  readonly report: FileReport;
  readonly answers: Answers;
}

/** What a helping thread answers: reports by the index of their file, without the texts, which the asker has. */
export type Answer = readonly (readonly [number, Linted])[];
