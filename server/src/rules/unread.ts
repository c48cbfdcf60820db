import type { Place } from '../text/span.ts';
import { commonFinding } from './commonFinding.ts';
import type { Finding } from './finding.ts';
import type { CommonRules } from './rule.ts';

/** The most launches and configurations of one file that are checked: they take some seconds and 100 MiB. */
const mostLaunches = 500;

/** The most steps of Bash for which the scripts within one file are followed, twenty times those of one script: they take some seconds. */
const mostSteps = 1_200_000;

/** How much of one file is checked. */
export class Reach {
  #launches = 0;
  #steps = 0;
  /** The first thing that is not checked, and why. */
  #unread: { readonly place: Place; readonly much: string } | undefined;

  /** Counts a launch or a configuration. */
  addLaunch(): void {
    this.#launches += 1;
  }

  /** Counts the steps of a script that was followed. */
  addSteps(steps: number): void {
    this.#steps += steps;
  }

  /** Whether launches from a place on are no longer checked. */
  endsAtLaunch(place: Place | undefined): boolean {
    return this.#endsAt(place, this.#launches >= mostLaunches, `${mostLaunches} launches`);
  }

  /** Whether scripts from a place on are no longer followed. */
  endsAtScript(place: Place): boolean {
    const much = `${mostSteps.toLocaleString('en-US')} commands and expansions`;
    return this.#endsAt(place, this.#steps >= mostSteps, much);
  }

  #endsAt(place: Place | undefined, isEnd: boolean, much: string): boolean {
    if (isEnd && place !== undefined) this.#unread ??= { place, much };
    return isEnd;
  }

  /** Reports from where on the file is not checked because there is too much before. */
  findings(common: CommonRules): readonly Finding[] {
    if (this.#unread === undefined) return [];
    const { place, much } = this.#unread;
    return commonFinding(common, 'launches-not-read', place, { much });
  }
}
