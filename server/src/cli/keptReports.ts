import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { type Answers, digestOf, stillAnswers } from '../disk/answers.ts';
import type { FileReport } from '../linter.ts';
import type { Host } from '../value/host.ts';
import type { MachineProfile } from '../value/machine.ts';
import { buildOf, cacheFolder, readOwn, writeOwn } from './cacheFolder.ts';
import type { Input } from './inputs.ts';

/** Number of projects whose reports are kept besides those of the current one. */
const otherProjects = 9;
/** Maximum number of reports that are kept per project; those unused for the longest time are dropped first. */
const mostReports = 20_000;

/** The report of one file, and everything it was made from. */
interface Kept {
  /** Digest of the file's text. */
  readonly text: string;
  readonly answers: Answers;
  /** Without the text. */
  readonly report: FileReport;
}

/** The content of a project's file. */
interface Project {
  /** What the configurations were read from; every report depends on it. */
  readonly configuration: Answers;
  readonly reports: ReadonlyMap<string, Kept>;
}

/** What a report depends on besides texts: a different value means a different project. */
export interface ProjectKey {
  /** Folder of the program. */
  readonly program: string;
  readonly cwd: string;
  readonly machine: MachineProfile;
  readonly useConfig: boolean;
}

/** The file that keeps the reports of a project; undefined if nothing can be kept. */
export function reportsFile(
  { program, ...key }: ProjectKey,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const folder = cacheFolder(environment);
  const build = buildOf(program);
  if (folder === undefined || build === undefined) return undefined;
  const name = digestOf(JSON.stringify([build, process.version, key]));
  return join(folder, `reports-${Buffer.from(name, 'base64').toString('hex')}`);
}

/**
 * Reports of earlier runs. A report is still valid if the text of its file is the same and everything it asked of the workspace (texts, which
 * paths exist, where the repository ends) has the same answer.
 */
export class KeptReports {
  readonly #file: string;
  readonly #configuration: Answers;
  readonly #holds: (then: Answers) => boolean;
  readonly #reports: Map<string, Kept>;
  #changed = false;

  /**
   * @param file where the project's reports are kept
   * @param host the workspace as it is now
   * @param configuration what the configurations of this run were read from
   */
  constructor(file: string, host: Host, configuration: Answers) {
    this.#file = file;
    this.#holds = stillAnswers(host);
    const kept = readProject(file);
    const same = kept !== undefined && this.#holds(kept.configuration);
    this.#reports = new Map(same ? kept.reports : []);
    this.#configuration = same ? [...new Map([...kept.configuration, ...configuration])] : configuration;
  }

  /** The report of a file, if an earlier run made it from the same data. */
  find({ path, text }: Input): FileReport | undefined {
    const kept = this.#reports.get(path);
    if (kept === undefined || kept.text !== digestOf(text) || !this.#holds(kept.answers)) return undefined;
    // The most recently used are at the end.
    this.#reports.delete(path);
    this.#reports.set(path, kept);
    return { ...kept.report, text };
  }

  /** Keeps a report for later runs. */
  keep({ path, text }: Input, report: FileReport, answers: Answers): void {
    this.#reports.delete(path);
    this.#reports.set(path, { text: digestOf(text), answers, report: { ...report, text: '' } });
    this.#changed = true;
  }

  /** Writes the kept reports if anything is new. */
  save(): void {
    if (!this.#changed) return;
    const reports = new Map([...this.#reports].slice(-mostReports));
    const project: Project = { configuration: this.#configuration, reports };
    writeOwn(this.#file, serialize(project), otherProjects);
  }
}

/** What an earlier run of this very build wrote; undefined if there is nothing, or it is damaged. */
function readProject(file: string): Project | undefined {
  const content = readOwn(file);
  if (content === undefined) return undefined;
  try {
    const project: unknown = deserialize(content);
    return isProject(project) ? project : undefined;
  } catch {
    return undefined;
  }
}

/** The file name identifies the build, and only the user can have written the file, so its content is as it was written. */
function isProject(data: unknown): data is Project {
  return (
    typeof data === 'object' &&
    data !== null &&
    'configuration' in data &&
    Array.isArray(data.configuration) &&
    'reports' in data &&
    data.reports instanceof Map
  );
}
