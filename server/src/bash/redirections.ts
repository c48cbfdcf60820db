import type { HereDoc, Redirect, Redirection } from 'unbash';
import type { Place } from '../text/span.ts';
import { expandHereText, expandValue } from './expand.ts';
import { fileKey, isKnownPath } from './file-key.ts';
import { kindOf } from './file-tests.ts';
import { displayed, firstHole, hole, knownText, made, type Pieces } from './pieces.ts';
import { type Flow, failure, notRedirected, type Shell, type Sink, type Stream } from './shell.ts';
import type { Source } from './source.ts';
import { captureScript } from './substitute.ts';

/**
 * Runs a body with its input and output redirected; a file that is surely missing keeps it from running.
 *
 * @param isProgram whether Bash makes a process of its own for it before: what it refuses then ends only that, and what it assigns is
 *   not seen outside
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
  let fails = false;
  const apart = isProgram && redirections.some((redirection) => mayAssign(source, redirection));
  if (apart) shell.store = store.copy();
  for (const redirection of redirections) fails ||= !redirect(shell, source, redirection, finish);
  if (apart) shell.store = store;
  let flow: Flow;
  if (shell.refused !== undefined && isProgram) {
    shell.refused = undefined;
    shell.status = failure;
  } else if (shell.refused !== undefined) flow = shell.giveUp(shell.refused);
  else if (fails) shell.status = notRedirected;
  else flow = body();
  shell.stdin = stdin;
  shell.outputs = outputs;
  for (const done of finish) done();
  return flow;
}

/** Whether the expansion of a redirection can assign a variable, as `${X:=y}` and `$((n++))` do. */
function mayAssign(source: Source, redirection: Redirection): boolean {
  const written = redirection.type === 'HereDoc' ? redirection.body : redirection.target;
  return written !== undefined && /\$\(\(|\$\[|\$\{[^}]*=/.test(source.text.slice(written.pos, written.end));
}

/** Applies one redirection; false when Bash would not run the command. */
export function redirect(
  shell: Shell,
  source: Source,
  redirection: Redirection,
  finish: (() => void)[],
): boolean {
  if (redirection.operator === '<<<') {
    if (redirection.target === undefined || !readsInput(redirection)) return true;
    const place = source.place(redirection.pos, redirection.end);
    shell.stdin = {
      pieces: [...expandValue(shell, source, redirection.target, false, true), ...made('\n', place)],
    };
    return true;
  }
  if (redirection.type === 'HereDoc') {
    if (readsInput(redirection)) shell.stdin = { pieces: hereText(shell, source, redirection) };
    return true;
  }
  return redirectFile(shell, source, redirection, finish);
}

function readsInput(redirection: Redirection): boolean {
  const { descriptor } = redirection;
  return descriptor === undefined || (descriptor.type === 'FileDescriptor' && descriptor.value === 0);
}

/** The text of a here-document with its origins. */
function hereText(shell: Shell, source: Source, node: HereDoc): Pieces {
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
    : [{ kind: 'text', text: body.text, origin: source.origin(body.pos, body.end) }];
  return node.operator === '<<-' ? withoutTabs(whole) : whole;
}

/** `<<-`: the text without the tabs that begin its lines. */
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

function redirectFile(shell: Shell, source: Source, node: Redirect, finish: (() => void)[]): boolean {
  const { operator, target } = node;
  if (target === undefined) return true;
  const descriptor =
    node.descriptor?.type === 'FileDescriptor'
      ? node.descriptor.value
      : node.descriptor === undefined
        ? operator.startsWith('<')
          ? 0
          : 1
        : 99;
  const [only] = target.parts ?? [];
  if (operator === '<' && descriptor === 0 && only?.type === 'ProcessSubstitution') {
    shell.stdin = { pieces: captureScript(shell, source, only).pieces };
    return true;
  }
  const pieces = expandValue(shell, source, target, false);
  const text = knownText(pieces);
  const place = source.place(node.pos, node.end);
  switch (operator) {
    case '<':
    case '<>':
      return descriptor !== 0 || openInput(shell, pieces, place);
    case '<&':
      return true;
    case '>&':
      if (text !== undefined && /^(\d+|-)$/.test(text)) {
        shell.direct(descriptor, text === '-' ? undefined : shell.outputs.get(Number(text)));
        return true;
      }
      openOutput(shell, pieces, false, place, finish, [1, 2]);
      return true;
    case '&>':
    case '&>>':
      openOutput(shell, pieces, operator === '&>>', place, finish, [1, 2]);
      return true;
    default:
      openOutput(shell, pieces, operator === '>>', place, finish, [descriptor]);
      return true;
  }
}

function openInput(shell: Shell, pieces: Pieces, place: Place): boolean {
  const asked = firstHole(pieces);
  // What is read from a file that the user is to name is not known for lack of the name.
  const reason = asked?.reason === 'positional' ? asked.reason : 'outside';
  const unknown: Stream = { pieces: [{ ...hole(reason, `<${displayed(pieces)}`, place), splits: true }] };
  const path = fileKey(shell, pieces);
  if (path === '/dev/null') {
    shell.stdin = { pieces: [] };
    return true;
  }
  if (isKnownPath(path) && kindOf(shell, path) === 'absent') {
    shell.run.report({
      kind: 'missing-file',
      message: `${displayed(pieces)} is not there: the command does not start.`,
      place,
      severity: withoutFile(shell),
    });
    return false;
  }
  shell.stdin = { pieces: fileText(shell, path) ?? unknown.pieces };
  return true;
}

/** How bad it is that a command lacks a file: with `set -e` the script ends there, else it goes on. */
export function withoutFile(shell: Shell): 'error' | 'warning' {
  return shell.switches.errexit && shell.tolerant === 0 ? 'error' : 'warning';
}

/**
 * The text of a file: as the script wrote it, else as the workspace holds it.
 *
 * @param path its path or its key
 */
export function fileText(shell: Shell, path: string): Pieces | undefined {
  const written = shell.run.written.get(path);
  if (written !== undefined) return typeof written === 'string' ? undefined : written;
  if (!isKnownPath(path)) return undefined;
  const text = shell.run.read(path);
  if (text === undefined) return undefined;
  if (text === '') return [];
  const place = { path, span: { start: 0, end: text.length } };
  return [{ kind: 'text', text, origin: { place, via: [], verbatim: true } }];
}

/** The descriptor that a file of the system stands for. */
function descriptorOf(path: string): number | undefined {
  const [, name, number] = /^\/dev\/(?:(stdout|stderr)|fd\/(\d+))$/.exec(path) ?? [];
  if (name !== undefined) return name === 'stdout' ? 1 : 2;
  return number === undefined ? undefined : Number(number);
}

/** Lets descriptors lead to a file. */
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
  const isAbsent = written.get(path) === 'removed' || (isKnownPath(path) && kindOf(shell, path) === 'absent');
  const isNew = !append || isAbsent;
  const before = isNew ? [] : fileText(shell, path);
  const sink: Sink = { pieces: [], size: 0 };
  for (const descriptor of descriptors) shell.direct(descriptor, sink);
  written.set(path, sink.pieces);
  finish.push(() => {
    const old = before ?? [hole('outside', displayed(name), place)];
    shell.run.written.set(path, [...old, ...sink.pieces]);
  });
}
