import type {
  Diagnostic,
  DocumentDiagnosticReport,
  FullDocumentDiagnosticReport,
  UnchangedDocumentDiagnosticReport,
} from 'vscode-languageserver';
import type { FileReport } from '../../linter.ts';
import type { Platform } from '../protocol/platform.ts';
import { failure, type Lint, type Session } from '../session.ts';
import { documentDiagnostics, sameDiagnostic } from './diagnostics.ts';
import { DocumentSchedule } from './schedule.ts';

/** What the publisher needs of a client. */
export interface DiagnosticsClient {
  /** The client requests the diagnostics of the documents that it shows; they are published for other files only. */
  readonly pulls: boolean;
  /** A report may include the reports of other documents. */
  readonly takesRelated: boolean;
  publish(uri: string, version: number | undefined, diagnostics: Diagnostic[]): void;
  /** Asks the client to request diagnostics again. */
  refresh(): void;
  log(message: string): void;
}

/** What a publisher gets from its environment. */
interface Around extends Pick<Platform, 'nextTurn'> {
  /** Called for every lint of a document. */
  onLint(lint: Lint): void;
}

/** The report of one document alone. */
type DocumentReport = FullDocumentDiagnosticReport | UnchangedDocumentDiagnosticReport;

/** Maximum milliseconds to wait for further edits. */
const longestWait = 8;
/** Milliseconds without a further change that end a burst; a single change does not wait for them. */
const burstPause = 3;
/** Maximum number of times that a run is delayed because changes keep arriving. */
const longestBurst = 15;
/** Turns of the event loop after which a message that has arrived is certainly read: the protocol's reader takes two for each. */
const turnsToRead = 4;

/**
 * Keeps published diagnostics in sync with the texts. There is no fixed delay: a change is linted as soon as all messages that have arrived are
 * read, and changes that arrive during a lint are linted together.
 */
export class Publisher {
  readonly #client: DiagnosticsClient;
  readonly #session: Session;
  readonly #onLint: Around['onLint'];
  readonly #nextTurn: Around['nextTurn'];
  readonly #schedules = new Map<string, DocumentSchedule>();
  /** The diagnostics from each document's own lint. */
  readonly #own = new Map<string, readonly Diagnostic[]>();
  /** Diagnostics that lints of other documents put into a file: file → document → list. */
  readonly #foreign = new Map<string, Map<string, readonly Diagnostic[]>>();
  /** The serial number of the last lint shown for a document. */
  readonly #shown = new Map<string, number>();

  /** Collects what is to be shown while work is done that changes it more than once. */
  #held: Map<string, () => void> | undefined;

  /** Documents that changed again while their run was queued. */
  readonly #joined = new Set<string>();

  constructor(client: DiagnosticsClient, session: Session, { onLint, nextTurn }: Around) {
    this.#client = client;
    this.#session = session;
    this.#onLint = onLint;
    this.#nextTurn = nextTurn;
  }

  /** Handles a document that was opened or changed, or whose dependencies did. */
  request(uri: string): void {
    let schedule = this.#schedules.get(uri);
    if (schedule === undefined) {
      schedule = new DocumentSchedule();
      this.#schedules.set(uri, schedule);
    }
    if (schedule.request()) this.#queue(uri, schedule);
    else this.#joined.add(uri);
  }

  /** Handles a closed document: removes its diagnostics, including those in other files. */
  close(uri: string): void {
    this.#schedules.get(uri)?.close();
    this.#schedules.delete(uri);
    this.#own.delete(uri);
    this.#shown.delete(uri);
    this.#setForeign(uri, new Map());
    this.#publish(uri, undefined, this.#merged(uri));
  }

  /** Handles an opened document: removes what was published for the file, since clients that pull would show both otherwise. */
  open(uri: string): void {
    this.#own.delete(uri);
    if (this.#client.pulls) this.#publish(uri, undefined, []);
  }

  /** Does some work, and publishes only the final state of each file: findings that are removed and shown again would flicker. */
  together(work: () => void): void {
    const held = new Map<string, () => void>();
    this.#held = held;
    try {
      work();
    } finally {
      this.#held = undefined;
      for (const publish of held.values()) publish();
    }
  }

  #publish(uri: string, version: number | undefined, diagnostics: Diagnostic[]): void {
    const publish = (): void => this.#client.publish(uri, version, diagnostics);
    if (this.#held === undefined) publish();
    else this.#held.set(uri, publish);
  }

  #queue(uri: string, schedule: DocumentSchedule): void {
    // Reads pending messages first, so that a burst is one run; the slower the lint, the longer it pays to wait.
    this.#joined.delete(uri);
    const wait = Math.min(longestWait, this.#session.lastDuration(uri) / 8);
    this.#runWhenRead(uri, schedule, longestBurst, wait);
  }

  /** Calls `go` after a number of turns of the event loop. */
  #afterTurns(turns: number, go: () => void): void {
    if (turns === 0) go();
    else this.#nextTurn(() => this.#afterTurns(turns - 1, go));
  }

