import { distance } from 'fastest-levenshtein';

function normal(flag: string): string {
  return flag.replace(/^-+/, '').replaceAll('_', '-').toLowerCase();
}

/**
 * The known spelling that an unknown one most likely stands for, or undefined when none is close: at most one wrong
 * character in five (and three in all), `_` for `-` and capitals not counted; else the only one that it is the beginning of.
 */
export function suggestSpelling(written: string, spellings: Iterable<string>): string | undefined {
  const wanted = normal(written);
  const limit = Math.min(3, Math.max(1, Math.floor(wanted.length / 5)));
  let best: string | undefined;
  let least = limit + 1;
  let longer: string | undefined;
  let longerCount = 0;
  for (const spelling of spellings) {
    const candidate = normal(spelling);
    if (wanted.length >= 4 && candidate.startsWith(`${wanted}-`)) {
      longer = spelling;
      longerCount += 1;
    }
    if (Math.abs(candidate.length - wanted.length) >= least) continue;
    const steps = distance(wanted, candidate);
    if (steps < least) {
      least = steps;
      best = spelling;
    }
  }
  return best ?? (longerCount === 1 ? longer : undefined);
}
