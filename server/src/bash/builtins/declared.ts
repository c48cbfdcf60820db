import { setQuestion } from '../conditions/test.ts';
import { ask, both, outcome } from '../conditions/verdict.ts';
import { doubtsOf } from '../state/doubt.ts';
import { displayed, hole, knownText, made } from '../state/pieces.ts';
import type { ShellWord } from '../state/run.ts';
import { failure, type Shell, type Status, success } from '../state/shell.ts';
import { readScalar } from '../words/read.ts';

/** Options of `declare` that ask for what is declared already. */
export type Asked = 'p' | 'f' | 'F';

/**
 * `declare -p NAME…`, `declare -f NAME…`, `declare -F NAME…`: succeeds when all are there, and prints them. Only the names of functions
 * (`-F`) are printed as far as they are known; how Bash writes values and bodies is not followed.
 */
export function askDeclared(shell: Shell, asked: Asked, words: readonly ShellWord[]): Status {
  let status = success;
  for (const word of words) {
    const found = asked === 'p' ? variableThere(shell, word) : functionThere(shell, word);
    status = both(status, found, word.place);
    if (shell.stdout === undefined || (found.code !== 0 && found.fork === undefined)) continue;
    const name = displayed(word.pieces);
    shell.write(
      asked === 'F' && found.fork === undefined
        ? made(`${name}\n`, word.place)
        : [{ ...hole('command-output', `declare -${asked} ${name}`, word.place), splits: true }],
    );
  }
  return status;
}

function variableThere(shell: Shell, { pieces, place }: ShellWord): Status {
  const name = knownText(pieces);
  const variable = name === undefined ? undefined : shell.store.get(name);
  const isDeclared = variable !== undefined && (variable.kind !== 'unset' || variable.inherits);
  if (
    name === undefined ||
    variable?.perhapsUnset === true ||
    (!isDeclared && doubtsOf(shell.store) !== undefined)
  )
    return setQuestion(displayed(pieces), place);
  if (isDeclared || shell.store.isLocal(name)) return success;
  const { set, needs } = readScalar(shell, name, place);
  return outcome(set, needs);
}

function functionThere(shell: Shell, { pieces, place }: ShellWord): Status {
  const name = knownText(pieces);
  if (name !== undefined && shell.functions.has(name)) return success;
  if (name !== undefined && doubtsOf(shell.store) === undefined) return failure;
  const label = displayed(pieces);
  return ask(
    {
      key: `declare -F ${label}`,
      yes: `${label} is a function`,
      no: `${label} is not a function`,
      first: false,
    },
    place,
  );
}
