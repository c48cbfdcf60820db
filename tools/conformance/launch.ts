import { plainCommand } from '../../server/src/launch/command.ts';
import type { Launch } from '../../server/src/launch/launch.ts';
import type { Place } from '../../server/src/text/span.ts';
import type { Value } from '../../server/src/value/value.ts';
import { literalWord, type Word } from '../../server/src/value/word.ts';

/** A launch of an oracle: its program with all its inputs. */
export interface GivenLaunch {
  /** The script that is assumed to contain the command. */
  readonly path: string;
  /** The words of the command; the program is at index 1, or after `-m` at index 2. */
  readonly command: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly cwd: string | undefined;
  readonly wrappers: readonly string[];
  readonly worldSize: Value;
  readonly nodes: Value;
  readonly processesPerNode: Value;
}

/** The launch of a script with this one command, with each word written literally, one after the other. */
export function writtenLaunch(given: GivenLaunch): Launch {
  let at = 0;
  const written = (text: string): Word => {
    const place: Place = { path: given.path, span: { start: at, end: at + text.length } };
    at += text.length + 1;
    return literalWord(text, place);
  };
  const env = new Map(Object.entries(given.env).map(([name, text]) => [name, written(text)]));
  const words = given.command.map(written);
  const place: Place = { path: given.path, span: { start: 0, end: at } };
  const isModule = given.command[1] === '-m';
  const program = isModule ? 2 : 1;
  return {
    command: plainCommand({ words, env, place, cwd: given.cwd }),
    entry: { kind: isModule ? 'module' : 'script', word: words[program] ?? literalWord('', place) },
    args: words.slice(program + 1),
    env,
    unseenVariables: undefined,
    wrappers: given.wrappers,
    worldSize: given.worldSize,
    nodes: given.nodes,
    processesPerNode: given.processesPerNode,
    worldSizeWords: given.worldSize.kind === 'known' ? [literalWord('', place)] : [],
    allocatedGpus: undefined,
    isWorldPresumed: false,
    place,
    open: [],
    assumptions: [],
  };
}
