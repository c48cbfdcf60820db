import type { HereDoc, Redirect, Redirection } from 'unbash';
import type { Place } from '../../text/span.ts';
import { kindOf } from '../conditions/fileTests.ts';
import { ask } from '../conditions/verdict.ts';
import { unusedDescriptor } from '../state/chosenDescriptor.ts';
import { restsOnStart } from '../state/elsewhere.ts';
import { assumedOn, type Fork } from '../state/fork.ts';
import { displayed, firstHole, hole, knownText, made, type Pieces } from '../state/pieces.ts';
import { readFile } from '../state/shared.ts';
import { type Flow, failure, notRedirected, type Shell } from '../state/shell.ts';
import type { Sink } from '../state/streams.ts';
import { asWritten } from '../text/parse.ts';
import { isPlaceToFillIn, placeAt } from '../text/placeToFillIn.ts';
import type { Source } from '../text/source.ts';
import { expandValue } from '../words/expand.ts';
import { expandHereText } from '../words/hereText.ts';
import { captureScript } from '../words/substitute.ts';
import { chooseDescriptor, descriptorChosen, descriptorMeant, inputOf, setInput } from './descriptors.ts';
import { fileKey, isKnownPath } from './fileKey.ts';
import { isFresh } from './freshFile.ts';
import { isClosed, openQuestion, recordOpen } from './openDescriptors.ts';
import { isKept, targetOf } from './redirectionTarget.ts';
import { isReplaced } from './replacedFolders.ts';

/**
 * Runs a body with its input and output redirected; does not run it if a file is certainly missing.
 *
 * @param isProgram whether Bash forks before redirecting: an error then ends only the new process, and assignments are not visible outside
 */
export function withRedirections(
  shell: Shell,
  source: Source,
  redirections: readonly Redirection[],
  body: () => Flow,
  isProgram = false,
): Flow {
  if (redirections.length === 0) return body();
  const { stdin, outputs, store } = shell;
  const finish: (() => void)[] = [];
  const questions: Fork[] = [];
  let fails = false;
  const apart = isProgram && redirections.some((redirection) => mayAssign(source, redirection));
  if (apart) shell.store = store.copy();
  for (const redirection of redirections) fails ||= !redirect(shell, source, redirection, finish, questions);
  if (apart) shell.store = store;
  let flow: Flow;
  if (shell.refused !== undefined && isProgram) {
    shell.refused = undefined;
    shell.status = failure;
  } else if (shell.refused !== undefined) flow = shell.giveUp(shell.refused);
  else if (fails) shell.status = notRedirected;
  else flow = whereOpened(shell, questions, body);
  shell.stdin = stdin;
  shell.outputs = outputs;
  for (const done of finish) done();
  return flow;
}

/** Runs a body that Bash only runs if the folders that it would write into exist, and descriptors are open. */
function whereOpened(shell: Shell, questions: readonly Fork[], body: () => Flow): Flow {
  if (questions.length === 0) return body();
  const { run } = shell;
  const { length } = run.assumptions;
  for (const fork of questions) run.assume(assumedOn(fork, 0, 'guard'));
  const flow = body();
  // With `set -e` everything that follows also depends on them.
  if (!shell.switches.errexit || shell.conditionDepth > 0) run.forgetAssumptions(length);
  const { status } = shell;
  if (status.code === 0 && status.fork === undefined) shell.status = { ...status, presumed: true };
  return flow;
}

