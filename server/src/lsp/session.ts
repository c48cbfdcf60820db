import type { TextDocument } from 'vscode-languageserver-textdocument';
import { hasConfigName } from '../config/discover.ts';
import { createProjectLinter, type ProjectLinter } from '../config/project.ts';
import type { FrameworkId } from '../frameworks/framework.ts';
import type { OptionFact } from '../frameworks/knowledge.ts';
import { emptyReport, type FileReport } from '../linter.ts';
import { type FileKind, kindInEditor } from '../recognise.ts';
import type { Host } from '../value/host.ts';
import { type HostAnswer, notedHost } from '../value/notedHost.ts';
import { type Folder, hostOfFolders } from './files/folders.ts';
import type { PositionEncoding } from './protocol/columns.ts';
import type { Platform } from './protocol/platform.ts';
import { TextView } from './protocol/positions.ts';
import { createUriMap, type UriMap } from './protocol/uris.ts';
import type { SettingsStore } from './settings.ts';

/** The documents open in the editor. */
export interface OpenDocuments {
  get(uri: string): TextDocument | undefined;
  all(): TextDocument[];
}

/** A lint of one document at one version. */
export interface Lint {
  readonly uri: string;
  readonly version: number;
  /** Distinguishes lints of the same version: another file may have changed. */
  readonly serial: number;
  readonly report: FileReport;
  /** Duration in milliseconds. */
  readonly duration: number;
}

/** Receives a question about a file, with its answer. */
type Observer = (question: keyof Host, path: string, answer: HostAnswer) => void;

/** The lines of a text, valid as long as it does not change. */
interface KnownView {
  readonly source: TextDocument | string;
  readonly version: number | undefined;
  readonly view: TextView;
}

