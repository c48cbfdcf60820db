import data from '../../../schemas/common/programs.json';
import { basename } from '../bash/library/paths.ts';
import { allocatorVariables } from '../frameworks/allocator.ts';
import { jsonFault } from '../launch/faults/jsonFault.ts';
import { submittedEnvironments } from '../launch/wrappers/rayJob.ts';
import { hidesEnvironment } from '../launch/wrappers/wrappers.ts';
import { isYamlName } from '../text/fileNames.ts';
import type { Place, Span } from '../text/span.ts';
import { textOf, type Word } from '../value/word.ts';
import { hasAllocatorKey, withAllocatorKey } from './allocator.ts';
import type { Draft } from './draft.ts';
import { jsonEntry, jsonInsertion, jsonRemoval } from './runtimeJson.ts';
import { isPlain, quotedFor, shellWord } from './shellQuote.ts';
import { lineRemoval, removal } from './shellRow.ts';
import { isOfScript, type Site, siteOf, statementOf } from './shellSite.ts';
import { type ShellView, shellView } from './shellView.ts';
import { identityOf, isWrittenAt, type Work } from './work.ts';
import { removeFromYaml } from './yamlEdits.ts';
import { pathOfValue } from './yamlPaths.ts';
import { setTextInYaml } from './yamlTexts.ts';

/** Programs that pass their environment to the shell text that they start. */
const passThrough: ReadonlySet<string> = new Set(data.handsOnEnvironment);

/**
 * Changes the environment of a launch.
 * @param name a variable, or `PYTORCH_ALLOC_CONF.key` for one setting of PyTorch's allocator
 * @param value the new text, or null to remove it
 * @returns whether the texts now say so (even if they did before)
 */
export function changeEnvironment(work: Work, name: string, value: string | null): boolean {
  const dot = name.indexOf('.');
  if (dot === -1) return changeVariable(work, name, value);
  return changeAllocator(work, name.slice(dot + 1), value);
}

function changeAllocator(work: Work, key: string, value: string | null): boolean {
  const given = allocatorVariables.filter((variable) => wordOf(work, variable) !== undefined);
  if (value !== null && given.length === 0)
    return changeVariable(work, 'PYTORCH_CUDA_ALLOC_CONF', `${key}:${value}`);
  for (const variable of given) {
    const word = wordOf(work, variable);
    const text = word === undefined ? undefined : textOf(word);
    if (text === undefined) return false;
    if (value === null && !hasAllocatorKey(text, key)) continue;
    const changed = withAllocatorKey(text, key, value);
    if (!changeVariable(work, variable, changed === '' ? null : changed)) return false;
  }
  return true;
}

function wordOf(work: Work, name: string): Word | undefined {
  return work.run.launch?.env.get(name) ?? work.run.env.get(name)?.word;
}

function changeVariable(work: Work, name: string, value: string | null): boolean {
  const word = wordOf(work, name);
  if (value === null) return word === undefined || removeEverywhere(work, name, word);
  if (word === undefined) return insertVariable(work, name, value);
  if (textOf(word) === value) return true;
  const spot = spotOf(work, word);
  return spot !== undefined && setVariable(work, name, word, value, spot);
}

/** Removes a variable from the job's own environment and from the shell's; false if another line still sets it. */
function removeEverywhere(work: Work, name: string, word: Word): boolean {
  const shell = work.run.launch?.command.env.get(name);
  const words = shell === undefined || identityOf(shell) === identityOf(word) ? [word] : [word, shell];
  for (const each of words) {
    const spot = spotOf(work, each);
    if (spot === undefined || !removeVariable(work, name, spot)) return false;
  }
  const assignment = new RegExp(`^[^#\\n]*(?:^|[\\s;&|(])${name}=`, 'm');
  return work.drafts().every((draft) => isYamlName(draft.path) || !assignment.test(draft.text));
}

