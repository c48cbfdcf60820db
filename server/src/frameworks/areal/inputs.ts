import type { Launch } from '../../launch/launch.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import type { BindingContext, BindingProblem } from '../framework.ts';
import type { LaunchForm } from './launchForm.ts';
import type { ReleaseBounds } from './releaseBounds.ts';

/** What a run of AReaL is bound from: a launch with its configuration, or a configuration on its own. */
export interface Inputs {
  readonly launch: Launch | undefined;
  readonly form: LaunchForm | undefined;
  readonly document: YamlDocument | undefined;
  readonly because: string;
  readonly context: BindingContext;
  /** Set if the launch names a configuration file that certainly does not exist. */
  readonly missing: BindingProblem | undefined;
  readonly bounds: ReleaseBounds;
}
