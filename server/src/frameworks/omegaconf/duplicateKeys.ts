import { sameData, unknown } from '../../value/value.ts';
import { dataOf } from '../../yaml/data.ts';
import type { YamlDocument, YamlEntry, YamlNode } from '../../yaml/document.ts';
import type { BindingProblem, Setting } from '../framework.ts';

type Path = readonly (string | number)[];

/** OmegaConf's loader rejects a map with duplicate keys. */
export function duplicateKeys(document: YamlDocument | undefined): BindingProblem[] {
  const problems: BindingProblem[] = [];
  const stack: { node: YamlNode; path: Path }[] =
    document?.root === undefined ? [] : [{ node: document.root, path: [] }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { node, path } = top;
    for (const [index, item] of node.items.entries()) stack.push({ node: item, path: [...path, index] });
    for (const entry of node.entries) {
      const here = [...path, entry.key];
      if (entry.mergedFrom === undefined) stack.push({ node: entry.node, path: here });
      if (entry.duplicateOf !== undefined) problems.push(problemOf(entry, entry.duplicateOf, here));
    }
  }
  return problems;
}

function problemOf(entry: YamlEntry, earlier: YamlEntry, path: Path): BindingProblem {
  const [value, other] = [dataOf(entry.node), dataOf(earlier.node)];
  return {
    rule: 'duplicate-key',
    place: entry.keyPlace,
    values: { name: entry.key },
    setting: undefined,
    replacement: undefined,
    twins: {
      first: settingOf(earlier, path),
      last: settingOf(entry, path),
      isSame: value !== undefined && other !== undefined && sameData(value, other),
    },
    severity: 'error',
    related: [{ place: earlier.keyPlace, message: 'here before' }],
  };
}

/** An entry as a setting to be removed, whatever it means. */
function settingOf({ key, keyPlace, node }: YamlEntry, path: Path): Setting {
  return {
    name: path.join('.'),
    written: key,
    value: unknown('outside', key),
    keyPlace,
    valuePlace: node.place,
    origin: undefined,
    syntax: { kind: 'yaml', path, isTwin: true },
  };
}
