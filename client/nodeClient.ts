/** The part of the desktop extension that is loaded when a server is needed: a file of its own in dist/. */
export { LanguageClient, TransportKind } from 'vscode-languageclient/node';
