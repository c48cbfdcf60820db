import { hasConfigName } from '../../config/discover.ts';
import type { FileReport } from '../../linter.ts';
import type { Session } from '../session.ts';
import type { Publisher } from './publisher.ts';

/** Milliseconds of work between two checks of the message queue. */
const slice = 10;
/** Milliseconds to wait for further changes before files are linted again. */
const quiet = 100;
/** Number of linted files from which on the contents of read files are not kept in memory. */
const many = 50;

/** Lets pending messages be processed. */
export function breathe(milliseconds = 0): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/** What a lint of a file depends on. */
interface Looked {
  /** The paths that it read. */
  readonly sources: readonly string[];
  /** Everything that it asked for, existing or not, as `Session.noting` reports it. */
  readonly asked: ReadonlySet<string>;
}

const nothing: Looked = { sources: [], asked: new Set() };

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** A test of requested paths: whether one is among the moved ones, is below one, or is the listing of a folder that contains one. */
function concernedBy(moved: readonly string[]): (path: string) => boolean {
  const known = new Map<string, boolean>([
    ['', false],
    ...moved.map((path): [string, boolean] => [`${parentOf(path)}/`, true]),
    ...moved.map((path): [string, boolean] => [path, true]),
  ]);
  const isConcerned = (path: string): boolean => {
    let answer = known.get(path);
    if (answer === undefined) {
      answer = isConcerned(parentOf(path));
      known.set(path, answer);
    }
    return answer;
  };
  return isConcerned;
}

/**
 * The files that a pass over the workspace has linted; their findings are kept up to date while they are not open. They are linted again, in
 * small slices after everything else, when they or something that they read has changed.
 */
export class ClosedFiles {
  readonly #session: Session;
  readonly #publisher: Publisher;
  /** The linted files, by URI. */
  readonly #looked = new Map<string, Looked>();
  readonly #waiting = new Set<string>();
  #isWorking = false;

  constructor(session: Session, publisher: Publisher) {
    this.#session = session;
    this.#publisher = publisher;
  }

  /** Whether a pass has linted a file. */
  has(uri: string): boolean {
    return this.#looked.has(uri);
  }

  /** Lints a file in its current state, and shows the findings unless it is open. @returns undefined for a file that cannot be read */
  look(uri: string): FileReport | undefined {
    const path = this.#session.uris.pathOf(uri);
    const host = this.#session.host();
    const before = this.#looked.get(uri) ?? nothing;
    if (host.read(path) === undefined && host.kind(path) === 'unknown') {
      // Reading takes a moment in a browser; the old findings stay until then.
      this.#looked.set(uri, before);
      return undefined;
    }
    const { result: report, asked } = this.#session.noting(() => this.#session.reportOf(uri));
    if (host.read(path) === undefined) this.#looked.delete(uri);
    // A lint that resumes an earlier one of the same file does not repeat its questions.
    else
      this.#looked.set(uri, {
        sources: report?.sources ?? [],
        asked: new Set([...before.asked, ...asked]),
      });
    this.#publisher.acceptFile(uri, report);
    return report;
  }

  /** Handles a closed document: the file on disk counts again, at once for its own findings and then for everything that asked for it. */
  documentClosed(uri: string): void {
    this.moved([this.#session.uris.pathOf(uri)]);
    if (!this.has(uri)) return;
    this.#waiting.delete(uri);
    this.look(uri);
  }

  /** Handles a changed text: the file and everything that reads it is linted again; after a configuration, everything. */
  changed(path: string): void {
    const below = `${path}/`;
    const isThere = (other: string): boolean => other === path || other.startsWith(below);
    if (hasConfigName(path)) this.all();
    else
      for (const [uri, { sources }] of this.#looked)
        if (isThere(this.#session.uris.pathOf(uri)) || sources.some(isThere)) this.add(uri);
  }

  /**
   * Handles files or folders that were created, removed or replaced: what is there is linted again, with everything that asked for them or
   * listed a folder that contains them; after a configuration, everything. Cached contents must have been discarded before.
   */
  moved(paths: readonly string[]): void {
    if (paths.some(hasConfigName)) {
      this.all();
      return;
    }
    const isConcerned = concernedBy(paths);
    for (const [uri, { sources, asked }] of this.#looked) {
      if (!isConcerned(this.#session.uris.pathOf(uri)) && ![...asked].some(isConcerned)) continue;
      this.#looked.set(uri, { sources, asked: new Set() });
      this.add(uri);
    }
  }

  /** Lints everything again, or the files at some paths. */
  all(isWanted: (path: string) => boolean = () => true): void {
    for (const uri of this.#looked.keys()) if (isWanted(this.#session.uris.pathOf(uri))) this.add(uri);
  }

  /** Withdraws the findings of the files at some paths, and forgets the files. */
  forget(isGone: (path: string) => boolean): void {
    for (const uri of [...this.#looked.keys()]) {
      if (!isGone(this.#session.uris.pathOf(uri))) continue;
      this.#waiting.delete(uri);
      this.#looked.delete(uri);
      this.#publisher.acceptFile(uri, undefined);
    }
  }

  /** Lints a file soon, unless it is open. */
  add(uri: string): void {
    if (this.#session.document(uri) !== undefined) return;
    this.#waiting.add(uri);
    if (this.#isWorking) return;
    this.#isWorking = true;
    void this.#work();
  }

  async #work(): Promise<void> {
    await breathe(quiet);
    let since = this.#session.platform.now();
    let count = 0;
    // Files queued in the meantime are appended.
    for (const uri of this.#waiting) {
      this.#waiting.delete(uri);
      if (this.#session.document(uri) === undefined) this.look(uri);
      count++;
      if (this.#session.platform.now() - since < slice) continue;
      await breathe();
      since = this.#session.platform.now();
    }
    this.#isWorking = false;
    if (count >= many) this.#session.releaseFiles();
  }
}
