import type { CommandArgument } from 'unbash';
import type { Place } from '../../text/span.ts';
import { knownPrefix, sliceWord } from '../../value/word.ts';
import { doubtNamed, doubtText } from '../state/doubt.ts';
import { Elements } from '../state/elements.ts';
import { hole, knownText, made, type Pieces } from '../state/pieces.ts';
import { type Flow, failure, type Shell, success } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { blankVariable, type Variable } from '../state/store.ts';
import {
  appendedTo,
  assignExpanded,
  type Expanded,
  expandAssignment,
  forget,
  setScalar,
} from '../statements/assign.ts';
import { executeText } from '../statements/execute.ts';
import { type Source, sourceOfPieces } from '../text/source.ts';
import { expandWord } from '../words/expand.ts';
import { isReadonly, ownVariable, targetName } from '../words/read.ts';
import { type Asked, askDeclared } from './declared.ts';

/** Builtins whose arguments are assignments. */
export const declarations: ReadonlySet<string> = new Set([
  'declare',
  'typeset',
  'local',
  'export',
  'readonly',
]);

/** What the options of a declaration ask for. */
interface Wanted {
  readonly on: ReadonlySet<string>;
  readonly off: ReadonlySet<string>;
}

/** `declare`, `local`, `export`, `readonly` with options, names and assignments. */
export function declare(
  shell: Shell,
  source: Source,
  name: string,
  args: readonly CommandArgument[],
  place: Place,
): Flow {
  shell.substitution = undefined;
  const on = new Set<string>();
  const off = new Set<string>();
  if (name === 'export') on.add('x');
  if (name === 'readonly') on.add('r');
  const wanted: Wanted = { on, off };
  // All words are expanded before the first name becomes the function's own: `local x=$x`.
  const isNamed = args.some(({ type, text }) => type === 'Word' && /^-[a-zA-Z]*A/.test(text));
  const expanded = args.map((argument) => {
    if (argument.type === 'Assignment') return expandAssignment(shell, source, argument, true, isNamed);
    const words: ShellWord[] = [];
    expandWord(shell, source, argument, words);
    return words;
  });
  if (shell.refused !== undefined) return undefined;
  shell.status = success;
  // Without names they print all that there is.
  if (shell.stdout !== undefined && args.every(({ text }) => text.startsWith('-')))
    shell.write([{ ...hole('command-output', `$(${name})`, place), splits: true }]);
  const named: ShellWord[] = [];
  let mayBeOption = true;
  for (const item of expanded) {
    if (!('node' in item)) {
      for (const word of item) {
        const isOption = /^[-+]./.test(knownText(word.pieces) ?? '');
        mayBeOption &&= isOption;
        // Behind the first name it is a name itself, which no variable can have.
        if (isOption && !mayBeOption) shell.status = failure;
        else onWanted(shell, wanted, () => declareWord(shell, name, word, wanted, on, off, named));
      }
      continue;
    }
    mayBeOption = false;
    onWanted(shell, wanted, () => declareAssignment(shell, name, item, wanted, place));
  }
  const asked = askedOf(on);
  if (asked === undefined) return undefined;
  if (asked !== 'p' && (on.has('x') || off.has('x')))
    for (const word of named) exportFunction(shell, knownText(word.pieces) ?? '', !off.has('x'));
  else shell.status = askDeclared(shell, asked, named);
  return undefined;
}

/** Declares something where it is wanted: with `-g` behind what the running functions hide. */
function onWanted({ store }: Shell, { on }: Wanted, body: () => void): void {
  if (on.has('g') && store.inFunction) store.globally(body);
  else body();
}
/** Declares a name with a value: `declare A=1`, `local B=(x y)`. */
function declareAssignment(
  shell: Shell,
  command: string,
  item: Expanded,
  wanted: Wanted,
  place: Place,
): void {
  const { on } = wanted;
  const { node, content } = item;
  const target = declaredName(shell, command, node.name, wanted);
  if (!prepare(shell, command, target, wanted, place)) {
    if (content.kind === 'list') {
      // Outside of functions `local` is refused when the elements have been assigned.
      if (command === 'local' && !shell.store.inFunction) assignExpanded(shell, item);
      // Bash gives up the line for the elements of an array, and only the assignment otherwise.
      else shell.refused ??= 'assignment';
    }
    shell.status = failure;
    return;
  }
  const operator = node.append === true ? '+=' : '=';
  if (content.kind !== 'value' || !listWithin(shell, target, operator, wanted, content.value, place))
    assignExpanded(shell, item, on.has('A') ? 'associative' : on.has('a') ? 'indexed' : undefined);
  finish(shell, target, wanted);
}

