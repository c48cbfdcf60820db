import type { Place } from '../../text/span.ts';
import { setQuestion } from '../conditions/test.ts';
import { ask, both, outcome } from '../conditions/verdict.ts';
import { doubtsOf } from '../state/doubt.ts';
import { displayed, hole, knownText, made, type Pieces } from '../state/pieces.ts';
import { failure, type Shell, type Status, success } from '../state/shell.ts';
import type { ShellFunction } from '../state/shellFunction.ts';
import type { ShellWord } from '../state/shellWord.ts';
import type { Variable } from '../state/store.ts';
import { attributesOf, writtenValue } from '../words/described.ts';
import { readScalar } from '../words/read.ts';

/** Options of `declare` that query what is already declared. */
export type Asked = 'p' | 'f' | 'F';

/**
 * `declare -p NAME…`, `declare -f NAME…`, `declare -F NAME…`: succeeds if all exist, and prints them. For functions only the names (`-F`) are
 * printed, as far as they are known; how Bash formats bodies is not modelled.
 */
export function askDeclared(shell: Shell, asked: Asked, words: readonly ShellWord[]): Status {
  let status = success;
  for (const word of words) {
    const found = asked === 'p' ? variableThere(shell, word) : functionThere(shell, word);
    status = both(status, found, word.place);
    if (shell.stdout === undefined || (found.code !== 0 && found.fork === undefined)) continue;
    const name = displayed(word.pieces);
    const known = found.fork === undefined ? printedOf(shell, asked, name, word.place) : undefined;
    shell.write(
      known === undefined
        ? [
            {
              ...hole('command-output', `declare -${asked} ${name}`, word.place, {
                blanks: true,
                defines: asked === 'f' && found.fork === undefined ? definitionOf(shell, name) : undefined,
              }),
              splits: true,
            },
            ...(asked === 'f' ? made('\n', word.place) : []),
          ]
        : [...known, ...made('\n', word.place)],
    );
  }
  return status;
}

/** The function defined by running the output of `declare -f NAME`. */
function definitionOf({ functions }: Shell, name: string): ReadonlyMap<string, ShellFunction> | undefined {
  const definition = functions.get(name);
  return definition === undefined ? undefined : new Map([[name, { ...definition, exported: false }]]);
}

function printedOf(shell: Shell, asked: Asked, name: string, place: Place): Pieces | undefined {
  if (asked === 'F') return made(name, place);
  return asked === 'p' ? printedVariable(name, shell.store.get(name), place) : undefined;
}

/** What `declare -p` prints for a variable, if all but parts of its values is known and plain text. */
function printedVariable(name: string, variable: Variable | undefined, place: Place): Pieces | undefined {
  if (variable === undefined || variable.kind === 'unset') return undefined;
  const { perhapsUnset, awaited, needs, open } = variable;
  if (perhapsUnset || awaited || needs.length > 0 || open.length > 0) return undefined;
  const value = writtenValue(variable, place);
  const start = `declare -${attributesOf(variable) || '-'} ${name}=`;
  return value === undefined ? undefined : [...made(start, place), ...value];
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
