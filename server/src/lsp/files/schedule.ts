/**
 * The life of one open document, as a state machine without a clock:
 * idle → scheduled (a change came) → running → idle, or running → rerun when a change comes meanwhile; closed ends everything.
 * Bursts collapse into one run; nothing is reported for a closed document or an overtaken run.
 */
export class DocumentSchedule {
  #state: 'idle' | 'scheduled' | 'running' | 'rerun' | 'closed' = 'idle';

  get state(): string {
    return this.#state;
  }

  /** A change came. @returns whether a run must be put on the queue now. */
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

  /** The queue has come to this document. @returns whether to run. */
  begin(): boolean {
    if (this.#state !== 'scheduled') return false;
    this.#state = 'running';
    return true;
  }

  /** A run ended. `publish`: its result is still wanted; `again`: another run must be queued. */
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

  /** The document was closed; everything under way is dropped. */
  close(): void {
    this.#state = 'closed';
  }
}
