import type { Argument, Help, HelpConfiguration, Option } from 'commander';
import { wrap } from '../report/clean.ts';

/** Minimum width of a description beside its option's name; if there is less room it goes below the name. */
const fewestBeside = 32;

/** Indentation of a description below its option's name. */
const below = '      ';

/** The help for an option or argument, with its choices and default as text. */
function inPlainWords({ description, argChoices: choices, defaultValue }: Option | Argument): string {
  const notes = [
    ...(choices === undefined ? [] : [choices.join(', ')]),
    ...(typeof defaultValue === 'string' ? [`default: ${defaultValue}`] : []),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
}

/** An option, argument or command with its description. */
function item(term: string, termWidth: number, description: string, { helpWidth = 80 }: Help): string {
  const beside = helpWidth - termWidth - 4;
  const isNarrow = beside < fewestBeside;
  const lines = wrap(description, isNarrow ? helpWidth - below.length : beside);
  if (isNarrow) return [`  ${term}`, ...lines.map((line) => `${below}${line}`)].join('\n');
  const [first = '', ...others] = lines;
  const margin = ' '.repeat(termWidth + 4);
  return [`  ${term.padEnd(termWidth)}  ${first}`, ...others.map((line) => `${margin}${line}`)].join('\n');
}

/** The help of all commands: in plain words, and readable in a narrow terminal. */
export const helpLayout: HelpConfiguration = {
  optionDescription: inPlainWords,
  argumentDescription: inPlainWords,
  formatItem: item,
};
