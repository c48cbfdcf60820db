import data from '../../../schemas/common/packages.json';
import { suggestSpelling } from './suggest.ts';

/** Packages whose versions matter to rules, by the names that rules use. */
export const packages: readonly string[] = data.names;

/** Other common names for some of them. */
const aliases: ReadonlyMap<string, string> = new Map(Object.entries(data.aliases));

const names: readonly string[] = [...packages, ...aliases.keys()];

/** The name that rules use for a package: capitals, `_` and `.` make no difference, as in pip. */
export function packageName(name: string): string {
  const normal = name.toLowerCase().replace(/[-_.]+/g, '-');
  return aliases.get(normal) ?? normal;
}

/** The package of which a name is a misspelling; undefined for names of packages, including those that no rule uses. */
export function misspeltPackage(name: string): string | undefined {
  const normal = packageName(name);
  return packages.includes(normal) ? undefined : suggestSpelling(normal, names);
}
