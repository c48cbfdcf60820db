import type { Place } from '../text/span.ts';
import { commonFinding } from './commonFinding.ts';
import type { Finding } from './finding.ts';
import type { CommonRules } from './rule.ts';

/** Launches and configurations of one file that are looked at: they take some seconds and 100 MiB. */
const mostLaunches = 500;

/** Steps of Bash that the scripts within one file are followed for, twenty times those of one script: they take some seconds. */
const mostSteps = 1_200_000;

/** How much of one file is looked at. */
export class Reach {
  #launches = 0;
  #steps = 0;
  /** What is not looked at first, and why. */
  #unread: { readonly place: Place; readonly much: string } | undefined;

  /** Counts a launch or a configuration. */
  addLaunch(): void {
    this.#launches += 1;
  }

  /** Counts the steps of a script that was followed. */
  addSteps(steps: number): void {
    this.#steps += steps;
  }

  /** Whether no more launches are looked at, from a place on. */
  endsAtLaunch(place: Place | undefined): boolean {
    return this.#endsAt(place, this.#launches >= mostLaunches, `${mostLaunches} launches`);
  }

  /** Whether no more scripts are followed, from a place on. */
  endsAtScript(place: Place): boolean {
    const much = `${mostSteps.toLocaleString('en-US')} commands and expansions`;
    return this.#endsAt(place, this.#steps >= mostSteps, much);
  }

  #endsAt(place: Place | undefined, isEnd: boolean, much: string): boolean {
    if (isEnd && place !== undefined) this.#unread ??= { place, much };
    return isEnd;
  }

  /** Tells from where on the file is not looked at, since there is too much before. */
  findings(common: CommonRules): readonly Finding[] {
    if (this.#unread === undefined) return [];
    const { place, much } = this.#unread;
    return commonFinding(common, 'launches-not-read', place, { much });
  }
}
