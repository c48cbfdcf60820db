import type { Place } from '../text/span.ts';
import { commonFinding } from './commonFinding.ts';
import type { Finding } from './finding.ts';
import type { CommonRules } from './rule.ts';

/** Launches and configurations of one file that are looked at: they take some seconds and 100 MiB. */
export const mostLaunches = 500;

/** Tells from where on a file is not looked at, since there is too much before. */
export function unreadFindings(place: Place | undefined, common: CommonRules): readonly Finding[] {
  if (place === undefined) return [];
  return commonFinding(common, 'launches-not-read', place, {
    launches: mostLaunches.toLocaleString('en-US'),
  });
}
