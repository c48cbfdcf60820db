import type { Data } from '../../value/value.ts';
import {
  type InterpolationPart,
  interpolationFault,
  interpolationParts,
} from '../../yaml/interpolationSyntax.ts';
import type { ParsedType } from '../omegaconf/scalar.ts';
import { suggestSpelling } from '../suggest.ts';
import { leadsNowhere } from './missingTargets.ts';
import { type Resolved, resolvedBy } from './resolvers.ts';
import { fieldAt, type Schema } from './schema.ts';
import { type Branch, type ConfigNode, interpolationOf, isMissing, isNull, nodeAt } from './tree.ts';

/** What a `${…}` resolves to. */
export type Target =
  | { readonly kind: 'node'; readonly node: ConfigNode; readonly path: readonly string[] }
  /** A field that nobody wrote: it has the default of the experiment class. */
  | { readonly kind: 'default'; readonly path: readonly string[]; readonly data: Data }
  | { readonly kind: 'text'; readonly text: string }
  /** The result of a resolver. */
  | { readonly kind: 'value'; readonly data: Data; readonly type: ParsedType }
  /** A leaf's resolver rejects its arguments; `reason` says why in a few words. */
  | { readonly kind: 'refused'; readonly reason: string; readonly leaf: string }
  /** `leaf`: the leaf that refers to what nobody wrote, either the requested one or one that it leads to. */
  | {
      readonly kind: 'absent';
      readonly key: string;
      readonly leaf: string;
      /** The section above the key that is null or missing altogether. */
      readonly nullSection?: string;
      /** The key that was evidently meant. */
      readonly meant?: string;
    }
  /** OmegaConf cannot parse a leaf's reference; `reason` says why in a few words. */
  | { readonly kind: 'malformed'; readonly reason: string; readonly leaf: string }
  /** A leaf's resolver is known only to a program that registers it. `meant`: how to read the environment variable that it appears to be. */
  | {
      readonly kind: 'unregistered';
      readonly name: string;
      readonly meant: string | undefined;
      readonly leaf: string;
    }
  /** It reads Hydra's own configuration, which is set only when Hydra starts the program; AReaL composes its file itself. */
  | { readonly kind: 'unset'; readonly leaf: string }
  /** It leads back to a leaf already visited, or to a parent of the leaf. */
  | { readonly kind: 'circle'; readonly leaf: string }
  | { readonly kind: 'unknown' };

type ResolverPart = Extract<InterpolationPart, { readonly kind: 'resolver' }>;
type NodePart = Extract<InterpolationPart, { readonly kind: 'node' }>;

/** How many references in a row are followed at most. */
const depthLimit = 12;
const unknownTarget: Target = { kind: 'unknown' };

/** Follows references within one composed configuration, as OmegaConf does: absolute keys, and relative ones with leading dots. */
export class Interpolation {
  readonly #root: Branch;
  readonly #schema: Schema | undefined;
  readonly #classKnown: boolean;

  /**
   * @param schema the experiment class, whose defaults references can see; undefined for the raw file, which has no defaults
   * @param classKnown false if the class may be one of the user's own, with other defaults
   */
  constructor(root: Branch, schema: Schema | undefined, classKnown = true) {
    this.#root = root;
    this.#schema = schema;
    this.#classKnown = classKnown;
  }

  /**
   * Resolves the text of a leaf that contains at least one `${…}`.
   * @param path the path of the leaf, for relative references
   * @param passed the leaves whose references led here
   */
  resolve(text: string, path: readonly string[], passed: readonly string[] = []): Target {
    const leaf = path.join('.');
    if (passed.includes(leaf)) return { kind: 'circle', leaf };
    if (passed.length > depthLimit) return unknownTarget;
    const trail = [...passed, leaf];
    const parts = interpolationParts(text);
    const [only] = parts;
    const reason = interpolationFault(text);
    if (reason !== undefined) return { kind: 'malformed', reason, leaf };
    for (const part of parts) {
      const target = part.kind === 'resolver' ? this.#unregistered(part, text, leaf) : undefined;
      if (target !== undefined) return target;
    }
    if (parts.length === 1 && only?.kind === 'node') {
      const target = this.#follow(only, text, path, trail);
      const holdsLeaf = target.kind === 'node' && target.path.every((step, at) => step === path[at]);
      return holdsLeaf ? { kind: 'circle', leaf } : target;
    }
    if (parts.length === 1 && only?.kind === 'resolver') return this.#resolved(only, text, path, trail);
    const joined = this.#joined(parts, text, path, trail);
    return typeof joined === 'string' ? { kind: 'text', text: joined } : joined;
  }

