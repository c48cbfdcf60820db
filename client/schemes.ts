/** Scheme of the documents that show resolved commands. */
export const resolvedScheme = 'oomlint-resolved';

/** Scheme of the documents that explain a rule. */
export const ruleScheme = 'oomlint-rule';
