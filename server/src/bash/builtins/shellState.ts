import type { Place } from '../../text/span.ts';
import { ask } from '../conditions/verdict.ts';
import { Elements } from '../state/elements.ts';
import { displayed, hole, isUncounted, knownText, made, type Pieces } from '../state/pieces.ts';
import { positionalsOf } from '../state/positionals.ts';
import { type Flow, failure, presumedSuccess, type Shell, success } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { blankVariable, type Positionals, type Variable } from '../state/store.ts';
import { areLettersKnown, isOptionName, optionNames, switched } from '../state/switches.ts';
import { forget, setScalar } from '../statements/assign.ts';
import { beforeFirst, keyOrBefore } from '../words/arithmeticText.ts';
import { demand } from '../words/demand.ts';
import { keysOf } from '../words/listReading.ts';
import { countedOf, isReadonly, targetName } from '../words/read.ts';
import { abandonForTooManyWords, type Builtin, isOneTooMany, textAt } from './builtin.ts';
import { writeOptions } from './shopt.ts';

/** `set`: changes switches and positional parameters. */
export const set: Builtin = (shell, words, { open, place }) => {
  shell.status = success;
  const only = words.length === 1 ? textAt(words, 0) : undefined;
  if (words.length === 0) shell.write([{ ...hole('command-output', '$(set)', place), splits: true }]);
  if (only === '-o' || only === '+o') {
    writeOptions(shell, `$(set ${only})`, optionNames, only === '+o', place);
  }
  const wrong = wrongLetters(words);
  if (wrong !== undefined) return refuseOption(shell, wrong, place);
  let index = 0;
  for (; index < words.length; index += 1) {
    const text = textAt(words, index);
    if (text === undefined) break;
    if (text === '-' && index + 1 === words.length) return undefined;
    // A switch without letters.
    if (text === '+') continue;
    if (text === '--' || text === '-') {
      shell.positionals = { ...positionalsOf(words.slice(index + 1), open), isSet: true };
      return undefined;
    }
    if (!/^[-+][A-Za-z]/.test(text)) break;
    const semicolon = text.indexOf(';');
    if (semicolon >= 0) {
      // Bash only notices the semicolon when it gets there: the letters before it take effect.
      shell.switches = switched(shell.switches, [text.slice(0, semicolon)]);
      return refuseOption(shell, text, place, failure.code);
    }
    const takesName = text.includes('o');
    const option = takesName ? (textAt(words, index + 1) ?? '') : '';
    // The letters before it take effect all the same.
    if (option !== '' && !isOptionName(option)) {
      shell.switches = switched(shell.switches, [text]);
      return refuseOption(shell, option, place);
    }
    shell.switches = switched(shell.switches, [text, option]);
    if (text.startsWith('-') && (text.includes('n') || option === 'noexec')) return stopReading(shell);
    if (takesName) index += 1;
  }
  if (index < words.length) shell.positionals = { ...positionalsOf(words.slice(index), open), isSet: true };
  return undefined;
};

/** The first option word with a letter that Bash does not know: it checks all of them before it sets any. */
function wrongLetters(words: readonly ShellWord[]): string | undefined {
  for (let index = 0; index < words.length; index += 1) {
    const text = textAt(words, index);
    if (text === undefined || !/^[-+][A-Za-z]/.test(text)) return undefined;
    if (!areLettersKnown(text.replaceAll(';', ''))) return text;
    if (text.includes('o')) index += 1;
  }
  return undefined;
}

/** `set` fails because of an invalid option. */
function refuseOption(shell: Shell, option: string, place: Place, code = 2): Flow {
  shell.status = { ...failure, code };
  if (shell.switches.errexit && shell.conditionDepth === 0)
    shell.run.report({
      kind: 'refused-expansion',
      message: `set has no option “${option}”, so set -e ends the script.`,
      place,
    });
  return undefined;
}

/** `set -n`: nothing that follows runs, not even the `EXIT` trap. */
function stopReading(shell: Shell): Flow {
  shell.store.setTrap('EXIT', undefined);
  return shell.exit(0);
}

