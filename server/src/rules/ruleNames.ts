import { suggestSpelling } from '../frameworks/suggest.ts';
import { remembering } from '../value/remember.ts';

/** The name of a rule without the framework before it. */
export function nameOf(rule: string): string {
  return rule.slice(rule.indexOf('/') + 1);
}

/** Rules by all names that a text may give them. */
const spellingsOf = remembering((ids: readonly string[]): readonly string[] => [
  ...new Set(ids.flatMap((id) => [id, nameOf(id)])),
]);

/**
 * The rule that is probably meant by a name that none has: the one that has it behind another framework, else one that is spelled nearly so.
 * @param ids all rules, each with its framework if it has one; the same list for many calls is looked through faster
 */
export function suggestRule(name: string, ids: readonly string[]): string | undefined {
  const same = name.includes('/') ? ids.filter((id) => nameOf(id) === nameOf(name)) : [];
  if (same.length > 0) return same.length === 1 ? same[0] : nameOf(name);
  return suggestSpelling(name, spellingsOf(ids));
}
