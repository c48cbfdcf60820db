import type { RuleFacts } from '../server/src/rules/rule.ts';

/** An item of a rule picker: a rule or a heading. */
export type RulePick =
  | { readonly kind: 'rule'; readonly id: string; readonly why: string }
  | { readonly kind: 'heading'; readonly text: string };

/**
 * The rules to choose from: first those with findings in the active file, in the order of the findings, then all rules by name.
 * @param found the rules of findings
 */
export function rulePicks(
  rules: ReadonlyMap<string, Pick<RuleFacts, 'id' | 'why'>>,
  found: readonly string[],
): readonly RulePick[] {
  const pick = ({ id, why }: Pick<RuleFacts, 'id' | 'why'>): RulePick => ({ kind: 'rule', id, why });
  const here = [...new Set(found)].flatMap((id) => rules.get(id) ?? []);
  const others = [...rules.values()]
    .filter((rule) => !here.includes(rule))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  return here.length === 0
    ? others.map(pick)
    : [
        { kind: 'heading', text: 'found in this file' },
        ...here.map(pick),
        { kind: 'heading', text: 'all others' },
        ...others.map(pick),
      ];
}
