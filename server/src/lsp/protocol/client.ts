import type { InitializeParams, MarkupKind } from 'vscode-languageserver';
import { chosenEncoding, type PositionEncoding } from './columns.ts';

/** What the client said of itself with `initialize`, as far as it matters here. */
export interface Client {
  readonly folders: readonly string[];
  /** How it and the server count the characters of a line from now on. */
  readonly positionEncoding: PositionEncoding;
  /** It asks for the diagnostics of the documents that it shows. */
  readonly pulls: boolean;
  readonly refreshes: boolean;
  readonly refreshesHints: boolean;
  readonly refreshesLenses: boolean;
  readonly refreshesTokens: boolean;
  /** A report may bring the reports of other documents along. */
  readonly takesRelated: boolean;
  readonly watches: boolean;
  readonly changesFolders: boolean;
  readonly registersSettings: boolean;
  readonly answersSettings: boolean;
  /** Edits may name document versions. */
  readonly versionedEdits: boolean;
  /** Actions may come without their edits, which are asked for when one is chosen. */
  readonly lazyActions: boolean;
  /** Its outline takes symbols within symbols. */
  readonly nestsSymbols: boolean;
  /** It has the commands `oomlint.openRule` and `oomlint.showResolved` itself. */
  readonly commands: boolean;
  /** It wants to hear after each lint what a file was recognised as (`oomlint/status`). */
  readonly hearsStatus: boolean;
  /** It opens pages when asked to (`window/showDocument`). */
  readonly opensPages: boolean;
  /** What it shows where something is explained, and in the documentation of completions. */
  readonly hoverKind: MarkupKind;
  readonly documentationKind: MarkupKind;
  readonly initialSettings: unknown;
}

/** The kind of text that a client likes best; Markdown, which can be read as it stands, where it names none. */
function preferredKind(named: readonly MarkupKind[] | undefined): MarkupKind {
  return named?.[0] === 'plaintext' ? 'plaintext' : 'markdown';
}

/** Whether the initialization options ask for something that goes beyond the protocol. */
function asks(options: unknown, name: string): boolean {
  if (typeof options !== 'object' || options === null) return false;
  return new Map<string, unknown>(Object.entries(options)).get(name) === true;
}

/** Reads what a client can do; what it does not mention it cannot. */
export function clientOf(params: InitializeParams): Client {
  const { workspace, textDocument, window, general } = params.capabilities;
  const root = params.rootUri ?? undefined;
  const initial: unknown = params.initializationOptions;
  return {
    folders: params.workspaceFolders?.map(({ uri }) => uri) ?? (root === undefined ? [] : [root]),
    positionEncoding: chosenEncoding(general?.positionEncodings),
    pulls: textDocument?.diagnostic !== undefined,
    refreshes: workspace?.diagnostics?.refreshSupport === true,
    refreshesHints: workspace?.inlayHint?.refreshSupport === true,
    refreshesLenses: workspace?.codeLens?.refreshSupport === true,
    refreshesTokens: workspace?.semanticTokens?.refreshSupport === true,
    takesRelated: textDocument?.diagnostic?.relatedDocumentSupport === true,
    watches: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    changesFolders: workspace?.workspaceFolders === true,
    registersSettings: workspace?.didChangeConfiguration?.dynamicRegistration === true,
    answersSettings: workspace?.configuration === true,
    versionedEdits: workspace?.workspaceEdit?.documentChanges === true,
    lazyActions: textDocument?.codeAction?.resolveSupport?.properties.includes('edit') === true,
    nestsSymbols: textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true,
    commands: asks(initial, 'commands'),
    hearsStatus: asks(initial, 'status'),
    opensPages: window?.showDocument?.support === true,
    hoverKind: preferredKind(textDocument?.hover?.contentFormat),
    documentationKind: preferredKind(textDocument?.completion?.completionItem?.documentationFormat),
    initialSettings: initial,
  };
}
