import type { CommandArgument } from 'unbash';
import type { Place } from '../../text/span.ts';
import { knownPrefix, sliceWord } from '../../value/word.ts';
import { doubtNamed, doubtText } from '../state/doubt.ts';
import { hole, knownText, made, type Pieces } from '../state/pieces.ts';
import { type Flow, failure, type Shell, success } from '../state/shell.ts';
import type { ShellFunction } from '../state/shellFunction.ts';
import type { ShellWord } from '../state/shellWord.ts';
import type { Variable } from '../state/store.ts';
import {
  appendedTo,
  assignExpanded,
  type Expanded,
  elementsBefore,
  expandDeclared,
  forget,
  setScalar,
  untouched,
} from '../statements/assign.ts';
import { executeText } from '../statements/execute.ts';
import { type Source, sourceOfPieces } from '../text/source.ts';
import { expandWord } from '../words/expand.ts';
import { isReadonly, ownVariable, targetName } from '../words/read.ts';
import type { Builtin } from './builtin.ts';
import { type Asked, askDeclared } from './declared.ts';
import {
  asList,
  copyOf,
  type Declaration,
  formOf,
  isFormOff,
  isToOutlast,
  listKindOf,
  localFrom,
} from './declaredVariable.ts';
import { hasUnknownOption } from './optionLetters.ts';

/** Builtins whose arguments are assignments. */
export const declarations: ReadonlySet<string> = new Set([
  'declare',
  'typeset',
  'local',
  'export',
  'readonly',
]);

/** `declare`, `local`, `export`, `readonly` with options, names and assignments. */
export function declare(
  shell: Shell,
  source: Source,
  command: string,
  args: readonly CommandArgument[],
  place: Place,
): Flow {
  shell.substitution = undefined;
  // All words are expanded before the first name becomes local: `local x=$x`.
  const isNamed = args.some(({ type, text }) => type === 'Word' && /^-[a-zA-Z]*A/.test(text));
  const expanded: (Expanded | ShellWord)[] = [];
  for (const argument of args) {
    if (argument.type === 'Assignment') expanded.push(...expandDeclared(shell, source, argument, isNamed));
    else {
      const words: ShellWord[] = [];
      expandWord(shell, source, argument, words);
      expanded.push(...words);
    }
  }
  if (shell.refused !== undefined) return undefined;
  return declareAll(shell, command, expanded, place);
}

/** A declaration whose command name is not literal, so its words are expanded like those of any command: `command export A=$B`. */
export const declareWords: Builtin = (shell, words, { name, place }) => {
  const flow = declareAll(shell, name, words, place);
  return shell.refused === undefined ? flow : shell.giveUp(shell.refused);
};

function declareAll(
  shell: Shell,
  command: string,
  expanded: readonly (Expanded | ShellWord)[],
  place: Place,
): Flow {
  if (hasUnknownOption(command, wordsBeforeFirst(expanded))) {
    shell.status = { ...failure, code: 2 };
    return undefined;
  }
  const on = new Set<string>();
  const off = new Set<string>();
  if (command === 'export') on.add('x');
  if (command === 'readonly') on.add('r');
  const named: ShellWord[] = [];
  const declaration: Declaration = { command, on, off, named };
  shell.status = success;
  // Without names they print everything that is declared.
  if (shell.stdout !== undefined && expanded.every(isOption))
    shell.write([
      {
        ...hole('command-output', `$(${command})`, place, {
          blanks: true,
          defines: allFunctions(shell, expanded),
        }),
        splits: true,
      },
    ]);
  let mayBeOption = true;
  for (const item of expanded) {
    const isFlag = isOption(item);
    mayBeOption &&= isFlag;
    if ('node' in item) onWanted(shell, on, () => declareAssignment(shell, declaration, item, place));
    // After the first name, an option counts as a name, and an invalid one.
    else if (isFlag && !mayBeOption) shell.status = failure;
    else onWanted(shell, on, () => declareWord(shell, declaration, item));
  }
  const asked = askedOf(on);
  if (asked === undefined) return undefined;
  if (asked !== 'p' && (on.has('x') || off.has('x')))
    for (const word of named) exportFunction(shell, knownText(word.pieces) ?? '', !off.has('x'));
  else shell.status = askDeclared(shell, asked, named);
  return undefined;
}

/** The functions defined by running the output of `declare -f` without names. */
function allFunctions(
  shell: Shell,
  options: readonly (Expanded | ShellWord)[],
): ReadonlyMap<string, ShellFunction> | undefined {
  const [only, ...more] = options;
  const isAsked =
    only !== undefined && !('node' in only) && more.length === 0 && knownText(only.pieces) === '-f';
  return isAsked ? shell.sharedFunctions() : undefined;
}

