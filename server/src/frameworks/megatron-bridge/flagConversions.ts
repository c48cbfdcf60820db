import { pythonInt } from '../../value/pythonNumber.ts';
import { known, type Value } from '../../value/value.ts';
import type { Conversion } from '../argparse/convert.ts';
import type { OptionFact } from '../knowledge.ts';

/** No guess is made at what a text was meant to be. */
const meant = (): undefined => undefined;

/** `A=1,B=2` (scripts/performance/argument_parser.py:56): a comma within a value would begin the next variable. */
const variables: Conversion = {
  convert: (text) =>
    text.split(',').every((item) => item.split('=').length === 2) ? known(text) : undefined,
  expected: 'NAME=value, several with commas between them',
  meant,
};

/** `A=1,2` (scripts/performance/argument_parser.py:61). */
const variable: Conversion = {
  convert: (text) => (/^[A-Za-z_][A-Za-z0-9_]*=/.test(text) ? known(text) : undefined),
  expected: 'NAME=value',
  meant,
};

/** `0,1` (scripts/performance/argument_parser.py:43). */
const ranks: Conversion = {
  convert: (text) =>
    text.split(',').every((item) => pythonInt(item) !== undefined) ? known(text) : undefined,
  expected: 'whole numbers with commas between them',
  meant,
};

/** `NAME` (scripts/training/setup_experiment.py:148): the value is inherited, so that a job's arguments contain no secret. */
const inherited: Conversion = {
  convert: (text) => (text.includes('=') ? undefined : known(text)),
  expected: 'only the name of a variable, which is exported before',
  meant: (text) => text.slice(0, text.indexOf('=')),
};

/** `HOST` or `HOST:CONTAINER` (scripts/training/setup_experiment.py:166). */
const mount: Conversion = {
  convert: (text) => (/^(?:[^:]+|[^:]+:.+)$/s.test(text) ? known(text) : undefined),
  expected: 'HOST or HOST:CONTAINER',
  meant,
};

/** `A=1;B=2` (scripts/training/setup_experiment.py:179). */
const slurmParameters: Conversion = {
  convert: (text) => (text.split(';').every((item) => /^[^=]+=./s.test(item)) ? known(text) : undefined),
  expected: 'NAME=value, several with semicolons between them',
  meant,
};

/** A comma-separated list of words (scripts/performance/argument_parser.py:101). */
function wordsOf(choices: readonly string[]): Conversion {
  const isListed = (text: string): boolean => text.split(',').every((item) => choices.includes(item));
  const convert = (text: string): Value | undefined => (isListed(text) ? known(text.split(',')) : undefined);
  return {
    convert,
    expected: `${choices.join(', ')}, several with commas between them`,
    meant: (text) => {
      const bare = text.replace(/[\s[\]"']+/g, '').replace(/(?<!,),+$/, '');
      return isListed(bare) ? bare : undefined;
    },
  };
}

const fixed: ReadonlyMap<string, Conversion> = new Map([
  ['performance.custom_env_vars', variables],
  ['performance.env', variable],
  ['performance.profiling_ranks', ranks],
  ['submit.env', inherited],
  ['submit.mount', mount],
  ['submit.additional_slurm_params', slurmParameters],
]);

const scopes = 'performance.cuda_graph_scope';

/** How the benchmarks, or the program that submits a job, parse the value of an option, if they do it in their own way. */
export function flagConversion({ name, choices = [] }: OptionFact): Conversion | undefined {
  return name === scopes ? wordsOf(choices.map(String)) : fixed.get(name);
}