function askedOf(on: ReadonlySet<string>): Asked | undefined {
  if (on.has('F')) return 'F';
  if (on.has('f')) return 'f';
  return on.has('p') ? 'p' : undefined;
}

/** `export -f NAME`: the shells that this one starts have the function, too. */
function exportFunction(shell: Shell, name: string, exported: boolean): void {
  const definition = shell.functions.get(name);
  if (definition === undefined) shell.status = failure;
  else if (definition.exported !== exported) shell.define(name, { ...definition, exported });
}

function declareWord(
  shell: Shell,
  command: string,
  word: ShellWord,
  wanted: Wanted,
  on: Set<string>,
  off: Set<string>,
  named: ShellWord[],
): void {
  const [first] = word.pieces;
  // `export $(grep -v '^#' .env)`
  if (first?.kind === 'hole') doubtText(shell, [first], word.place);
  if (first?.kind !== 'text') return;
  if (word.pieces.length === 1 && /^[-+][A-Za-z]+$/.test(first.text)) {
    const letters = first.text.startsWith('-') ? on : off;
    for (const letter of first.text.slice(1)) {
      if (command === 'export' && letter === 'n') off.add('x');
      else letters.add(letter);
    }
    if (off.has('x')) on.delete('x');
    return;
  }
  if (knownText(word.pieces) === '--') return;
  if (askedOf(on) !== undefined) {
    named.push(word);
    return;
  }
  if (command === 'local' && knownText(word.pieces) === '-') {
    const frame = shell.frames.at(-1);
    if (frame?.functionName !== undefined && frame.kept === undefined)
      shell.frames[shell.frames.length - 1] = { ...frame, kept: shell.switches };
    return;
  }
  const match = /^([A-Za-z_]\w*)(\+?=)/.exec(knownPrefix(word));
  if (match?.[1] !== undefined && match[2] !== undefined) {
    const [whole, written, operator] = match;
    const target = declaredName(shell, command, written, wanted);
    if (!prepare(shell, command, target, wanted, word.place)) {
      shell.status = failure;
      return;
    }
    const value: Pieces = sliceWord(word, whole.length).pieces;
    if (listWithin(shell, target, operator, wanted, value, word.place)) {
      finish(shell, target, wanted);
      return;
    }
    const name = targetName(shell, target);
    const joined = operator === '+=' ? appendedTo(shell, name, value, word.place) : value;
    setScalar(shell, name, joined, [word.place]);
    finish(shell, target, wanted);
    return;
  }
  const written = knownText(word.pieces);
  if (written === undefined) doubtNamed(shell, word.pieces, word.place);
  if (written === undefined || !/^[A-Za-z_]\w*$/.test(written)) {
    if (written !== undefined) shell.status = failure;
    return;
  }
  const target = declaredName(shell, command, written, wanted);
  if (!prepare(shell, command, target, wanted, word.place)) return;
  const kind = on.has('A') ? 'associative' : on.has('a') ? 'indexed' : undefined;
  const variable = shell.store.get(target);
  if (kind !== undefined && variable !== undefined && variable.kind === 'unset')
    shell.assign(target, { ...variable, kind, inherits: false });
  finish(shell, target, wanted);
}

/**
 * `declare -a A="(1 2)"`: the text is a list as if it were written without quotes, any other one the first element.
 *
 * @returns whether that was all
 */
