import type { Place } from '../../text/span.ts';
import { both, lookup } from '../conditions/verdict.ts';
import { displayed, hole, knownText, made } from '../state/pieces.ts';
import { type Shell, type Status, success } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { type Builtin, leadingOptions } from './builtin.ts';
import { builtins } from './table.ts';

const keywords: ReadonlySet<string> = new Set(
  'if then else elif fi case esac for select while until do done in function time { } ! [[ ]] coproc'.split(
    ' ',
  ),
);

type Kind = 'keyword' | 'function' | 'builtin';

/** What a name means to the shell itself; undefined when it can only be a program. */
function kindOf(shell: Shell, name: string): Kind | undefined {
  if (keywords.has(name)) return 'keyword';
  if (shell.functions.has(name)) return 'function';
  return builtins.has(name) ? 'builtin' : undefined;
}

/** How names are looked up, and what is printed for one that is found. */
type Asked = 'kind' | 'path' | 'name' | 'all' | 'nothing';

function askFor(shell: Shell, names: readonly ShellWord[], asked: Asked, place: Place): Status {
  let status = success;
  for (const { pieces } of names) {
    const name = knownText(pieces);
    const kind = name === undefined ? undefined : kindOf(shell, name);
    status = both(status, kind === undefined ? lookup(displayed(pieces), place) : success, place);
    if (asked === 'nothing' || (asked === 'path' && kind !== undefined)) continue;
    if (asked === 'kind' && kind !== undefined) shell.write(made(`${kind}\n`, place));
    else if (asked === 'name' && kind !== undefined) shell.write(made(`${name}\n`, place));
    else {
      const label = `$(${asked === 'name' ? 'command -v' : 'type'} ${displayed(pieces)})`;
      shell.write([hole('outside', label, place, { nonEmpty: asked === 'name', oneLine: asked !== 'all' })]);
    }
  }
  return status;
}

/** `type x`, `hash x`: whether a function, builtin or program of that name exists, and which it is. */
export const looksUp: Builtin = (shell, words, { name, place }) => {
  const { letters, rest } = leadingOptions(words);
  // Programs only: what the shell itself has does not count.
  const isProgram = letters.has('P');
  const asked: Asked =
    name === 'hash' ? 'nothing' : letters.has('t') ? 'kind' : letters.has('p') && !isProgram ? 'path' : 'all';
  if (rest.length === 0) shell.status = success;
  else if (isProgram) {
    shell.status = lookup(rest.map(({ pieces }) => displayed(pieces)).join(' '), place);
    shell.write([
      hole('outside', `$(type -P ${displayed(rest[0]?.pieces ?? [])})`, place, { oneLine: true }),
    ]);
  } else shell.status = askFor(shell, rest, asked, place);
  return undefined;
};

/** `command -v x`: its name, or the path of a program, which is unknown. */
export function findCommand(
  shell: Shell,
  words: readonly ShellWord[],
  isLong: boolean,
  place: Place,
): Status {
  return askFor(shell, words, isLong ? 'all' : 'name', place);
}
