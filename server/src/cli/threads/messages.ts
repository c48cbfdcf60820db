import type { Answers } from '../../disk/answers.ts';
import type { FileReport } from '../../linter.ts';
import type { MachineProfile } from '../../value/machine.ts';
import type { Shares } from './shares.ts';

/** The input of a helper thread. */
export interface HelperTask {
  readonly oomlint: 'lint';
  readonly paths: readonly string[];
  /** Indices of paths in processing order. */
  readonly order: readonly number[];
  readonly shares: Shares;
  readonly end: 'front' | 'back';
  readonly cwd: string;
  readonly named: readonly string[];
  readonly machine: MachineProfile;
  readonly knowledge: string;
  readonly useConfig: boolean;
  /** Whether to record what reports are made from. */
  readonly noting: boolean;
}

/** The report of a file and, if recorded, what it asked of the workspace. */
export interface Linted {
  readonly report: FileReport;
  readonly answers: Answers;
}

/** The report of a file by its index, without the text, which the main thread has. */
export type IndexedReport = readonly [number, Linted];

/** A part of a helper thread's answer. */
export interface Answer {
  readonly reports: readonly IndexedReport[];
  readonly isLast: boolean;
}
