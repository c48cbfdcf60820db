import type { FileReport } from '../../linter.ts';
import type { Finding } from '../../rules/finding.ts';
import { LineIndex } from '../../text/lines.ts';
import type { Place } from '../../text/span.ts';

/** What every machine-readable format needs. */
export interface FormatOptions {
  readonly read: (path: string) => string | undefined;
  /** A path relative to the current folder, with `/`. */
  readonly shorten: (path: string) => string;
  readonly version: string;
  /** The folder that paths are relative to. */
  readonly root: string;
}

/** A place with one-based lines and UTF-16 columns; the end is after the last character. */
export interface LocatedPlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A finding with its lines and columns. */
export interface LocatedFinding extends LocatedPlace {
  readonly finding: Finding;
}

/** Computes lines and columns of places; each text is indexed once. */
export function locator(options: FormatOptions): (place: Place) => LocatedPlace {
  const indexes = new Map<string, LineIndex>();
  return (place) => {
    let index = indexes.get(place.path);
    if (index === undefined) {
      index = new LineIndex(options.read(place.path) ?? '');
      indexes.set(place.path, index);
    }
    const start = index.positionAt(place.span.start);
    const end = index.positionAt(place.span.end);
    return {
      path: options.shorten(place.path),
      line: start.line + 1,
      column: start.column + 1,
      endLine: end.line + 1,
      endColumn: end.column + 1,
    };
  };
}

/** All findings of all reports, in order. */
export function locatedFindings(reports: readonly FileReport[], options: FormatOptions): LocatedFinding[] {
  const locate = locator(options);
  return reports.flatMap(({ findings }) =>
    findings.map((finding) => ({ finding, ...locate(finding.place) })),
  );
}

/** Findings by the displayed path of their file, in the order in which the paths first occur. */
export function byPath(found: readonly LocatedFinding[]): Map<string, readonly LocatedFinding[]> {
  const files = new Map<string, LocatedFinding[]>();
  for (const one of found) {
    const here = files.get(one.path);
    if (here === undefined) files.set(one.path, [one]);
    else here.push(one);
  }
  return files;
}
