import type { Word } from '../value/word.ts';
import type { Command, Slip } from './command.ts';

/** A command with the words that were meant in place of its slips. */
export function withoutSlips(command: Command, slips: readonly Slip[]): Command {
  if (slips.length === 0) return command;
  const words: Word[] = [];
  let at = 0;
  for (const { from, to, meant } of slips) {
    words.push(...command.words.slice(at, from), ...meant);
    at = to;
  }
  words.push(...command.words.slice(at));
  return { ...command, words, open: [...command.open, ...slips.flatMap(({ open }) => open)], slips: [] };
}

/** The slips of a command that are ones whatever it starts. */
export function sureSlips({ slips = [] }: Command): readonly Slip[] {
  return slips.filter(({ kind }) => kind !== 'split');
}
