import { isYamlName } from '../text/fileNames.ts';
import { type Span, samePlace } from '../text/span.ts';
import { display, type Piece, sliceWord, textOf, type Word } from '../value/word.ts';
import { statementRemoval } from './addingStatement.ts';
import type { CommandSetting } from './commandSetting.ts';
import { feedsOthers, isComputedFrom, type OtherSettings } from './dependents.ts';
import type { Draft } from './draft.ts';
import { isPlain, quotedFor, shellWord } from './shellQuote.ts';
import { insertion, isBlank, removal } from './shellRow.ts';
import { loopWordOf, type Site, siteOf } from './shellSite.ts';
import { type ShellView, shellView } from './shellView.ts';
import { identityOf, placesOf, type Work } from './work.ts';
import { insertItems, removeItems } from './yamlItems.ts';
import { setTextInYaml } from './yamlTexts.ts';

/** A setting's words in their row. */
interface Located {
  readonly draft: Draft;
  readonly view: ShellView;
  readonly site: Site;
  /** Index of the last value word; the key's own index if no value follows. */
  readonly last: number;
}

/**
 * Maximum number of words of one setting that are located: each is compared with all of them, and in a list with that many wrong words each one
 * needs a fix.
 */
const mostWords = 200;

/** Finds the words of a setting where they were written; undefined if they are not written there literally. */
function locate(work: Work, given: Omit<CommandSetting, 'setting'>): Located | undefined {
  const key = given.keyWord.pieces[0];
  if (key?.kind !== 'text') return undefined;
  const { place } = key.origin;
  const draft = work.draft(place.path);
  const written = draft?.now(place.span);
  if (draft === undefined || written === undefined) return undefined;
  const text = given.prefix ?? key.text;
  const source = draft.text.slice(written.start, written.end);
  const blanks = key.origin.verbatim ? 0 : (/^\s*/.exec(source)?.[0].length ?? 0);
  if (!source.startsWith(text, blanks)) return undefined;
  const now = { start: written.start + blanks, end: written.start + blanks + text.length };
  const view = shellView(work, draft, now);
  const span = view?.fromFile(now);
  if (view === undefined || span === undefined) return undefined;
  const site = siteOf(view.script, view.text, span);
  const token = site?.row.tokens[site.index];
  if (site === undefined || token === undefined || site.nested) return undefined;
  if (site.row.kind === 'command' && site.row.tokens.length === 1 && site.assignment !== undefined)
    return undefined;
  const opened = view.text.slice(token.start, span.start);
  if (!/^["']?$/.test(opened)) return undefined;
  let last = site.index;
  const behind = wordsBehind(work, given);
  if (behind.length > mostWords) return undefined;
  const open = new Set(behind);
  while (open.size > 0) {
    const next = site.row.tokens.slice(last + 1, last + 2);
    const held = [...open].filter((word) => isWithin(draft, view, word, next));
    if (held.length === 0) return undefined;
    last += 1;
    for (const word of held) open.delete(word);
  }
  const own = new Set([given.keyWord, ...behind].map(identityOf));
  const tokens = site.row.tokens.slice(site.index, last + 1);
  const isShared = (word: Word): boolean => !own.has(identityOf(word)) && isWithin(draft, view, word, tokens);
  if (work.relevantWords().some(isShared)) return undefined;
  if (site.row.kind === 'text' && !wordsOfText(view.text, site, last)) return undefined;
  // A single word with blanks (`'a={b: 1, c: 2}'`) only looks like several.
  if (site.row.kind === 'text' && /\s/.test(display(given.keyWord))) return undefined;
  return { draft, view, site, last };
}

/**
 * The words after a flag that belong to it: its values, or the `True` after a switch that takes no value. That word is parsed as belonging to
 * no option, but without the switch it would follow another flag, which may take it.
 */
function wordsBehind(
  work: Work,
  { keyWord, valueWords, prefix }: Omit<CommandSetting, 'setting'>,
): readonly Word[] {
  if (valueWords.length > 0 || prefix !== undefined || !display(keyWord).startsWith('-')) return valueWords;
  const args = work.run.launch?.args ?? [];
  const key = identityOf(keyWord);
  const next = args.find((_, at) => at > 0 && identityOf(args[at - 1] ?? keyWord) === key);
  return next !== undefined && /^(?:true|false|1|0)$/i.test(textOf(next) ?? '') ? [next] : [];
}

/** Whether a word's text was written in, or expanded through, one of the given tokens of the current shell text. */
function isWithin(draft: Draft, view: ShellView, word: Word, tokens: readonly Span[]): boolean {
  return word.pieces.some((piece) =>
    placesOf(piece).some((place) => {
      if (place.path !== draft.path) return false;
      const now = draft.now(place.span);
      const span = now === undefined ? undefined : view.fromFile(now);
      return span !== undefined && tokens.some(({ start, end }) => start <= span.start && span.end <= end);
    }),
  );
}

/** Whether the words of a quoted text are what they look like: without open quotes or substitutions. */
function wordsOfText(text: string, site: Site, last: number): boolean {
  return site.row.tokens.slice(site.index, last + 1).every(({ start, end }) => {
    const open = text.slice(start, end).replaceAll(/\\?"[^"'`\s\\]*\\?"/g, '');
    return !/["'`\\]|\$\(/.test(open);
  });
}

/** The item of a YAML list that is a setting's key, if its words are items of one list. */
function listed(
  work: Work,
  given: Omit<CommandSetting, 'setting'>,
): { readonly draft: Draft; readonly span: Span; readonly more: number } | undefined {
  const key = given.keyWord.pieces[0]?.origin;
  const draft = key === undefined ? undefined : work.draft(key.place.path);
  const span = key === undefined ? undefined : draft?.now(key.place.span);
  if (draft === undefined || span === undefined || key?.verbatim !== true || !isYamlName(draft.path))
    return undefined;
  if (shellView(work, draft, span) !== undefined) return undefined;
  const behind = wordsBehind(work, given);
  const single = behind.every(
    ({ place }) => place.path === draft.path && place.span.start > key.place.span.start,
  );
  return single ? { draft, span, more: behind.length } : undefined;
}

/** Removes a flag or an override, with its values. */
export function removeFromCommand(work: Work, given: CommandSetting): boolean {
  const item = listed(work, given);
  if (item !== undefined) return removeItems(work, item.draft, item.span, item.more);
  const found = locate(work, given);
  if (found === undefined) return false;
  const { view, site, last } = found;
  const everything = site.index === 0 && last === site.row.tokens.length - 1;
  if (site.row.kind === 'text' && everything && usedInQuotes(work, given.keyWord)) return false;
  if (site.row.kind === 'command' && site.index === 0) return false;
  const statement = statementRemoval(view, site, last);
  if (statement !== undefined && view.apply(statement)) return true;
  const change = removal(view.text, site.row, site.index, last);
  return change !== undefined && view.apply(change);
}

/** Whether a word came through an expansion in quotes, which would become an empty argument without it. */
function usedInQuotes(work: Work, word: Word): boolean {
  return (word.pieces[0]?.origin.via ?? []).some((place) => {
    const before = work.draft(place.path)?.before ?? '';
    return before[place.span.start - 1] === '"' && before[place.span.end] === '"';
  });
}

/**
 * Gives a flag or an override other values: at the variable that the value comes from if nothing else of the launch comes from it, otherwise
 * where the value is.
 */
export function replaceInCommand(
  work: Work,
  given: CommandSetting,
  texts: readonly string[],
  others: OtherSettings,
): boolean {
  const [text] = texts;
  const value =
    given.prefix === undefined ? given.valueWords[0] : sliceWord(given.keyWord, given.prefix.length);
  const [only] = value?.pieces ?? [];
  const single = value?.pieces.length === 1 && given.valueWords.length <= 1 && texts.length === 1;
  if (single && only !== undefined && text !== undefined && replaceOrigin(work, given, only, text, others))
    return true;
  // In place of a loop variable it would be the value of every iteration.
  if (only !== undefined && isOneOfMany(work, only)) return false;
  return replaceBeside(work, given, texts);
}

/** Whether a loop iterates over a value and others. */
function isOneOfMany(work: Work, { origin: { place } }: Piece): boolean {
  const draft = work.draft(place.path);
  const now = draft?.now(place.span);
  const view = draft === undefined || now === undefined ? undefined : shellView(work, draft, now);
  const span = now === undefined ? undefined : view?.fromFile(now);
  return (
    view !== undefined && span !== undefined && loopWordOf(view.script, view.text, span)?.isOneOfMany === true
  );
}

function replaceOrigin(
  work: Work,
  given: CommandSetting,
  piece: Piece,
  text: string,
  others: OtherSettings,
): boolean {
  const { place, via, verbatim } = piece.origin;
  if (piece.kind !== 'text' || !verbatim || work.written(place) !== piece.text) return false;
  const key = given.keyWord.pieces[0]?.origin;
  const direct =
    via.length === key?.via.length && via.every((each, at) => samePlace(each, key.via[at] ?? place));
  const draft = work.draft(place.path);
  const now = draft?.now(place.span);
  if (draft === undefined || now === undefined) return false;
  if (draft.text.slice(now.start, now.end) === text) return true;
  if (!direct && (!isPlain(text) || feedsOthers(work, given, place, others))) return false;
  const view = shellView(work, draft, now);
  const span = view?.fromFile(now);
  const site =
    view === undefined || span === undefined
      ? undefined
      : (siteOf(view.script, view.text, span) ?? loopWordOf(view.script, view.text, span)?.site);
  if (view === undefined && isYamlName(draft.path)) {
    if (!setTextInYaml(work, draft, now, text)) return false;
    if (!direct) work.note(`through ${work.line(place)}`);
    return true;
  }
  if (view === undefined || span === undefined || site === undefined) return false;
  const name = nameAt(view.text, site);
  if (!direct && name !== undefined && isComputedFrom(work, name, others)) return false;
  const all = direct && site.quoted?.start === span.start && site.quoted.end === span.end;
  if (((site.row.kind === 'text' && !all) || site.nested) && !isPlain(text)) return false;
  const quoted = quotedFor(text, site.quoting);
  if (quoted === undefined || !view.apply({ span, text: quoted })) return false;
  if (!direct) work.note(`through ${name === undefined ? '' : `${name} on `}${work.line(place)}`);
  return true;
}

/** The variable that the text at a site is assigned to. */
function nameAt(text: string, { assignment }: Site): string | undefined {
  return assignment === undefined
    ? undefined
    : /^[A-Za-z_]\w*/.exec(text.slice(assignment.start, assignment.end))?.[0];
}

function replaceBeside(work: Work, given: CommandSetting, texts: readonly string[]): boolean {
  const found = locate(work, given);
  if (found === undefined) return false;
  const { view, site, last } = found;
  const inText = site.row.kind === 'text';
  if (inText && !texts.every(isPlain)) return false;
  const words = texts.map(inText ? (text: string) => text : shellWord).join(' ');
  const key = site.row.tokens[site.index];
  const end = site.row.tokens[last];
  if (key === undefined || end === undefined) return false;
  if (given.prefix !== undefined) {
    const token = view.text.slice(key.start, key.end);
    const opened = /^["']/.exec(token)?.[0] ?? '';
    if (!token.startsWith(given.prefix, opened.length) || texts.length !== 1) return false;
    if (!inText) return view.apply({ span: key, text: given.prefix + words });
    if (opened !== '' && (!token.endsWith(opened) || token.length < 2)) return false;
    return view.apply({ span: key, text: opened + given.prefix + words + opened });
  }
  const first = site.row.tokens[site.index + 1];
  if (first === undefined || last === site.index) return false;
  if (site.row.kind === 'command' && !areTogether(view.text, site.row.tokens.slice(site.index + 1, last + 1)))
    return false;
  return view.apply({ span: { start: first.start, end: end.end }, text: words });
}

/** Whether there are only blanks between words: a redirection there would be replaced with them. */
function areTogether(text: string, tokens: readonly Span[]): boolean {
  return tokens.every((token, at) => isBlank(text.slice(tokens[at - 1]?.end ?? token.start, token.start)));
}

/**
 * Renames a flag or an override and leaves its value as it is.
 * @param key the new flag, or the new key with the characters before it
 */
export function renameInCommand(work: Work, given: CommandSetting, key: string): boolean {
  const found = listed(work, given) === undefined ? locate(work, given) : undefined;
  const token = found?.site.row.tokens[found.site.index];
  const old = given.prefix ?? textOf(given.keyWord);
  if (found === undefined || token === undefined || old === undefined || !isPlain(key)) return false;
  const { view } = found;
  const opened = /^["']?/.exec(view.text.slice(token.start, token.end))?.[0].length ?? 0;
  const start = token.start + opened;
  if (!view.text.startsWith(old, start)) return false;
  const text = given.prefix === undefined ? key : `${key}=`;
  return view.apply({ span: { start, end: start + old.length }, text });
}

/**
 * Inserts a new flag or override after a setting of the same command line.
 * @param words the texts of the words, unquoted
 * @param like a setting with the value of the last word, which is to be written as it is there
 */
export function insertBeside(
  work: Work,
  neighbour: CommandSetting,
  words: readonly string[],
  like?: CommandSetting,
): boolean {
  const value = like === undefined ? undefined : writtenFor(work, like, neighbour);
  if (like !== undefined && value === undefined) return false;
  const [only = ''] = words;
  const ready =
    words.length === 1 && value !== undefined ? `${only.slice(0, only.indexOf('=') + 1)}${value}` : value;
  const item = listed(work, neighbour);
  if (item !== undefined)
    return ready === undefined && insertItems(work, item.draft, item.span, item.more, words);
  const found = locate(work, neighbour);
  if (found === undefined) return false;
  const { view, site, last } = found;
  return insertInRow(view, site, last, words, ready);
}

/**
 * The value of a setting as written, with its quotes and variables, if it means the same beside another setting: that one comes after it in the
 * same file, or, for variables only, anywhere in the same command.
 */
export function writtenFor(work: Work, given: CommandSetting, other: CommandSetting): string | undefined {
  const [here, there] = [given, other].map(({ keyWord }) => keyWord.pieces[0]?.origin.place);
  if (here === undefined || there === undefined || here.path !== there.path) return undefined;
  const found = listed(work, given) === undefined ? locate(work, given) : undefined;
  if (found === undefined || found.site.row.kind === 'text') return undefined;
  const prefix = given.prefix ?? '';
  const token = found.site.row.tokens[found.site.index + (given.prefix === undefined ? 1 : 0)];
  const text = token === undefined ? '' : found.view.text.slice(token.start, token.end);
  if (!text.startsWith(prefix) || text === prefix) return undefined;
  const value = text.slice(prefix.length);
  if (here.span.start <= there.span.start) return value;
  return onlyVariables.test(value) && isInRow(found, locate(work, other)) ? value : undefined;
}

/** A text consisting of variables, whose expansion has no side effects: `"$NODES"`, `${LENGTH}`. */
const onlyVariables = /^"?(?:\$\w+|\$\{\w+\})+"?$/;

/** Whether the words of another setting are in the same command: all words of a command are expanded before it runs. */
function isInRow({ site: { row } }: Located, other: Located | undefined): boolean {
  return (
    row.kind === 'command' &&
    other?.site.row.kind === 'command' &&
    row.tokens[0]?.start === other.site.row.tokens[0]?.start
  );
}

/** Inserts new words after a word of a command, such as the program to run. */
export function insertBehindWord(work: Work, word: Word, words: readonly string[]): boolean {
  const given = { keyWord: word, valueWords: [], prefix: undefined };
  const item = listed(work, given);
  if (item !== undefined) return insertItems(work, item.draft, item.span, item.more, words);
  const found = locate(work, given);
  if (found === undefined) return false;
  return insertInRow(found.view, found.site, found.site.index, words);
}

/**
 * Inserts words after a neighbour.
 * @param last index of the neighbour's last word
 * @param ready what the last word is to be, already quoted
 */
function insertInRow(
  view: ShellView,
  site: Site,
  last: number,
  words: readonly string[],
  ready?: string,
): boolean {
  const inText = site.row.kind === 'text';
  if (inText && (ready !== undefined || !words.every(isPlain))) return false;
  const plain = ready === undefined ? words : words.slice(0, -1);
  const quoted = plain.map(inText ? (word: string) => word : shellWord);
  const text = [...quoted, ...(ready === undefined ? [] : [ready])].join(' ');
  const change = insertion(view, site.row, { from: site.index, to: last }, text);
  return change !== undefined && view.apply(change);
}
