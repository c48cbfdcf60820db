import type { Assignment, Command as CommandNode } from 'unbash';
import { knownText, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { Variable } from '../state/store.ts';
import type { Source } from '../text/source.ts';

/**
 * Reports options appended to an array as text: `ARGS+=" --seed 1"`, `ARGS="$ARGS --seed 1"`. They become part of the first element, in one
 * word with its content.
 */
export function noteTextOntoArray(
  shell: Shell,
  source: Source,
  node: Assignment,
  variable: Variable,
  value: Pieces,
): void {
  const isAppended = node.append === true;
  if (variable.kind !== 'indexed' || variable.elements.size < (isAppended ? 1 : 2)) return;
  const first = knownText(variable.elements.get('0') ?? []);
  const written = value.map((piece) => (piece.kind === 'text' ? piece.text : ' ')).join('');
  if (first?.startsWith('--') !== true || !/(?:^|\s)--[A-Za-z]/.test(written)) return;
  const { name } = node;
  const readsFirst = new RegExp(`\\$(?:${name}(?!\\w)|\\{${name}\\})`).test(source.text.slice(node.end));
  // Text that includes all elements and is read as a text is meant to be one.
  const holdsAll = new RegExp(`\\$\\{${name}\\[[@*]\\]\\}`).test(source.text.slice(node.pos, node.end));
  if (readsFirst && holdsAll) return;
  const place = source.place(node.pos, node.end);
  const rest = addedWords(node, isAppended);
  const text = `${name}+=(${rest})`;
  const canMend = rest !== undefined && !readsFirst && source.origin(node.pos, node.end).verbatim;
  shell.run.report({
    kind: 'array-as-text',
    message: `${name} is an array, and this changes only its first element: ${name}+=(…) adds words.`,
    place,
    correction: canMend ? { place, text, meant: text } : undefined,
  });
}

/** Reports a list with text directly after its parenthesis (`ARGS=(--seed 1),`), which Bash turns into a single text. */
export function noteTextBehindList(shell: Shell, source: Source, { name, value }: Assignment): void {
  if (value.type === 'ArrayValue') return;
  const behind = /\)([^()]+)$/.exec(value.text);
  if (behind === null) return;
  const place = source.place(value.pos + behind.index, value.end);
  shell.run.report({
    kind: 'array-as-text',
    severity: 'warning',
    message: `${name} becomes a string, not a list, because ${behind[1]} directly follows the parenthesis.`,
    place,
    correction: source.origin(value.pos, value.end).verbatim ? { place, text: ')', meant: ')' } : undefined,
  });
}

/** The words of a text that is added to an array, as written between its quotes. */
function addedWords({ name, value }: Assignment, isAppended: boolean): string | undefined {
  if (value.type === 'ArrayValue') return undefined;
  const old = isAppended ? '' : `\\$\\{?${name}(?:\\[[@*]\\])?\\}?`;
  const [, added] = new RegExp(`^"?${old}"?"?\\s*([^"'\`]*?)\\s*"?$`).exec(value.text) ?? [];
  return added === undefined || !added.startsWith('--') ? undefined : added;
}

/**
 * Reports an assignment whose options or JSON need quotes: `ARGS=--seed 1 --lr 2` assigns `--seed` for a command called 1.
 *
 * @returns whether it is one
 */
export function noteUnquotedOptions(shell: Shell, source: Source, node: CommandNode): boolean {
  const last = node.prefix.at(-1);
  const { name } = node;
  if (name === undefined || last?.type !== 'Assignment' || last.value.type === 'ArrayValue') return false;
  const begins = last.value.text;
  const end = node.args.at(-1)?.end ?? name.end;
  const start = last.pos + last.name.length + (last.append === true ? 2 : 1);
  const written = source.text.slice(start, end);
  const json = /^[{[]/.test(begins) && isJson(written);
  const isList = /^(?:[[{]?--[A-Za-z][\w-]*(?:=[\w./-]+)?)?$/.test(begins);
  // A program may well get options through a variable: `FLAGS=--verbose make`.
  const isNone = begins === '' ? /^["']?--?[A-Za-z]/ : /^["']?-|^[\d.]+(?:e-?\d+)?$/;
  if (!json && (!isList || !isNone.test(name.text))) return false;
  const plain = written.replace(/^\s*[[{]?/, '').replace(/[\]}]$/, '');
  const isQuoted = /^"[^"$`\\]*"$/.test(plain);
  const inner = isQuoted ? plain.slice(1, -1) : plain;
  const options = last.append === true ? `${last.name}+=" ${inner.trimStart()}"` : `${last.name}="${inner}"`;
  const text = json ? `${last.name}='${written}'` : options;
  const isPlain = json ? !/[']/.test(written) : isQuoted || !/["'`\\\n]/.test(plain);
  const canMend = isPlain && source.origin(last.pos, end).verbatim;
  const place = source.place(last.pos, end);
  const what = begins === '' ? 'nothing' : begins;
  shell.run.report({
    kind: 'unquoted-options',
    message: `Without quotes around its value ${last.name} is set to ${what}, and only for a command called ${name.text}.`,
    place: source.place(last.pos, name.end),
    correction: canMend ? { place, text, meant: text } : undefined,
  });
  return true;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
