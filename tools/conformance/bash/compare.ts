import type { Command } from '../../../server/src/launch/command.ts';
import { nestedShell } from '../../../server/src/launch/wrappers/nested.ts';
import { literally } from '../../../server/src/text/literal.ts';
import type { HolePiece, Word } from '../../../server/src/value/word.ts';
import { display, textOf } from '../../../server/src/value/word.ts';
import type { ReferenceLaunch } from './references.ts';

/** exact: equal. open: equal with holes for what cannot be known. vague: equal only with holes for what could be known. wrong: a known text differs. */
export type Verdict = 'exact' | 'open' | 'vague' | 'wrong' | 'missing';

/** All verdicts, the best first. */
export const verdicts: readonly Verdict[] = ['exact', 'open', 'vague', 'wrong', 'missing'];

/** One launch by real Bash, compared with the engine's best answer for it. */
export interface Comparison {
  readonly verdict: Verdict;
  /** How the exported variables compare. */
  readonly environment: Verdict;
  /** How the working directory compares; `open` when the engine does not know it. */
  readonly cwd: Verdict;
  readonly command: Command | undefined;
  /** Names of the holes in place of words of the reference. */
  readonly holes: readonly string[];
  /** The first differences, for people. */
  readonly difference: readonly string[];
}

/** The worst of some verdicts. */
export function worst(items: readonly Verdict[]): Verdict {
  return items.reduce((a, b) => (verdicts.indexOf(a) >= verdicts.indexOf(b) ? a : b), 'exact');
}

/** Compares a launch of real Bash with the commands that the engine found for the same script. */
export function compareLaunch(
  launch: ReferenceLaunch,
  commands: readonly Command[],
  given: ReadonlySet<string>,
): Comparison {
  let best: Comparison | undefined;
  for (const command of commands) {
    if (!matchWords(withoutShims(command.words), launch.argv)) continue;
    const found = judge(launch, command, given);
    if (best === undefined || rank(found) < rank(best)) best = found;
  }
  return best ?? closest(launch, commands);
}

