import type { Finding } from '../rules/finding.ts';

/** The project's home. */
export const homepage = 'https://github.com/oomlint/oomlint';

/** The page of a finding's rule; undefined for a rule of the project itself. */
export function pageOf({ rule, isOwn }: Pick<Finding, 'rule' | 'isOwn'>): string | undefined {
  return isOwn === true ? undefined : documentationUrl(rule);
}

/** The page of an oomlint rule. */
export function documentationUrl(rule: string): string {
  return `${homepage}/blob/main/docs/rules/${rule}.md`;
}
