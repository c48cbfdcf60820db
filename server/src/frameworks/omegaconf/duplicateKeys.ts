import type { YamlDocument } from '../../yaml/document.ts';
import type { BindingProblem } from '../framework.ts';

/** OmegaConf's loader refuses a map with the same key twice. */
export function duplicateKeys(document: YamlDocument | undefined): BindingProblem[] {
  const problems: BindingProblem[] = [];
  const stack = document?.root === undefined ? [] : [document.root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    for (const item of node.items) stack.push(item);
    for (const entry of node.entries) {
      if (entry.mergedFrom === undefined) stack.push(entry.node);
      if (entry.duplicateOf === undefined) continue;
      problems.push({
        rule: 'duplicate-key',
        place: entry.keyPlace,
        values: { name: entry.key },
        setting: undefined,
        replacement: undefined,
        severity: 'error',
        related: [{ place: entry.duplicateOf, message: 'here for the first time' }],
      });
    }
  }
  return problems;
}