  /** Runs after `wait` milliseconds, or later while further changes are still being read; delays at most `looks` more times. */
  #runWhenRead(uri: string, schedule: DocumentSchedule, looks: number, wait: number): void {
    // Waiting by time is not enough: on a busy machine a single message may take longer to read.
    setTimeout(() => {
      this.#afterTurns(turnsToRead, () => {
        if (looks > 0 && this.#joined.delete(uri)) this.#runWhenRead(uri, schedule, looks - 1, burstPause);
        else this.#run(uri, schedule);
      });
    }, wait);
  }

  #run(uri: string, schedule: DocumentSchedule): void {
    if (!schedule.begin()) return;
    const lint = this.#session.lint(uri);
    const { publish, again } = schedule.finish();
    if (again) this.#queue(uri, schedule);
    if (!publish || lint === undefined) return;
    try {
      this.#accept(lint);
    } catch (error) {
      this.#client.log(failure(`The diagnostics of ${uri} failed`, error));
    }
    if (!this.#client.pulls) this.#publish(lint.uri, lint.version, this.#merged(lint.uri));
  }

  /** Stores a lint's findings, and publishes those in other files. */
  #accept(lint: Lint): void {
    if (this.#shown.get(lint.uri) === lint.serial) return;
    this.#shown.set(lint.uri, lint.serial);
    const { own, elsewhere } = documentDiagnostics(lint.report, this.#session);
    this.#own.set(lint.uri, own);
    this.#setForeign(lint.uri, elsewhere);
    this.#onLint(lint);
  }

  #setForeign(from: string, found: ReadonlyMap<string, readonly Diagnostic[]>): void {
    const changed = new Set<string>();
    for (const [uri, bySource] of this.#foreign) {
      if (found.has(uri) || !bySource.delete(from)) continue;
      changed.add(uri);
      if (bySource.size === 0) this.#foreign.delete(uri);
    }
    for (const [uri, diagnostics] of found) {
      const bySource = this.#foreign.get(uri) ?? new Map<string, readonly Diagnostic[]>();
      this.#foreign.set(uri, bySource);
      const before = bySource.get(from);
      bySource.set(from, diagnostics);
      if (before === undefined || JSON.stringify(before) !== JSON.stringify(diagnostics)) changed.add(uri);
    }
    let stale = false;
    for (const uri of changed) {
      if (uri === from) continue;
      const document = this.#session.document(uri);
      if (this.#client.pulls && document !== undefined) stale = true;
      else this.#publish(uri, document?.version, this.#merged(uri));
    }
    if (stale) this.#client.refresh();
  }

  #found(uri: string, report: FileReport | undefined): ReturnType<typeof documentDiagnostics> {
    if (report !== undefined)
      try {
        return documentDiagnostics(report, this.#session);
      } catch (error) {
        this.#client.log(failure(`The diagnostics of ${uri} failed`, error));
      }
    return { own: [], elsewhere: new Map() };
  }

  /** Stores what a pass over the workspace found in a file that is not open; undefined if the file is gone or has nothing of ours. */
  acceptFile(uri: string, report: FileReport | undefined): void {
    if (this.#session.document(uri) !== undefined) return;
    const { own, elsewhere } = this.#found(uri, report);
    const had = (this.#own.get(uri)?.length ?? 0) > 0;
    if (own.length > 0) this.#own.set(uri, own);
    else this.#own.delete(uri);
    this.#setForeign(uri, elsewhere);
    if (had || own.length > 0) this.#publish(uri, undefined, this.#merged(uri));
  }

  /** A file's own diagnostics and those from scripts that use it, without duplicates. */
  #merged(uri: string): Diagnostic[] {
    const all = [...(this.#own.get(uri) ?? [])];
    for (const diagnostics of this.#foreign.get(uri)?.values() ?? [])
      for (const diagnostic of diagnostics)
        if (!all.some((other) => sameDiagnostic(other, diagnostic))) all.push(diagnostic);
    return all;
  }

  /** The current diagnostics of a document, for clients that pull; with what its lint found in other open documents. */
  report(uri: string, previous: string | undefined): DocumentDiagnosticReport {
    const own = this.#reportOf(uri, previous);
    if (!this.#client.takesRelated) return own;
    const related: { [uri: string]: DocumentReport } = {};
    for (const [other, bySource] of this.#foreign)
      if (other !== uri && bySource.has(uri) && this.#session.document(other) !== undefined)
        related[other] = this.#reportOf(other, undefined);
    return Object.keys(related).length === 0 ? own : { ...own, relatedDocuments: related };
  }

  #reportOf(uri: string, previous: string | undefined): DocumentReport {
    const lint = this.#session.lint(uri);
    if (lint === undefined) return { kind: 'full', items: this.#merged(uri) };
    this.#accept(lint);
    const items = this.#merged(uri);
    const resultId = resultIdOf(items);
    return previous === resultId ? { kind: 'unchanged', resultId } : { kind: 'full', resultId, items };
  }
}

/** An id for a list of diagnostics, computed from their texts: it tells whether a client already has them. */
export function resultIdOf(items: readonly Diagnostic[]): string {
  return `${items.length}:${hash(JSON.stringify(items))}`;
}

/** A hash that practically always differs for different texts (FNV-1a, 32 bits, twice with different offsets). */
function hash(text: string): string {
  let first = 0x811c9dc5;
  let second = 0x1000193;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    first = Math.imul(first ^ unit, 0x01000193);
    second = Math.imul(second ^ unit, 0x5bd1e995);
  }
  return `${(first >>> 0).toString(36)}${(second >>> 0).toString(36)}`;
}
