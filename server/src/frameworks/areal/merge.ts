import type { Place } from '../../text/span.ts';
import { type Data, known, unknown, type Value } from '../../value/value.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact, OptionType } from '../knowledge.ts';
import type { ParsedType } from '../omegaconf/scalar.ts';
import { problem } from '../problem.ts';
import { convertScalar } from './convert.ts';
import { FreeData } from './freeData.ts';
import { Interpolation, type Target } from './interpolation.ts';
import { keyProblems } from './keyProblems.ts';
import { type LostTarget, lostReference } from './missingTargets.ts';
import type { Field, Schema } from './schema.ts';
import { settingAt } from './setting.ts';
import type { Slot, Through } from './slot.ts';
import { type Branch, type ConfigNode, interpolationOf, isMissing, leafOf, typeOfDefault } from './tree.ts';
import { type Strictness, unknownKeyProblem } from './unknownKey.ts';
import { expectedOf, isTrap, shown, trapProblem } from './wording.ts';

/** Settings by name, and what is wrong with them, collected while walking a configuration alongside its class. */
export class Merger {
  readonly settings = new Map<string, Setting>();
  readonly problems: BindingProblem[] = [];
  readonly nullGroups = new Set<string>();
  /** Groups that are, through a reference, another section of the configuration. */
  readonly referred = new Set<string>();
  readonly #schema: Schema;
  readonly #root: Branch;
  readonly #strictness: Strictness;
  readonly #interpolation: Interpolation;
  /** Resolves references as OmegaConf does before the defaults of the class are known. */
  readonly #asWritten: Interpolation | undefined;
  readonly #freeData: FreeData;
  /** Settings of the keys in the items of the list that is being read. */
  #items: Map<string, Setting> | undefined;
  /** Names of mandatory fields written as `???`, with their place. */
  readonly marked = new Map<string, Place>();

  constructor(schema: Schema, root: Branch, strictness: Strictness) {
    this.#schema = schema;
    this.#root = root;
    this.#strictness = strictness;
    this.#interpolation = new Interpolation(root, schema, strictness.classKnown);
    this.#freeData = new FreeData(this.#interpolation, strictness, this.problems);
    this.#asWritten = root.entries.has('defaults') ? undefined : new Interpolation(root, undefined);
  }

  group(
    node: Branch,
    fields: ReadonlyMap<string, Field>,
    path: readonly string[],
    through: Through | undefined,
  ): void {
    for (const [key, child] of node.entries) {
      const field = fields.get(key);
      if (field === undefined) {
        if (through === undefined) this.#unknownKey([...path, key], node, fields);
      } else this.field(child, { field, name: field.fact.name, path: [...path, key], through });
    }
  }

  field(node: ConfigNode, slot: Slot): void {
    const { field, name, path, through, isFinal } = slot;
    const { fact } = field;
    if (isMissing(node)) {
      this.marked.set(name, node.at.place);
      return;
    }
    const reference = isFinal === true ? undefined : interpolationOf(node);
    if (reference !== undefined) {
      if (fact.type === 'group' && through === undefined) this.#section(reference, node, slot);
      this.#referred(this.#interpolation.resolve(reference, path), node, slot);
      return;
    }
    if (node.kind === 'leaf' && node.value.kind === 'unknown') {
      this.#unknown(field, name, node, node.value, through);
      return;
    }
    if (node.kind === 'leaf' && node.type === 'null') this.#null(node, slot);
    else this.#written(node, slot);
  }

