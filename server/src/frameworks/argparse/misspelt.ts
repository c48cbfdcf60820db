import { remembering } from '../../value/remember.ts';
import type { OptionFact } from '../knowledge.ts';
import {
  isSameButDashes,
  isSlipOf,
  joinedSpellings,
  shortenedSpellings,
  suggestLonger,
  suggestSpelling,
} from '../suggest.ts';
import { arity } from './actions.ts';
import type { FlagIndex } from './classify.ts';
import type { ArgumentParser } from './parser.ts';
import type { Said } from './renames.ts';

/**
 * The problem for an unknown flag; a fork may know the flag unless it resembles a known one. A flag that takes a different number of values is
 * not offered as a replacement.
 *
 * @param values how many words behind it may be its values
 * @param isGiven whether a flag is given already: it is not suggested then, unless only dashes are wrong
 */
export function misspelt(
  flag: string,
  values: number,
  parser: ArgumentParser,
  index: FlagIndex,
  isGiven: (flag: string) => boolean,
): Said | undefined {
  const { otherFlags } = parser;
  const { flags } = index;
  const spellings = otherFlags === undefined ? flags : joinedSpellings(flags)(otherFlags);
  const unlessGiven = (near: string | undefined): string | undefined =>
    near === undefined || (isGiven(near) && !isSameButDashes(flag, near)) ? undefined : near;
  const alike = suggestSpelling(flag, spellings);
  const near = unlessGiven(alike);
  if (parser.fork === true && near === undefined) return undefined;
  const unknown = (meant: string, hint: string, replacement?: string): Said => ({
    rule: 'unknown-option',
    values: { name: flag, meant, hint },
    replacement,
  });
  const negated = negatedBy(flag, values, index);
  if (negated !== undefined)
    return unknown(negated, ` ${negated} takes a value; there is no such option to switch it off.`);
  const about = parser.about === undefined ? '' : ` ${parser.about}`;
  if (alike !== undefined && near === undefined && isSlipOf(flag, alike))
    return unknown(alike, ` ${alike} is next to it.${about}`);
  const suggestion =
    near ??
    unlessGiven(
      flagsByName(parser.options).get(flag) ?? parser.shortNames?.[flag] ?? suggestLonger(flag, spellings),
    );
  const [shortened, other] =
    suggestion === undefined && !parser.allowAbbrev
      ? shortenedSpellings(flag, spellings).filter((spelling) => !isGiven(spelling))
      : [];
  if (shortened !== undefined) {
    const which = other === undefined ? shortened : `${shortened} or ${other}`;
    return unknown(shortened, ` Names are not to be shortened; did you mean ${which}?${about}`);
  }
  const meant = suggestion === undefined ? undefined : index.byFlag.get(suggestion);
  const [least, most] = meant === undefined ? [0, values] : arity(meant);
  const isShort = values < least;
  const hint = hintOf(suggestion, isShort ? meant : undefined);
  const isReplaced = !isShort && (values === 0 || most > 0);
  return unknown(suggestion ?? '', `${hint}${about}`, isReplaced ? suggestion : undefined);
}

/**
 * The option that a flag tries to switch off although it takes a value: `--seq-length` for `--no-seq-length`. A fork may have such a switch for
 * an option that takes a string, but not one followed by a value.
 */
function negatedBy(flag: string, values: number, { byFlag }: FlagIndex): string | undefined {
  const [, name] = /^--no-(.+)$/.exec(flag) ?? [];
  const option = name === undefined ? undefined : byFlag.get(`--${name}`);
  if (option === undefined || arity(option)[0] === 0) return undefined;
  return values > 0 || option.type === 'int' || option.type === 'float' ? `--${name}` : undefined;
}

/** @param lacking the option that was meant, if its value is missing */
function hintOf(suggestion: string | undefined, lacking: OptionFact | undefined): string {
  if (suggestion === undefined) return '';
  const { choices } = lacking ?? {};
  const which = choices === undefined ? '' : `, which takes ${choices.join(' or ')}`;
  return ` Did you mean ${suggestion}${which}?`;
}

/**
 * The flags of options whose internal name differs, by that name spelt as a flag: `--fp8-format` by `--fp8`. Flags that switch something off
 * are left out: whoever writes the name wants it on.
 */
const flagsByName = remembering(
  (options: readonly OptionFact[]): ReadonlyMap<string, string> =>
    new Map(
      options.flatMap(({ name, flags = [], action, removed }) => {
        const [flag] = flags;
        const isOff = action === 'store_false' || action === 'boolean_optional';
        return flag === undefined || isOff || removed !== undefined
          ? []
          : [[`--${name.replaceAll('_', '-')}`, flag] as const];
      }),
    ),
);
