import { suggestSpelling } from '../frameworks/suggest.ts';
import { remembering } from '../value/remember.ts';

/** The name of a rule without the framework before it. */
export function nameOf(rule: string): string {
  return rule.slice(rule.indexOf('/') + 1);
}

/** Rules by all names that a text may use for them. */
const spellingsOf = remembering((ids: readonly string[]): readonly string[] => [
  ...new Set(ids.flatMap((id) => [id, nameOf(id)])),
]);

/**
 * The rule that is probably meant by an unknown name: the one with that name in another framework, otherwise one with a similar spelling.
 * @param ids all rules, each with its framework if it has one; passing the same list to many calls makes them faster
 */
export function suggestRule(name: string, ids: readonly string[]): string | undefined {
  const same = name.includes('/') ? ids.filter((id) => nameOf(id) === nameOf(name)) : [];
  if (same.length > 0) return same.length === 1 ? same[0] : nameOf(name);
  return suggestSpelling(name, spellingsOf(ids));
}