/** `shift [N]`. */
export const shift: Builtin = (shell, words, { place }) => {
  if (isOneTooMany(words)) return abandonForTooManyWords(shell);
  const { positionals } = shell;
  const [word] = words;
  // All arguments, however many there are.
  if (word !== undefined && displayed(word.pieces) === '$#' && !positionals.open) {
    shell.positionals = { ...positionals, words: [] };
    shell.status = success;
    return undefined;
  }
  const text = word === undefined ? '1' : knownText(word.pieces);
  // Anything but a non-negative number is refused.
  if (text !== undefined && !/^\s*\+?\d+\s*$/.test(text)) {
    shell.status = failure;
    return undefined;
  }
  const count = Number(text ?? Number.NaN);
  const counted = countedOf(positionals.words);
  shell.status = success;
  if (!Number.isInteger(count) || (count > counted && counted < positionals.words.length)) {
    const rest: Pieces = [{ ...hole('positional', '$@', place), splits: true }];
    shell.positionals = { ...positionals, words: [rest] };
    shell.status = presumedSuccess;
    return undefined;
  }
  if (count > positionals.words.length) {
    if (!positionals.open) {
      shell.status = failure;
      return undefined;
    }
    demandShifted(shell, count, place);
    if (shell.refused !== undefined) return shell.giveUp(shell.refused);
    shiftUnknown(shell, count, place);
    return undefined;
  }
  const offset = offsetBehind(positionals, count);
  shell.positionals = { ...positionals, words: positionals.words.slice(count), offset };
  return undefined;
};

function offsetBehind({ offset, shifted }: Positionals, count: number): number | undefined {
  return offset === undefined && shifted === true ? undefined : (offset ?? 0) + count;
}

/** Under `set -e` the script ends if it has fewer arguments: from here on they count as given. */
function demandShifted(shell: Shell, count: number, place: Place): void {
  const { positionals, switches, conditionDepth, loops } = shell;
  // In a loop it is not known which ones they are.
  if (!switches.errexit || conditionDepth > 0 || loops > 0) return;
  const from = offsetBehind(positionals, positionals.words.length);
  const last = offsetBehind(positionals, count);
  if (from === undefined || last === undefined) return;
  for (let at = from + 1; at <= last && shell.refused === undefined; at += 1)
    demand(shell, String(at), place);
}

/** Shifts away arguments that only the script's caller knows: a script that shifts is called with them. */
function shiftUnknown(shell: Shell, count: number, place: Place): void {
  const { positionals } = shell;
  const key = `shift ${place.path} ${place.span.start}`;
  // Repeated in a condition (`while shift`), it is unknown how often it succeeds. The same holds if the script itself handles too few arguments
  // (`shift 2 || …`).
  const isJudged = shell.conditionDepth > 0 && shell.loops === 0 && !shell.store.inFunction;
  if ((positionals.shifted === true && shell.conditionDepth > 0) || isJudged)
    shell.status = ask(
      { key, yes: 'there is another argument', no: 'there is no other argument', first: true },
      place,
    );
  else shell.status = presumedSuccess;
  // In a loop it is not known how often that happens.
  const offset = shell.loops > 0 ? undefined : offsetBehind(positionals, count);
  if (positionals.shifted !== true || positionals.words.length > 0 || positionals.offset !== offset)
    shell.positionals = { ...positionals, words: [], shifted: true, offset };
}

const elementName = /^([A-Za-z_]\w*)\[(.+)\]$/;