/** The words before the first assignment: after it nothing is an option. */
function wordsBeforeFirst(expanded: readonly (Expanded | ShellWord)[]): readonly ShellWord[] {
  const words: ShellWord[] = [];
  for (const item of expanded) {
    if ('node' in item) break;
    words.push(item);
  }
  return words;
}

function isOption(item: Expanded | ShellWord): boolean {
  return !('node' in item) && /^[-+]./.test(knownText(item.pieces) ?? '');
}

/** Declares in the right scope: with `-g` in the global one, past the locals of the running functions. */
function onWanted({ store }: Shell, on: ReadonlySet<string>, body: () => void): void {
  if (on.has('g') && store.inFunction) store.globally(body);
  else body();
}

/** Declares a name with a value: `declare A=1`, `local B=(x y)`. */
function declareAssignment(shell: Shell, declaration: Declaration, item: Expanded, place: Place): void {
  const { command } = declaration;
  const { node, content } = item;
  const target = declaredName(shell, declaration, node.name);
  if (!prepare(shell, declaration, target, place)) {
    if (content.kind === 'list') {
      // Outside of functions `local` is refused only after the elements have been assigned.
      if (command === 'local' && !shell.store.inFunction) assignExpanded(shell, item);
      // Bash abandons the line when the elements go to an array, but only the assignment when a local would hide another variable.
      else if (!isLocalDeclaration(shell, declaration) || shell.store.isLocal(target))
        shell.refused ??= 'assignment';
    }
    shell.status = failure;
    return;
  }
  const assigned = { name: target, operator: node.append === true ? '+=' : '=' };
  if (content.kind !== 'value' || !listWithin(shell, declaration, assigned, content.value, place))
    assignExpanded(shell, item, listKindOf(declaration));
  finish(shell, target, declaration);
}

function askedOf(on: ReadonlySet<string>): Asked | undefined {
  if (on.has('F')) return 'F';
  if (on.has('f')) return 'f';
  return on.has('p') ? 'p' : undefined;
}

/** `export -f NAME`: shells started by this one inherit the function. */
function exportFunction(shell: Shell, name: string, exported: boolean): void {
  const definition = shell.functions.get(name);
  if (definition === undefined) shell.status = failure;
  else if (definition.exported !== exported) shell.define(name, { ...definition, exported });
}

/** Carries out one word: options, a name, or a name with a value that was not written as an assignment. */
function declareWord(shell: Shell, declaration: Declaration, word: ShellWord): void {
  const { command, on, named } = declaration;
  const [first] = word.pieces;
  // `export $(grep -v '^#' .env)`
  if (first?.kind === 'hole') doubtText(shell, [first], word.place);
  if (first?.kind !== 'text') return;
  const known = knownText(word.pieces);
  if (known !== undefined && /^[-+][A-Za-z]+$/.test(known)) {
    takeOptions(declaration, known);
  } else if (known === '--') return;
  else if (askedOf(on) !== undefined) named.push(word);
  else if (command === 'local' && known === '-') {
    if (shell.store.inFunction) keepSwitches(shell);
    else shell.status = failure;
  } else if (/^[A-Za-z_]\w*\+?=/.test(knownPrefix(word))) declareValue(shell, declaration, word);
  else if (known === undefined) doubtNamed(shell, word.pieces, word.place);
  else if (/^[A-Za-z_]\w*$/.test(known)) declareName(shell, declaration, known, word.place);
  else shell.status = failure;
}

function takeOptions({ command, on, off }: Declaration, text: string): void {
  const letters = text.startsWith('-') ? on : off;
  for (const letter of text.slice(1)) {
    if (command === 'export' && letter === 'n') off.add('x');
    else letters.add(letter);
  }
  if (off.has('x')) on.delete('x');
}

/** `local -`: makes the shell options local to the function. */
function keepSwitches(shell: Shell): void {
  const frame = shell.frames.at(-1);
  if (frame?.functionName !== undefined && frame.kept === undefined)
    shell.frames[shell.frames.length - 1] = { ...frame, kept: shell.switches };
}

function declareValue(shell: Shell, declaration: Declaration, word: ShellWord): void {
  const [whole = '', written = '', operator = ''] = /^([A-Za-z_]\w*)(\+?=)/.exec(knownPrefix(word)) ?? [];
  const target = declaredName(shell, declaration, written);
  if (!prepare(shell, declaration, target, word.place)) {
    shell.status = failure;
    return;
  }
  const value: Pieces = sliceWord(word, whole.length).pieces;
  if (!listWithin(shell, declaration, { name: target, operator }, value, word.place)) {
    const name = targetName(shell, target);
    const joined = operator === '+=' ? appendedTo(shell, name, value, word.place) : value;
    setScalar(shell, name, joined, [word.place]);
  }
  finish(shell, target, declaration);
}

