import { type Data, known, unknown, type Value } from '../../value/value.ts';
import type { BindingProblem } from '../framework.ts';
import { problem } from '../problem.ts';
import type { Interpolation } from './interpolation.ts';
import { keyProblems } from './keyProblems.ts';
import { leadsNowhere, lostReference } from './missingTargets.ts';
import { type Branch, type ConfigNode, type Items, interpolationOf, isMissing } from './tree.ts';
import type { Strictness } from './unknownKey.ts';

/** Reads data that no class declares, following its references. */
export class FreeData {
  readonly #interpolation: Interpolation;
  readonly #strictness: Strictness;
  readonly #problems: BindingProblem[];
  /** Maps and lists currently being read. */
  readonly #entered = new Set<ConfigNode>();

  /** @param problems receives what is wrong with the data */
  constructor(interpolation: Interpolation, strictness: Strictness, problems: BindingProblem[]) {
    this.#interpolation = interpolation;
    this.#strictness = strictness;
    this.#problems = problems;
  }

  /** The data of a node; unknown as soon as any part is unknown. */
  read(node: ConfigNode, path: readonly string[], name: string): Value {
    if (isMissing(node)) {
      this.#problems.push(problem('required-option', node.at.place, { name }));
      return unknown('outside', name);
    }
    const reference = interpolationOf(node);
    if (reference !== undefined) {
      const target = this.target(reference, node, path, name);
      return target === undefined ? unknown('interpolation', reference) : this.read(target, path, name);
    }
    if (node.kind === 'leaf') return node.value;
    // References that form a circle through maps lead back to where they began.
    if (this.#entered.has(node)) return unknown('interpolation', name);
    this.#entered.add(node);
    const value = this.#parts(node, path, name);
    this.#entered.delete(node);
    return value;
  }

  #parts(node: Branch | Items, path: readonly string[], name: string): Value {
    const out: [string, Data][] = [];
    const children =
      node.kind === 'map' ? [...node.entries] : node.items.map((item, at) => [String(at), item] as const);
    for (const [key, child] of children) {
      if (node.kind === 'map') this.#problems.push(...keyProblems(key, child, name, false));
      const value = this.read(child, [...path, key], `${name}.${key}`);
      if (value.kind === 'unknown') return value;
      out.push([key, value.data]);
    }
    return known(node.kind === 'map' ? Object.fromEntries(out) : out.map(([, data]) => data));
  }

  /** The node that a reference in free data leads to; a reference that leads nowhere is reported. */
  target(reference: string, node: ConfigNode, path: readonly string[], name: string): ConfigNode | undefined {
    const target = this.#interpolation.resolve(reference, path);
    if (leadsNowhere(target))
      this.#problems.push(...lostReference(target, node, name, path, this.#strictness));
    return target.kind === 'node' ? target.node : undefined;
  }
}
