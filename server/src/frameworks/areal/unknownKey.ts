import { unknown } from '../../value/value.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { suggestSpelling } from '../suggest.ts';
import { referenceEdits } from './references.ts';
import type { Schema } from './schema.ts';
import { type Branch, type ConfigNode, nodeAt, type Written } from './tree.ts';
import { keyReplacement } from './wording.ts';

/** How certain it is that upstream rejects a key that the schema lacks. */
export interface Strictness {
  /** Keys that are accepted although upstream's class lacks them, and sections that a class of the user's own redeclares. */
  readonly extraKeys: ReadonlySet<string>;
  /** False when the class may be one of the user's own with more keys. */
  readonly classKnown: boolean;
  /** The severity of missing required values; the command line may supply them to a configuration on its own. */
  readonly missingSeverity: BindingProblem['severity'];
}

function isInFile({ syntax }: Written): boolean {
  return syntax.kind === 'yaml' && syntax.path.length > 0;
}

/** A setting for the key as written, with an unknown value. */
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
 * The option that takes over the value of a removed one: an option of another section that is not written as well, or the one that takes its
 * number unless a sibling rules that out.
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

/** What an unknown key may have been meant to be. */
interface Meant {
  /** The option that had this name in an earlier release. */
  readonly old: OptionFact | undefined;
  /** A key of the section with a similar spelling. */
  readonly near: string | undefined;
}

/** The severity of an unknown key; undefined if a class of the user's own may have it. */
function severityOf(
  path: readonly string[],
  { old, near }: Meant,
  { foreign }: Schema,
  { extraKeys, classKnown }: Strictness,
): 'error' | 'warning' | undefined {
  const [top = ''] = path;
  const isNested = path.length > 1;
  const isMeant = old !== undefined || near !== undefined;
  // The user's own class may declare a section with its own class, which is not read.
  const isOwnSection = isNested && extraKeys.has(top);
  // No class adds sections of other experiment kinds to its own, and a misspelt key within a section is wrong in every class that has that
  // section.
  if (!isOwnSection && (classKnown || (isNested ? isMeant : foreign.has(top)))) return 'error';
  return isMeant || (isNested && !isOwnSection) ? 'warning' : undefined;
}

function hintOf({ old, near }: Meant, severity: 'error' | 'warning'): string {
  if (old?.removed !== undefined) return ` (${old.removed})`;
  if (near !== undefined) return ` Did you mean ${near}?`;
  return severity === 'error' ? '' : ' A configuration class of your own may have it.';
}

/** The key of the same section to write instead. */
function newKeyOf(path: readonly string[], { old, near }: Meant): string | undefined {
  const renamed = old?.renamedTo;
  if (renamed === undefined) return near;
  const dot = renamed.lastIndexOf('.');
  return renamed.slice(0, Math.max(dot, 0)) === path.slice(0, -1).join('.') ? renamed.slice(dot + 1) : near;
}

/** A key that its section does not have. */
interface UnknownKey {
  /** The path of the key. */
  readonly path: readonly string[];
  /** The written section: the key and its siblings. */
  readonly section: Branch;
  /** The keys that the section can have. */
  readonly keys: Iterable<string>;
}

/**
 * The problem for a key that its section lacks: renamed, removed, or probably misspelt.
 * @param root the whole configuration, whose references are updated when a key is renamed
 * @returns undefined if a class of the user's own may have the key
 */
export function unknownKeyProblem(
  schema: Schema,
  strictness: Strictness,
  { path, section: { entries: siblings }, keys }: UnknownKey,
  root: Branch,
): BindingProblem | undefined {
  const key = path.at(-1) ?? '';
  const node = siblings.get(key);
  const at = node?.at;
  if (node === undefined || at === undefined) return undefined;
  const name = path.join('.');
  if (strictness.extraKeys.has(name)) return undefined;
  // A key that is already written beside it is not the one that was meant, and would be duplicated. An override, however, may replace what the
  // file has.
  const isThere = (other: string): boolean => {
    const sibling = siblings.get(other)?.at;
    return sibling !== undefined && (isInFile(at) || !isInFile(sibling));
  };
  const old = schema.history.get(name);
  const spelling = old === undefined ? suggestSpelling(key, keys) : undefined;
  const meant = { old, near: spelling === undefined || isThere(spelling) ? undefined : spelling };
  const severity = severityOf(path, meant, schema, strictness);
  if (severity === undefined) return undefined;
  const renamed = old?.renamedTo;
  const newKey = newKeyOf(path, meant);
  const written = newKey === undefined || isThere(newKey) ? undefined : keyReplacement(at, path, newKey);
  const alongside =
    written === undefined ? undefined : referenceEdits(root, name, [...path.slice(0, -1), newKey].join('.'));
  const isInTheWay =
    old === undefined
      ? severity === 'error' && meant.near === undefined
      : renamed === undefined || (node.kind !== 'map' && written === undefined);
  // References to the key would lead nowhere without it.
  const mayGo = isInTheWay && referenceEdits(root, name, name)?.length === 0;
  return {
    rule: old === undefined ? 'unknown-option' : renamed === undefined ? 'removed-option' : 'renamed-option',
    place: at.keyPlace,
    values: { name, renamed: renamed ?? '', hint: hintOf(meant, severity) },
    setting: undefined,
    replacement: alongside === undefined ? undefined : written,
    alongside,
    removal: mayGo ? settingAt(name, at) : undefined,
    successor: successorOf(old, node, siblings, root),
    severity,
    related: [],
  };
}
