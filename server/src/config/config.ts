import type { CompiledConstraint, Severity } from '../expression/compiled.ts';
import type { FrameworkId } from '../frameworks/framework.ts';
import type { Certainty } from '../rules/finding.ts';
import type { Span } from '../text/span.ts';
import type { MachineProfile } from '../value/machine.ts';

/** An error in a configuration file; the faulty setting is dropped, everything else applies. */
export interface ConfigProblem {
  readonly path: string;
  readonly span: Span;
  readonly message: string;
}

/** A setting of a configuration file. */
export interface SettingSource {
  readonly key: string;
  readonly path: string;
  readonly span: Span;
}

/** The settings in effect for one file. */
export interface Settings {
  readonly machine: MachineProfile;
  readonly rules: ReadonlyMap<string, 'off' | Severity>;
  readonly extraOptions: readonly string[];
  /** Framework to assume for launches that no framework recognises. */
  readonly framework: FrameworkId | undefined;
  readonly constraints: ReadonlyMap<FrameworkId, readonly CompiledConstraint[]>;
  readonly unsuppressible: readonly string[];
  readonly failOn: Severity | 'never' | undefined;
  readonly minCertainty: Certainty;
  /** Absolute path of the baseline, the file of accepted findings. */
  readonly baseline: string | undefined;
  readonly excluded: boolean;
  /** Where each part came from; the last one of a key wins: `fail_on`, `rules.unknown-option`, `machine.versions.torch`. */
  readonly sources: readonly SettingSource[];
}
