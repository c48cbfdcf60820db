/** Where the documentation pages of rules live. */
const rules = 'https://github.com/oomlint/oomlint/blob/main/docs/rules';

/** The page of a rule. */
export function documentationUrl(rule: string): string {
  return `${rules}/${rule}.md`;
}
