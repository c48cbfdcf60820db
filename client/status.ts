import * as vscode from 'vscode';
import { titleOf } from '../server/src/frameworks/framework.ts';
import type { LintStatus } from '../server/src/lsp/protocol/messages.ts';
import { documentSelector, isServed } from './languages.ts';
import type { Server } from './server.ts';

/** The last lint of a document. */
interface Seen {
  readonly status: LintStatus;
  readonly at: Date;
}

/** The time of day, to the second. */
function clock(at: Date): string {
  return at.toLocaleTimeString(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
}

/** Longest reason that is shown: the popup does not wrap lines and cuts them off after about eighty characters. */
const longestReason = 40;

function shortened(text: string): string {
  return text.length > longestReason ? `${text.slice(0, longestReason - 1)}…` : text;
}

/** What the status item says about the active document. */
function describe(seen: Seen | undefined): { readonly text: string; readonly detail: string } {
  if (seen === undefined)
    return {
      text: 'oomlint: not recognised',
      detail: 'no launch or configuration of a known framework',
    };
  const { status, at } = seen;
  const linted = clock(at);
  if (status.frameworks.length === 0)
    return {
      text: 'oomlint: not recognised',
      detail: `no launch or configuration found · ${linted}`,
    };
  const because = status.because === null ? '' : `${shortened(status.because)} · `;
  return {
    text: `oomlint: ${status.frameworks.map(titleOf).join(', ')}`,
    detail: `${because}${linted}`,
  };
}

/** Shows in the language status whether the active file was recognised, as what and why; a click opens the log. */
export function createStatusItem(server: Server): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem('oomlint.status', documentSelector());
  item.name = 'oomlint';
  item.command = { command: 'oomlint.showLog', title: 'Log', tooltip: 'Show the log of oomlint' };
  const seen = new Map<string, Seen>();
  const refresh = (): void => {
    const document = vscode.window.activeTextEditor?.document;
    item.busy = server.state === 'starting';
    if (server.state === 'failed') {
      item.text = 'oomlint: the server did not start';
      item.detail = 'the log says why';
      item.severity = vscode.LanguageStatusSeverity.Error;
      return;
    }
    item.severity = vscode.LanguageStatusSeverity.Information;
    if (document === undefined || !isServed(document)) return;
    const last = seen.get(document.uri.toString());
    const { text, detail } = item.busy ? { text: 'oomlint: starting', detail: '' } : describe(last);
    item.text = text;
    item.detail = detail;
    void vscode.commands.executeCommand(
      'setContext',
      'oomlint.recognised',
      (last?.status.frameworks.length ?? 0) > 0,
    );
  };
  refresh();
  return vscode.Disposable.from(
    item,
    server.onState(refresh),
    server.onStatus((status) => {
      seen.set(vscode.Uri.parse(status.uri).toString(), { status, at: new Date() });
      refresh();
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      seen.delete(uri.toString());
    }),
    vscode.window.onDidChangeActiveTextEditor(refresh),
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      item.selector = documentSelector();
    }),
  );
}