function listWithin(
  shell: Shell,
  name: string,
  operator: string,
  { on }: Wanted,
  value: Pieces,
  place: Place,
): boolean {
  if (!on.has('a') && !on.has('A')) return false;
  const variable = shell.store.get(name);
  if (on.has('a') && variable?.kind === 'unset')
    shell.store.set(name, { ...variable, kind: 'indexed', inherits: false });
  const [first, last] = [value[0], value.at(-1)];
  if (
    first?.kind !== 'text' ||
    !first.text.startsWith('(') ||
    last?.kind !== 'text' ||
    !last.text.endsWith(')')
  )
    return false;
  const source = sourceOfPieces([...made(`${name}${operator}`, place), ...value], place);
  if (source === undefined || (source.script.errors ?? []).length > 0)
    forget(shell, targetName(shell, name), place, on.has('A') ? 'associative' : 'indexed');
  else executeText(shell, source);
  return true;
}

/** The variable that a declaration is about: the one that a reference stands for, unless it makes a local one or is about the reference. */
function declaredName(shell: Shell, command: string, name: string, wanted: Wanted): string {
  const { on, off } = wanted;
  if (on.has('n') || off.has('n')) return name;
  return isLocalDeclaration(shell, command, wanted) && !shell.store.isLocal(name)
    ? name
    : targetName(shell, name);
}

function isLocalDeclaration(shell: Shell, command: string, { on }: Wanted): boolean {
  if (command === 'local') return true;
  return (command === 'declare' || command === 'typeset') && shell.store.inFunction && !on.has('g');
}

/** Makes the variable that the declaration is about: a local one in functions. */
function prepare(shell: Shell, command: string, name: string, wanted: Wanted, place: Place): boolean {
  const { store } = shell;
  const local = isLocalDeclaration(shell, command, wanted);
  if (command === 'local' && !store.inFunction) {
    shell.status = failure;
    return false;
  }
  if (local) {
    if (!store.isLocal(name)) {
      const outer = store.get(name);
      if (isReadonly(shell, name)) {
        shell.status = failure;
        return false;
      }
      store.declareLocal(name, { ...blankVariable, exported: outer?.exported === true });
    }
  } else if (store.get(name) === undefined)
    store.set(name, ownVariable(name, place) ?? { ...blankVariable, inherits: true });
  const variable = store.get(name);
  if (variable === undefined) return false;
  const { on, off } = wanted;
  const changed: Variable = {
    ...asList(variable, on, local),
    integer: on.has('i') || (variable.integer && !off.has('i')),
    letters: formOf(on) ?? (isFormOff(off) ? undefined : variable.letters),
    exported: on.has('x') || (variable.exported && !off.has('x')),
    reference: false,
  };
  store.set(name, changed);
  return !variable.readonly;
}

/** The form of letters that flags ask for; none where they ask for more than one. */
function formOf(on: ReadonlySet<string>): Variable['letters'] {
  const forms = (['lower', 'upper', 'capital'] as const).filter((form) => on.has(form.charAt(0)));
  return forms.length === 1 ? forms[0] : undefined;
}

function isFormOff(off: ReadonlySet<string>): boolean {
  return off.has('l') || off.has('u') || off.has('c');
}

/** A variable as `-a` or `-A` makes it: a value that is there becomes the first element, but of a local one it is gone. */
function asList(variable: Variable, on: ReadonlySet<string>, isLocal: boolean): Variable {
  const kind = on.has('A') ? 'associative' : on.has('a') ? 'indexed' : undefined;
  if (kind === 'associative' && variable.kind === 'unset') return { ...variable, kind };
  if (kind === undefined || variable.kind !== 'scalar') return variable;
  return {
    ...variable,
    kind,
    value: [],
    elements: isLocal ? Elements.none : Elements.list([variable.value]),
  };
}

function finish(shell: Shell, name: string, wanted: Wanted): void {
  const variable = shell.store.get(name);
  if (variable === undefined) return;
  const { on } = wanted;
  if (!on.has('r') && !on.has('n')) return;
  shell.store.set(name, { ...variable, readonly: variable.readonly || on.has('r'), reference: on.has('n') });
}
