/** The project's home. */
export const homepage = 'https://github.com/oomlint/oomlint';

/** The page of a rule. */
export function documentationUrl(rule: string): string {
  return `${homepage}/blob/main/docs/rules/${rule}.md`;
}
