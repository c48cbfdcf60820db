import type { Command, Slip } from '../launch/command.ts';
import { display, type Word } from '../value/word.ts';
import { commonFinding } from './commonFinding.ts';
import type { Finding, Fix } from './finding.ts';
import type { CommonRules } from './rule.ts';

/**
 * Arrays that a launch expands so that it does not get their words.
 *
 * @param isRefused whether the launch is refused as it stands, and not with the words that were meant
 */
export function arrayFindings(slips: readonly Slip[], isRefused: boolean, common: CommonRules): Finding[] {
  return slips.flatMap((slip) =>
    commonFinding(
      common,
      'array-expansion',
      slip.place,
      { reason: reasonOf(slip) },
      { severity: isRefused ? 'error' : 'warning', fixes: correctionOf(slip) },
    ),
  );
}

function reasonOf({ kind, name, meant }: Slip): string {
  const first = shown(meant[0]);
  switch (kind) {
    case 'no-braces':
      return `Without braces this is the first word of the array ${name} with [@] behind it: ${first}[@].`;
    case 'no-dollar':
      return `The dollar sign is missing, so that the array ${name} is not expanded.`;
    case 'comma':
      return `The comma becomes part of the last word of the array ${name}: ${shown(meant.at(-1))},`;
    case 'first-element':
    case 'split':
      return `This passes only the first of the ${meant.length} words of the array ${name}, ${first}.`;
  }
}

function shown(word: Word | undefined): string {
  return word === undefined ? '' : display(word);
}

/** Values of a command that fall apart so that something in them is taken for the program. */
export function splitFindings(slips: readonly Slip[], { words }: Command, common: CommonRules): Finding[] {
  return slips.flatMap((slip) => {
    if (slip.kind !== 'split') return [];
    const values = {
      written: `$${slip.name}`,
      count: String(slip.to - slip.from),
      taken: shown(words[slip.from + 1]),
    };
    return commonFinding(common, 'split-value', slip.place, values, { fixes: correctionOf(slip) });
  });
}

function correctionOf({ place: { path, span }, correction }: Slip): readonly Fix[] {
  if (correction === undefined) return [];
  const edits = [{ path, span, newText: correction }];
  return [{ title: `Write ${correction}`, safety: 'suggested', cost: undefined, edits }];
}
