import { type HolePiece, knownPrefix, textOf, type Word } from '../../value/word.ts';
import type { Command } from '../command.ts';
import { cut } from '../pieces.ts';
import { type Chain, chainOf } from './chain.ts';

/** What joins the words of a job to one text for another shell. */
export const submitter = 'ray job submit';

/** The runtime environments, as JSON, with which a command and the ones around it are submitted to Ray. */
export function submittedEnvironments(command: Command): readonly Word[] {
  return [command, ...command.via].flatMap(({ words }) =>
    chainOf(words).steps.flatMap(({ wrapper, options, unread }) => {
      const name = wrapper.environment?.runtimeEnvironment;
      if (name === undefined) return [];
      // Of several the last one is read; an unknown word behind it may hold another.
      const index = options.findLastIndex((use) => use.name === name);
      const value = options[index]?.value;
      return value === undefined || unread.some(({ after }) => after > index) ? [] : [value];
    }),
  );
}

/** `--runtime-env` with a text of JSON, where Ray takes the name of a YAML file: the option and its value. */
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
 * The arguments of a job as the program gets them. `ray job submit` joins its words to one text and gives it to another shell. Older
 * releases join them so that only words with blanks are quoted (subprocess.list2cmdline), and that shell takes quotes off the others:
 * `"'([1]*4)'"` arrives as `([1]*4)`, and `'$X'` as what X is there. Newer ones keep every word (shlex.join;
 * python/ray/dashboard/modules/job/cli.py at 0718d5b). What differs between them is not known.
 *
 * @param chain the command that starts the program; what is submitted as a script reads its own words anew
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

/** A word of a job at which the other shell of older releases stops, and the character there. */
export interface StoppingWord {
  readonly word: Word;
  readonly character: string;
}

/**
 * The words of a submitted job in which a character stands bare that ends a command or opens something for a shell: `([1]*4)`, `<|end|>`.
 * Only older releases of Ray give it to one as it stands (see {@link asSubmitted}); what holds blanks they quote.
 */
export function stoppingAnotherShell({ words }: Command): readonly StoppingWord[] {
  const { steps, end } = chainOf(words);
  if (!('index' in end) || !steps.some(({ name }) => name === submitter)) return [];
  return words.slice(end.index).flatMap((word) => {
    const character = bareOperator(textOf(word) ?? '');
    return character === undefined ? [] : [{ word, character }];
  });
}

/** The first of the characters that shells take for an operator outside of single quotes and behind no backslash. */
function bareOperator(text: string): string | undefined {
  if (/\s/.test(text)) return undefined;
  return /^(?:'[^']*'|\\.|[^'\\();&|<>])*([();&|<>])/.exec(text)?.[1];
}

/** Where a word is another one behind a shell that takes quotes off; -1 where it is the same, or is given to that shell in quotes. */
function quotesTaken(text: string): number {
  if (!text.includes("'") || /\s/.test(text)) return -1;
  const arrived = unquoted(text.replace(/(\\*)"/g, '$1$1\\"'));
  if (arrived === undefined || arrived === text) return -1;
  let same = 0;
  while (text[same] === arrived[same]) same += 1;
  return same;
}

/** A word behind a shell's quotes; undefined where the shell would do more to it than take quotes off, or would not end it here. */
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
