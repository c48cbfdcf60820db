import type { YamlMend, YamlProblem } from './document.ts';
import { lineFault, type SecondReader } from './lineFaults.ts';

const openMarker = /^<{7}(?: |\r?$)/m;
const anyMarker = /^(?:<{7}|\|{7}|={7}|>{7})(?=[ \r\n]|$)[^\r\n]*/gm;

/** A text with an unfinished Git merge: its marker lines turned into comments, and the problems. */
export interface Unmerged {
  /** As long as the original, so that all offsets remain valid. */
  readonly text: string;
  readonly problems: readonly YamlProblem[];
}

/** Turns Git's conflict markers into comments, so that the rest can still be read. */
export function withoutConflictMarkers(text: string): Unmerged {
  if (!openMarker.test(text)) return { text, problems: [] };
  const problems: YamlProblem[] = [];
  const readable = text.replace(anyMarker, (line, at: number) => {
    problems.push({
      message: 'This is a Git conflict marker: the merge of this file is not finished.',
      span: { start: at, end: at + line.length },
      severity: 'error',
      isConflict: true,
    });
    return `#${line.slice(1)}`;
  });
  return { text: readable, problems };
}

const deeperThanAbove =
  'This key is indented deeper than the one above it, which already has a value; both need the same indentation.';

/** An error of the `yaml` package. */
interface ReaderError {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [number, number];
}

/** What is needed to correct a text with errors. */
interface Mender {
  /** The correction for lines indented with tabs. */
  readonly mendTabs: () => YamlMend | undefined;
  readonly reader: SecondReader;
}

/** The reader's errors as problems; the first one with the slip that causes it, if that is clear. */
export function syntaxProblems(
  errors: readonly ReaderError[],
  text: string,
  { mendTabs, reader }: Mender,
): YamlProblem[] {
  const problems = problemsOf(errors, text, mendTabs);
  const [first, ...others] = problems;
  if (first === undefined || first.mend !== undefined) return problems;
  const fault = lineFault(text, first.span.start, reader);
  return fault === undefined ? problems : [{ ...first, ...fault }, ...others];
}

/** A comment may directly follow these: PyYAML and libyaml require a blank only if it would continue a word. */
const endsToken = /["'\]},[{]/;

function problemsOf(
  errors: readonly ReaderError[],
  text: string,
  mendTabs: Mender['mendTabs'],
): YamlProblem[] {
  const startsOf = (code: string): ReadonlySet<number> =>
    new Set(errors.flatMap((error) => (error.code === code ? [error.pos[0]] : [])));
  const nested = startsOf('BLOCK_AS_IMPLICIT_KEY');
  const overLines = startsOf('MULTILINE_IMPLICIT_KEY');
  let mend: YamlMend | undefined;
  return errors.flatMap(({ code, message, pos }): YamlProblem[] => {
    const start = Math.min(pos[0], text.length);
    const end = Math.max(start, Math.min(pos[1], text.length));
    const common = { severity: 'error', isSyntax: true } as const;
    if (code === 'MISSING_CHAR' && message.startsWith('Comments') && endsToken.test(text.charAt(start - 1)))
      return [];
    if (code === 'BLOCK_AS_IMPLICIT_KEY' && overLines.has(pos[0])) return [];
    if (code === 'MULTILINE_IMPLICIT_KEY' && nested.has(pos[0])) {
      const last = text.slice(start, end).search(/[^\s][^\n]*$/);
      const deeper = { start: start + last, end };
      return [{ ...common, span: deeper, message: deeperThanAbove }];
    }
    if (code === 'TAB_AS_INDENT') mend ??= mendTabs();
    const mended = code === 'TAB_AS_INDENT' && mend !== undefined ? { mend } : {};
    return [{ ...common, span: { start, end }, message: plainMessage(code, message), ...mended }];
  });
}

/** A reader's error code and message as a readable sentence. */
function plainMessage(code: string, message: string): string {
  switch (code) {
    case 'TAB_AS_INDENT':
      return 'YAML cannot be indented with tabs; use spaces.';
    case 'MISSING_CHAR':
      if (message.includes('closing')) return 'This quoted text is never closed.';
      if (message.includes('Implicit map keys'))
        return 'A key needs a colon and a space after it (`key: value`).';
      break;
    case 'BAD_INDENT':
      if (message.startsWith('Flow'))
        return 'A `[` or `{` before this is not closed, or what it holds is indented too little.';
      return 'This line is indented differently from the lines that it belongs to.';
    case 'BLOCK_AS_IMPLICIT_KEY':
      return 'A second `key:` cannot start here; quote the value, or put it on a separate line.';
    case 'MULTILINE_IMPLICIT_KEY':
      return 'A key must stand on one line; the line before may lack its colon or its quote.';
    case 'BAD_SCALAR_START':
      return 'A value cannot start with this character; put it in quotes.';
    case 'UNEXPECTED_TOKEN':
      return 'This does not belong here.';
  }
  return message.endsWith('.') ? message : `${message}.`;
}
