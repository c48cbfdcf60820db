import { closest } from '../../text/spelling.ts';

function normal(flag: string): string {
  return flag.replace(/^-+/, '').replaceAll('_', '-').toLowerCase();
}

/**
 * The known spelling that an unknown one most likely stands for, or undefined when none is close: at most one wrong
 * character in five (and three in all), `_` for `-` and capitals not counted; else the only one that it is the beginning of.
 */
export function suggestSpelling(written: string, spellings: Iterable<string>): string | undefined {
  const wanted = normal(written);
  const known = [...spellings];
  const limit = Math.min(3, Math.max(1, Math.floor(wanted.length / 5)));
  const near = closest(wanted, known, limit, normal);
  if (near !== undefined || wanted.length < 4) return near;
  const longer = known.filter((spelling) => normal(spelling).startsWith(`${wanted}-`));
  return longer.length === 1 ? longer[0] : undefined;
}