/** The words after programs that replace themselves with the next one: real Bash's record only contains what they start. */
export function withoutShims(words: readonly Word[]): readonly Word[] {
  const texts = words.map(textOf);
  const name = texts[0]?.replace(/^.*\//, '');
  let at = 1;
  if (name === 'timeout') {
    while (texts[at]?.startsWith('-')) at += /^-[ks]$/.test(texts[at] ?? '') ? 2 : 1;
    at += 1;
  } else if (name === 'env') {
    while (/^([A-Za-z_]\w*=|-u.|-i$)/.test(texts[at] ?? '')) at += 1;
  } else if (name === 'stdbuf') {
    while (texts[at]?.startsWith('-')) at += 1;
  } else if (name !== 'setsid' && name !== 'nohup') return words;
  return withoutShims(words.slice(at));
}

/** The variables that those programs set for the program that they start (`env A=1 uv run …`). */
function lentByShims({ words, env }: Command): ReadonlyMap<string, Word> {
  const lent = new Map(env);
  for (const word of words.slice(0, words.length - withoutShims(words).length)) {
    const [first, ...rest] = word.pieces;
    const [start, name] = (first?.kind === 'text' && /^([A-Za-z_]\w*)=/.exec(first.text)) || [];
    if (first?.kind !== 'text' || start === undefined || name === undefined) continue;
    lent.set(name, { ...word, pieces: [{ ...first, text: first.text.slice(start.length) }, ...rest] });
  }
  return lent;
}

function judge(launch: ReferenceLaunch, command: Command, given: ReadonlySet<string>): Comparison {
  const holes = command.words.flatMap(holesOf);
  const environment = compareEnvironment(launch.env, command, given);
  const cwd = command.cwd === undefined ? 'open' : command.cwd === launch.cwd ? 'exact' : 'wrong';
  return {
    verdict: verdictOf(holes),
    environment: environment.verdict,
    cwd,
    command,
    holes: holes.map(({ label, reason }) => `${reason} ${label}`),
    difference:
      cwd === 'wrong'
        ? [...environment.difference, `cwd ${command.cwd} for ${launch.cwd}`]
        : environment.difference,
  };
}

function rank({ verdict, environment, cwd }: Comparison): number {
  return verdicts.indexOf(verdict) * 100 + verdicts.indexOf(environment) * 10 + verdicts.indexOf(cwd);
}

function verdictOf(holes: readonly HolePiece[]): Verdict {
  if (holes.length === 0) return 'exact';
  return holes.some(({ reason }) => reason === 'too-complex' || reason === 'loop') ? 'vague' : 'open';
}

/** Whether the words equal the texts; holes are wildcards, and splitting holes match any number of words. */
export function matchWords(words: readonly Word[], texts: readonly string[]): boolean {
  const failed = new Set<number>();
  const expressions = words.map(expressionOf);
  const from = (word: number, text: number): boolean => {
    if (word === words.length) return text === texts.length;
    const key = word * (texts.length + 1) + text;
    if (failed.has(key)) return false;
    const most = splits(words[word]) ? texts.length - text : 1;
    for (let count = mayVanish(words[word]) ? 0 : 1; count <= most && text + count <= texts.length; count++) {
      const fits = count === 0 || expressions[word]?.test(texts.slice(text, text + count).join(' ')) === true;
      if (fits && from(word + 1, text + count)) return true;
    }
    failed.add(key);
    return false;
  };
  return from(0, 0);
}

function expressionOf(word: Word): RegExp {
  const source = word.pieces.map((piece) => {
    if (piece.kind === 'text') return literally(piece.text);
    // A scheduler variable is a number in a job; a reference may contain its default or a placeholder instead.
    if (piece.reason === 'environment') return '[\\s\\S]*';
    if (piece.shape === 'integer') return '-?\\d*';
    return piece.shape === 'host' ? '\\S*' : '[\\s\\S]*';
  });
  return new RegExp(`^${source.join('')}$`);
}

function splits(word: Word | undefined): boolean {
  return word?.pieces.some((piece) => piece.kind === 'hole' && piece.splits) === true;
}

/** Whether the word may vanish: a bare expansion of an unset variable or of a missing positional parameter. */
function mayVanish(word: Word | undefined): boolean {
  return (
    word?.pieces.every(
      (piece) => piece.kind === 'hole' && (piece.splits || piece.reason === 'positional'),
    ) === true
  );
}

function holesOf(word: Word): readonly HolePiece[] {
  return word.pieces.flatMap((piece) => (piece.kind === 'hole' ? [piece] : []));
}

/** Variables that a shell starts with; one that is exported again unchanged does not count. */
const inherited: ReadonlySet<string> = new Set([
  'HOME',
  'USER',
  'PATH',
  'SHELL',
  'LANG',
  'PWD',
  'OLDPWD',
  'SHLVL',
  '_',
]);

function compareEnvironment(
  reference: { readonly [name: string]: string },
  command: Command,
  given: ReadonlySet<string>,
): { readonly verdict: Verdict; readonly difference: readonly string[] } {
  const difference: string[] = [];
  const holes: HolePiece[] = [];
  const env = lentByShims(command);
  for (const [name, value] of Object.entries(reference)) {
    const word = env.get(name);
    if (word === undefined && command.via.some((outer) => !lets(name, outer))) continue;
    if (word === undefined) difference.push(`env ${name} is not set, for ${shorten(value)}`);
    else if (!expressionOf(word).test(value))
      difference.push(`env ${name}=${shorten(display(word))} for ${shorten(value)}`);
    else holes.push(...holesOf(word));
  }
  for (const [name, word] of env) {
    if (name in reference || given.has(name) || inherited.has(name)) continue;
    if (holesOf(word).length > 0) holes.push(...holesOf(word));
    else difference.push(`env ${name}=${shorten(display(word))} is not in the reference`);
  }
  return { verdict: difference.length > 0 ? 'wrong' : verdictOf(holes), difference };
}

/** Whether a command passes a variable to the shell that it starts; the stand-ins in the reference pass all of them (`sbatch --export=A`). */
function lets(name: string, { words }: Command): boolean {
  const [word] = words;
  const nested = nestedShell(words);
  return word === undefined || nested === undefined || nested.environment(new Map([[name, word]])).has(name);
}

/** The engine's command that shares most words with the launch: a similar one counts as wrong, none as missing. */
function closest(launch: ReferenceLaunch, commands: readonly Command[]): Comparison {
  let best: { readonly command: Command; readonly shared: number } | undefined;
  const wanted = new Set(launch.argv);
  for (const command of commands) {
    const shared = new Set(command.words.map(textOf).filter((text) => text !== undefined && wanted.has(text)))
      .size;
    if (best === undefined || shared > best.shared) best = { command, shared };
  }
  const none = { environment: 'exact', cwd: 'exact', holes: [] } as const;
  if (best === undefined || best.shared < Math.max(2, wanted.size * 0.35)) {
    return {
      ...none,
      verdict: 'missing',
      command: undefined,
      difference: [`no command for ${shorten(launch.argv.join(' '))}`],
    };
  }
  return {
    ...none,
    verdict: 'wrong',
    command: best.command,
    difference: differences(best.command, launch.argv),
  };
}

function differences(command: Command, argv: readonly string[]): readonly string[] {
  const out: string[] = [];
  let at = 0;
  while (at < command.words.length && at < argv.length && out.length < 3) {
    const word = command.words[at];
    if (word === undefined || !expressionOf(word).test(argv[at] ?? '')) {
      out.push(
        `word ${at}: ${word === undefined ? '' : shorten(display(word))} for ${shorten(argv[at] ?? '')}`,
      );
    }
    at += 1;
  }
  if (command.words.length !== argv.length) out.push(`${command.words.length} words for ${argv.length}`);
  return out;
}

function shorten(text: string): string {
  const line = text.replaceAll('\n', '⏎');
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}
