import data from '../../../schemas/common/packages.json';
import { suggestSpelling } from './suggest.ts';

/** Packages whose versions matter to rules, by the name that rules have for them. */
export const packages: readonly string[] = data.names;

/** Other names that people have for some of them. */
const aliases: ReadonlyMap<string, string> = new Map(Object.entries(data.aliases));

const names: readonly string[] = [...packages, ...aliases.keys()];

/** The name that rules have for a package: capitals, `_` and `.` make no difference, as for pip. */
export function packageName(name: string): string {
  const normal = name.toLowerCase().replace(/[-_.]+/g, '-');
  return aliases.get(normal) ?? normal;
}

/** The package that a name is a slip for; undefined for names of packages, also of those that no rule asks for. */
export function misspeltPackage(name: string): string | undefined {
  const normal = packageName(name);
  return packages.includes(normal) ? undefined : suggestSpelling(normal, names);
}
