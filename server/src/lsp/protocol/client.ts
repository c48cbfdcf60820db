import type { InitializeParams, MarkupKind } from 'vscode-languageserver';
import { chosenEncoding, type PositionEncoding } from './columns.ts';

/** The relevant part of what the client announced in `initialize`. */
export interface Client {
  readonly folders: readonly string[];
  /** How client and server count the characters of a line. */
  readonly positionEncoding: PositionEncoding;
  /** It requests the diagnostics of the documents that it shows. */
  readonly pulls: boolean;
  readonly refreshes: boolean;
  readonly refreshesHints: boolean;
  readonly refreshesLenses: boolean;
  readonly refreshesTokens: boolean;
  /** A report may include the reports of other documents. */
  readonly takesRelated: boolean;
  readonly watches: boolean;
  readonly changesFolders: boolean;
  readonly registersSettings: boolean;
  readonly answersSettings: boolean;
  /** Edits may name document versions. */
  readonly versionedEdits: boolean;
  /** Actions may come without their edits, which are requested when one is chosen. */
  readonly lazyActions: boolean;
  /** Its outline supports nested symbols. */
  readonly nestsSymbols: boolean;
  /** It provides the commands `oomlint.openRule` and `oomlint.showResolved` itself. */
  readonly commands: boolean;
  /** After each lint it wants to know what a file was recognised as (`oomlint/status`). */
  readonly hearsStatus: boolean;
  /** It opens pages on request (`window/showDocument`). */
  readonly opensPages: boolean;
  /** The format that it shows in hovers and in the documentation of completions. */
  readonly hoverKind: MarkupKind;
  readonly documentationKind: MarkupKind;
  readonly initialSettings: unknown;
}

/** The text format that a client prefers; Markdown, which is readable as plain text, if it names none. */
function preferredKind(named: readonly MarkupKind[] | undefined): MarkupKind {
  return named?.[0] === 'plaintext' ? 'plaintext' : 'markdown';
}

/** Whether the initialization options ask for something that goes beyond the protocol. */
function asks(options: unknown, name: string): boolean {
  if (typeof options !== 'object' || options === null) return false;
  return new Map<string, unknown>(Object.entries(options)).get(name) === true;
}

/** Reads the client's abilities; it has none that it does not mention. */
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
