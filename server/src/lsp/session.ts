import type { TextDocument } from 'vscode-languageserver-textdocument';
import { configNames } from '../config/discover.ts';
import { createProjectLinter, type ProjectLinter } from '../config/project.ts';
import type { FrameworkId } from '../frameworks/framework.ts';
import type { OptionFact } from '../frameworks/knowledge.ts';
import type { FileReport } from '../linter.ts';
import type { Host } from '../value/host.ts';
import type { Platform } from './platform.ts';
import { TextView } from './positions.ts';
import { createUriMap, type UriMap } from './uris.ts';

/** The documents that the editor holds. */
export interface OpenDocuments {
  get(uri: string): TextDocument | undefined;
  all(): TextDocument[];
}

/** A lint of one document at one version. */
export interface Lint {
  readonly uri: string;
  readonly version: number;
  readonly report: FileReport;
  /** Milliseconds that it took. */
  readonly duration: number;
}

/** Whether a path is a project configuration. */
export function isConfiguration(path: string): boolean {
  return configNames.some((name) => path.endsWith(`/${name}`));
}

/** Everything that features ask: texts, reports, and which documents a change concerns. */
export class Session {
  readonly uris: UriMap = createUriMap();
  readonly platform: Platform;
  readonly #documents: OpenDocuments;
  readonly #lints = new Map<string, Lint>();
  readonly #views = new Map<string, { readonly version: number; readonly view: TextView }>();
  readonly #options = new Map<FrameworkId, ReadonlyMap<string, OptionFact>>();
  #folders: readonly string[] = [];
  #linter: ProjectLinter | undefined;

  constructor(platform: Platform, documents: OpenDocuments) {
    this.platform = platform;
    this.#documents = documents;
  }

  get folders(): readonly string[] {
    return this.#folders;
  }

  setFolders(uris: readonly string[]): void {
    this.#folders = uris.map((uri) => this.uris.pathOf(uri));
    this.refresh();
  }

  /** Forgets what was read of files and configurations; open documents keep their texts. */
  refresh(): void {
    this.#linter = undefined;
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
    });
    return this.#linter;
  }

  /** Open documents over the files on disk. */
  host(): Host {
    const disk = this.platform.makeHost(this.#folders);
    const open = (path: string): TextDocument | undefined => this.#documents.get(this.uris.uriOf(path));
    return {
      read: (path) => open(path)?.getText() ?? disk.read(path),
      kind: (path) => (open(path) === undefined ? disk.kind(path) : 'file'),
      list: (path) => disk.list(path),
      rootOf: (path) => this.#folders.find((folder) => path.startsWith(`${folder}/`)) ?? disk.rootOf(path),
    };
  }

  /** Lints a document as it stands now; the result is remembered until the text changes. */
  lint(uri: string): Lint | undefined {
    const document = this.#documents.get(uri);
    if (document === undefined) return undefined;
    const known = this.#lints.get(uri);
    if (known !== undefined && known.version === document.version) return known;
    const start = this.platform.now();
    const report = this.linter().lint(this.uris.pathOf(uri), document.getText());
    const lint = { uri, version: document.version, report, duration: this.platform.now() - start };
    this.#lints.set(uri, lint);
    return lint;
  }

  /** The last lint of a document, however old. */
  lastLint(uri: string): Lint | undefined {
    return this.#lints.get(uri);
  }

  /** Drops what was found for a document, so that it is linted anew. */
  invalidate(uri: string): void {
    this.#lints.delete(uri);
  }

  close(uri: string): void {
    this.#lints.delete(uri);
    this.#views.delete(uri);
  }

  /** Open documents whose last lint read a file. */
  dependents(path: string): string[] {
    return [...this.#lints.values()]
      .filter(({ report }) => report.sources.includes(path))
      .map(({ uri }) => uri);
  }

  /** The text of a path with its lines: an open document, else the file on disk. */
  view(path: string): TextView {
    const uri = this.uris.uriOf(path);
    const document = this.#documents.get(uri);
    if (document === undefined) return new TextView(this.host().read(path) ?? '');
    const known = this.#views.get(uri);
    if (known !== undefined && known.version === document.version) return known.view;
    const view = new TextView(document.getText());
    this.#views.set(uri, { version: document.version, view });
    return view;
  }
}
