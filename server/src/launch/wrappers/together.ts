import { known, unknown, type Value } from '../../value/value.ts';
import { textOf, type Word } from '../../value/word.ts';
import type { Launch } from '../launch.ts';
import { chainOf, type Step } from './chain.ts';

/**
 * The commands of several programs that one launcher starts together: `mpirun -np 1 python a.py : -np 7 python b.py` is both `mpirun -np 1
 * python a.py` and `mpirun -np 7 python b.py`. The words before the launcher belong to each, and so do the variables set by options before the
 * first program.
 *
 * @returns the words themselves if there is only one program
 */
export function commandsOf(words: readonly Word[]): readonly (readonly Word[])[] {
  const step = chainOf(words).steps.find(({ wrapper }) => wrapper.between !== undefined);
  if (step === undefined || !words.includes(step.word)) return [words];
  const start = words.indexOf(step.word) + 1;
  const parts: Word[][] = [[]];
  for (const word of words.slice(start))
    if (textOf(word) === step.wrapper.between) parts.push([]);
    else parts.at(-1)?.push(word);
  if (parts.length === 1 || parts.length > mostPrograms) return [words];
  const before = words.slice(0, start);
  const variables = variableWords(step, words);
  return parts.map((part, index) => [...before, ...(index === 0 ? [] : variables), ...part]);
}

/** No launch starts more different programs than this. */
const mostPrograms = 64;

/** The words of the options by which a launcher sets variables. */
function variableWords({ wrapper: { environment }, options }: Step, words: readonly Word[]): readonly Word[] {
  const names = [...(environment?.set ?? []), ...(environment?.pairs ?? [])];
  return options
    .filter(({ name }) => names.includes(name))
    .flatMap(({ word, length }) => words.slice(words.indexOf(word), words.indexOf(word) + length));
}

/** The processes and nodes of several programs that are started together. */
export function worldTogether(
  launches: readonly Launch[],
): Pick<Launch, 'worldSize' | 'nodes' | 'processesPerNode' | 'worldSizeWords'> {
  const [first] = launches;
  const outside = unknown('outside', 'programs that are started together');
  const isAsFirst = ({ nodes }: Launch): boolean =>
    nodes.kind === 'known' && first?.nodes.kind === 'known' && nodes.data === first.nodes.data;
  return {
    worldSize: sum(launches.map(({ worldSize }) => worldSize)) ?? outside,
    nodes: first !== undefined && launches.every(isAsFirst) ? first.nodes : outside,
    processesPerNode: outside,
    worldSizeWords: launches.flatMap(({ worldSizeWords }) => worldSizeWords),
  };
}

function sum(counts: readonly Value[]): Value | undefined {
  let total = 0;
  for (const count of counts) {
    if (count.kind === 'unknown' || typeof count.data !== 'number') return undefined;
    total += count.data;
  }
  return known(total);
}
