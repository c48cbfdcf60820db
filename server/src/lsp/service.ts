import type {
  CancellationToken,
  CodeAction,
  CodeActionParams,
  CodeLens,
  CompletionItem,
  CompletionParams,
  DocumentDiagnosticReport,
  DocumentLink,
  DocumentSymbol,
  Hover,
  InlayHint,
  Location,
  Range,
  SemanticTokens,
  SignatureHelp,
  TextDocumentPositionParams,
  WorkDoneProgressReporter,
} from 'vscode-languageserver';
import { codeActions, resolveCodeAction } from './codeActions.ts';
import { codeLenses } from './codeLens.ts';
import { completion, resolveCompletion } from './completion.ts';
import { definition, references } from './definition.ts';
import { hover } from './hover.ts';
import { inlayHints } from './inlayHints.ts';
import { documentLinks } from './links.ts';
import type { Platform } from './platform.ts';
import { type DiagnosticsClient, Publisher } from './publisher.ts';
import { resolvedText } from './resolved.ts';
import { semanticTokens } from './semanticTokens.ts';
import { isConfiguration, type OpenDocuments, Session } from './session.ts';
import type { SettingsStore } from './settings.ts';
import { signatureHelp } from './signature.ts';
import { documentSymbols } from './symbols.ts';
import { lintWorkspace, type WorkspacePass } from './workspacePass.ts';

/** What the client can do, beyond diagnostics. */
export interface ClientAbilities {
  /** Edits may name document versions. */
  readonly versionedEdits: boolean;
  /** Actions may come without their edits, which are asked for when one is chosen. */
  readonly lazyActions: boolean;
  /** The client has the commands `oomlint.openRule` and `oomlint.showResolved` itself. */
  readonly commands: boolean;
  /** The client opens pages when asked to (`window/showDocument`). */
  readonly opensPages: boolean;
}

/** What the service says to the editor. */
export interface ServiceClient extends DiagnosticsClient, ClientAbilities {
  status(status: Status): void;
}

/** What the status item of an editor shows for a document. */
export interface Status {
  readonly uri: string;
  readonly frameworks: readonly string[];
  readonly because: string | null;
  readonly milliseconds: number;
  readonly config: string | null;
}

/** All that the server does once the engine is loaded: documents come in, diagnostics and answers go out. */
export class Service {
  readonly #session: Session;
  readonly #publisher: Publisher;
  readonly #client: ServiceClient;
  readonly #documents: OpenDocuments;

