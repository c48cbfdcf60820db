import { textOf, type Word } from '../../value/word.ts';
import type { Command, Slip } from '../command.ts';
import { typographicSlips } from './typography.ts';

/** A command with the meant words in place of its slips. */
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

/** The slips of a command that are certain, whatever it starts. */
export function sureSlips(command: Command): readonly Slip[] {
  const { slips = [] } = command;
  const sure = slips.filter(({ kind }) => kind !== 'split');
  const typographic = typographicSlips(command);
  return typographic.length === 0 ? sure : [...sure, ...typographic].sort((a, b) => a.from - b.from);
}

/**
 * The slips of a command that affect what it starts: all but values after the first Python file that split into several words, which only the
 * program receives.
 */
export function slipsBeforeProgram({ words, slips = [] }: Command): readonly Slip[] {
  const program = words.findIndex((word) => textOf(word)?.endsWith('.py') === true);
  return slips.filter(({ kind, from }) => kind !== 'split' || program === -1 || from < program);
}
