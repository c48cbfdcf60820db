import type { Output } from '../printf.ts';
import type { Filter } from './filter.ts';

/** The settings from the options of `getopt` itself. */
interface Rules {
  /** `ab:c::`, possibly after a `+` or `-`. */
  readonly letters: string;
  /** `alpha:,beta`. */
  readonly names: readonly string[];
  readonly quotes: boolean;
}

/** Whether an option takes no value, takes one, or may take an attached one. */
type Taking = 'nothing' | 'value' | 'perhaps';

/** `getopt [-o LETTERS] [-l NAMES] [--] WORDS…`: the words rearranged, options first, quoted for `eval set --`. */
export const getopt: Filter = (args) => {
  const [first = ''] = args;
  // The old calling convention quotes nothing.
  if (!first.startsWith('-')) return ordered({ letters: first, names: [], quotes: false }, args.slice(1));
  let letters: string | undefined;
  const names: string[] = [];
  let quotes = true;
  let at = 0;
  for (; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      at += 1;
      break;
    }
    if (!arg.startsWith('-')) break;
    const [, option = '', joined] = /^(-[a-zA-Z]|--[a-z]+)(?:=|(?=.))?([\s\S]*)$/.exec(arg) ?? [];
    const isAttached = joined !== undefined && joined !== '';
    const value = (): string => {
      if (isAttached) return joined;
      at += 1;
      return args[at] ?? '';
    };
    if (option === '-o' || option === '--options') letters = value();
    else if (/^(?:-l|--long|--longoptions)$/.test(option))
      names.push(
        ...value()
          .split(/[\s,]+/)
          .filter((name) => name !== ''),
      );
    else if (option === '-n' || option === '--name') value();
    else if (/^(?:-u|--unquoted)$/.test(arg)) quotes = false;
    // Any other option changes the output or its format.
    else return undefined;
  }
  if (letters === undefined) {
    letters = args[at] ?? '';
    at += 1;
    if (args[at] === '--') at += 1;
  }
  return ordered({ letters, names, quotes }, args.slice(at));
};

function ordered({ letters, names, quotes }: Rules, words: readonly string[]): Output | undefined {
  // These keep the order unchanged.
  if (/^[-+]/.test(letters) || letters.startsWith(':')) return undefined;
  const options: string[] = [];
  const rest: string[] = [];
  let status = 0;
  const put = (word: string): void => {
    options.push(quotes ? `'${word.replaceAll("'", "'\\''")}'` : word);
  };
  const fail = (): void => {
    status = 1;
  };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') {
      rest.push(...words.slice(at + 1));
      break;
    }
    if (!/^-./.test(word)) {
      rest.push(word);
      continue;
    }
    /** Writes an option with its value, which may be the next word. */
    const take = (option: string, taking: Taking, attached: string | undefined): void => {
      if (taking === 'nothing') {
        if (attached !== undefined) fail();
        else options.push(option);
        return;
      }
      const next = attached ?? (taking === 'value' ? words[at + 1] : '');
      if (next === undefined) {
        fail();
        return;
      }
      if (attached === undefined && taking === 'value') at += 1;
      options.push(option);
      put(next);
    };
    if (word.startsWith('--')) {
      const equals = word.indexOf('=');
      const given = word.slice(2, equals < 0 ? undefined : equals);
      const found = named(names, given);
      if (found === undefined) fail();
      else take(`--${found.name}`, found.taking, equals < 0 ? undefined : word.slice(equals + 1));
      continue;
    }
    for (let index = 1; index < word.length; index += 1) {
      const letter = word.charAt(index);
      const place = letter === ':' ? -1 : letters.indexOf(letter);
      if (place < 0) {
        fail();
        continue;
      }
      const taking = takingOf(letters.slice(place + 1));
      const isLast = index + 1 === word.length;
      take(`-${letter}`, taking, taking === 'nothing' || isLast ? undefined : word.slice(index + 1));
      if (taking !== 'nothing') break;
    }
  }
  options.push('--');
  for (const word of rest) put(word);
  return { output: ` ${options.join(' ')}\n`, status };
}

function takingOf(behind: string): Taking {
  if (!behind.startsWith(':')) return 'nothing';
  return behind.startsWith('::') ? 'perhaps' : 'value';
}

/** The long option with this name, or with this unambiguous prefix. */
function named(
  names: readonly string[],
  given: string,
): { readonly name: string; readonly taking: Taking } | undefined {
  const all = names.map((written) => {
    let end = written.length;
    while (written[end - 1] === ':') end -= 1;
    return { name: written.slice(0, end), taking: takingOf(written.slice(end)) };
  });
  const exact = all.find(({ name }) => name === given);
  if (exact !== undefined) return exact;
  const [only, ...more] = all.filter(({ name }) => name.startsWith(given));
  return more.length === 0 ? only : undefined;
}