  constructor(platform: Platform, documents: OpenDocuments, settings: SettingsStore, client: ServiceClient) {
    this.#client = client;
    this.#documents = documents;
    this.#session = new Session(platform, documents, settings, (message) => client.log(message));
    this.#publisher = new Publisher(client, this.#session, ({ uri, report, duration }) => {
      client.status({
        uri,
        frameworks: [...new Set(report.runs.map((run) => run.framework))],
        because: report.runs[0]?.because ?? null,
        milliseconds: duration,
        config: this.#session.linter().configOf(report.path) ?? null,
      });
    });
    platform.onFilesKnown?.(() => this.relintAll());
  }

  setFolders(uris: readonly string[]): void {
    this.#session.setFolders(uris);
  }

  /** A document was opened. */
  opened(uri: string, languageId: string): void {
    this.#session.uris.register(uri, languageId);
    this.#session.invalidate(uri);
    this.#publisher.open(uri);
    const { settings } = this.#session;
    if (settings.isKnown(uri)) this.changed(uri);
    else
      void settings.load(uri).then(() => {
        this.#session.invalidate(uri);
        if (this.#documents.get(uri) !== undefined) this.changed(uri);
      });
  }

  /** A document has a new text; it and what depends on it are linted. */
  changed(uri: string): void {
    const path = this.#session.uris.pathOf(uri);
    if (isConfiguration(path)) {
      this.relintAll();
      return;
    }
    if (this.#session.settings.isKnown(uri)) this.#publisher.request(uri);
    this.#relintDependents(path);
  }

  #relintDependents(path: string): void {
    const dependents = this.#session.dependents(path);
    for (const uri of dependents) {
      this.#session.invalidate(uri);
      this.#publisher.request(uri);
    }
    if (dependents.length > 0) this.#client.refresh();
  }

  /** A document was closed; the file on disk stands again, for it and for what depends on it. */
  closed(uri: string): void {
    const path = this.#session.uris.pathOf(uri);
    this.#session.close(uri);
    this.#publisher.close(uri);
    if (isConfiguration(path)) this.relintAll();
    else this.#relintDependents(path);
  }

  /** Files changed on disk. Those that are open are known better from the editor. */
  filesChanged(uris: readonly string[]): void {
    this.#session.platform.filesChanged?.(uris.map((uri) => this.#session.uris.pathOf(uri)));
    const closed = uris.filter((uri) => this.#documents.get(uri) === undefined);
    if (closed.length === 0) return;
    this.relintAll();
    for (const uri of closed)
      if (this.#publisher.showsFile(uri)) this.#publisher.acceptFile(uri, this.#session.reportOf(uri));
  }

  /** A document was saved, in an editor that does not watch files: what is on disk may have changed. */
  saved(uri: string): void {
    this.#session.releaseFiles();
    this.changed(uri);
  }

  /** Everything is read and linted anew. */
  relintAll(): void {
    this.#session.refresh();
    for (const { uri } of this.#documents.all())
      if (this.#session.settings.isKnown(uri)) this.#publisher.request(uri);
    this.#client.refresh();
  }

  /** The user changed the editor's settings. */
  async settingsChanged(pushed: unknown): Promise<void> {
    this.#session.settings.changed(pushed);
    await Promise.all(this.#documents.all().map(({ uri }) => this.#session.settings.load(uri)));
    this.relintAll();
  }

  async diagnostics(uri: string, previous: string | undefined): Promise<DocumentDiagnosticReport> {
    await this.#session.settings.load(uri);
    return this.#publisher.report(uri, previous);
  }

  codeActions(params: CodeActionParams): CodeAction[] {
    const actions = codeActions(params, this.#session, this.#client);
    return this.#client.lazyActions ? actions : actions.map((action) => this.resolveCodeAction(action));
  }

  resolveCodeAction(action: CodeAction): CodeAction {
    return resolveCodeAction(action, this.#session, this.#client);
  }

  hover(params: TextDocumentPositionParams): Hover | null {
    return hover(params, this.#session);
  }

  completion(params: CompletionParams): CompletionItem[] {
    return completion(params, this.#session);
  }

  resolveCompletion(item: CompletionItem): CompletionItem {
    return resolveCompletion(item, this.#session);
  }

  inlayHints(uri: string, range: Range): InlayHint[] {
    return this.#session.settings.of(uri).inlayHints ? inlayHints(uri, range, this.#session) : [];
  }

  codeLenses(uri: string): CodeLens[] {
    return this.#session.settings.of(uri).codeLens ? codeLenses(uri, this.#session, this.#client) : [];
  }

  semanticTokens(uri: string): SemanticTokens {
    return semanticTokens(uri, this.#session);
  }

  symbols(uri: string): DocumentSymbol[] {
    return documentSymbols(uri, this.#session);
  }

  links(uri: string): DocumentLink[] {
    return documentLinks(uri, this.#session);
  }

  definition(params: TextDocumentPositionParams): Location[] {
    return definition(params.textDocument.uri, this.#offset(params), this.#session);
  }

  references(params: TextDocumentPositionParams): Location[] {
    return references(params.textDocument.uri, this.#offset(params), this.#session);
  }

  signatureHelp(params: TextDocumentPositionParams): SignatureHelp | null {
    return signatureHelp(params.textDocument.uri, this.#offset(params), this.#session);
  }

  resolved(uri: string): string {
    return resolvedText(uri, this.#session);
  }

  lintWorkspace(
    tokens: readonly CancellationToken[],
    progress: WorkDoneProgressReporter,
  ): Promise<WorkspacePass> {
    return lintWorkspace(this.#session, this.#publisher, tokens, progress);
  }

  #offset({ textDocument, position }: TextDocumentPositionParams): number {
    return this.#session.view(this.#session.uris.pathOf(textDocument.uri)).offset(position);
  }
}
