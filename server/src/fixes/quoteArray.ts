import { type Place, type Span, samePlace } from '../text/span.ts';
import { textOf, type Word } from '../value/word.ts';
import { type Site, siteOf } from './shellSite.ts';
import { type ShellView, shellView } from './shellView.ts';
import type { Work } from './work.ts';

/**
 * Puts quotes around an expansion of all elements of an array (`${ARGS[@]}`), so that they are not split at blanks.
 * @returns false if it is no such expansion, or an element intentionally contains several words of the launch: options, or the result of
 *   another expansion
 */
export function quoteArray(work: Work, expansion: Place): boolean {
  const draft = work.draft(expansion.path);
  const now = draft?.now(expansion.span);
  const view = draft === undefined || now === undefined ? undefined : shellView(work, draft, now);
  const span = now === undefined ? undefined : view?.fromFile(now);
  if (view === undefined || span === undefined) return false;
  const text = view.text.slice(span.start, span.end);
  if (!/^\$\{\w+\[@\]\}$/.test(text) || !isWholeWord(view, span)) return false;
  const elements = elementsThrough(work, view, expansion);
  return elements?.every(isOneValue) === true && view.apply({ span, text: `"${text}"` });
}

/** Whether a span is a whole word of a command. */
function isWholeWord(view: ShellView, span: Span): boolean {
  const site = siteOf(view.script, view.text, span);
  const token = site?.row.tokens[site.index];
  return site?.row.kind === 'command' && token?.start === span.start && token.end === span.end;
}

/** An element of an array as written, and the words of the launch that it became. */
interface Element {
  readonly written: string;
  readonly words: Word[];
}

/**
 * The elements that came through an expansion; undefined if one of them is not in the same text, or became no word: in quotes it would become
 * an empty word.
 */
function elementsThrough(work: Work, view: ShellView, expansion: Place): readonly Element[] | undefined {
  const elements = new Map<number, Element>();
  const beside = new Set<Span>();
  for (const word of work.run.launch?.args ?? []) {
    const piece = word.pieces.find(
      ({ origin: { via } }) => via[0] !== undefined && samePlace(via[0], expansion),
    );
    if (piece === undefined) continue;
    const { via, place } = piece.origin;
    const { path, span } = via[1] ?? place;
    const now = path === expansion.path ? work.draft(path)?.now(span) : undefined;
    const inView = now === undefined ? undefined : view.fromFile(now);
    const site = inView === undefined ? undefined : siteOf(view.script, view.text, inView);
    const token = site === undefined ? undefined : elementAt(site);
    if (site === undefined || token === undefined) return undefined;
    if (site.row.kind === 'array') for (const each of site.row.tokens) beside.add(each);
    const element = elements.get(token.start);
    if (element === undefined)
      elements.set(token.start, { written: view.text.slice(token.start, token.end), words: [word] });
    else element.words.push(word);
  }
  return [...beside].every(({ start }) => elements.has(start)) ? [...elements.values()] : undefined;
}

/** The element of an array that contains a site, with its quotes. */
function elementAt({ row, index, quoted, assignment }: Site): Span | undefined {
  if (row.kind === 'array') return row.tokens[index];
  if (row.kind !== 'text' || quoted === undefined || assignment === undefined) return undefined;
  return { start: quoted.start - 1, end: quoted.end + 1 };
}

/** Whether an element is one word, or one value written in quotes. */
function isOneValue({ written, words: [first, ...others] }: Element): boolean {
  if (others.length === 0) return true;
  const start = first === undefined ? undefined : textOf(first);
  return start?.startsWith('-') === false && /^(?:"[^"]*"|'[^']*')$/.test(written);
}
