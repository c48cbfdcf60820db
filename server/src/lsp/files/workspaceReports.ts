import type {
  CancellationToken,
  Diagnostic,
  PreviousResultId,
  WorkspaceDiagnosticReport,
  WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver';
import { resultIdOf } from './publisher.ts';

/** Maximum time in milliseconds that a request waits for something new. */
const longest = 30_000;

/** The diagnostics of a file, with the id by which a client knows that it already has them. */
interface Shown {
  readonly items: readonly Diagnostic[];
  readonly resultId: string;
}

const nothing: Shown = { items: [], resultId: resultIdOf([]) };

/**
 * Diagnostics of files that are not open, for clients that request them (`workspace/diagnostic`) instead of having them pushed. As the protocol
 * allows, an answer waits until there is something new, so that a client that asks all the time costs nothing.
 */
export class WorkspaceReports {
  readonly #isOpen: (uri: string) => boolean;
  readonly #withdraw: (uri: string) => void;
  readonly #latest = new Map<string, Shown>();
  #isAsked = false;
  #waiting: (() => void)[] = [];

  /**
   * @param isOpen open documents are requested individually, and omitted here
   * @param withdraw removes what was pushed for a file
   */
  constructor(isOpen: (uri: string) => boolean, withdraw: (uri: string) => void) {
    this.#isOpen = isOpen;
    this.#withdraw = withdraw;
  }

  /** Stores the current diagnostics of a file. @returns whether they must be pushed, because the client does not ask */
  take(uri: string, diagnostics: readonly Diagnostic[]): boolean {
    this.#latest.set(uri, { items: diagnostics, resultId: resultIdOf(diagnostics) });
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
    return !this.#isAsked;
  }

  /**
   * The reports of all files that are not open.
   * @param previous what the client already has of each
   * @param lintAll lints the workspace; awaited for the first answer
   */
  async answer(
    previous: readonly PreviousResultId[],
    token: CancellationToken,
    lintAll: () => Promise<unknown>,
  ): Promise<WorkspaceDiagnosticReport> {
    const isFirst = !this.#isAsked;
    this.#isAsked = true;
    if (isFirst) {
      for (const [uri, { items }] of this.#latest) if (items.length > 0) this.#withdraw(uri);
      await lintAll();
    }
    const known = new Map(previous.map(({ uri, value }) => [uri, value]));
    const end = Date.now() + longest;
    for (;;) {
      const items = this.#items(known);
      const isNew = items.some(
        (item) => item.kind === 'full' && (item.items.length > 0 || known.has(item.uri)),
      );
      const left = end - Date.now();
      if (isFirst || isNew || left <= 0 || token.isCancellationRequested) return { items };
      await this.#change(left, token);
    }
  }

  #items(known: ReadonlyMap<string, string>): WorkspaceDocumentDiagnosticReport[] {
    const uris = new Set([...this.#latest.keys(), ...known.keys()]);
    return [...uris].flatMap((uri): WorkspaceDocumentDiagnosticReport[] => {
      if (this.#isOpen(uri)) return [];
      const { items, resultId } = this.#latest.get(uri) ?? nothing;
      if (known.get(uri) === resultId) return [{ kind: 'unchanged', uri, version: null, resultId }];
      return [{ kind: 'full', uri, version: null, resultId, items: [...items] }];
    });
  }

  /** Waits until something is stored, the time is up, or the request is cancelled. */
  #change(milliseconds: number, token: CancellationToken): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      const cancelled = token.onCancellationRequested(() => resolve());
      this.#waiting.push(() => {
        clearTimeout(timer);
        cancelled.dispose();
        resolve();
      });
    });
  }
}