  #null(node: ConfigNode, { field, name, through }: Slot): void {
    const { fact } = field;
    const isList = fact.type === 'list' || fact.type === 'dict';
    if (fact.nullable !== true && fact.type !== 'any' && !(isList && through !== undefined)) {
      this.#invalid(name, node, expectedOf(fact), 'null');
      this.#unknown(field, name, node, unknown('outside', name), through);
      return;
    }
    if (fact.type === 'group') this.nullGroups.add(name);
    this.#set(name, node, known(null), through);
  }

  /** Takes a written value by the type of its field. The target of a reference is accepted as it is: it fails only when it is read. */
  #written(node: ConfigNode, slot: Slot): void {
    const { field, name, path, through } = slot;
    const isReferred = through !== undefined;
    switch (field.fact.type) {
      case 'group':
        if (node.kind === 'map') {
          this.#set(name, node, known({}), through);
          if (isReferred) this.referred.add(name);
          this.group(node, field.children, path, through);
          return;
        }
        this.#invalid(name, node, expectedOf(field.fact), shown(node), isReferred);
        this.#unknown(field, name, node, unknown('outside', name), through);
        return;
      case 'list':
        this.#listOf(node, slot);
        return;
      case 'dict':
        if (node.kind === 'map') {
          const value = isReferred
            ? this.#freeData.read(node, path, name)
            : this.#dict(node, field, name, path);
          this.#set(name, node, value, through);
        } else this.#invalid(name, node, expectedOf(field.fact), shown(node), isReferred);
        return;
      case 'any':
        this.#set(name, node, this.#freeData.read(node, path, name), through);
        return;
      default:
        this.#set(name, node, this.#scalar(node, field.fact, name), through);
    }
  }

  #scalar(node: ConfigNode, fact: OptionFact, name: string): Value {
    if (node.kind === 'leaf' && node.value.kind === 'unknown') return node.value;
    if (node.kind !== 'leaf' || node.value.kind !== 'known' || node.type === undefined) {
      this.#invalid(name, node, expectedOf(fact), shown(node));
      return unknown('outside', name);
    }
    const converted = convertScalar(node.value.data, node.type, fact.type);
    if (converted.ok) {
      const written = node.value.data;
      if (isTrap(fact.type, written))
        this.problems.push(trapProblem(name, node.at.place, fact.type, written, converted.data));
      return known(converted.data);
    }
    this.#invalid(name, node, converted.expected, shown(node));
    return unknown('outside', name);
  }

  /**
   * A list, with the places of the keys in its items. If a reference leads to something other than a list, the mistake is the reference, not
   * its target.
   */
  #listOf(node: ConfigNode, slot: Slot): void {
    const outer = this.#items;
    const items = new Map<string, Setting>();
    this.#items = items;
    const { name, through } = slot;
    const isLost = node.kind !== 'list' && through !== undefined;
    const written = isLost ? { ...node, at: through.at } : node;
    this.#set(name, written, this.#list(written, slot), isLost ? undefined : through, items);
    this.#items = outer;
  }

  #list(node: ConfigNode, { field, name, path, through, isFinal }: Slot): Value {
    const isReferred = through !== undefined || isFinal === true;
    if (node.kind !== 'list') {
      this.#invalid(name, node, expectedOf(field.fact), shown(node), isReferred);
      // The target of a reference passes the merge; the class fails when it reads it.
      return isReferred && node.kind === 'leaf' ? node.value : unknown('outside', name);
    }
    const hasOwnItems = field.fact.items !== 'group' || node.items.some(({ kind }) => kind !== 'map');
    if (isReferred && hasOwnItems) return this.#freeData.read(node, path, name);
    const items: Data[] = [];
    let open = false;
    for (const [index, item] of node.items.entries()) {
      const value = this.#item(item, field, `${name}[${index}]`, [...path, String(index)]);
      if (value.kind === 'known') items.push(value.data);
      else open = true;
    }
    return open ? unknown('too-complex', name) : known(items);
  }

  #item(item: ConfigNode, field: Field, name: string, path: readonly string[]): Value {
    const reference = interpolationOf(item);
    const node = reference === undefined ? item : this.#freeData.target(reference, item, path, name);
    if (node === undefined) return unknown('interpolation', reference ?? name);
    if (field.fact.items !== 'group') {
      // An element that is a map or a list passes the merge, whatever element type is declared.
      if (
        field.fact.items === undefined ||
        field.fact.items === 'any' ||
        node.kind !== 'leaf' ||
        isMissing(node)
      )
        return this.#freeData.read(node, path, name);
      return this.#scalar(node, { ...field.fact, type: field.fact.items }, name);
    }
    if (node.kind !== 'map') {
      this.#invalid(name, item, 'a map', shown(node), reference !== undefined);
      return unknown('outside', name);
    }
    return this.#element(node, field, name, path, reference !== undefined);
  }

  #dict(node: Branch, field: Field, name: string, path: readonly string[]): Value {
    const out: [string, Data][] = [];
    let open = false;
    for (const [key, child] of node.entries) {
      this.problems.push(...keyProblems(key, child, name, field.fact.items !== undefined));
      const inner = `${name}.${key}`;
      const value = this.#item(child, field, inner, [...path, key]);
      this.#items?.set(inner, settingAt(inner, value, child.at, undefined));
      if (value.kind === 'known') out.push([key, value.data]);
      else open = true;
    }
    return open ? unknown('too-complex', name) : known(Object.fromEntries(out));
  }

  /** One object of a list, with the defaults of its class filled in; unknown keys are reported where they are written. */
  #element(node: Branch, field: Field, name: string, path: readonly string[], isReferred: boolean): Value {
    const out: { [key: string]: Data } = {};
    for (const [key, child] of field.element) out[key] = child.fact.default;
    let open = false;
    for (const [key, child] of node.entries) {
      const inner = field.element.get(key);
      if (inner === undefined) {
        if (!isReferred) this.#unknownKey([...path, key], node, field.element);
        continue;
      }
      const before = this.settings.get(`${name}.${key}`);
      this.field(child, {
        field: inner,
        name: `${name}.${key}`,
        path: [...path, key],
        through: undefined,
      });
      const setting = this.settings.get(`${name}.${key}`);
      if (setting === undefined || setting === before) continue;
      this.settings.delete(`${name}.${key}`);
      this.#items?.set(setting.name, setting);
      if (setting.value.kind === 'known') out[key] = setting.value.data;
      else open = true;
    }
    return open ? unknown('too-complex', name) : known(out);
  }

  /**
   * A reference in place of a whole section (BaseContainer._map_merge of omegaconf): rejected for a section that exists by default; for one
   * that is null by default, the target must be in the file.
   */
  #section(reference: string, node: ConfigNode, { field, name, path }: Slot): void {
    const refused = (reason: string, severity: BindingProblem['severity']): void => {
      const values = { name, value: reference, reason };
      this.problems.push({ ...problem('invalid-interpolation', node.at.place, values), severity });
    };
    if (field.fact.nullable !== true || field.fact.default !== null) {
      refused('a section that is there by default is no place for a reference', 'error');
      return;
    }
    if (this.#interpolation.resolve(reference, path).kind === 'absent') return;
    const target = this.#asWritten?.resolve(reference, path);
    if (target?.kind === 'absent')
      refused(
        `there is no ${target.key} in the file, and defaults are not known yet`,
        this.#strictness.missingSeverity,
      );
  }

  #referred(target: Target, node: ConfigNode, slot: Slot): void {
    const { field, name, through } = slot;
    const outer: Through = through ?? { at: node.at };
    switch (target.kind) {
      case 'node':
        this.field(target.node, { ...slot, path: target.path, through: outer });
        return;
      case 'text':
        this.field(leafOf(known(target.text), 'str', node.at), { ...slot, isFinal: true });
        return;
      case 'value':
        this.#given(target.data, target.type, node, slot);
        return;
      case 'absent':
      case 'malformed':
      case 'refused':
      case 'unregistered':
      case 'unset':
      case 'circle':
        this.#lost(target, node, slot);
        return;
      case 'default':
        this.#default(target.data, node, { ...slot, through: outer });
        return;
      case 'unknown':
        this.#unknown(field, name, node, unknown('interpolation', interpolationOf(node) ?? name), through);
    }
  }

  /** Takes the result of a resolver: a scalar field rejects a map or a list, other fields hold the result unchecked. */
  #given(data: Data, type: ParsedType, node: ConfigNode, slot: Slot): void {
    const { field, name, through } = slot;
    const isScalar = scalarTypes.has(field.fact.type);
    const isContainer = type === 'list' || type === 'dict';
    if (!isContainer && (isScalar || field.fact.type === 'any')) {
      this.field(leafOf(known(data), type, node.at), { ...slot, isFinal: true });
      return;
    }
    if (isScalar) this.#invalid(name, node, expectedOf(field.fact), type === 'list' ? 'a list' : 'a map');
    this.#unknown(field, name, node, unknown('interpolation', interpolationOf(node) ?? name), through);
  }

  /** Handles a reference that OmegaConf rejects. */
  #lost(target: LostTarget, node: ConfigNode, { field, name, path, through }: Slot): void {
    this.problems.push(...lostReference(target, node, name, path, this.#strictness));
    this.#unknown(field, name, node, unknown('interpolation', interpolationOf(node) ?? ''), through);
  }

  /** Handles a reference to something that nobody wrote. */
  #default(data: Data, node: ConfigNode, slot: Slot): void {
    const { field, name, through } = slot;
    if (data === null || field.fact.type !== 'group') {
      if (typeof data === 'object' && data !== null) this.#set(name, node, known(data), through);
      else this.field(leafOf(known(data), typeOfDefault(data, field.fact), node.at), slot);
      return;
    }
    this.#set(name, node, known({}), through);
  }

  #unknown(field: Field, name: string, node: ConfigNode, value: Value, through: Through | undefined): void {
    this.#set(name, node, value, through);
    for (const child of field.children.values()) this.#unknown(child, child.fact.name, node, value, through);
  }

  #set(
    name: string,
    node: ConfigNode,
    value: Value,
    through: Through | undefined,
    items?: ReadonlyMap<string, Setting>,
  ): void {
    const at = settingAt(name, value, node.at, through?.at);
    const setting = items === undefined || items.size === 0 ? at : { ...at, items };
    // Problems of a section are shown at its key, not over its whole content.
    const isSection = node.kind === 'map' && node.at.syntax.kind === 'yaml' && through === undefined;
    this.settings.set(name, isSection ? { ...setting, valuePlace: undefined } : setting);
  }

  #invalid(name: string, node: ConfigNode, expected: string, value: string, isReferred = false): void {
    const found = problem('invalid-value', node.at.place, { name, expected, value });
    this.problems.push(isReferred ? { ...found, severity: 'warning' } : found);
  }

  #unknownKey(path: readonly string[], section: Branch, fields: ReadonlyMap<string, Field>): void {
    const found = unknownKeyProblem(
      this.#schema,
      this.#strictness,
      { path, section, keys: fields.keys() },
      this.#root,
    );
    if (found === undefined) return;
    this.problems.push(found);
    // The option it stood for does not count as absent.
    if (found.removal !== undefined && found.rule === 'removed-option')
      this.settings.set(found.removal.name, found.removal);
  }
}

const scalarTypes: ReadonlySet<string> = new Set(['int', 'float', 'bool', 'str'] satisfies OptionType[]);
