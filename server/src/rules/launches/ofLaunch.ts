import type { Run } from '../../frameworks/framework.ts';
import type { Host } from '../../value/host.ts';
import type { Finding } from '../finding.ts';
import type { CommonRules } from '../rule.ts';
import { unexpandedPathFindings } from '../scripts/unexpandedPaths.ts';
import { allocatorFindings } from './allocator.ts';
import { deviceFindings } from './devices.ts';
import { diagnosisFindings, libraryValueFindings } from './libraryValues.ts';
import { missingProgramFindings } from './missingProgram.ts';
import { rayClusterFindings } from './rayCluster.ts';
import { sharedMemoryFindings } from './sharedMemory.ts';
import { submissionFindings } from './submission.ts';
import { unfilledFindings } from './unfilledValues.ts';

/**
 * Findings on how a run is launched, whatever its framework demands.
 *
 * @param host the workspace
 */
export function launchFindings(run: Run, common: CommonRules, host: Host): Finding[] {
  const read = (path: string): string | undefined => host.read(path);
  return [
    ...missingProgramFindings(run, common, host),
    ...submissionFindings(run, common, read),
    ...allocatorFindings(run, common),
    ...deviceFindings(run, common),
    ...sharedMemoryFindings(run, common, read),
    ...libraryValueFindings(run, common),
    ...diagnosisFindings(run, common, read),
    ...unexpandedPathFindings(run, common, read),
    ...unfilledFindings(run, common),
    ...rayClusterFindings(run, common, read),
  ];
}