/** Where a variable's text is now. */
interface Spot {
  readonly draft: Draft;
  readonly now: Span;
  readonly place: Place;
  /** True if the text at `now` is the whole value. */
  readonly whole: boolean;
  readonly view: ShellView | undefined;
  readonly span: Span | undefined;
  readonly site: Site | undefined;
}

function spotOf(work: Work, word: Word): Spot | undefined {
  const [piece] = word.pieces;
  const place = piece?.origin.place ?? word.place;
  const draft = work.draft(place.path);
  const now = draft?.now(place.span);
  if (draft === undefined || now === undefined) return undefined;
  const whole =
    word.pieces.length === 1 &&
    piece?.kind === 'text' &&
    piece.origin.verbatim &&
    work.written(place) === piece.text;
  const view = shellView(work, draft, now);
  const span = view?.fromFile(now);
  const site = view === undefined || span === undefined ? undefined : siteOf(view.script, view.text, span);
  return { draft, now, place, whole, view, span, site };
}

function setVariable(work: Work, name: string, word: Word, value: string, spot: Spot): boolean {
  const { draft, now, view, span, site } = spot;
  // An empty value has no characters of its own: its place is that of its assignment.
  if (word.pieces.length === 0 && view !== undefined && span !== undefined && assigns(view.text, span, name))
    return view.apply({ span, text: `${name}=${shellWord(value)}` });
  const shared = work
    .words()
    .some(
      (other) => identityOf(other) !== identityOf(word) && isWrittenAt(other, draft.path, spot.place.span),
    );
  if (view === undefined || span === undefined || site === undefined) {
    if (!isYamlName(draft.path) || !spot.whole || shared) return false;
    if (setTextInYaml(work, draft, now, value)) return true;
    if (!isPlain(value)) return false;
    draft.replace(now, value);
    return true;
  }
  const json = jsonEntry(view.text, name, span) !== undefined;
  if (json && !isJson(work)) return false;
  if (spot.whole && (json || !shared) && !site.nested) {
    const quoted = json && !/^[\w:,./[\]-]*$/.test(value) ? undefined : quotedFor(value, site.quoting);
    if (quoted !== undefined && view.apply({ span, text: quoted })) return true;
  }
  const { assignment, assigned } = site;
  if (assignment === undefined || assigned === undefined || !assigns(view.text, assignment, name))
    return false;
  return view.apply({ span: assigned, text: shellWord(value) });
}

/** Whether the job is submitted with valid JSON. In any other text the values are unknown. */
function isJson({ run: { launch } }: Work): boolean {
  return (
    launch === undefined ||
    submittedEnvironments(launch.command).every((word) => jsonFault(word) === undefined)
  );
}

/** Whether an assignment sets a certain variable. */
function assigns(text: string, assignment: Span, name: string): boolean {
  return text.startsWith(`${name}=`, assignment.start);
}

function removeVariable(work: Work, name: string, spot: Spot): boolean {
  const { draft, now, view, span, site } = spot;
  if (view === undefined || span === undefined || site === undefined) {
    const path = isYamlName(draft.path) ? pathOfValue(work, draft, now) : undefined;
    return path?.at(-1) === name && removeFromYaml(work, { draft, path, at: now.start });
  }
  const entry = jsonEntry(view.text, name, span);
  if (entry !== undefined) return isJson(work) && view.apply(jsonRemoval(view.text, entry));
  const { assignment, statement, command } = site;
  if (assignment === undefined || statement === undefined || command === undefined || site.nested)
    return false;
  if (!assigns(view.text, assignment, name)) return false;
  const index = command.tokens.findIndex((token) => token.start === assignment.start);
  const first = command.tokens[0];
  if (index === -1 || first === undefined) return false;
  const exporter = /^(?:export|declare|typeset|local|readonly)$/.test(
    view.text.slice(first.start, first.end),
  );
  const options = command.tokens.filter((token, at) => at > 0 && view.text[token.start] === '-').length;
  const alone = command.tokens.length === 1 || (exporter && command.tokens.length === 2 + options);
  // `cd /work && export NAME=value` is one statement whose other commands must stay.
  if (alone && (statement.start !== command.region.start || statement.end !== command.region.end))
    return false;
  const change = alone ? lineRemoval(view.text, statement) : removal(view.text, command, index, index);
  return change !== undefined && view.apply(change);
}