function declareName(shell: Shell, declaration: Declaration, written: string, place: Place): void {
  const target = declaredName(shell, declaration, written);
  if (!prepare(shell, declaration, target, place)) return;
  const kind = listKindOf(declaration);
  const variable = shell.store.get(target);
  if (kind !== undefined && variable !== undefined && variable.kind === 'unset')
    shell.assign(target, {
      ...variable,
      kind,
      elements: elementsBefore(shell, target, variable, place),
      inherits: false,
    });
  finish(shell, target, declaration);
}

/**
 * `declare -a A="(1 2)"`: such a text is a list as if it were unquoted; any other text is the first element.
 *
 * @returns whether it was such a list
 */
function listWithin(
  shell: Shell,
  { command, on }: Declaration,
  { name, operator }: { readonly name: string; readonly operator: string },
  value: Pieces,
  place: Place,
): boolean {
  const variable = shell.store.get(name);
  const isArray = variable?.kind === 'indexed' || variable?.kind === 'associative';
  // `export` and `readonly` take it as the first element.
  const isForArray = isArray && command !== 'export' && command !== 'readonly';
  if (listKindOf({ on }) === undefined && !isForArray) return false;
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
    forget(shell, targetName(shell, name), place, listKindOf({ on }));
  else executeText(shell, source);
  return true;
}

/**
 * The variable that a declaration is about: the target of a nameref, unless the declaration makes a local variable or is about the nameref
 * itself.
 */
function declaredName(shell: Shell, declaration: Declaration, name: string): string {
  const { on, off } = declaration;
  if (on.has('n') || off.has('n')) return name;
  return isLocalDeclaration(shell, declaration) && !shell.store.isLocal(name)
    ? name
    : targetName(shell, name);
}

function isLocalDeclaration(shell: Shell, { command, on }: Declaration): boolean {
  if (command === 'local') return true;
  return (command === 'declare' || command === 'typeset') && shell.store.inFunction && !on.has('g');
}

/** Makes the variable that the declaration is about: a local one in functions. */
function prepare(shell: Shell, declaration: Declaration, name: string, place: Place): boolean {
  const { store } = shell;
  const local = isLocalDeclaration(shell, declaration);
  if (declaration.command === 'local' && !store.inFunction) {
    shell.status = failure;
    return false;
  }
  if (local) {
    if (!store.isLocal(name)) {
      const outer = store.get(name) ?? { ...untouched(shell, name), inherits: true };
      // A caller's readonly local may be hidden.
      if (store.isGlobal(name) && isReadonly(shell, name)) {
        shell.status = failure;
        return false;
      }
      const assigned = store.takeOfCaller(name);
      const isCopy = assigned === undefined && declaration.on.has('I');
      store.declareLocal(name, {
        ...(isCopy ? copyOf(outer) : localFrom(assigned, outer)),
        exported: outer.exported,
        perhapsExported: outer.perhapsExported,
      });
    }
  } else if (store.get(name) === undefined)
    store.set(name, ownVariable(name, place) ?? { ...untouched(shell, name), inherits: true });
  const variable = store.get(name);
  if (variable === undefined) return false;
  const { on, off } = declaration;
  const changed: Variable = {
    ...asList(variable, on, local),
    integer: on.has('i') || (variable.integer && !off.has('i')),
    letters: formOf(on) ?? (isFormOff(off) ? undefined : variable.letters),
    exported: on.has('x') || (variable.exported && !off.has('x')),
    perhapsExported: variable.perhapsExported && !on.has('x') && !off.has('x'),
    reference: false,
    outlasts: variable.outlasts === true || isToOutlast(shell, name, variable, declaration),
  };
  store.set(name, changed);
  return !variable.readonly;
}

function finish(shell: Shell, name: string, { command, on, off }: Declaration): void {
  let variable = shell.store.get(name);
  if (variable === undefined) return;
  // Under `set -a` the assignment exported it, which only `export -n` takes back.
  if (command === 'export' && off.has('x') && variable.exported) {
    variable = { ...variable, exported: false };
    shell.store.set(name, variable);
  }
  if (!on.has('r') && !on.has('n')) return;
  shell.store.set(name, { ...variable, readonly: variable.readonly || on.has('r'), reference: on.has('n') });
}
