import { remembering } from '../../value/remember.ts';
import { known, unknown, type Value } from '../../value/value.ts';
import { dataOf } from '../../yaml/data.ts';
import type { YamlDocument, YamlEntry, YamlNode } from '../../yaml/document.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { nearestKey } from '../nearest.ts';
import { duplicateKeys } from '../omegaconf/duplicateKeys.ts';
import { problem } from '../problem.ts';
import { nested } from './nestedModel.ts';
import { openSections, recipeIn, sections } from './recognise.ts';
import { lostReferences, omegaconfValue, wrongValue } from './yamlValues.ts';

/** What a file of overrides gives. */
export interface ReadYaml {
  readonly settings: readonly Setting[];
  readonly problems: readonly BindingProblem[];
}

/** Reads a YAML file that is merged into Bridge's configuration. Unknown keys are skipped by upstream with a log line. */
export function readYaml(document: YamlDocument, options: ReadonlyMap<string, OptionFact>): ReadYaml {
  const reading: Reading = { document, options, settings: [], problems: [] };
  if (document.root?.kind === 'map')
    readSection(document.root.entries.filter(isOfBridge(document)), '', [], reading);
  // In a text that is not valid YAML the structure is uncertain, and that is already reported.
  const isBroken = document.problems.some(({ severity }) => severity === 'error');
  const problems = isBroken ? [] : [...duplicateKeys(document), ...reading.problems];
  return { settings: reading.settings, problems };
}

/**
 * Which top-level keys of a file belong to Bridge: all, unless a custom program reads the file, which uses other keys itself and often builds
 * the data set in its own way.
 */
function isOfBridge(document: YamlDocument): (entry: YamlEntry) => boolean {
  if (recipeIn(document) === undefined) return () => true;
  return ({ key }) => key !== 'dataset' && sections.includes(key);
}

/** What has been read of a file so far. */
interface Reading {
  readonly document: YamlDocument;
  readonly options: ReadonlyMap<string, OptionFact>;
  readonly settings: Setting[];
  readonly problems: BindingProblem[];
}

/**
 * Reads the keys of a map.
 * @param prefix the prefix of the keys in option names
 * @param path the path of the map in the file
 */
function readSection(
  entries: readonly YamlEntry[],
  prefix: string,
  path: readonly string[],
  reading: Reading,
): void {
  const { options, problems } = reading;
  for (const entry of entries) {
    const name = `${prefix}${entry.key}`;
    const option = options.get(name);
    if (option?.removed !== undefined) {
      problems.push(goneKey(option, entry, prefix));
      continue;
    }
    if (option === undefined && !below(name, options)) {
      const siblings = entries.map(({ key }) => `${prefix}${key}`);
      const unknown = unknownKey(name, entry, prefix, { options, siblings });
      if (unknown !== undefined) problems.push(unknown);
      if (prefix === '') continue;
    }
    const here = [...path, entry.key];
    const isSection = option === undefined || option.type === 'group' || option.open === true;
    if (entry.node.kind === 'map' && isSection)
      readSection(entry.node.entries, `${name}.` === nested ? 'model.' : `${name}.`, here, reading);
    else readValue(name, option, entry, here, reading);
  }
}

function readValue(
  name: string,
  option: OptionFact | undefined,
  entry: YamlEntry,
  path: readonly string[],
  { document, options, settings, problems }: Reading,
): void {
  const { node, keyPlace } = entry;
  const wrong =
    option === undefined
      ? undefined
      : (emptySection(option, entry) ?? wrongValue(option, node, (other) => isSet(other, document)));
  if (wrong !== undefined) problems.push(wrong);
  problems.push(...lostReferences(name, node, document, options));
  settings.push({
    name,
    written: name,
    value: nodeValue(node),
    keyPlace,
    valuePlace: node.place,
    origin: node.pieces[0]?.origin,
    syntax: { kind: 'yaml', path },
  });
}

/** Whether the file sets an option to something other than null. */
function isSet(name: string, document: YamlDocument): boolean {
  const node = document.at(name.split('.'));
  return node !== undefined && node.style !== 'none' && dataOf(node, omegaconfValue) !== null;
}

/** A section without any key replaces the recipe's section with nothing, and the configuration can no longer be checked. */
function emptySection(
  { name, type, nullable }: OptionFact,
  { node, keyPlace }: YamlEntry,
): BindingProblem | undefined {
  const isEmpty = node.kind === 'scalar' && node.value.kind === 'known' && node.value.data === null;
  if (type !== 'group' || nullable === true || !isEmpty) return undefined;
  const values = { name, value: node.style === 'none' ? 'nothing' : 'null', expected: 'keys below it' };
  return problem('invalid-value', node.style === 'none' ? keyPlace : node.place, values, 'warning');
}

/** A key that upstream skips with a log line; a custom model, data set or adapter may have more fields. */
function unknownKey(
  name: string,
  entry: YamlEntry,
  prefix: string,
  {
    options,
    siblings,
  }: { readonly options: ReadonlyMap<string, OptionFact>; readonly siblings: readonly string[] },
): BindingProblem | undefined {
  // Bridge itself writes keys that name the classes: `_target_`.
  if (entry.key.startsWith('_')) return undefined;
  const near = prefix === '' ? nearestKey(name, sections) : nearestKey(name, present(options));
  const isMeant = near !== undefined && sameParent(name, near) && !siblings.includes(near);
  const suggestion = isMeant ? near : undefined;
  if (suggestion === undefined && openSections.includes(name.split('.', 1)[0] ?? '')) return undefined;
  const values = { name, hint: suggestion === undefined ? '' : ` Did you mean ${suggestion}?` };
  return problem('unknown-option', entry.keyPlace, values, 'warning', suggestion?.slice(prefix.length));
}

/** Names that the known release has. */
const present = remembering((options: ReadonlyMap<string, OptionFact>) =>
  [...options].flatMap(([name, { removed }]) => (removed === undefined ? [name] : [])),
);

/** A key from an older release, which is skipped like any unknown one. */
function goneKey({ name, renamedTo, removed }: OptionFact, entry: YamlEntry, prefix: string): BindingProblem {
  const moved = renamedTo !== undefined && sameParent(name, renamedTo);
  const rule = renamedTo === undefined ? 'removed-option' : 'renamed-option';
  const values = { name, renamed: renamedTo ?? '', hint: `: ${removed}` };
  return problem(rule, entry.keyPlace, values, 'warning', moved ? renamedTo.slice(prefix.length) : undefined);
}

/** Whether arbitrary keys are accepted at this name because something above it is open. */
function below(name: string, options: ReadonlyMap<string, OptionFact>): boolean {
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const option = options.get(name.slice(0, dot));
    if (option !== undefined) return option.open === true && option.type !== 'group';
  }
  return false;
}

function sameParent(a: string, b: string): boolean {
  return a.slice(0, a.lastIndexOf('.') + 1) === b.slice(0, b.lastIndexOf('.') + 1);
}

/** A node as data; `???` stands for a value yet to be given. */
function nodeValue(node: YamlNode): Value {
  if (node.kind === 'scalar') {
    const value = omegaconfValue(node);
    return value.kind === 'known' && value.data === '???' ? unknown('outside', '???') : value;
  }
  const data = dataOf(node, omegaconfValue);
  return data === undefined ? unknown('interpolation', 'a list with unknown items') : known(data);
}
