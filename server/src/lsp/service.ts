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
  FileSystemWatcher,
  Hover,
  InlayHint,
  Location,
  PreviousResultId,
  Range,
  ReferenceParams,
  SemanticTokens,
  SignatureHelp,
  SymbolInformation,
  TextDocumentPositionParams,
  WorkspaceDiagnosticReport,
} from 'vscode-languageserver';
import { hasConfigName } from '../config/discover.ts';
import { codeActions } from './answers/codeActions.ts';
import { codeLenses } from './answers/codeLens.ts';
import { completion, resolveCompletion } from './answers/completion.ts';
import { definition, references } from './answers/definition.ts';
import { longestFixing, resolveCodeAction } from './answers/fixEdits.ts';
import { hover } from './answers/hover.ts';
import { inlayHints } from './answers/inlayHints.ts';
import { documentLinks } from './answers/links.ts';
import { resolvedText } from './answers/resolved.ts';
import { semanticTokens } from './answers/semanticTokens.ts';
import { signatureHelp } from './answers/signature.ts';
import { documentSymbols, flatSymbols } from './answers/symbols.ts';
import { isWithin } from './files/folders.ts';
import { OtherFiles } from './files/otherFiles.ts';
import { type DiagnosticsClient, Publisher } from './files/publisher.ts';
import { type FileChange, type ShownPass, Workspace } from './files/workspace.ts';
import { WorkspaceReports } from './files/workspaceReports.ts';
import type { Client } from './protocol/client.ts';
import type { LintStatus, WorkspacePass } from './protocol/messages.ts';
import type { Platform } from './protocol/platform.ts';
import { failure, type Lint, type OpenDocuments, Session } from './session.ts';
import type { SettingsStore } from './settings.ts';

/** The abilities of the client beyond diagnostics. */
export type ClientAbilities = Pick<
  Client,
  | 'versionedEdits'
  | 'lazyActions'
  | 'nestsSymbols'
  | 'commands'
  | 'opensPages'
  | 'positionEncoding'
  | 'hoverKind'
  | 'documentationKind'
>;

/** How the service talks to the editor. */
export interface ServiceClient extends DiagnosticsClient, ClientAbilities {
  status(status: LintStatus): void;
  /** Asks the client to report changes of more files on disk. */
  watch(watchers: FileSystemWatcher[]): void;
  /** Shows a pass over the workspace in the editor. */
  showPass(): Promise<ShownPass>;
}

/** Everything that the server does once the engine is loaded: it takes documents, and sends diagnostics and answers. */
export class Service {
  readonly #session: Session;
  readonly #publisher: Publisher;
  readonly #reports: WorkspaceReports;
  readonly #workspace: Workspace;
  readonly #client: ServiceClient;
  readonly #documents: OpenDocuments;

