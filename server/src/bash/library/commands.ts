import { awk } from './filters/awk.ts';
import { bc } from './filters/bc.ts';
import { echo, printf, seq } from './filters/echo.ts';
import { expr } from './filters/expr.ts';
import type { Filter, FilterContext } from './filters/filter.ts';
import { getopt } from './filters/getopt.ts';
import { grep } from './filters/grep.ts';
import { jq } from './filters/jq.ts';
import { cat, cut, head, paste, rev, tac, tail, tee, uniq, wc } from './filters/lines.ts';
import { basenameCommand, dirnameCommand, realpath } from './filters/paths.ts';
import { sed } from './filters/sed.ts';
import { sort } from './filters/sort.ts';
import { evaluateTest } from './filters/testCommand.ts';
import { tr } from './filters/tr.ts';
import type { Output } from './printf.ts';

export type { FilterContext } from './filters/filter.ts';
export type { Output } from './printf.ts';

/** Larger texts, in characters, are not processed: no launch script needs them. */
const mostInput = 200_000;

/**
 * Computes a command's output and exit status from its arguments and standard input alone.
 *
 * @param name the command as written, without a path
 * @param args its arguments
 * @param input its standard input, undefined if unknown (a command that does not read it still has a result)
 * @returns undefined if the command is not one of the pure ones, or if its result is uncertain; never a guess
 */
export function runPure(
  name: string,
  args: readonly string[],
  input: string | undefined,
  context: FilterContext,
): Output | undefined {
  if ((input?.length ?? 0) > mostInput) return undefined;
  return filters.get(name)?.(args, input, context);
}

/** Whether `runPure` may have a result for a command. */
export function isPureCommand(name: string): boolean {
  return filters.has(name);
}

const test: Filter = (args) => testOutput(evaluateTest(args));

const bracket: Filter = (args) =>
  args.at(-1) === ']' ? testOutput(evaluateTest(args.slice(0, -1))) : undefined;

function testOutput(value: boolean | undefined): Output | undefined {
  return value === undefined ? undefined : { output: '', status: value ? 0 : 1 };
}

/** The supported options of `xargs`, and the words after them. */
function optionsOfXargs(args: readonly string[]): {
  readonly perRun: number;
  readonly delimiter: string | undefined;
  readonly rest: readonly string[];
} {
  let perRun = Number.POSITIVE_INFINITY;
  let delimiter: string | undefined;
  let at = 0;
  for (; at < args.length; at += 1) {
    const [, name, joined] = /^(-n|--max-args=|-d|--delimiter=)([\s\S]*)$/.exec(args[at] ?? '') ?? [];
    if (name === undefined) break;
    const isApart = joined === '';
    const value = isApart ? args[at + 1] : joined;
    if (/^-n|max/.test(name)) perRun = Number(value);
    else delimiter = value === '\\n' ? '\n' : value === '\\t' ? '\t' : value;
    if (isApart) at += 1;
  }
  return { perRun, delimiter, rest: args.slice(at) };
}

/** `xargs [-n N] [-d C] [COMMAND ARG…]` with a pure command; `echo` if none is given. */
const xargs: Filter = (args, input, context) => {
  if (input === undefined || input.includes('\0')) return undefined;
  const { perRun, delimiter, rest } = optionsOfXargs(args);
  const [name = 'echo', ...fixed] = rest;
  if (delimiter !== undefined && (delimiter.length !== 1 || delimiter === '\\')) return undefined;
  const words = delimiter === undefined ? splitQuoted(input) : splitAt(input, delimiter);
  const program = name === 'echo' ? externalEcho : filters.get(name);
  if (
    name.startsWith('-') ||
    name === 'xargs' ||
    program === undefined ||
    words === undefined ||
    !(perRun >= 1)
  ) {
    return undefined;
  }
  // Above this size `xargs` may itself start the command more than once.
  if (input.length > 30_000) return undefined;
  const runs: (readonly string[])[] = [];
  for (let at = 0; at === 0 || at < words.length; at += Math.min(perRun, words.length + 1)) {
    runs.push(words.slice(at, at + perRun));
  }
  let output = '';
  let status = 0;
  for (const run of runs) {
    const result = program([...fixed, ...run], '', context);
    if (result === undefined) return undefined;
    output += result.output;
    if (result.status !== 0) status = 123;
  }
  return { output, status };
};

/** The items before each delimiter. */
function splitAt(text: string, delimiter: string): readonly string[] {
  const items = text.split(delimiter);
  return items.at(-1) === '' ? items.slice(0, -1) : items;
}

/** The program `echo`, whose options and escapes differ from the builtin's. */
const externalEcho: Filter = (args, input, context) =>
  /^-(?:[neE]+|-help|-version)$/.test(args[0] ?? '') || args.some((arg) => arg.includes('\\'))
    ? undefined
    : echo(args, input, context);

/** A text without the quotes and backslashes that escape characters for `xargs`. */
export function withoutQuotes(text: string): string {
  return text.replace(
    /"([^"]*)"|'([^']*)'|\\([\s\S])/g,
    (_, double?: string, single?: string, char?: string) => double ?? single ?? char ?? '',
  );
}

/** Words as `xargs` reads them: separated by blanks and newlines unless quoted or escaped. */
function splitQuoted(text: string): readonly string[] | undefined {
  const { words, isWhole } = quotedWords(text);
  return isWhole ? words : undefined;
}

/** The words of a text up to an unclosed quote, at which `xargs` gives up. */
export function quotedWords(text: string): { readonly words: readonly string[]; readonly isWhole: boolean } {
  const words: string[] = [];
  const word = /[ \t\n]*((?:"[^"\n]*"|'[^'\n]*'|\\[\s\S]|[^ \t\n"'\\])+)/y;
  let at = 0;
  for (let found = word.exec(text); found !== null; found = word.exec(text)) {
    words.push(withoutQuotes(found[1] ?? ''));
    at = word.lastIndex;
  }
  const isWhole = /^[ \t\n]*$/.test(text.slice(at));
  if (!isWhole && /[^ \t\n]/.test(text.charAt(at - 1)) && /[^ \t\n]/.test(text.charAt(at))) words.pop();
  return { words, isWhole };
}

const succeed: Filter = () => ({ output: '', status: 0 });
const fail: Filter = () => ({ output: '', status: 1 });

const filters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['[', bracket],
  [':', succeed],
  ['awk', awk],
  ['basename', basenameCommand],
  ['bc', bc],
  ['cat', cat],
  ['cut', cut],
  ['dirname', dirnameCommand],
  ['echo', echo],
  ['egrep', (args, input, context) => grep(['-E', ...args], input, context)],
  ['expr', expr],
  ['false', fail],
  ['fgrep', (args, input, context) => grep(['-F', ...args], input, context)],
  ['getopt', getopt],
  ['grep', grep],
  ['head', head],
  ['jq', jq],
  ['paste', paste],
  ['printf', printf],
  ['realpath', realpath],
  ['rev', rev],
  ['sed', sed],
  ['seq', seq],
  ['sort', sort],
  ['tac', tac],
  ['tail', tail],
  ['tee', tee],
  ['test', test],
  ['tr', tr],
  ['true', succeed],
  ['uniq', uniq],
  ['wc', wc],
  ['xargs', xargs],
]);
