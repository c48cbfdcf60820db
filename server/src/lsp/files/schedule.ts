/**
 * The lifecycle of one open document, as a state machine without a clock: idle → scheduled (after a change) → running → idle, or running →
 * rerun if a change arrives meanwhile; closed ends everything. Bursts collapse into one run; nothing is reported for a closed document or an
 * outdated run.
 */
export class DocumentSchedule {
  #state: 'idle' | 'scheduled' | 'running' | 'rerun' | 'closed' = 'idle';

  get state(): string {
    return this.#state;
  }

  /** Records a change. @returns whether a run must be queued now. */
  request(): boolean {
    switch (this.#state) {
      case 'idle':
        this.#state = 'scheduled';
        return true;
      case 'running':
        this.#state = 'rerun';
        return false;
      default:
        return false;
    }
  }

  /** Called when it is this document's turn in the queue. @returns whether to run. */
  begin(): boolean {
    if (this.#state !== 'scheduled') return false;
    this.#state = 'running';
    return true;
  }

  /** Records the end of a run. `publish`: its result is still wanted; `again`: another run must be queued. */
  finish(): { readonly publish: boolean; readonly again: boolean } {
    switch (this.#state) {
      case 'running':
        this.#state = 'idle';
        return { publish: true, again: false };
      case 'rerun':
        this.#state = 'scheduled';
        return { publish: false, again: true };
      default:
        return { publish: false, again: false };
    }
  }

  /** Records that the document was closed; everything in progress is dropped. */
  close(): void {
    this.#state = 'closed';
  }
}
