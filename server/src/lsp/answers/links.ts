import type { DocumentLink } from 'vscode-languageserver';
import type { FileReport } from '../../linter.ts';
import type { Place } from '../../text/span.ts';
import { textOf } from '../../value/word.ts';
import type { Session } from '../session.ts';

/** Links to files of the workspace that a launch reads: sourced scripts, programs, configurations, checkpoints and data. */
export function documentLinks(uri: string, session: Session): DocumentLink[] {
  const report = session.lint(uri)?.report;
  if (report === undefined) return [];
  const path = session.uris.pathOf(uri);
  const view = session.view(path);
  const host = session.host();
  const found: Leading[] = sourcedFiles(view.text, report.sources);
  const folders = [path.slice(0, path.lastIndexOf('/')), host.rootOf(path) ?? ''];
  for (const { place, text } of writtenPaths(report)) {
    if (place.path !== path) continue;
    const target = folders
      .map((folder) => (text.startsWith('/') ? text : `${folder}/${text.replace(/^\.\//, '')}`))
      .find((candidate) => host.kind(candidate) === 'file');
    if (target !== undefined) found.push({ ...place.span, target });
  }
  return apart(found).map(({ start, end, target }) => ({
    range: view.range({ start, end }),
    target: session.uris.uriOf(target),
    tooltip: target,
  }));
}

/** Links without overlaps, in text order; of two at one place the longer, which covers more of its path. */
function apart(links: readonly Leading[]): readonly Leading[] {
  const kept: Leading[] = [];
  for (const link of [...links].sort((a, b) => a.start - b.start)) {
    const last = kept.at(-1);
    if (last === undefined || last.end <= link.start) kept.push(link);
    else if (link.end - link.start > last.end - last.start) kept[kept.length - 1] = link;
  }
  return kept;
}

/** A part of the text that links to a file. */
interface Leading {
  readonly start: number;
  readonly end: number;
  readonly target: string;
}

/**
 * Links for sourced files, which follow `source` or `.`; the evaluator says which files were read. The path is often computed (`$(dirname
 * "$0")/models/x.sh`), so the link is the end of the path that is written literally.
 */
function sourcedFiles(text: string, sources: readonly string[]): Leading[] {
  return [...text.matchAll(/^[ \t]*(?:source|\.|bash|sh|sbatch|exec)[ \t]+([^\n;&|]+)/gm)].flatMap(
    (match) => {
      const tail = match[1] ?? '';
      const start = match.index + match[0].length - tail.length;
      return sources.flatMap((target) => {
        const end = writtenEnd(target, tail);
        if (end === undefined) return [];
        const at = start + tail.lastIndexOf(end);
        return [{ start: at, end: at + end.length, target }];
      });
    },
  );
}

/** Texts that look like a file path: values of settings, and words of the command such as its program. */
function writtenPaths(report: FileReport): { readonly place: Place; readonly text: string }[] {
  const found: { readonly place: Place; readonly text: string }[] = [];
  const put = (place: Place | undefined, text: unknown): void => {
    if (place === undefined || typeof text !== 'string' || text.includes('\n')) return;
    if (text.includes('/') || /\.(py|sh|ya?ml|jsonl?)$/.test(text)) found.push({ place, text });
  };
  for (const { settings, launch } of report.runs) {
    for (const word of launch?.command.words ?? []) {
      const [piece, ...others] = word.pieces;
      if (piece?.kind === 'text' && others.length === 0) put(piece.origin.place, textOf(word));
    }
    for (const { origin, valuePlace, value } of settings)
      if (value.kind === 'known') put(origin?.place ?? valuePlace, value.data);
  }
  return found;
}

/** The longest end of a path, in whole names, that a text contains. */
function writtenEnd(path: string, text: string): string | undefined {
  const names = path.split('/');
  let longest: string | undefined;
  for (let count = 1; count < names.length; count++) {
    const end = names.slice(-count).join('/');
    if (!text.includes(end)) break;
    if (isWholeName(text, end)) longest = end;
  }
  return longest;
}

/** Whether the last occurrence of a path in a text starts and ends at name boundaries: `x.sh` is not found in `big-x.sh`. */
function isWholeName(text: string, path: string): boolean {
  const at = text.lastIndexOf(path);
  return !/[\w.-]/.test(text.charAt(at - 1)) && !/[\w-]/.test(text.charAt(at + path.length));
}
