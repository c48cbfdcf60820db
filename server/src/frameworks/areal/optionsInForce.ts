import { remembering } from '../../value/remember.ts';
import type { OptionFact } from '../knowledge.ts';
import { removedMarker } from '../newerVersion.ts';
import type { ExperimentChoice } from './experiment.ts';
import type { Merged } from './mergeInto.ts';
import { belongsTo } from './schema.ts';

/** An option that this run does not have. */
const absent: OptionFact = { name: '', type: 'any', default: null, source: '' };

/** Names of the groups that are null by default. */
const optionalGroups = remembering((options: readonly OptionFact[]): readonly string[] =>
  options.flatMap((fact) => (fact.type === 'group' && fact.default === null ? [fact.name] : [])),
);

/** Cached results of `optionsInForce`, keyed by everything they depend on besides the options: most experiments do not differ in that. */
const answersInForce = remembering(
  (_: readonly OptionFact[]) => new Map<string, ReadonlyMap<string, OptionFact>>(),
);
const mostAnswers = 100;

/**
 * The options of this run: those of other experiment classes, and those below a null group, have no value (Python's None), so that constraints
 * over all roles stay quiet about roles that do not exist.
 */
export function optionsInForce(
  options: readonly OptionFact[],
  merged: Merged,
  choice: ExperimentChoice,
): ReadonlyMap<string, OptionFact> {
  const answers = answersInForce(options);
  const given = optionalGroups(options).filter((name) => merged.settings.has(name));
  const key = [choice.experiment, ...merged.nullGroups, '', ...given].join(' ');
  const before = answers.get(key);
  if (before !== undefined) return before;
  const answer = makeOptionsInForce(options, merged, choice);
  if (answers.size >= mostAnswers) answers.clear();
  answers.set(key, answer);
  return answer;
}

function makeOptionsInForce(
  options: readonly OptionFact[],
  merged: Merged,
  choice: ExperimentChoice,
): ReadonlyMap<string, OptionFact> {
  const out = new Map<string, OptionFact>();
  const nullGroups = new Set(merged.nullGroups);
  for (const fact of options) {
    const mine = fact.removed === undefined && belongsTo(fact, choice.experiment);
    if (!mine) {
      if (!out.has(fact.name)) out.set(fact.name, fact.parser === removedMarker ? fact : absent);
      continue;
    }
    const above = fact.name.slice(0, Math.max(0, fact.name.lastIndexOf('.')));
    const isNull = above !== '' && nullGroups.has(above);
    if (isNull || (fact.type === 'group' && fact.default === null && !merged.settings.has(fact.name)))
      nullGroups.add(fact.name);
    out.set(fact.name, isNull ? absent : fact);
  }
  return out;
}
