import type { Select } from 'unbash';
import { read } from '../builtins/input.ts';
import { hole, isUncounted, knownText, made, type Pieces } from '../state/pieces.ts';
import { type Flow, failure, presumedSuccess, type Shell, success } from '../state/shell.ts';
import type { Source } from '../text/source.ts';
import { expandWords } from '../words/expand.ts';
import { readList } from '../words/listReading.ts';
import { isName, overValues } from './for.ts';
import { within } from './rounds.ts';

/** Runs `select NAME in WORDS`: one round for each answer in the input if that is known, otherwise one round for an unknown answer. */
export function executeSelect(shell: Shell, source: Source, node: Select): Flow {
  const place = source.place(node.name.pos, node.name.end);
  const name = node.name.value;
  if (!isName(name)) {
    shell.status = failure;
    return undefined;
  }
  const loop = { source, name, body: node.body, place };
  const choices =
    node.wordlist === undefined
      ? readList(shell, '@', place).elements
      : expandWords(shell, source, node.wordlist).map((word) => word.pieces);
  if (shell.refused !== undefined) return shell.giveUp(shell.refused);
  const answers = shell.stdin === undefined ? undefined : knownText(shell.stdin.pieces);
  const open = choices.findIndex(isUncounted);
  const known = answers !== undefined && open !== 0;
  if (known && choices.length === 0) {
    shell.status = success;
    return undefined;
  }
  // The menu goes to standard error.
  if (shell.stderr !== undefined)
    shell.writeTo(shell.stderr, [{ ...hole('outside', 'select', place), splits: true }]);
  if (known) {
    let ended = false;
    const chosen = function* (): Generator<Pieces> {
      for (;;) {
        const answer = nextAnswer(shell, source, node);
        if (answer === undefined) break;
        // An empty answer shows the menu once more.
        if (answer === '') continue;
        const index = indexOf(answer);
        // From the first choice with an unknown number of words on, numbers may refer to other choices.
        const isOpen = open >= 0 && index >= open;
        yield isOpen ? [hole('outside', `$${name}`, place)] : (choices[index] ?? []);
      }
      ended = true;
    };
    const flow = within(shell, () => overValues(shell, loop, chosen()));
    if (!ended) return flow;
    shell.write(made('\n', place));
    shell.status = failure;
    return flow;
  }
  // At the end of the input a newline is printed.
  shell.write([{ ...hole('outside', 'select', place), splits: true }]);
  const value = hole('outside', `$${name}`, place, answers === undefined ? { nonEmpty: true } : {});
  const flow = within(shell, () => overValues(shell, loop, [[{ ...value, splits: true }]]));
  shell.status = presumedSuccess;
  return flow;
}

/** Reads a line into `REPLY`; undefined at the end of the input. */
function nextAnswer(shell: Shell, source: Source, node: Select): string | undefined {
  const place = source.place(node.pos, node.end);
  read(shell, [], { name: 'read', source, place, end: node.end, open: [], touched: new Set() });
  if (shell.status.code !== 0) return undefined;
  return knownText(shell.store.get('REPLY')?.value ?? []);
}

/** The index of the choice that an answer selects by number; -1 if none. */
function indexOf(answer: string): number {
  return /^\s*\+?\d{1,9}\s*$/.test(answer) ? Number(answer) - 1 : -1;
}
