import { type HolePiece, knownPrefix, textOf, type Word } from '../../value/word.ts';
import type { Command } from '../command.ts';
import { cut } from '../pieces.ts';
import { type Chain, chainOf } from './chain.ts';

/** The launcher that joins the words of a job into one text for another shell. */
export const submitter = 'ray job submit';

/** The runtime environments, as JSON, with which a command and the enclosing ones are submitted to Ray. */
export function submittedEnvironments(command: Command): readonly Word[] {
  return [command, ...command.via].flatMap(({ words }) =>
    chainOf(words).steps.flatMap(({ wrapper, options, unread }) => {
      const name = wrapper.environment?.runtimeEnvironment;
      if (name === undefined) return [];
      // The last of several is read; an unknown word after it may hold another.
      const index = options.findLastIndex((use) => use.name === name);
      const value = options[index]?.value;
      return value === undefined || unread.some(({ after }) => after > index) ? [] : [value];
    }),
  );
}

/** `--runtime-env` with JSON text, although Ray expects the name of a YAML file there: the option and its value. */
export function environmentsTakenForFiles(
  command: Command,
): readonly { readonly option: Word; readonly value: Word }[] {
  return [command, ...command.via].flatMap(({ words }) =>
    chainOf(words).steps.flatMap(({ wrapper, options }) =>
      wrapper.environment?.runtimeEnvironment === undefined
        ? []
        : options.flatMap(({ name, word, value }) =>
            name === '--runtime-env' && value !== undefined && /^\s*\{/.test(knownPrefix(value))
              ? [{ option: word, value }]
              : [],
          ),
    ),
  );
}

/**
 * The arguments of a job as the program gets them. `ray job submit` joins its words into one text and gives it to another shell. Older releases
 * quote only words with blanks (subprocess.list2cmdline), and that shell removes the quotes of the others: `"'([1]*4)'"` arrives as `([1]*4)`,
 * and `'$X'` as the value of X there. Newer ones preserve every word (shlex.join; python/ray/dashboard/modules/job/cli.py at 0718d5b). What
 * differs between them is unknown.
 *
 * @param chain the command that starts the program; a submitted script reads its own words anew
 */
export function asSubmitted(args: readonly Word[], chain: Chain): readonly Word[] {
  return chain.steps.some(({ name }) => name === submitter) ? args.map(fromSecondShell) : args;
}

function fromSecondShell(word: Word): Word {
  const text = textOf(word);
  if (text === undefined) return word;
  const expanded = text.search(/\$[\w{(@*#?$!-]|`/);
  const quoted = quotesTaken(text);
  const same = Math.min(...[expanded, quoted].filter((at) => at >= 0));
  if (same === Number.POSITIVE_INFINITY) return word;
  const { pieces, place } = cut(word, same);
  const origin = pieces[0]?.origin ?? { place, via: [], verbatim: false };
  const label = text.slice(same);
  const rest: HolePiece = { kind: 'hole', reason: 'version', label, shape: 'any', splits: false, origin };
  return { pieces: [...cut(word, 0, same).pieces, rest], place };
}

/** A word of a job at which the second shell of older releases stops, and the character that stops it. */
export interface StoppingWord {
  readonly word: Word;
  readonly character: string;
}

/**
 * The words of a submitted job with an unquoted character that ends a command or opens something for a shell: `([1]*4)`, `<|end|>`. Only older
 * releases of Ray pass it to a shell like that (see {@link asSubmitted}); they quote words with blanks.
 */
export function stoppingAnotherShell({ words }: Command): readonly StoppingWord[] {
  const { steps, end } = chainOf(words);
  if (!('index' in end) || !steps.some(({ name }) => name === submitter)) return [];
  return words.slice(end.index).flatMap((word) => {
    const character = bareOperator(textOf(word) ?? '');
    return character === undefined ? [] : [{ word, character }];
  });
}

/** The first character that shells take for an operator, outside of single quotes and not after a backslash. */
function bareOperator(text: string): string | undefined {
  if (/\s/.test(text)) return undefined;
  return /^(?:'[^']*'|\\.|[^'\\();&|<>])*([();&|<>])/.exec(text)?.[1];
}

/** The offset from which a word differs once a shell has removed its quotes; -1 if it stays the same or reaches that shell in quotes. */
function quotesTaken(text: string): number {
  if (!text.includes("'") || /\s/.test(text)) return -1;
  const arrived = unquoted(text.replace(/(\\*)"/g, '$1$1\\"'));
  if (arrived === undefined || arrived === text) return -1;
  let same = 0;
  while (text[same] === arrived[same]) same += 1;
  return same;
}

/** A word without its shell quotes; undefined if the shell would do more to it than remove quotes, or would not end it here. */
function unquoted(text: string): string | undefined {
  let out = '';
  for (let rest = text; rest !== ''; ) {
    const [all, quoted, escaped, plain] =
      /^(?:'([^']*)'|\\(.)|([^'"\\$`*?[\](){}<>|&;#~!]+))/.exec(rest) ?? [];
    if (all === undefined) return undefined;
    out += quoted ?? escaped ?? plain ?? '';
    rest = rest.slice(all.length);
  }
  return out;
}
