import data from '../../../../schemas/common/programs.json';
import { beginning } from '../../text/beginning.ts';
import { namesIn } from '../../text/names.ts';
import type { Place } from '../../text/span.ts';
import { ask } from '../conditions/verdict.ts';
import { displayed, identified } from '../state/pieces.ts';
import { presumedSuccess, type Shell, type Status } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { shells } from './invocation.ts';

/** Programs whose status says whether a process, a port or a host is there. */
const machineSearches: ReadonlySet<string> = new Set(data.searches);

/** Programs that ask a server. */
const polling: ReadonlySet<string> = new Set(data.polling);

/** Programs that are run for their effect: a script counts on their success. */
const doers: ReadonlySet<string> = new Set(namesIn(data.doers));

/** For programs run for their effect and text programs: the arguments that make them ask whether something exists, or the like. */
const askingWords = patternsOf(data.asking);

/** Programs that precede the actual one, with those of their words that may come in between. */
const prefixes = patternsOf(data.prefixes);

function patternsOf(written: { readonly [program: string]: string }): ReadonlyMap<string, RegExp> {
  return new Map(Object.entries(written).map(([program, pattern]) => [program, new RegExp(pattern)]));
}

const pythons = /^python(?:\d(?:\.\d+)?)?$/;

/** A name that shows that a script answers a question: `check_nvlink.sh`, `has_gpu.py`. */
const askingName = new RegExp(data.questions, 'i');

/**
 * The status of a program that is not run. One run for its effect succeeds, as scripts count on it; the answer of one that is asked something
 * is known only to the machine.
 */
export function outcomeOf(shell: Shell, words: readonly ShellWord[], place: Place): Status {
  if (mustSucceed(shell)) return presumedSuccess;
  const asked = withoutPrefixes(words);
  const name = asked[0]?.replace(/^.*\//, '');
  if (name !== undefined && machineSearches.has(name))
    return shell.conditionDepth > 0 ? whetherFound(shell, words, place, false) : presumedSuccess;
  return answersQuestion(shell, asked) ? whetherSuccessful(shell, words, place) : presumedSuccess;
}

/** The status of a text program with an unknown result: it fails only if its words say so (`awk '… exit !found'`, `jq -e`). */
export function outcomeOfText(shell: Shell, name: string, words: readonly ShellWord[], place: Place): Status {
  const asking = askingWords.get(name);
  if (asking === undefined || mustSucceed(shell)) return presumedSuccess;
  const args = words.slice(1).map(({ pieces }) => displayed(pieces));
  return asking.test(args.join(' ')) ? whetherSuccessful(shell, words, place) : presumedSuccess;
}

/** Whether the script continues only if a program succeeds, under `set -e`. */
function mustSucceed({ isJob, store, switches, conditionDepth }: Shell): boolean {
  return switches.errexit && conditionDepth === 0 && !(isJob && !store.inFunction);
}

/** The words of a command as displayed, from the actual program on. */
function withoutPrefixes(words: readonly ShellWord[]): readonly string[] {
  const texts = words.map(({ pieces }) => displayed(pieces));
  let at = 0;
  for (let own = prefixes.get(texts[at] ?? ''); own !== undefined; own = prefixes.get(texts[at] ?? '')) {
    at += 1;
    while (own.test(texts[at] ?? '')) at += 1;
  }
  return texts.slice(at);
}

function answersQuestion(shell: Shell, [first, ...args]: readonly string[]): boolean {
  if (first === undefined) return false;
  const name = first.slice(first.lastIndexOf('/') + 1);
  // A script that waits for a server asks it repeatedly.
  if (polling.has(name)) return shell.loops === 0;
  if (askingWords.get(name)?.test(args.join(' ')) === true) return true;
  if (pythons.test(name) || shells.has(name)) return asksOfScript(args);
  if (first.includes('$')) return args.length === 0 || args[0] === '-c';
  if (doers.has(name)) return false;
  if (first.includes('/') || /\.(?:sh|py)$/.test(first)) return askingName.test(name);
  // An unknown launcher.
  return !args.some((arg) => arg.endsWith('.py') || pythons.test(arg) || arg === 'torchrun');
}

/** `python -c 'assert …'`, `python - <<EOF`, `python check_gpus.py`. */
function asksOfScript(args: readonly string[]): boolean {
  if (args.length === 0 || args.includes('-c') || args[0] === '-') return true;
  const file = args.find((arg) => !arg.startsWith('-'));
  return file !== undefined && args[0] !== '-m' && askingName.test(file.slice(file.lastIndexOf('/') + 1));
}

function whetherSuccessful(shell: Shell, words: readonly ShellWord[], place: Place): Status {
  const label = labelOf(words);
  const short = label.length <= 60 ? label : `${beginning(label, 56)}…`;
  return ask(
    {
      key: keyOf(shell, words, place),
      yes: `“${short}” succeeds`,
      no: `“${short}” fails`,
      first: true,
      ofMachine: true,
    },
    place,
  );
}

/** Whether a program finds what it looks for, which is known only to the machine. */
export function whetherFound(
  shell: Shell,
  words: readonly ShellWord[],
  place: Place,
  joins: boolean,
): Status {
  const label = labelOf(words);
  const [yes, no] = [`$(${label}) finds something`, `$(${label}) finds nothing`];
  return ask({ key: keyOf(shell, words, place), yes, no, first: false, joins, ofMachine: true }, place);
}

function labelOf(words: readonly ShellWord[]): string {
  return words.map(({ pieces }) => displayed(pieces)).join(' ');
}

/** The key of a question to a program: the same words with the same input at the same place are the same question. */
function keyOf({ stdin }: Shell, words: readonly ShellWord[], { path, span }: Place): string {
  const asked = words.map(({ pieces }) => identified(pieces)).join(' ');
  const input = stdin === undefined ? '' : identified(stdin.pieces).slice(0, 1000);
  return `${asked} ${input} ${path} ${span.start}`;
}
