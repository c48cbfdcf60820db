import type { Connection, Diagnostic } from 'vscode-languageserver';
import { diagnosticOf } from './diagnostics.ts';
import { DocumentSchedule } from './schedule.ts';
import type { Lint, Session } from './session.ts';

/**
 * Keeps published diagnostics true to the texts. There is no fixed delay: a change is linted as soon as the queue is free, and
 * changes that arrive meanwhile are linted together.
 */
export class Publisher {
  readonly #connection: Connection;
  readonly #session: Session;
  readonly #schedules = new Map<string, DocumentSchedule>();
  readonly #onLint: (lint: Lint) => void;
  /** Diagnostics that other documents put into a file: file → document → list. */
  readonly #foreign = new Map<string, Map<string, Diagnostic[]>>();
  readonly #own = new Map<string, Diagnostic[]>();

  constructor(connection: Connection, session: Session, onLint: (lint: Lint) => void) {
    this.#connection = connection;
    this.#session = session;
    this.#onLint = onLint;
  }

  /** A document was opened or changed, or something that it depends on did. */
  request(uri: string): void {
    let schedule = this.#schedules.get(uri);
    if (schedule === undefined) {
      schedule = new DocumentSchedule();
      this.#schedules.set(uri, schedule);
    }
    if (schedule.request()) this.#queue(uri, schedule);
  }

  /** A document was closed: its diagnostics go, also those that it put elsewhere. */
  close(uri: string): void {
    this.#schedules.get(uri)?.close();
    this.#schedules.delete(uri);
    this.#own.delete(uri);
    this.#setForeign(uri, new Map());
    void this.#connection.sendDiagnostics({ uri, diagnostics: this.#merged(uri) });
  }

  #queue(uri: string, schedule: DocumentSchedule): void {
    // As long as the last lint took: messages that wait in the channel are read first, so that a burst is one run.
    const delay = Math.min(50, this.#session.lastLint(uri)?.duration ?? 0);
    setTimeout(() => this.#run(uri, schedule), delay);
  }

  #run(uri: string, schedule: DocumentSchedule): void {
    if (!schedule.begin()) return;
    let lint: Lint | undefined;
    try {
      lint = this.#session.lint(uri);
    } catch (error) {
      this.#connection.console.error(
        `lint of ${uri} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    }
    const { publish, again } = schedule.finish();
    if (again) this.#queue(uri, schedule);
    if (!publish || lint === undefined) return;
    this.#publish(lint);
    this.#onLint(lint);
  }

  #publish(lint: Lint): void {
    const path = this.#session.uris.pathOf(lint.uri);
    const own = lint.report.findings.map((finding) => diagnosticOf(finding, path, this.#session));
    this.#own.set(lint.uri, own);
    const foreign = new Map<string, Diagnostic[]>();
    for (const finding of lint.report.findings) {
      if (finding.place.path === path) continue;
      const uri = this.#session.uris.uriOf(finding.place.path);
      foreign.set(uri, [
        ...(foreign.get(uri) ?? []),
        diagnosticOf(finding, finding.place.path, this.#session),
      ]);
    }
    this.#setForeign(lint.uri, foreign);
    void this.#connection.sendDiagnostics({
      uri: lint.uri,
      version: lint.version,
      diagnostics: this.#merged(lint.uri),
    });
  }

  #setForeign(from: string, found: ReadonlyMap<string, Diagnostic[]>): void {
    const changed = new Set(found.keys());
    for (const [uri, bySource] of this.#foreign) if (bySource.delete(from)) changed.add(uri);
    for (const [uri, diagnostics] of found) {
      const bySource = this.#foreign.get(uri) ?? new Map<string, Diagnostic[]>();
      bySource.set(from, diagnostics);
      this.#foreign.set(uri, bySource);
    }
    for (const uri of changed)
      if (uri !== from) void this.#connection.sendDiagnostics({ uri, diagnostics: this.#merged(uri) });
  }

  /** A file's own diagnostics and those that scripts which use it found there, each once. */
  #merged(uri: string): Diagnostic[] {
    const all = [...(this.#own.get(uri) ?? []), ...[...(this.#foreign.get(uri)?.values() ?? [])].flat()];
    const seen = new Set<string>();
    return all.filter((diagnostic) => {
      const key = JSON.stringify([diagnostic.range, diagnostic.code, diagnostic.message]);
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
  }

  /** What is shown for a document now, for clients that pull. */
  current(uri: string): Diagnostic[] {
    const lint = this.#session.lint(uri);
    if (lint === undefined) return [];
    const path = this.#session.uris.pathOf(uri);
    this.#own.set(
      uri,
      lint.report.findings.map((finding) => diagnosticOf(finding, path, this.#session)),
    );
    return this.#merged(uri);
  }
}