  /** A resolver that yields nothing, or whose name is that of a key or of an environment variable, as in Bash's `${NAME:-default}`. */
  #unregistered({ name, start, end }: ResolverPart, text: string, leaf: string): Target | undefined {
    if (name === 'hydra') return { kind: 'unset', leaf };
    const [, first = ''] = /^\$\{\s*\w+\s*:\s*([A-Za-z_]\w*)/.exec(text.slice(start, end)) ?? [];
    if (name === 'env') return { kind: 'unregistered', name, meant: `\${oc.env:${first}}`, leaf };
    if (/^[A-Z][A-Z0-9_]*$/.test(name)) {
      const [, fallback] = /:-?(.*)\}$/s.exec(text.slice(start, end)) ?? [];
      const meant = `\${oc.env:${name}${fallback === undefined || fallback === '' ? '' : `,${fallback}`}}`;
      return { kind: 'unregistered', name, meant, leaf };
    }
    return this.#root.entries.has(name) ? { kind: 'unregistered', name, meant: undefined, leaf } : undefined;
  }

  /** The result of an OmegaConf or Hydra resolver. References in its arguments are resolved first. */
  #resolved(
    { name, start, end }: ResolverPart,
    text: string,
    from: readonly string[],
    trail: readonly string[],
  ): Target {
    const written = text.slice(text.indexOf(':', start) + 1, end - 1);
    for (const part of interpolationParts(written)) {
      if (part.kind !== 'node') continue;
      const target = this.#follow(part, written, from, trail);
      if (leadsNowhere(target)) return target;
    }
    const resolved: Resolved | undefined = resolvedBy(name, written);
    if (resolved === undefined) return unknownTarget;
    if (resolved.kind === 'refused') return { ...resolved, leaf: trail.at(-1) ?? '' };
    if (resolved.kind === 'value') return resolved;
    const { key, otherwise } = resolved;
    const target = this.#select(key.split('.'), key, trail);
    if (target.kind !== 'absent' || target.leaf !== trail.at(-1)) return target;
    return otherwise === undefined ? unknownTarget : { kind: 'value', ...otherwise };
  }

  #follow(part: NodePart, text: string, from: readonly string[], trail: readonly string[]): Target {
    const steps: string[] = [];
    for (const key of part.keys) {
      const step = this.#joined(key, text, from, trail);
      if (typeof step !== 'string') return step;
      steps.push(step);
    }
    const name = `${'.'.repeat(part.dots)}${steps.join('.')}`;
    if (part.dots > from.length) return { kind: 'absent', key: name, leaf: trail.at(-1) ?? '' };
    const path = part.dots === 0 ? steps : [...from.slice(0, from.length - part.dots), ...steps];
    return this.#select(path, name, trail);
  }

  /** A text with its references substituted; a target instead if one of them is unknown or leads nowhere. */
  #joined(
    parts: readonly InterpolationPart[],
    whole: string,
    from: readonly string[],
    trail: readonly string[],
  ): string | Target {
    let out = '';
    for (const part of parts) {
      if (part.kind === 'text') {
        out += part.text;
        continue;
      }
      const target =
        part.kind === 'node'
          ? this.#follow(part, whole, from, trail)
          : part.kind === 'resolver'
            ? this.#resolved(part, whole, from, trail)
            : unknownTarget;
      if (leadsNowhere(target)) return target;
      const text = textOfTarget(target);
      if (text === undefined) return unknownTarget;
      out += text;
    }
    return out;
  }

  /** The node at a path, following references on the way. */
  #select(path: readonly string[], key: string, trail: readonly string[]): Target {
    for (let length = 1; length <= path.length; length++) {
      const here = path.slice(0, length);
      const node = nodeAt(this.#root, here);
      if (node?.kind === 'leaf' && node.value.kind === 'unknown' && length < path.length)
        return unknownTarget;
      if (node === undefined) return this.#unwritten(path, key, trail);
      if (isMissing(node))
        return length < path.length ? { kind: 'unknown' } : this.#unwritten(path, key, trail);
      const text = interpolationOf(node);
      if (text === undefined) continue;
      const target = this.resolve(text, here, trail);
      if (length === path.length || leadsNowhere(target)) return target;
      if (target.kind !== 'node') return { kind: 'unknown' };
      return this.#select([...target.path, ...path.slice(length)], key, trail);
    }
    const node = nodeAt(this.#root, path);
    return node === undefined ? { kind: 'unknown' } : { kind: 'node', node, path };
  }

  #unwritten(path: readonly string[], key: string, trail: readonly string[]): Target {
    const schema = this.#schema;
    const absent = { kind: 'absent', key, leaf: trail.at(-1) ?? '' } as const;
    if (schema === undefined) return absent;
    for (let length = 1; length < path.length; length++) {
      const above = path.slice(0, length);
      const node = nodeAt(this.#root, above);
      const isNullByDefault = node === undefined && fieldAt(schema, above)?.fact.default === null;
      if (isNullByDefault && !this.#classKnown) return unknownTarget;
      if (isNullByDefault || (node !== undefined && isNull(node)))
        return { ...absent, nullSection: above.join('.') };
    }
    const field = fieldAt(schema, path);
    if (field === undefined)
      return this.#mayExist(path, schema) ? unknownTarget : this.#misspelt(absent, path, schema);
    if (field.fact.required === true) return unknownTarget;
    return { kind: 'default', path, data: field.fact.default };
  }

  /** A missing key, with the intended key if one of its parts is misspelt. */
  #misspelt(absent: Target & { readonly kind: 'absent' }, path: readonly string[], schema: Schema): Target {
    const known = (length: number): boolean =>
      nodeAt(this.#root, path.slice(0, length)) !== undefined ||
      fieldAt(schema, path.slice(0, length)) !== undefined;
    const at = path.findIndex((_, index) => !known(index + 1));
    const above = path.slice(0, at);
    const node = nodeAt(this.#root, above);
    const fields = above.length === 0 ? schema.fields : fieldAt(schema, above)?.children;
    const names = [...(node?.kind === 'map' ? node.entries.keys() : []), ...(fields?.keys() ?? [])];
    const near =
      at < 0 || absent.key !== path.join('.') ? undefined : suggestSpelling(path[at] ?? '', new Set(names));
    if (near === undefined) return absent;
    const meant = [...above, near, ...path.slice(at + 1)];
    const isThere = nodeAt(this.#root, meant) !== undefined || fieldAt(schema, meant) !== undefined;
    return isThere ? { ...absent, meant: meant.join('.') } : absent;
  }

  /** Whether the key could exist in a map with free keys, or in a class of the user's own. */
  #mayExist(path: readonly string[], schema: Schema): boolean {
    const [first] = path;
    if (first === undefined || !schema.fields.has(first))
      return nodeAt(this.#root, path.slice(0, 1)) !== undefined;
    return path.some((_, index) => fieldAt(schema, path.slice(0, index + 1))?.fact.open === true);
  }
}

/** Python's str() of a reference's target; undefined for lists, maps and numbers with a decimal point. */
function textOfTarget(target: Target): string | undefined {
  if (target.kind === 'text') return target.text;
  if (target.kind === 'default') return typeof target.data === 'string' ? target.data : undefined;
  if (target.kind === 'value') return pythonText(target.data, target.type);
  if (target.kind !== 'node' || target.node.kind !== 'leaf' || target.node.value.kind !== 'known')
    return undefined;
  return pythonText(target.node.value.data, target.node.type);
}

function pythonText(data: Data, type: ParsedType | undefined): string | undefined {
  if (data === null) return 'None';
  if (typeof data === 'boolean') return data ? 'True' : 'False';
  return typeof data === 'string' || type === 'int' ? String(data) : undefined;
}
