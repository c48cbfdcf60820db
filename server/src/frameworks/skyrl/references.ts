import { known } from '../../value/value.ts';
import { type InterpolationPart, interpolationParts } from '../../yaml/interpolationSyntax.ts';
import type { BindingProblem } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { invalidOverride } from '../omegaconf/invalidOverride.ts';
import { type Branch, dataOfNode, type Leaf, mergeOverrides, typeOfData } from '../omegaconf/merge.ts';
import { type Override, splitKey, writtenValue } from '../omegaconf/overrides.ts';
import type { TypedData } from '../omegaconf/scalar.ts';

/** Overrides with their references (`${a.b}`) resolved, and the references that lead nowhere. */
export interface ResolvedOverrides {
  readonly overrides: readonly Override[];
  readonly problems: readonly BindingProblem[];
}

/** What a reference resolves to: a value, a reason for rejection, or undefined if unknown. */
type Found = TypedData | { readonly refused: string } | undefined;

/**
 * Resolves references: SkyRL resolves them only among the words of the command, before it adds its defaults (skyrl/train/config/config.py:38),
 * and only with OmegaConf's own resolvers.
 *
 * @param overrides all that the command gives
 * @param options the options that the program knows, by name
 */
export function resolveReferences(
  overrides: readonly Override[],
  options: ReadonlyMap<string, OptionFact>,
): ResolvedOverrides {
  if (!overrides.some(isReference)) return { overrides, problems: [] };
  const tree = new ReferredTree(mergeOverrides(overrides).root);
  const problems: BindingProblem[] = [];
  const resolved = overrides.map((override) => {
    if (!isReference(override)) return override;
    const found = tree.resolve(override);
    if (found === undefined) return withText(override, options.get(override.key));
    if (!('refused' in found))
      // A reference would replace the map, while the map it leads to would be merged with it.
      return found.type === 'dict' && isWritten(override.path, overrides, override)
        ? override
        : { ...override, value: known(found.data), type: found.type };
    const { key, keyPlace, valuePlace: place = keyPlace } = override;
    const reason = found.refused;
    problems.push(invalidOverride({ key, part: 'value', reason, place, severity: 'error' }));
    return override;
  });
  return { overrides: resolved, problems };
}

/**
 * A number or bool taken from the environment (`${oc.env:NAME,8}`) gets the string of its default: whatever the variable holds, OmegaConf
 * returns a string. Strings stay unknown, and so does anything that may become null.
 */