function insertVariable(work: Work, name: string, value: string): boolean {
  const { launch } = work.run;
  if (launch === undefined) return false;
  for (const [other, word] of [...launch.env].reverse().slice(0, 40)) {
    const spot = spotOf(work, word);
    if (spot?.view === undefined || spot.span === undefined) continue;
    const entry = jsonEntry(spot.view.text, other, spot.span);
    if (entry === undefined) continue;
    if (!/^[\w:,./[\]-]*$/.test(value) || !isJson(work)) return false;
    return spot.view.apply(jsonInsertion(spot.view.text, entry, name, value, spot.view.lineBreak));
  }
  if (launch.wrappers.some(hidesEnvironment)) return false;
  const { command } = launch;
  if (exportBefore(work, command.place, name, value)) return true;
  for (const outer of command.via) {
    const program = outer.words[0] === undefined ? undefined : textOf(outer.words[0]);
    if (program === undefined || !passThrough.has(basename(program))) return false;
    if (exportBefore(work, outer.place, name, value)) return true;
  }
  return false;
}

/**
 * The end of the line of the last variable of the launch that the script exports for everything after it, on a line of its own.
 *
 * @param before where, in the script, the statement begins that gets another variable
 */
function endOfExports(work: Work, script: ShellView, before: number): number | undefined {
  const ends = [...(work.run.launch?.env.values() ?? [])].flatMap((word) => {
    const { view, span, site } = spotOf(work, word) ?? {};
    if (view?.text !== script.text || span === undefined || site === undefined) return [];
    const { command, statement } = site;
    if (command === undefined || statement === undefined || statement.end > before || site.nested) return [];
    const [first, ...others] = command.tokens;
    const isExport = first !== undefined && view.text.slice(first.start, first.end) === 'export';
    const isAlone = statement.start === command.region.start && statement.end === command.region.end;
    if (!isExport || !isAlone || others.length !== 1 || !isOfScript(view.script, view.text, span)) return [];
    const [rest = ''] = view.text.slice(statement.end).split(/\r?\n/, 1);
    return /^[ \t]*(?:#.*)?$/.test(rest) ? [statement.end + rest.length] : [];
  });
  return ends.length === 0 ? undefined : Math.max(...ends);
}

/** Puts `export NAME=value` on a line of its own: after the exports of the script, otherwise before the statement that contains a place. */
function exportBefore(work: Work, place: Place, name: string, value: string): boolean {
  const draft = work.draft(place.path);
  const now = draft?.now({ start: place.span.start, end: place.span.start + 1 });
  if (draft === undefined || now === undefined) return false;
  const view = shellView(work, draft, now);
  const span = view?.fromFile(now);
  const statement =
    view === undefined || span === undefined ? undefined : statementOf(view.script, view.text, span);
  if (view === undefined || span === undefined || statement === undefined) return false;
  const site = siteOf(view.script, view.text, span);
  if (site?.quoted !== undefined) return false;
  const behind = endOfExports(work, view, statement.start);
  if (behind !== undefined)
    return view.apply({
      span: { start: behind, end: behind },
      text: `${view.lineBreak}export ${name}=${shellWord(value)}`,
    });
  const lineStart = view.text.lastIndexOf('\n', statement.start - 1) + 1;
  const indent = view.text.slice(lineStart, statement.start);
  if (!/^[ \t]*$/.test(indent) || /\\\r?\n$/.test(view.text.slice(0, lineStart))) return false;
  const text = `export ${name}=${shellWord(value)}${view.lineBreak}${indent}`;
  return view.apply({ span: { start: statement.start, end: statement.start }, text });
}
