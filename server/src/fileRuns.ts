import type { BindingContext, Framework, FrameworkId, Run } from './frameworks/framework.ts';
import { boundWithLeftOut } from './frameworks/leftOut.ts';
import { frameworkOf, frameworks } from './frameworks/registry.ts';
import { asksForHelp } from './launch/help.ts';
import type { Launch } from './launch/launch.ts';
import { machineOf } from './launch/namedGpu.ts';
import type { LinterParts } from './linter.ts';
import type { Host } from './value/host.ts';
import type { YamlDocument } from './yaml/document.ts';
import { parsePastFaults } from './yaml/pastFaults.ts';

/** The framework of a launch or document, and how it was recognised. */
export interface Recognised {
  readonly framework: Framework;
  readonly because: string;
}

/** Recognises the launches and configurations of one file, and binds them to their frameworks' options. */
export class FileRuns {
  readonly #parts: LinterParts;
  readonly #host: Host;
  /** The workspace as launches see it: files that their script writes are unknown. */
  readonly #hostOfLaunches: Host;
  readonly #documents = new Map<string, YamlDocument | undefined>();

  /**
   * @param host the workspace with the file's text
   * @param written files that the file's scripts write or change themselves; may grow
   */
  constructor(parts: LinterParts, host: Host, written: ReadonlySet<string>) {
    this.#parts = parts;
    this.#host = host;
    this.#hostOfLaunches = {
      ...host,
      read: (at) => (written.has(at) ? undefined : host.read(at)),
      kind: (at) => (written.has(at) ? 'unknown' : host.kind(at)),
    };
  }

  /** The framework of a launch; undefined if there is none or the launch only asks for help. */
  recognise(launch: Launch): Recognised | undefined {
    const isForHelp = asksForHelp(launch);
    for (const framework of frameworks) {
      const because = framework.recogniseLaunch(launch, this.#host);
      if (because === undefined) continue;
      return isForHelp && framework.refusesHelp?.(launch) !== true ? undefined : { framework, because };
    }
    const { assumedFramework } = this.#parts;
    if (assumedFramework === undefined || launch.entry.kind === 'program') return undefined;
    const framework = frameworkOf(assumedFramework);
    return framework === undefined ? undefined : { framework, because: 'the configuration says so' };
  }

  /** Whether a launch starts a relative of a framework, whose options are not known here. */
  startsRelative(launch: Launch): boolean {
    return (
      !asksForHelp(launch) && frameworks.some(({ isRelative }) => isRelative?.(launch, this.#host) === true)
    );
  }

  /** The framework that a document configures. */
  recogniseDocument(document: YamlDocument): Recognised | undefined {
    for (const framework of frameworks) {
      const because = framework.recogniseDocument(document);
      if (because !== undefined) return { framework, because };
    }
    return undefined;
  }

  /** The run that a launch starts. */
  bind(launch: Launch, { framework, because }: Recognised): Run {
    const context = this.#contextFor(framework.id);
    const bound = {
      ...context,
      machine: machineOf(context.machine, launch.command.place.path, launch.command),
    };
    return boundWithLeftOut(launch, (read) => framework.bindLaunch(read, because, bound));
  }

  /** The run that a document configures. */
  bindDocument(document: YamlDocument, { framework, because }: Recognised): Run {
    const context = this.#contextFor(framework.id);
    return framework.bindDocument(document, because, {
      ...context,
      machine: machineOf(context.machine, document.path),
    });
  }

  #contextFor(framework: FrameworkId): BindingContext {
    const { machine, knowledgeOf, extraOptions = [] } = this.#parts;
    return {
      host: this.#hostOfLaunches,
      machine,
      knowledge: knowledgeOf(framework),
      knowledgeOf,
      document: (path) => this.#documentAt(path),
      extraOptions,
    };
  }

  #documentAt(path: string): YamlDocument | undefined {
    if (!this.#documents.has(path)) {
      const content = this.#hostOfLaunches.read(path);
      this.#documents.set(path, content === undefined ? undefined : parsePastFaults(path, content)[0]);
    }
    return this.#documents.get(path);
  }
}
