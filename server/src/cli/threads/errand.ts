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

/** The report of a file by its index, without the text, which the asker has. */
export type IndexedReport = readonly [number, Linted];

/** A part of what a helping thread answers. */
export interface Answer {
  readonly reports: readonly IndexedReport[];
  readonly isLast: boolean;
}