/** An internal error, for the log. */
export function failure(what: string, error: unknown): string {
  return `${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

/** Number of characters from which on a document counts as unusually large. */
const large = 100_000;

/** Everything that features need: texts, reports, and which documents a change affects. */
export class Session {
  readonly uris: UriMap = createUriMap();
  readonly platform: Platform;
  readonly settings: SettingsStore;
  readonly #documents: OpenDocuments;
  readonly #log: (message: string) => void;
  readonly #encoding: PositionEncoding;
  readonly #lints = new Map<string, Lint>();
  readonly #durations = new Map<string, number>();
  /** The paths that the last lint of each document read, besides its own. */
  readonly #sources = new Map<string, readonly string[]>();
  readonly #views = new Map<string, KnownView>();
  readonly #options = new Map<FrameworkId, ReadonlyMap<string, OptionFact>>();
  #folders: readonly Folder[] = [];
  #linter: ProjectLinter | undefined;
  #host: Host | undefined;
  /** The files on disk that `#host` looks at. */
  #disk: Host | undefined;
  /** Collects the requested paths, while somebody wants to know them. */
  #asked: Set<string> | undefined;
  /** Receives each question about a file, with its answer. */
  #observer: Observer | undefined;
  #serial = 0;

  constructor(
    platform: Platform,
    documents: OpenDocuments,
    settings: SettingsStore,
    log: (message: string) => void,
    encoding: PositionEncoding = 'utf-16',
  ) {
    this.platform = platform;
    this.settings = settings;
    this.#documents = documents;
    this.#log = log;
    this.#encoding = encoding;
  }

  get folders(): readonly string[] {
    return this.#folders.map(({ path }) => path);
  }

  setFolders(uris: readonly string[]): void {
    this.#folders = uris.map((uri) => ({
      path: this.uris.addFolder(uri),
      isOnDisk: /^file:/i.test(uri),
    }));
    this.refresh();
  }

  /** Discards everything read from files and configurations, and every result; open documents keep their texts. */
  refresh(): void {
    this.releaseFiles();
    this.#lints.clear();
  }

  /** Discards what was read from files, to save memory; results stay. */
  releaseFiles(): void {
    this.#linter = undefined;
    this.#host = undefined;
    this.#disk = undefined;
    this.#views.clear();
  }

  /** Shell scripts and YAML files below a folder of the workspace that Git does not ignore. */
  listFiles(folder: string): readonly string[] | Promise<readonly string[]> {
    const { remote } = this.platform;
    const isOnDisk = this.#folders.find(({ path }) => path === folder)?.isOnDisk !== false;
    return (isOnDisk ? this.platform : (remote ?? this.platform)).listFiles(folder);
  }

  /** The options of a framework by name. */
  options(framework: FrameworkId): ReadonlyMap<string, OptionFact> {
    const known = this.#options.get(framework);
    if (known !== undefined) return known;
    const made = new Map(this.platform.knowledgeOf(framework).options.map((option) => [option.name, option]));
    this.#options.set(framework, made);
    return made;
  }

  document(uri: string): TextDocument | undefined {
    return this.#documents.get(uri);
  }

  /** The linter over open documents and disk, with project configurations. */
  linter(): ProjectLinter {
    this.#linter ??= createProjectLinter({
      host: this.host(),
      knowledgeOf: this.platform.knowledgeOf,
      commonRules: this.platform.commonRules,
      resumes: true,
      kindOf: (path, text) => this.kindOf(path, text),
    });
    return this.#linter;
  }

  /** The kind of a file; for an open one the editor's language may determine it. */
  kindOf(path: string, text: string): FileKind {
    return kindInEditor(path, text, this.#documents.get(this.uris.uriOf(path))?.languageId);
  }

  /** Whether the disk has a file at a path, regardless of open documents; false if the disk fails. */
  isOnDisk(path: string): boolean {
    try {
      this.#disk ??= hostOfFolders(this.#folders, this.platform);
      return this.#disk.kind(path) === 'file';
    } catch (error) {
      this.#log(failure(`The disk could not be asked for ${path}`, error));
      return false;
    }
  }

  /** Open documents on top of the files on disk. */
  host(): Host {
    if (this.#host !== undefined) return this.#host;
    this.#disk ??= hostOfFolders(this.#folders, this.platform);
    const disk = this.#disk;
    const open = (path: string): TextDocument | undefined => this.#documents.get(this.uris.uriOf(path));
    const kindOf = (path: string): ReturnType<Host['kind']> => {
      if (open(path) !== undefined) return 'file';
      const kind = disk.kind(path);
      // The first file of a new folder may be open and not yet saved.
      return kind === 'absent' && this.#holdsOpen(`${path}/`) ? 'directory' : kind;
    };
    const host: Host = {
      read: (path) => open(path)?.getText() ?? disk.read(path),
      kind: kindOf,
      list: (path) => disk.list(path),
      rootOf: (path) => disk.rootOf(path),
    };
    // Questions about configurations need not be collected: everything that looks for them is linted again after any of them changes.
    this.#host = notedHost(host, (question, path, answer) => {
      this.#observer?.(question, path, answer);
      if (question !== 'rootOf' && !hasConfigName(path))
        this.#asked?.add(question === 'list' ? `${path}/` : path);
    });
    return this.#host;
  }

  /** Whether a document below a folder is open; the folder's path ends with a slash. */
  #holdsOpen(folder: string): boolean {
    return this.#documents.all().some(({ uri }) => this.uris.pathOf(uri).startsWith(folder));
  }

  /** Sets who receives each question about a file from now on. */
  observe(observer: Observer): void {
    this.#observer = observer;
  }

  /** Does some work, and returns the paths that it asked for; a folder that it listed ends with a slash. */
  noting<T>(work: () => T): { readonly result: T; readonly asked: ReadonlySet<string> } {
    const asked = new Set<string>();
    this.#asked = asked;
    try {
      return { result: work(), asked };
    } finally {
      this.#asked = undefined;
    }
  }

  /**
   * Lints a document in its current state; the result is cached until the text changes. If the engine fails, the report is empty, so that all
   * features keep working.
   */
  lint(uri: string): Lint | undefined {
    const document = this.#documents.get(uri);
    if (document === undefined) return undefined;
    const known = this.#lints.get(uri);
    if (known !== undefined && known.version === document.version) return known;
    if (document.getText().length > large) this.platform.largeDocument?.();
    const start = this.platform.now();
    const path = this.uris.pathOf(uri);
    const report = this.settings.of(uri).enable
      ? this.#report(path, document.getText())
      : emptyReport(path, document.getText());
    const duration = this.platform.now() - start;
    const lint = { uri, version: document.version, serial: ++this.#serial, report, duration };
    this.#lints.set(uri, lint);
    this.#durations.set(uri, duration);
    this.#sources.set(
      uri,
      report.sources.filter((source) => source !== path),
    );
    return lint;
  }

  /** The report of a document or, if it is not open, of the file on disk; undefined if there is none. */
  reportOf(uri: string): FileReport | undefined {
    const open = this.lint(uri);
    if (open !== undefined) return open.report;
    const path = this.uris.pathOf(uri);
    const text = this.host().read(path);
    return text === undefined || !this.settings.of(uri).enable ? undefined : this.#report(path, text);
  }

  #report(path: string, text: string): FileReport {
    try {
      return this.linter().lint(path, text);
    } catch (error) {
      this.#log(failure(`The lint of ${path} failed`, error));
      return emptyReport(path, text);
    }
  }

  /** Duration of a document's last lint in milliseconds. */
  lastDuration(uri: string): number {
    return this.#durations.get(uri) ?? 0;
  }

  /** Drops the results of a document, so that it is linted again. */
  invalidate(uri: string): void {
    this.#lints.delete(uri);
  }

  close(uri: string): void {
    this.#lints.delete(uri);
    this.#durations.delete(uri);
    this.#sources.delete(uri);
    this.#views.delete(this.uris.pathOf(uri));
    this.settings.close(uri);
  }

  /** Other open documents whose last lint read a path. */
  dependents(path: string): string[] {
    return [...this.#sources].flatMap(([uri, sources]) => (sources.includes(path) ? [uri] : []));
  }

  /** The reports that concern a document: its own, and those of open scripts that read it. */
  reportsOn(uri: string): FileReport[] {
    const path = this.uris.pathOf(uri);
    return [uri, ...this.dependents(path)].flatMap((one) => this.lint(one)?.report ?? []);
  }

  /** The text of a path with its lines: of an open document, otherwise of the file on disk. */
  view(path: string): TextView {
    const document = this.#documents.get(this.uris.uriOf(path));
    const source = document ?? this.host().read(path) ?? '';
    const known = this.#views.get(path);
    if (known !== undefined && known.source === source && known.version === document?.version)
      return known.view;
    const view = new TextView(source, this.#encoding);
    this.#views.set(path, { source, version: document?.version, view });
    return view;
  }
}
