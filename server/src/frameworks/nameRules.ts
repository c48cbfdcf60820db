/** Rules about names that a framework does not have: unknown, removed or renamed. */
export const nameRules: ReadonlySet<string> = new Set(['unknown-option', 'removed-option', 'renamed-option']);
