import { mayStart } from './frameworks/mayStart.ts';
import { mayLaunch, mayLaunchGiven, reachOf } from './launch/mayLaunch.ts';
import type { LinterParts } from './linter.ts';
import type { Host } from './value/host.ts';

/** Tells which scripts of a file need no evaluation if only their launches are wanted (`launchesOnly`). */
export class IdleScripts {
  readonly #path: string;
  readonly #parts: LinterParts;
  readonly #host: Host;
  /** Earlier answers about other scripts, by path. */
  readonly #others = new Map<string, boolean>();

  constructor(path: string, parts: LinterParts, host: Host) {
    this.#path = path;
    this.#parts = parts;
    this.#host = host;
  }

  /**
   * Whether a script of the file can start nothing that is checked.
   *
   * @param given values that the script gets from its surroundings
   */
  isIdle(script: string, given: readonly string[] = []): boolean {
    const { launchesOnly, machine, assumedFramework } = this.#parts;
    if (launchesOnly !== true) return false;
    if (assumedFramework !== undefined) return !mayLaunch(reachOf(this.#path, script, this.#host));
    return !mayStart(this.#path, script, [...given, ...Object.values(machine.variables)], this.#host);
  }

  /** Whether another script that the file starts can start no program. Its arguments may determine which program it starts. */
  startsNothing(path: string, text: string): boolean {
    if (this.#parts.launchesOnly !== true) return false;
    const known = this.#others.get(path);
    if (known !== undefined) return known;
    const idle = !mayLaunchGiven(reachOf(path, text, this.#host));
    this.#others.set(path, idle);
    return idle;
  }
}
