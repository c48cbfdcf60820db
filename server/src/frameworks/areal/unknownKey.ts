import { unknown } from '../../value/value.ts';
import { suggestSpelling } from '../argparse/suggest.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { referenceEdits } from './references.ts';
import type { Schema } from './schema.ts';
import { type Branch, type ConfigNode, nodeAt, type Written } from './tree.ts';
import { keyReplacement } from './wording.ts';

/** How sure it is that upstream refuses a key that the schema does not have. */
export interface Strictness {
  /** Keys that are accepted although upstream's class does not have them, and sections that a class of the user's own declares anew. */
  readonly extraKeys: ReadonlySet<string>;
  /** False when the class may be one of the user's own with more keys. */
  readonly classKnown: boolean;
  /** Problems of required values; a configuration on its own may get them from the command line. */
  readonly missingSeverity: BindingProblem['severity'];
}

function isInFile({ syntax }: Written): boolean {
  return syntax.kind === 'yaml' && syntax.path.length > 0;
}

/** A key as it is written, whatever its value means. */
function settingAt(name: string, { keyPlace, place, origin, syntax }: Written): Setting {
  return {
    name,
    written: name,
    value: unknown('outside', name),
    keyPlace,
    valuePlace: place,
    origin,
    syntax,
  };
}

/**
 * The option that takes the value of one that is gone: one of another section, unless that is written as well, or the one that takes its number,
 * where nothing beside it says otherwise.
 */
function successorOf(
  old: OptionFact | undefined,
  node: ConfigNode,
  siblings: Branch['entries'],
  root: Branch,
): BindingProblem['successor'] {
  const { movedTo, renamedTo } = old ?? {};
  if (node.kind !== 'leaf' || node.value.kind !== 'known') return undefined;
  const { data } = node.value;
  if (movedTo !== undefined && !siblings.has(movedTo.unless) && typeof data === 'number')
    return { name: movedTo.name, value: data };
  const isScalar = typeof data === 'number' || typeof data === 'string' || typeof data === 'boolean';
  return renamedTo !== undefined && isScalar && nodeAt(root, renamedTo.split('.')) === undefined
    ? { name: renamedTo, value: data }
    : undefined;
}

/**
 * What there is to say of a key that its section does not have, under its present name, as one that was removed, or as a likely slip.
 * @param path the keys that lead to it
 * @param section what is written there, with the keys beside it
 * @param keys what the section can have
 * @param root the whole configuration, whose references follow a key that gets another name
 * @returns nothing where a class of the user's own may have the key
 */
export function unknownKeyProblem(
  { history, foreign }: Schema,
  { extraKeys, classKnown }: Strictness,
  path: readonly string[],
  { entries: siblings }: Branch,
  keys: Iterable<string>,
  root: Branch,
): BindingProblem | undefined {
  const key = path.at(-1) ?? '';
  const node = siblings.get(key);
  const at = node?.at;
  if (node === undefined || at === undefined) return undefined;
  const name = path.join('.');
  if (extraKeys.has(name)) return undefined;
  const old = history.get(name);
  const spelling = old === undefined ? suggestSpelling(key, keys) : undefined;
  // What stands beside it already is not what was meant, and would stand there twice. An override is there to replace what the file has.
  const isThere = (other: string): boolean => {
    const sibling = siblings.get(other)?.at;
    return sibling !== undefined && (isInFile(at) || !isInFile(sibling));
  };
  const near = spelling === undefined || isThere(spelling) ? undefined : spelling;
  const isNested = path.length > 1;
  // A class of the user's own may declare a section with a class of its own, which is not read.
  const isOwnSection = isNested && extraKeys.has(path[0] ?? '');
  // No class has a section of another kind of experiment beside its own, and a slip within a section is one in every class that has it.
  const certain =
    !isOwnSection && (classKnown || (isNested ? old !== undefined || near !== undefined : foreign.has(key)));
  if (!certain && (!isNested || isOwnSection) && old === undefined && near === undefined) return undefined;
  const renamed = old?.renamedTo;
  const section = path.slice(0, -1).map((part) => `${part}.`);
  const sameSection = renamed?.slice(0, renamed.lastIndexOf('.') + 1) === section.join('');
  const newKey = sameSection ? renamed?.slice(renamed.lastIndexOf('.') + 1) : near;
  const written = newKey === undefined || isThere(newKey) ? undefined : keyReplacement(at, path, newKey);
  const alongside =
    written === undefined ? undefined : referenceEdits(root, name, `${section.join('')}${newKey}`);
  const hint =
    old?.removed !== undefined
      ? ` (${old.removed})`
      : near !== undefined
        ? ` Did you mean ${near}?`
        : certain
          ? ''
          : ' A configuration class of your own may have it.';
  const isInTheWay =
    old === undefined
      ? certain && near === undefined
      : renamed === undefined || (node.kind !== 'map' && written === undefined);
  // What refers to the key would lead nowhere without it.
  const mayGo = isInTheWay && referenceEdits(root, name, name)?.length === 0;
  return {
    rule: old === undefined ? 'unknown-option' : renamed === undefined ? 'removed-option' : 'renamed-option',
    place: at.keyPlace,
    values: { name, renamed: renamed ?? '', hint },
    setting: undefined,
    replacement: alongside === undefined ? undefined : written,
    alongside,
    removal: mayGo ? settingAt(name, at) : undefined,
    successor: successorOf(old, node, siblings, root),
    severity: certain ? 'error' : 'warning',
    related: [],
  };
}