function withText(override: Override, option: OptionFact | undefined): Override {
  if (option === undefined || !['int', 'float', 'bool'].includes(option.type)) return override;
  const written = writtenValue(override) ?? '';
  const [whole, fallback = written] = /^\$\{oc\.env:\s*\w+\s*(?:,\s*([^\s{}$,]+)\s*)?\}$/.exec(written) ?? [];
  if (whole === undefined || /^null$/i.test(fallback)) return override;
  return { ...override, value: known(fallback.replaceAll(/^["']|["']$/g, '')), type: 'str' };
}

/** Whether an override's value is known except for its references. */
function isReference(override: Override): boolean {
  return override.value.kind === 'unknown' && writtenValue(override)?.includes('${') === true;
}

/** Whether another override writes to a place, or below it. */
function isWritten(path: readonly string[], overrides: readonly Override[], but: Override): boolean {
  return overrides.some((other) => other !== but && path.every((part, at) => part === other.path[at]));
}

/** Names of the resolvers that OmegaConf ships. */
const resolvers: ReadonlySet<string> = new Set(
  ['create', 'decode', 'deprecated', 'dict.keys', 'dict.values', 'env', 'select'].map((name) => `oc.${name}`),
);

/** The tree of a command's overrides, in which references are followed. */
class ReferredTree {
  readonly #root: Branch;

  constructor(root: Branch) {
    this.#root = root;
  }

  /** What an override resolves to; undefined if a later one has replaced it. */
  resolve(override: Override): Found {
    let node: Leaf | Branch | undefined = this.#root;
    for (const key of override.path) node = node?.kind === 'branch' ? node.children.get(key) : undefined;
    return node?.kind === 'leaf' && node.override === override
      ? this.#valueOf(node, override.path, [])
      : undefined;
  }

  #valueOf(leaf: Leaf, path: readonly string[], passed: readonly Leaf[]): Found {
    if (leaf.value.kind === 'known')
      return { data: leaf.value.data, type: leaf.type ?? typeOfData(leaf.value.data) };
    const text = isReference(leaf.override) && leaf.whole ? writtenValue(leaf.override) : undefined;
    // Quotes and blanks around a reference belong to YAML and are left to it.
    if (text === undefined || /^[\s"'[{]/.test(text)) return undefined;
    if (passed.includes(leaf)) return { refused: 'it leads back to itself' };
    const trail = [...passed, leaf];
    const parts = interpolationParts(text);
    const found = parts.map((part) => this.#part(part, text, path, trail));
    const refused = found.find((one) => one !== undefined && 'refused' in one);
    if (refused !== undefined || found.length === 1) return refused ?? found[0];
    const texts = found.map((one) => (one === undefined || 'refused' in one ? undefined : pythonText(one)));
    return texts.includes(undefined) ? undefined : { data: texts.join(''), type: 'str' };
  }

  #part(part: InterpolationPart, text: string, path: readonly string[], trail: readonly Leaf[]): Found {
    if (part.kind === 'text') return { data: part.text, type: 'str' };
    if (part.kind === 'malformed') return undefined;
    if (part.kind === 'resolver') {
      if (part.name !== '' && !resolvers.has(part.name))
        return { refused: `there is no resolver “${part.name}” here` };
      const argument = text.slice(text.indexOf(':', part.start) + 1, part.end - 1).trim();
      return part.name === 'oc.decode' ? decoded(argument) : this.#selected(part.name, argument, trail);
    }
    const steps = part.keys.map(([key, ...others]) =>
      key?.kind === 'text' && others.length === 0 ? key.text : undefined,
    );
    if (steps.some((step) => step === undefined)) return undefined;
    if (part.dots > path.length) return { refused: 'it has more dots than there are keys above it' };
    const above = part.dots === 0 ? [] : path.slice(0, path.length - part.dots);
    const target = [...above, ...steps.flatMap((step) => step ?? [])];
    const there = this.#at(target, trail);
    if (there !== undefined) return there.found;
    const reason = `nothing on the command line gives ${target.join('.')}, and SkyRL's defaults come after references are resolved`;
    return { refused: reason };
  }

  /** The result of `oc.select` or `oc.dict.keys` for a plain key. */
  #selected(name: string, argument: string, trail: readonly Leaf[]): Found {
    const [, key = '', fallback] = /^([A-Za-z_][\w.[\]]*)\s*(?:,\s*([\w./+-]+)\s*)?$/.exec(argument) ?? [];
    if (key === '') return undefined;
    const selected = this.#at(splitKey(key), trail);
    if (name === 'oc.select') return selected === undefined ? literal(fallback ?? 'null') : selected.found;
    const found = name === 'oc.dict.keys' ? selected?.found : undefined;
    return found === undefined || 'refused' in found || found.type !== 'dict'
      ? undefined
      : { data: Object.keys(found.data ?? {}), type: 'list' };
  }

  /** The value at a path, which may be a reference itself; undefined if there certainly is none. */
  #at(path: readonly string[], trail: readonly Leaf[]): { readonly found: Found } | undefined {
    let node: Leaf | Branch = this.#root;
    for (const [at, key] of path.entries()) {
      if (node.kind === 'leaf') {
        const above = this.#valueOf(node, path.slice(0, at), trail);
        if (above === undefined || 'refused' in above) return { found: above };
        if (above.type !== 'list' || !Array.isArray(above.data) || path.length > at + 1)
          return above.type === 'list' || above.type === 'dict' ? { found: undefined } : undefined;
        const item = above.data[Number(key)];
        return item === undefined ? undefined : { found: { data: item, type: typeOfData(item) } };
      }
      const next: Leaf | Branch | undefined = node.children.get(key);
      if (next === undefined) return node.isPartial ? { found: undefined } : undefined;
      node = next;
    }
    if (node.kind === 'leaf') return { found: this.#valueOf(node, path, trail) };
    const data = dataOfNode(node);
    return { found: data === undefined ? undefined : { data, type: 'dict' } };
  }
}

/** The result of `oc.decode`; it accepts a string, and a bare number or bool is not one. */
function decoded(argument: string): Found {
  const quoted = /^"(.*)"$|^'(.*)'$/.exec(argument);
  const read = literal(quoted?.[1] ?? quoted?.[2] ?? argument);
  return quoted === null && (read?.type === 'int' || read?.type === 'bool')
    ? { refused: `oc.decode takes a text, and ${argument} is not one without quotes` }
    : read;
}

/** A name, an integer or a null word, as OmegaConf's grammar reads it; undefined for anything else. */
function literal(text: string): TypedData | undefined {
  if (/^[+-]?(?:0|[1-9]\d{0,14})$/.test(text)) return { data: Number(text), type: 'int' };
  if (/^null$/i.test(text)) return { data: null, type: 'null' };
  if (/^(?:true|false)$/i.test(text)) return { data: text.toLowerCase() === 'true', type: 'bool' };
  return /^(?!inf$|nan$)[A-Za-z_]\w*$/i.test(text) ? { data: text, type: 'str' } : undefined;
}

/** Python's str() of a scalar; undefined for anything else, and for numbers with a decimal point. */
function pythonText({ data, type }: TypedData): string | undefined {
  if (type === 'null') return 'None';
  if (typeof data === 'boolean') return data ? 'True' : 'False';
  return typeof data === 'string' || type === 'int' ? String(data) : undefined;
}
