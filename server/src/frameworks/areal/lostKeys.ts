import { remembering } from '../../value/remember.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { Knowledge, OptionFact } from '../knowledge.ts';
import { removedMarker } from '../newerVersion.ts';

/** This many lost keys show that a whole section is written for an earlier release. */
const keysOfSection = 2;

const byName = remembering(
  ({ options }: Knowledge): ReadonlyMap<string, OptionFact> =>
    new Map(options.map((option) => [option.name, option])),
);

/**
 * Merges the problems of keys that a section has lost in the release in effect into one, at the section, that says where they went: reported
 * one by one they would hide that all of them belong elsewhere.
 * @param settings by name; the section is placed at its setting
 * @param knowledge of the release in effect
 */
export function lostKeysOnce(
  problems: readonly BindingProblem[],
  settings: ReadonlyMap<string, Setting>,
  knowledge: Knowledge,
): readonly BindingProblem[] {
  const options = byName(knowledge);
  const sectionOf = ({ rule, values: { name = '' } }: BindingProblem): string | undefined =>
    rule === 'unknown-option' && name.includes('.') && options.get(name)?.parser === removedMarker
      ? name.slice(0, name.lastIndexOf('.'))
      : undefined;
  const lost = new Map<string, BindingProblem[]>();
  for (const problem of problems) {
    const section = sectionOf(problem);
    if (section !== undefined) lost.set(section, [...(lost.get(section) ?? []), problem]);
  }
  return problems.flatMap((problem) => {
    const section = sectionOf(problem);
    const [first, ...others] = section === undefined ? [] : (lost.get(section) ?? []);
    if (section === undefined || first === undefined || others.length + 1 < keysOfSection) return [problem];
    return problem === first ? [atSection(section, first, others, settings, knowledge)] : [];
  });
}

function atSection(
  section: string,
  first: BindingProblem,
  others: readonly BindingProblem[],
  settings: ReadonlyMap<string, Setting>,
  knowledge: Knowledge,
): BindingProblem {
  const group = [first, ...others];
  const names = group.map(({ values: { name = '' } }) => name);
  const below = newSection(section, names, byName(knowledge));
  const where = below === undefined ? '' : `: AReaL ${knowledge.release ?? ''} has them below ${below}`;
  const more = others.length === 1 ? 'is one more key' : `are ${others.length} more keys`;
  return {
    rule: 'unknown-option',
    place: settings.get(section)?.keyPlace ?? first.place,
    values: { name: names[0] ?? section, hint: ` Nor ${more} of ${section}${where}.` },
    setting: undefined,
    replacement: undefined,
    severity: group.some(({ severity }) => severity === 'error') ? 'error' : 'warning',
    related: group.map((one, at) => ({ place: one.place, message: `${names[at] ?? ''} is none` })),
  };
}

/** The subsection that now has all the keys its parent section has lost. */
function newSection(
  section: string,
  names: readonly string[],
  options: ReadonlyMap<string, OptionFact>,
): string | undefined {
  const keys = names.map((name) => name.slice(section.length));
  for (const { name, parser } of options.values()) {
    const isWithin = name.startsWith(`${section}.`) && parser !== removedMarker;
    if (isWithin && keys.every((key) => isThere(options.get(name + key)))) return name;
  }
  return undefined;
}

function isThere(option: OptionFact | undefined): boolean {
  return option !== undefined && option.parser !== removedMarker;
}