  constructor(platform: Platform, documents: OpenDocuments, settings: SettingsStore, client: ServiceClient) {
    this.#client = client;
    this.#documents = documents;
    const log = (message: string): void => client.log(message);
    this.#session = new Session(platform, documents, settings, log, client.positionEncoding);
    const others = new OtherFiles(
      (watchers) => client.watch(watchers),
      (path) => isWithin(path, this.#session.folders),
    );
    this.#session.observe((question, path, answer) => others.asked(question, path, answer));
    this.#reports = new WorkspaceReports(
      (uri) => documents.get(uri) !== undefined,
      (uri) => client.publish(uri, undefined, []),
    );
    const publish: ServiceClient['publish'] = (uri, version, diagnostics) => {
      if (!client.pulls || this.#reports.take(uri, diagnostics)) client.publish(uri, version, diagnostics);
    };
    const onLint = ({ uri, report, duration }: Lint): void =>
      client.status({
        uri,
        frameworks: [...new Set(report.runs.map((run) => run.framework))],
        because: report.runs[0]?.because ?? null,
        milliseconds: duration,
        config: this.#session.linter().configOf(report.path) ?? null,
      });
    const { nextTurn } = platform;
    this.#publisher = new Publisher({ ...client, publish }, this.#session, { onLint, nextTurn });
    this.#workspace = new Workspace(this.#session, this.#publisher, () => client.showPass());
    platform.onFilesKnown?.(() => {
      this.relintAll();
      this.#workspace.closed.all();
    });
  }

  /** Starts with the folders of the workspace. */
  start(folders: readonly string[]): void {
    this.#session.setFolders(folders);
    this.#updateWorkspace();
  }

  /** Handles changed workspace folders. */
  foldersChanged(folders: readonly string[]): void {
    this.#session.setFolders(folders);
    this.relintAll();
    this.#updateWorkspace();
  }

  #updateWorkspace(): void {
    this.#workspace.update().catch((error: unknown) => {
      this.#client.log(failure('The workspace could not be linted', error));
    });
  }

  /** Handles an opened document. */
  opened(uri: string, languageId: string): void {
    this.#session.uris.register(uri, languageId);
    this.#session.invalidate(uri);
    this.#publisher.open(uri);
    const { settings } = this.#session;
    const path = this.#session.uris.pathOf(uri);
    // Scripts that failed to find the file have not read it, so any script may use it.
    if (!this.#session.isOnDisk(path)) {
      this.relintAll();
      this.#workspace.closed.moved([path]);
    }
    if (settings.isKnown(uri)) {
      this.changed(uri);
      return;
    }
    // Scripts that use it see its text at once; only its own lint waits for its settings.
    this.#relintDependents(path);
    void settings.load(uri).then(() => {
      this.#session.invalidate(uri);
      if (this.#documents.get(uri) !== undefined) this.changed(uri);
    });
  }

  /** Handles a changed document: lints it and everything that depends on it. */
  changed(uri: string): void {
    const path = this.#session.uris.pathOf(uri);
    if (hasConfigName(path)) this.relintAll();
    else {
      if (this.#session.settings.isKnown(uri)) this.#publisher.request(uri);
      this.#relintDependents(path);
    }
    this.#workspace.closed.changed(path);
  }

  #relintDependents(path: string): void {
    const dependents = this.#session.dependents(path);
    for (const uri of dependents) {
      this.#session.invalidate(uri);
      this.#publisher.request(uri);
    }
    if (dependents.length > 0) this.#client.refresh();
  }

  /** Handles a closed document: the file on disk counts again, for itself and for what depends on it. */
  closed(uri: string): void {
    const path = this.#session.uris.pathOf(uri);
    this.#session.close(uri);
    // Changes on disk were ignored while the editor had it open.
    this.#session.releaseFiles();
    this.#publisher.together(() => {
      this.#publisher.close(uri);
      // If it is not on disk it is gone, also for scripts that only checked whether it exists.
      if (hasConfigName(path) || !this.#session.isOnDisk(path)) this.relintAll();
      else this.#relintDependents(path);
      this.#workspace.documentClosed(uri);
    });
  }

  /** Handles files that changed on disk. For open ones the editor has the current text. */
  filesChanged(changes: readonly FileChange[]): void {
    this.#session.platform.filesChanged?.(changes.map(({ uri }) => this.#session.uris.pathOf(uri)));
    const closed = changes.filter(({ uri }) => this.#documents.get(uri) === undefined);
    if (closed.length === 0) return;
    this.relintAll();
    this.#workspace.changedOnDisk(closed);
  }

  /** Handles a saved document in an editor that does not watch files: the file on disk may have changed. */
  saved(uri: string): void {
    this.relintAll();
    this.#workspace.closed.changed(this.#session.uris.pathOf(uri));
  }

  /** Reads and lints everything again. */
  relintAll(): void {
    this.#session.refresh();
    for (const { uri } of this.#documents.all())
      if (this.#session.settings.isKnown(uri)) this.#publisher.request(uri);
    this.#client.refresh();
  }

  /** Handles changed editor settings. */
  async settingsChanged(pushed: unknown): Promise<void> {
    this.#session.settings.changed(pushed);
    await Promise.all(this.#documents.all().map(({ uri }) => this.#session.settings.load(uri)));
    this.relintAll();
    this.#updateWorkspace();
  }

  /** Handles settings that the client sent after the defaults had been used. */
  settingsKnown(): void {
    this.relintAll();
    this.#updateWorkspace();
  }

  async diagnostics(uri: string, previous: string | undefined): Promise<DocumentDiagnosticReport> {
    await this.#session.settings.load(uri);
    return this.#publisher.report(uri, previous);
  }

  /** The diagnostics of all files that are not open, for clients that request them. */
  workspaceDiagnostics(
    previous: readonly PreviousResultId[],
    token: CancellationToken,
  ): Promise<WorkspaceDiagnosticReport> {
    return this.#reports.answer(previous, token, () => this.#workspace.lint(token));
  }

  codeActions(params: CodeActionParams): CodeAction[] {
    const actions = codeActions(params, this.#session, this.#client);
    if (this.#client.lazyActions) return actions;
    const until = this.#fixingEnds();
    return actions.map((action) => resolveCodeAction(action, this.#session, this.#client, until));
  }

  resolveCodeAction(action: CodeAction): CodeAction {
    return resolveCodeAction(action, this.#session, this.#client, this.#fixingEnds());
  }

  #fixingEnds(): number {
    return this.#session.platform.now() + longestFixing;
  }

  hover(params: TextDocumentPositionParams): Hover | null {
    return hover(params, this.#session, this.#client.hoverKind);
  }

  completion(params: CompletionParams): CompletionItem[] {
    return completion(params, this.#session);
  }

  resolveCompletion(item: CompletionItem): CompletionItem {
    return resolveCompletion(item, this.#session, this.#client.documentationKind);
  }

  inlayHints(uri: string, range: Range): InlayHint[] {
    return this.#session.settings.of(uri).inlayHints ? inlayHints(uri, range, this.#session) : [];
  }

  codeLenses(uri: string): CodeLens[] {
    return this.#session.settings.of(uri).codeLens ? codeLenses(uri, this.#session, this.#client) : [];
  }

  semanticTokens(uri: string, range?: Range): SemanticTokens {
    return semanticTokens(uri, range, this.#session);
  }

  symbols(uri: string): DocumentSymbol[] | SymbolInformation[] {
    const symbols = documentSymbols(uri, this.#session);
    return this.#client.nestsSymbols ? symbols : flatSymbols(symbols, uri);
  }

  links(uri: string): DocumentLink[] {
    return documentLinks(uri, this.#session);
  }

  definition(params: TextDocumentPositionParams): Location[] {
    return definition(params.textDocument.uri, this.#offset(params), this.#session);
  }

  references(params: ReferenceParams): Location[] {
    const { includeDeclaration } = params.context;
    return references(params.textDocument.uri, this.#offset(params), includeDeclaration, this.#session);
  }

  signatureHelp(params: TextDocumentPositionParams): SignatureHelp | null {
    return signatureHelp(params.textDocument.uri, this.#offset(params), this.#session);
  }

  resolved(uri: string): string {
    return resolvedText(uri, this.#session);
  }

  lintWorkspace(token: CancellationToken): Promise<WorkspacePass> {
    return this.#workspace.lint(token);
  }

  #offset({ textDocument, position }: TextDocumentPositionParams): number {
    return this.#session.view(this.#session.uris.pathOf(textDocument.uri)).offset(position);
  }
}
