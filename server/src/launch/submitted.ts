import { literalWord, textOf, type Word } from '../value/word.ts';

const submitter = 'ray job submit';

/**
 * The arguments of a job as the program gets them. `ray job submit` joins its words to one text (subprocess.list2cmdline in
 * ray/dashboard/modules/job/cli.py), which quotes words with blanks only, and gives it to another shell, which takes off the quotes that
 * stand around a whole word: `"'([1]*4)'"` arrives as `([1]*4)`.
 *
 * @param wrappers what starts the program, outermost first
 */
export function asSubmitted(args: readonly Word[], wrappers: readonly string[]): readonly Word[] {
  return wrappers.includes(submitter) ? args.map(withoutQuotes) : args;
}

function withoutQuotes(word: Word): Word {
  const text = textOf(word);
  const inner = text === undefined ? undefined : /^'([^'\s]*)'$/.exec(text)?.[1];
  if (inner === undefined) return word;
  const origin = word.pieces[0]?.origin;
  return literalWord(inner, word.place, origin === undefined ? undefined : { ...origin, verbatim: false });
}
