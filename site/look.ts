import type { Finding } from '../server/src/rules/finding.ts';
import type { TextEdit } from '../server/src/text/edit.ts';
import type { Span } from '../server/src/text/span.ts';

// The messages between the page and the engine, which runs in a worker: they are copied, so they contain only plain data.

/** A fix of a finding; it only edits the linted text. */
export interface LookedFix {
  readonly title: string;
  readonly safety: string;
  readonly cost: string | undefined;
  readonly edits: readonly Pick<TextEdit, 'span' | 'newText'>[];
}

/** A finding as the page shows it. */
export interface LookedFinding extends Pick<Finding, 'rule' | 'severity' | 'certainty' | 'message'> {
  /** When it shows, as a text; undefined if it never does by itself. */
  readonly when: string | undefined;
  readonly span: Span;
  readonly fixes: readonly LookedFix[];
}

/** Everything shown about a text. */
export interface Look {
  /** Titles of the recognised frameworks. */
  readonly frameworks: readonly string[];
  readonly findings: readonly LookedFinding[];
  /** What would start, as `oomlint resolve` prints it. */
  readonly resolved: string;
  /** Duration in milliseconds. */
  readonly took: number;
}

/** The page's questions to the engine: whether it is ready, or something about a text. */
export type Question =
  | { readonly wanted: 'start' }
  | { readonly wanted: 'look' | 'all fixes'; readonly path: string; readonly text: string };

/** A question with a number that identifies its answer. */
export type Request = Question & { readonly id: number };

/** The answer to a question: that the engine is ready, the findings, the text after all fixes, or why there is none. */
export type Reply = { readonly id: number } & (
  | { readonly started: true }
  | { readonly look: Look }
  | { readonly fixed: string }
  | { readonly failure: string }
);
