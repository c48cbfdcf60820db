import type { Data } from '../../value/value.ts';
import { argumentsOf, parseHydraValue } from '../omegaconf/hydraValue.ts';
import { type ParsedType, plainYamlScalar, type TypedData } from '../omegaconf/scalar.ts';

/** The result of a resolver. */
export type Resolved =
  | { readonly kind: 'value'; readonly data: Data; readonly type: ParsedType }
  /** OmegaConf rejects it; `reason` says why in a few words. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** `oc.select`: the value at a key, or else a fallback value, if that is known. */
  | { readonly kind: 'select'; readonly key: string; readonly otherwise: TypedData | undefined };

const nothing: TypedData = { data: null, type: 'null' };

/** Characters that make an argument uncertain: references, escapes, and signs that OmegaConf's grammar does not allow outside quotes. */
const isOpen = /[\\$()`;=&<>!#~^|*%?@]/;

/**
 * What a resolver of OmegaConf or Hydra makes of its arguments (omegaconf/resolvers/oc/__init__.py; hydra/core/utils.py:setup_globals).
 * @param name the resolver
 * @param written its arguments, as written after the colon
 * @returns undefined for what is not known here, or only at run time
 */
export function resolvedBy(name: string, written: string): Resolved | undefined {
  // The result is known only if the time format contains no part of a date or time.
  if (name === 'now')
    return /^[\w./-]+$/.test(written) ? { kind: 'value', data: written, type: 'str' } : undefined;
  const read = readers.get(name);
  if (read === undefined) return undefined;
  const texts = written.trim() === '' ? [] : argumentsOf(`(${written})`);
  const given = texts.map((text) => (isOpen.test(text) ? undefined : typedValue(text.trim())));
  const resolved = read(texts, given);
  // The number of arguments is then uncertain.
  return resolved?.kind === 'refused' && isOpen.test(written) ? undefined : resolved;
}

/** A value as OmegaConf's grammar reads it, which is the grammar of Hydra's overrides without functions. */
function typedValue(text: string): TypedData | undefined {
  const parsed = parseHydraValue(text);
  return parsed.kind === 'value' ? parsed.value : undefined;
}

type Given = readonly (TypedData | undefined)[];

const readers: ReadonlyMap<string, (texts: readonly string[], given: Given) => Resolved | undefined> =
  new Map([
    ['oc.select', selected],
    ['oc.create', (_: readonly string[], given: Given) => created(given)],
    ['oc.decode', (_: readonly string[], given: Given) => decoded(given)],
  ]);

function selected(texts: readonly string[], given: Given): Resolved | undefined {
  if (texts.length > 2)
    return { kind: 'refused', reason: 'oc.select takes a key and one value for its absence' };
  const key = texts[0]?.trim() ?? '';
  const otherwise = texts.length === 1 ? nothing : given[1];
  return /^[A-Za-z_]\w*(?:\.\w+)*$/.test(key) ? { kind: 'select', key, otherwise } : undefined;
}

function created(given: Given): Resolved | undefined {
  const [first] = given;
  if (given.length !== 1) return { kind: 'refused', reason: 'oc.create takes one argument' };
  if (first === undefined) return undefined;
  if (typeof first.data === 'string') return createdOfText(first.data);
  if (first.type === 'list' || first.type === 'dict' || first.type === 'null')
    return { kind: 'value', ...first };
  return { kind: 'refused', reason: `oc.create makes a map or a list, and ${String(first.data)} is neither` };
}

/** A string is parsed as YAML; only a single plain scalar is handled here: a word becomes the key of a map, and an empty text an empty map. */
function createdOfText(text: string): Resolved | undefined {
  if (!/^[\w./+-]+(?: [\w./+-]+)*$/.test(text) || /^(?:-|---|\.\.\.)(?: |$)/.test(text)) return undefined;
  const { type, data } = plainYamlScalar(text);
  if (type === 'str') return { kind: 'value', data: { [text]: null }, type: 'dict' };
  if (type === 'null') return { kind: 'value', data: {}, type: 'dict' };
  return { kind: 'refused', reason: `oc.create makes a map or a list, and ${String(data)} is neither` };
}

function decoded(given: Given): Resolved | undefined {
  const [first] = given;
  if (given.length !== 1) return { kind: 'refused', reason: 'oc.decode takes one argument' };
  if (first === undefined) return undefined;
  if (first.type === 'null') return { kind: 'value', ...first };
  if (typeof first.data !== 'string')
    return {
      kind: 'refused',
      reason: `oc.decode takes a text, and ${JSON.stringify(first.data)} is not one without quotes`,
    };
  const text = first.data.trim();
  const value = text === '' || isOpen.test(text) ? undefined : typedValue(text);
  return value === undefined ? undefined : { kind: 'value', ...value };
}