/** Whether the expansion of a redirection can assign a variable, as `${X:=y}` and `$((n++))` do. */
function mayAssign(source: Source, redirection: Redirection): boolean {
  const written = redirection.type === 'HereDoc' ? redirection.body : redirection.target;
  return written !== undefined && /\$\(\(|\$\[|\$\{[^{}]*=/.test(source.text.slice(written.pos, written.end));
}

/**
 * Applies one redirection; returns false if Bash would not run the command.
 *
 * @param questions receives the questions whether a folder to be written into exists, if the workspace lacks it, and whether a copied
 *   descriptor is open
 */
export function redirect(
  shell: Shell,
  source: Source,
  redirection: Redirection,
  finish: (() => void)[],
  questions: Fork[],
): boolean {
  const place = source.place(redirection.pos, redirection.end);
  if (redirection.operator === '<<<') {
    if (redirection.target === undefined) return true;
    const text = expandValue(shell, source, redirection.target);
    if (shell.refused !== undefined) return false;
    const descriptor = descriptorIn(shell, redirection, 0, place);
    recordOpen(shell, descriptor, 'open', finish);
    openText(shell, descriptor, [...text, ...made('\n', place)], finish);
    return true;
  }
  if (redirection.type === 'HereDoc') {
    const text = hereText(shell, source, redirection);
    if (shell.refused !== undefined) return false;
    const descriptor = descriptorIn(shell, redirection, 0, place);
    recordOpen(shell, descriptor, 'open', finish);
    openText(shell, descriptor, text, finish);
    return true;
  }
  return redirectFile(shell, source, redirection, finish, questions);
}

/** The descriptor of a redirection: a number, or one that Bash chooses (`{fd}<`) or has chosen (`{fd}>&-`). */
function descriptorIn(shell: Shell, redirection: Redirection, otherwise: number, place: Place): number {
  const { descriptor } = redirection;
  if (descriptor === undefined) return otherwise;
  if (descriptor.type === 'FileDescriptor') return descriptor.value;
  const closes = redirection.type === 'Redirect' && redirection.target?.text === '-';
  if (!closes) return chooseDescriptor(shell, descriptor.name, place);
  return descriptorChosen(shell, descriptor.name, place) ?? unusedDescriptor;
}

/** Sets what can be read from a descriptor until the command ends; undefined if that is unknown. */
function openText(
  shell: Shell,
  descriptor: number,
  pieces: Pieces | undefined,
  finish: (() => void)[],
): void {
  if (descriptor === 0) {
    shell.stdin = pieces === undefined ? undefined : { pieces };
    return;
  }
  const before = inputOf(shell, descriptor);
  setInput(shell, descriptor, pieces);
  finish.push(() => setInput(shell, descriptor, before));
}

/** `<&3`, `4<&3`, `<&-`: both descriptors share one read position, which is kept if one of them is standard input. */
function copyInput(shell: Shell, descriptor: number, from: number | undefined, finish: (() => void)[]): void {
  if (from === descriptor) return;
  const pieces = from === undefined || from === 0 ? undefined : inputOf(shell, from);
  openText(shell, descriptor, pieces, finish);
  const { stdin } = shell;
  if (from === undefined || descriptor !== 0 || stdin === undefined) return;
  finish.push(() => setInput(shell, from, stdin.pieces));
}

/** The text of a heredoc with its origins. If it is ended only by the end of the file, its last line still gets a newline. */
function hereText(shell: Shell, source: Source, node: HereDoc): Pieces {
  const text = writtenHereText(shell, source, node);
  const { text: written, pos, end } = node.body;
  return /[^\n\\]$/.test(written) ? [...text, ...made('\n', source.place(pos, end))] : text;
}

function writtenHereText(shell: Shell, source: Source, node: HereDoc): Pieces {
  const { body, delimiter } = node;
  if (delimiter?.quoted !== true && body.parts !== undefined)
    return node.operator === '<<-'
      ? withoutTabs(expandHereText(shell, source, body.parts))
      : expandHereText(shell, source, body.parts);
  if (body.text === '') return [];
  const escaped = delimiter?.quoted !== true && body.text.includes('\\');
  const whole: Pieces = escaped
    ? expandHereText(shell, source, [
        { type: 'Literal', pos: body.pos, end: body.end, text: body.text, value: body.text },
      ])
    : [{ kind: 'text', text: asWritten(body.text), origin: source.origin(body.pos, body.end) }];
  return node.operator === '<<-' ? withoutTabs(whole) : whole;
}

/** `<<-`: the text without leading tabs on its lines. */
function withoutTabs(pieces: Pieces): Pieces {
  let atStart = true;
  return pieces.map((piece) => {
    if (piece.kind === 'hole') {
      atStart = false;
      return piece;
    }
    const text = piece.text.replace(atStart ? /(^|\n)\t+/g : /(\n)\t+/g, '$1');
    atStart = piece.text.endsWith('\n');
    if (text === piece.text) return piece;
    return { ...piece, text, origin: { ...piece.origin, verbatim: false } };
  });
}

function redirectFile(
  shell: Shell,
  source: Source,
  node: Redirect,
  finish: (() => void)[],
  questions: Fork[],
): boolean {
  const { operator, target } = node;
  if (target === undefined) return true;
  const place = source.place(node.pos, node.end);
  const descriptor = descriptorIn(shell, node, operator.startsWith('<') ? 0 : 1, place);
  const [only] = target.parts ?? [];
  if (operator === '<' && descriptor === 0 && only?.type === 'ProcessSubstitution') {
    shell.stdin = { pieces: captureScript(shell, source, only).pieces };
    return true;
  }
  const pieces = targetOf(shell, source, target);
  if (pieces === undefined || shell.refused !== undefined || isKept(shell, operator, pieces)) return false;
  const text = knownText(pieces);
  const copies = operator === '<&' || operator === '>&';
  // `4>&3-`: this also closes the other one.
  const moved = copies ? /^(\d+)-$/.exec(text ?? '')?.[1] : undefined;
  const meant = moved === undefined ? descriptorMeant(pieces) : Number(moved);
  if (copies && meant !== undefined) {
    if (isClosed(shell, meant)) return false;
    const question = openQuestion(shell, meant, place);
    if (question !== undefined) questions.push(question);
  }
  recordOpen(shell, descriptor, copies && text === '-' ? 'closed' : 'open', finish);
  if (moved !== undefined) recordOpen(shell, Number(moved), 'closed', finish);
  const folder = operator.includes('>') && operator !== '<>' ? absentFolder(shell, pieces, place) : undefined;
  if (folder !== undefined) questions.push(folder);
  switch (operator) {
    case '<>':
      openBoth(shell, descriptor, pieces, place, finish);
      return true;
    case '<': {
      const toFillIn = placeAt(source.text, node.pos);
      const at = toFillIn === undefined ? place : source.place(node.pos, node.pos + toFillIn.length);
      const refuse = (): false => refuseInput(shell, pieces, at, toFillIn);
      if (isPlaceToFillIn(source.text, node.pos)) return refuse();
      return openInput(shell, descriptor, pieces, place, finish, refuse);
    }
    case '<&':
      copyInput(shell, descriptor, meant, finish);
      return true;
    case '>&': {
      if (meant !== undefined || text === '-') {
        shell.direct(descriptor, meant === undefined ? undefined : shell.outputs.get(meant));
        return true;
      }
      openOutput(shell, pieces, false, place, finish, [1, 2]);
      return true;
    }
    case '&>':
    case '&>>':
      openOutput(shell, pieces, operator === '&>>', place, finish, [1, 2]);
      return true;
    default:
      openOutput(shell, pieces, operator === '>>', place, finish, [descriptor]);
      return true;
  }
}

/** `<`: reads from a file; the command is refused if the file does not exist. */
function openInput(
  shell: Shell,
  descriptor: number,
  pieces: Pieces,
  place: Place,
  finish: (() => void)[],
  refuse: () => false,
): boolean {
  const asked = firstHole(pieces);
  // If the user is to name the file, its content is unknown because of that missing name.
  const reason = asked?.reason === 'positional' ? asked.reason : 'outside';
  const unknown: Pieces = [{ ...hole(reason, `<${displayed(pieces)}`, place), splits: true }];
  const path = fileKey(shell, pieces);
  if (path === '/dev/null') {
    openText(shell, descriptor, [], finish);
    return true;
  }
  if (isKnownPath(path) && kindOf(shell, path) === 'absent') return refuse();
  openText(shell, descriptor, fileText(shell, path) ?? unknown, finish);
  return true;
}

/**
 * `<>`: what is read from a file that is also written, such as a named pipe that jobs take turns at, is unknown. The file is created if it does
 * not exist.
 */
function openBoth(
  shell: Shell,
  descriptor: number,
  name: Pieces,
  place: Place,
  finish: (() => void)[],
): void {
  const path = fileKey(shell, name);
  const unknown: Pieces = [{ ...hole('outside', displayed(name), place), splits: true }];
  const { written } = shell.run;
  if (descriptor !== 0) {
    if (isKnownPath(path)) written.set(path, unknown);
    openText(shell, descriptor, undefined, finish);
    return;
  }
  const kind = isKnownPath(path) && !written.has(path) ? kindOf(shell, path) : 'file';
  if (kind !== 'file') written.set(path, kind === 'absent' ? [] : unknown);
  openText(shell, 0, fileText(shell, path) ?? unknown, finish);
}

/** Reports that a file does not exist, so that Bash does not run the command. */
function refuseInput(shell: Shell, pieces: Pieces, place: Place, toFillIn: string | undefined): false {
  const name = displayed(pieces);
  const message =
    toFillIn === undefined
      ? `${name} is not there: the command does not start.`
      : `${toFillIn} is a placeholder. Bash would read from a file ${name}, which is not there, and runs nothing.`;
  shell.run.report({
    kind: 'missing-file',
    message,
    place,
    severity: withoutFile(shell),
    isPresumed: restsOnStart(shell, pieces),
    ...(toFillIn === undefined ? {} : { isToFillIn: true }),
  });
  return false;
}

/** The severity if a command's file is missing: with `set -e` the script ends there, otherwise it continues. */
export function withoutFile(shell: Shell): 'error' | 'warning' {
  return shell.switches.errexit && shell.conditionDepth === 0 ? 'error' : 'warning';
}

/**
 * The text of a file: as the script wrote it, else as it is in the workspace.
 *
 * @param path its path or its key
 */
export function fileText(shell: Shell, path: string): Pieces | undefined {
  const written = shell.run.written.get(path);
  if (written !== undefined) return typeof written === 'string' ? undefined : written;
  if (!isKnownPath(path) || isReplaced(shell.run, path)) return undefined;
  const text = readFile(shell.run.shared, path);
  if (text === undefined) return undefined;
  if (text === '') return [];
  const place = { path, span: { start: 0, end: text.length } };
  return [{ kind: 'text', text, origin: { place, via: [], verbatim: true } }];
}

/** The descriptor that a device file refers to. */
function descriptorOf(path: string): number | undefined {
  const [, name, number] = /^\/dev\/(?:(stdout|stderr)|fd\/(\d+))$/.exec(path) ?? [];
  if (name !== undefined) return name === 'stdout' ? 1 : 2;
  return number === undefined ? undefined : Number(number);
}

/** The question whether a file's folder exists, if the workspace lacks it. */
function absentFolder(shell: Shell, name: Pieces, place: Place): Fork | undefined {
  const path = fileKey(shell, name);
  if (!isKnownPath(path) || path.startsWith('/dev/')) return undefined;
  const folder = path.slice(0, path.lastIndexOf('/'));
  if (folder === '' || kindOf(shell, folder) !== 'absent') return undefined;
  const shown = displayed(name).replace(/(?<!\/)\/+[^/]*$/, '');
  const [yes, no] = [`${shown} is a directory`, `${shown} is not there`];
  return ask({ key: `-d ${folder}`, yes, no, first: true, ofMachine: true }, place).fork?.fork;
}

/** Directs descriptors to a file. */
function openOutput(
  shell: Shell,
  name: Pieces,
  append: boolean,
  place: Place,
  finish: (() => void)[],
  descriptors: readonly number[],
): void {
  const path = fileKey(shell, name);
  if (path.startsWith('/dev/')) {
    const meant = descriptorOf(path);
    const led = meant === undefined ? undefined : shell.outputs.get(meant);
    for (const descriptor of descriptors) shell.direct(descriptor, led);
    return;
  }
  const { written } = shell.run;
  const isAbsent = isKnownPath(path) && (written.get(path) === 'unsure' || kindOf(shell, path) === 'absent');
  const isNew = !append || isAbsent || isFresh(shell, name, path);
  // What a program has written there may be any number of lines.
  const before = { ...hole('outside', displayed(name), place, { blanks: true }), splits: true };
  const old = (isNew ? [] : fileText(shell, path)) ?? [before];
  const sink: Sink = { pieces: [], size: 0 };
  for (const descriptor of descriptors) shell.direct(descriptor, sink);
  const opened = isNew ? sink.pieces : old;
  written.set(path, opened);
  finish.push(() => {
    // If nothing was written through this redirection, what was written to the file by name in the meantime stays.
    if (sink.pieces.length === 0 && shell.run.written.get(path) !== opened) return;
    shell.run.written.set(path, [...old, ...sink.pieces]);
  });
}