/** `unset [-v|-f] NAME…`, also for a single array element. */
export const unset: Builtin = (shell, words, { place }) => {
  shell.status = success;
  let letters = '';
  for (const word of words) {
    const text = knownText(word.pieces);
    if (text === undefined) {
      // If it is unknown which element is removed, the list is unknown, too.
      const [first] = word.pieces;
      const [, array] = (first?.kind === 'text' && /^([A-Za-z_]\w*)\[/.exec(first.text)) || [];
      if (array !== undefined) forget(shell, targetName(shell, array), place);
      continue;
    }
    if (text.startsWith('-')) {
      letters += text.slice(1);
      continue;
    }
    if (letters.includes('f')) {
      shell.define(text, undefined);
      continue;
    }
    const match = /^([A-Za-z_]\w*)(?:\[(.+)\])?$/.exec(text);
    if (match?.[1] === undefined) {
      // A name that cannot be a variable can be a function: `unset run-all`.
      if (letters === '') shell.define(text, undefined);
      continue;
    }
    const [, name, subscript] = match;
    const meant = letters.includes('n') ? name : targetName(shell, name);
    const reference = shell.store.get(meant);
    // `declare -n` may name an element.
    const isElement = reference?.reference === true && subscript === undefined && !letters.includes('n');
    const element = isElement ? elementName.exec(knownText(reference.value) ?? '') : null;
    const [, target = meant, key = subscript] = element ?? [];
    const variable = shell.store.get(target);
    if (key !== undefined && variable !== undefined && key !== '@' && key !== '*')
      unsetElement(shell, target, variable, key, place);
    else if (key !== undefined && variable?.kind === 'indexed' && !variable.readonly)
      shell.assign(target, { ...variable, elements: Elements.none });
    // Whether this is one key or all elements depends on the release of Bash.
    else if (key !== undefined && variable?.kind === 'associative' && !variable.readonly)
      forget(shell, target, place);
    // A scalar has no elements to remove.
    else if (key !== undefined && variable?.kind === 'scalar') shell.status = failure;
    else if (letters.includes('n') && variable?.reference !== true) continue;
    else if (isReadonly(shell, target)) shell.status = failure;
    else if (variable === undefined && shell.functions.has(name)) shell.define(name, undefined);
    else shell.store.unset(target);
  }
  return undefined;
};

function unsetElement(shell: Shell, name: string, variable: Variable, subscript: string, place: Place): void {
  if (variable.kind === 'unset') return;
  const known = keysOf(shell, name, place);
  const text = known.associative ? subscript.replace(/^["']|["']$/g, '') : subscript;
  const key = /[$`]/.test(text) ? undefined : keyOrBefore(shell, made(text, place), known, place);
  if (key === beforeFirst) shell.status = failure;
  else if (variable.kind === 'scalar') {
    if (key === '0') shell.store.set(name, { ...blankVariable });
    else if (key === undefined) forget(shell, name, place);
    else shell.status = failure;
  } else if (key === undefined || !variable.elements.isCertain(key)) forget(shell, name, place);
  else shell.assign(name, { ...variable, elements: variable.elements.without(key) });
}

/** `getopts LETTERS NAME [WORDS…]`. */
export const getopts: Builtin = (shell, words, { place }) => {
  const letters = textAt(words, 0) ?? '';
  const name = textAt(words, 1) ?? 'REPLY';
  const list = words.length > 2 ? words.slice(2).map((word) => word.pieces) : shell.positionals.words;
  const position = Number(knownText(shell.store.get('OPTIND')?.value ?? []) ?? '1') || 1;
  const within = shell.store.facts.lettersRead;
  const word = list[position - 1];
  const text = word === undefined ? undefined : knownText(word);
  const isName = /^[A-Za-z_]\w*$/.test(name);
  const put = (target: string, value: string): void => setScalar(shell, target, made(value, place), [place]);
  const clear = (): void => shell.store.set('OPTARG', { ...blankVariable });
  if (word === undefined || text === undefined || !/^-./.test(text) || text === '--') {
    if (text === '--') put('OPTIND', String(position + 1));
    if (isName) put(name, '?');
    clear();
    const open = shell.positionals.open && word === undefined && words.length <= 2;
    // Past the last word it is set back to the end.
    if (!open && position > list.length + 1 && !list.some(isUncounted))
      put('OPTIND', String(list.length + 1));
    shell.status = open ? { code: 1, needs: ['#'], presumed: false } : failure;
    return undefined;
  }
  const at = within === 0 ? 1 : within;
  const letter = text.charAt(at);
  const known = letter !== ':' && letters.includes(letter);
  const valued = known && letters.charAt(letters.indexOf(letter) + 1) === ':';
  const attached = at + 1 < text.length;
  const value = attached ? made(text.slice(at + 1), place) : list[position];
  let next = attached && !valued ? { position, within: at + 1 } : { position: position + 1, within: 0 };
  const isRefused = !known || (valued && value === undefined);
  if (isRefused) {
    // A leading colon in the letters asks for the offending letter.
    const isSilent = letters.startsWith(':');
    if (isName) put(name, known && isSilent ? ':' : '?');
    if (isSilent) put('OPTARG', letter);
    else clear();
  } else {
    if (isName) put(name, letter);
    if (!valued || value === undefined) clear();
    else {
      setScalar(shell, 'OPTARG', value, [place]);
      next = { position: position + (attached ? 1 : 2), within: 0 };
    }
  }
  put('OPTIND', String(next.position));
  if (next.within !== within) shell.store.keep({ lettersRead: next.within });
  shell.status = isName ? success : failure;
  return undefined;
};
