import type { CompiledConstraint, Severity } from '../expression/compiled.ts';
import type { FrameworkId } from '../frameworks/framework.ts';
import type { Certainty } from '../rules/finding.ts';
import type { Span } from '../text/span.ts';
import type { MachineProfile } from '../value/machine.ts';

/** What is wrong with a configuration file; the faulty setting is dropped, everything else holds. */
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

/** The settings in force for one file. */
export interface Settings {
  readonly machine: MachineProfile;
  readonly rules: ReadonlyMap<string, 'off' | Severity>;
  readonly extraOptions: readonly string[];
  /** Framework to assume for launches that none recognises. */
  readonly framework: FrameworkId | undefined;
  readonly constraints: ReadonlyMap<FrameworkId, readonly CompiledConstraint[]>;
  readonly unsuppressible: readonly string[];
  readonly failOn: Severity | 'never' | undefined;
  readonly minCertainty: Certainty;
  /** Absolute path of the file of accepted findings. */
  readonly baseline: string | undefined;
  readonly excluded: boolean;
  /** Where each part came from, the last one of a key wins: `fail_on`, `rules.unknown-option`, `machine.versions.torch`. */
  readonly sources: readonly SettingSource[];
}
