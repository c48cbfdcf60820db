import type { Command, Slip } from '../../launch/command.ts';
import { display, type Word } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, type Fix, hasNewError, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';

/**
 * What is miswritten in a launch so that it does not get the intended words.
 *
 * @param before findings on the launch as written
 * @param found findings on it with the intended words
 */
export function slipFindings(
  slips: readonly Slip[],
  before: readonly Finding[],
  found: readonly Finding[],
  common: CommonRules,
): Finding[] {
  const isRefused = hasNewError(before, found);
  return slips.flatMap((slip) => {
    const rule = isTypographic(slip) ? 'typographic-character' : 'array-expansion';
    const severity = isRefused || isNoOption(slip, before) ? 'error' : 'warning';
    const fixes = correctionOf(slip);
    return commonFinding(common, rule, slip.place, { reason: reasonOf(slip) }, { severity, fixes });
  });
}

function isTypographic({ kind }: Slip): boolean {
  return kind === 'blank' || kind === 'dash' || kind === 'quotes';
}

/** Whether a miswritten word was taken for an unknown option: not even a fork has one with such characters. */
function isNoOption(slip: Slip, before: readonly Finding[]): boolean {
  const { path, span } = slip.place;
  const isHere = ({ rule, place }: Finding): boolean =>
    rule === 'unknown-option' && place.path === path && place.span.start === span.start;
  return isTypographic(slip) && before.some(isHere);
}

function reasonOf({ kind, name, meant }: Slip): string {
  const first = shown(meant[0]);
  switch (kind) {
    case 'no-braces':
      return `Without braces this is the first word of the array ${name} with [@] after it: ${first}[@].`;
    case 'no-dollar':
      return `The dollar sign is missing, so the array ${name} is not expanded.`;
    case 'comma':
      return `The comma becomes part of the last word of the array ${name}: ${shown(meant.at(-1))},`;
    case 'first-element':
    case 'split':
      return `This passes only the first of the ${meant.length} words of the array ${name}, ${first}.`;
    case 'blank':
      return `${blankName(name)} is an ordinary letter for Bash, so ${meant.map(shown).join(' ')} is one word with it.`;
    case 'dash':
      return `${name} is a dash, with which no option begins: two hyphens do.`;
    case 'quotes':
      return `For Bash ${name.charAt(0)} and ${name.slice(-1)} are letters, not quotes: they become part of the value.`;
  }
}

/** The blanks that people encounter, by their Unicode names. */
function blankName(blank: string): string {
  const code = blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const names: { readonly [code: string]: string } = {
    '00A0': 'A no-break space',
    '202F': 'A narrow no-break space',
    '200B': 'A zero-width space',
    '3000': 'An ideographic space',
    FEFF: 'A byte order mark',
  };
  return `${names[code] ?? 'A typographic space'} (U+${code})`;
}

function shown(word: Word | undefined): string {
  return word === undefined ? '' : display(word);
}

/** Values of a command that word splitting breaks up so that a part of them is taken for the program. */
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

function correctionOf({ name, place: { path, span }, correction, surplus }: Slip): readonly Fix[] {
  if (surplus !== undefined) {
    const edits = surplus.map((part) => ({ ...part, newText: '' }));
    return [suggestedFix(`Remove ${name.charAt(0)} and ${name.slice(-1)}`, edits)];
  }
  if (correction === undefined) return [];
  const edits = [{ path, span, newText: correction }];
  return [suggestedFix(`Write ${correction}`, edits)];
}
