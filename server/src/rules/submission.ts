import type { Run } from '../frameworks/framework.ts';
import { jsonFault } from '../launch/json-fault.ts';
import { submittedEnvironments } from '../launch/ray-job.ts';
import { commonFinding } from './commonFinding.ts';
import type { Finding } from './finding.ts';
import type { CommonRules } from './rule.ts';

/** Runtime environments that Ray refuses before the job starts, since they are not JSON. */
export function submissionFindings({ launch, framework }: Run, common: CommonRules): Finding[] {
  if (launch === undefined) return [];
  return submittedEnvironments(launch.command).flatMap((word) => {
    const fault = jsonFault(word);
    if (fault === undefined) return [];
    const { place, reason, line } = fault;
    const isElsewhere =
      place.path !== word.place.path ||
      place.span.end <= word.place.span.start ||
      place.span.start >= word.place.span.end;
    return commonFinding(
      common,
      'invalid-runtime-environment',
      place,
      { reason, line: String(line) },
      {
        framework,
        settings: ['--runtime-env-json'],
        related: isElsewhere ? [{ place: word.place, message: 'the job is submitted with it here' }] : [],
      },
    );
  });
}
