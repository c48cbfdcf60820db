import type { Host } from '../../value/host.ts';
import { display, textOf, type Word } from '../../value/word.ts';
import type { OpenPlace } from '../command.ts';
import { fileNamed } from '../mayLaunch.ts';
import { type Chain, type ChainEnd, chainOf } from './chain.ts';
import { looksLikeOption } from './options.ts';

/** The most words of a script's own before the command that it is handed: options and their values, a host, an image. */
const mostOwnWords = 8;

/** Programs that are named by a path and do not belong to the system, such as those of a repository. */
const ownProgram = /^(?:\.{1,2}\/|\$|\/(?!(?:usr|s?bin)\/))/;

/** A command's chain, and whether it leads through a script that cannot be read. */
export interface ThroughScript {
  readonly chain: Chain;
  readonly isHandedOn: boolean;
  /** The script, if it calls Python itself: it may add more words. */
  readonly open: readonly OpenPlace[];
}

/**
 * The chain of a command that leads through a script which cannot be read and is clearly handed a command to start: `srun ./bind.sh python
 * train.py`, or what Python is to run: `srun ./bind.sh train.py --lr 1`. The script counts as an unknown launcher, since it may start that
 * command any number of times.
 *
 * @param host tells whether the script can be read
 */
export function chainThroughScript(words: readonly Word[], host: Host): ThroughScript {
  const chain = chainOf(words);
  const { end } = chain;
  const isProgram = end.kind === 'program';
  const script = isProgram || end.kind === 'shell-file' ? words[end.index] : undefined;
  if (script === undefined || !('index' in end) || !isUnread(script, isProgram, host))
    return { chain, isHandedOn: false, open: [] };
  const own = words.slice(end.index + 1, end.index + 1 + mostOwnWords);
  // Any program may get the name of another one, to look for it or to report on it.
  const last = isProgram ? own.findIndex((word) => !looksLikeOption(word)) : own.length;
  for (let skipped = 0; skipped <= last; skipped += 1) {
    const at = end.index + 1 + skipped;
    const command = commandAt(words, at);
    const inner = command ?? (isProgram || skipped > 0 ? undefined : fileAt(words, at));
    const open = command === undefined ? [script.place] : [];
    if (inner !== undefined) return { chain: joined(chain, script, inner, at), isHandedOn: true, open };
  }
  return { chain, isHandedOn: false, open: [] };
}

/**
 * Whether nothing is known about what a script, or a program that may be one, does. A script in an unknown folder is not followed: if the
 * workspace seems to have it, that file must hand on what it is given.
 */
function isUnread(script: Word, isProgram: boolean, host: Host): boolean {
  const path = display(script);
  if (isProgram && !ownProgram.test(path)) return false;
  const file = fileNamed(script.place.path, path, host);
  return file === undefined || (textOf(script) === undefined && handsOn.test(host.read(file) ?? ''));
}

/** All arguments of a script as words of a command. */
const handsOn = /^[^#\n]*\$(?:@|\{@\})/m;

/** The command that begins at a word, if that is Python or a launcher and a Python program follows. */
function commandAt(words: readonly Word[], at: number): Chain | undefined {
  const first = words[at];
  if (first === undefined) return undefined;
  const chain = chainOf(words.slice(at));
  const isPython = /^(?:.*\/)?(?:python|pypy)[\d.]*$/.test(display(first));
  if (!isPython && chain.steps[0]?.word !== first) return undefined;
  const { end } = chain;
  const isProgram =
    end.kind === 'module' || (end.kind === 'script' && (textOf(end.word)?.endsWith('.py') ?? false));
  return isProgram ? chain : undefined;
}

/** A Python file followed by an option: a script that is handed these runs `python "$@"`. */
function fileAt(words: readonly Word[], at: number): Chain | undefined {
  const [file, option] = words.slice(at, at + 2);
  if (file === undefined || option === undefined || !looksLikeOption(option)) return undefined;
  const chain = chainOf([file]);
  return chain.end.kind === 'script' ? chain : undefined;
}

function joined(outer: Chain, script: Word, inner: Chain, at: number): Chain {
  const before = outer.steps.length;
  const behind = inner.unknownLaunchers.map(({ word, after }) => ({ word, after: after + before }));
  return {
    steps: [...outer.steps, ...inner.steps],
    unknownLaunchers: [...outer.unknownLaunchers, { word: script, after: before }, ...behind],
    end: moved(inner.end, at),
  };
}

function moved(end: ChainEnd, by: number): ChainEnd {
  return 'index' in end ? { ...end, index: end.index + by } : end;
}
