import type { Finding } from '../server/src/rules/finding.ts';
import type { TextEdit } from '../server/src/text/edit.ts';
import type { Span } from '../server/src/text/span.ts';

// What the page and the engine, which runs in a worker, tell each other: copies, so plain data only.

/** A fix of a finding; it edits the looked at text alone. */
export interface LookedFix {
  readonly title: string;
  readonly safety: string;
  readonly cost: string | undefined;
  readonly edits: readonly Pick<TextEdit, 'span' | 'newText'>[];
}

/** A finding as the page shows it. */
export interface LookedFinding extends Pick<Finding, 'rule' | 'severity' | 'certainty' | 'message'> {
  /** When it shows, as a text; undefined where it never does by itself. */
  readonly when: string | undefined;
  readonly span: Span;
  readonly fixes: readonly LookedFix[];
}

/** What there is to say of a text. */
export interface Look {
  /** Titles of the frameworks that it is for. */
  readonly frameworks: readonly string[];
  readonly findings: readonly LookedFinding[];
  /** What would start, as `oomlint resolve` prints it. */
  readonly resolved: string;
  /** Milliseconds that it took. */
  readonly took: number;
}

/** What the page asks of the engine: whether it is ready, or something of a text. */
export type Question =
  | { readonly wanted: 'start' }
  | { readonly wanted: 'look' | 'all fixes'; readonly path: string; readonly text: string };

/** A question with its number, by which its answer is known. */
export type Request = Question & { readonly id: number };

/** The answer to one question: that the engine is ready, what was found, the text after all fixes, or why there is none. */
export type Reply = { readonly id: number } & (
  | { readonly started: true }
  | { readonly look: Look }
  | { readonly fixed: string }
  | { readonly failure: string }
);
