/** What is said of names that a framework does not have: never, not any more, or under another name. */
export const nameRules: ReadonlySet<string> = new Set(['unknown-option', 'removed-option', 'renamed-option']);
