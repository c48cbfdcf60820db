import { isMap } from '../../expression/result.ts';
import { calculationHint } from '../../text/calculation.ts';
import { type Data, known, unknown } from '../../value/value.ts';
import { calculationOf } from '../calculation.ts';
import type { BindingProblem, Instead, Setting } from '../framework.ts';
import { insteadOf } from '../instead.ts';
import type { OptionFact } from '../knowledge.ts';
import { nearestChoice } from '../nearest.ts';
import { invalidOverride } from './invalidOverride.ts';
import { besideEachOther, shown } from './leaves.ts';
import { plainlyMeant } from './meant.ts';
import {
  type Branch,
  type Clash,
  dataOfNode,
  keyPlaceOf,
  type Leaf,
  leavesOf,
  mergeOverrides,
} from './merge.ts';
import { keyReplacement, type Override, settingOf } from './overrides.ts';
import { expectation, suits } from './types.ts';
import { nearKey, noDeletion, unknownHint } from './unknownKey.ts';

type Severity = BindingProblem['severity'];

/** How strict a framework is about its tree. */
export interface TreePolicy {
  /** What happens to an unknown key: refused, ignored, or (at a fork's entry point) perhaps known there. */
  readonly unknown: 'refused' | 'ignored' | 'fork';
  /** In a fork: whether an unknown key that resembles no known one is reported. Left out: none is. */
  isReported?(name: string): boolean;
  /** Severity of a value of another type; undefined: not worth saying. */
  wrongType(option: OptionFact, value: Leaf): Severity | undefined;
  /** Severity of a value outside the choices; undefined: the constraints see to it. */
  wrongChoice(option: OptionFact): Severity | undefined;
  /** Whether a map takes only the keys that its default has, unless they are added: Hydra's does. Left out: any. */
  readonly closedMaps?: boolean;
  /** Keys that the project declares for itself. */
  readonly extra: readonly string[];
  /** What is said of a key that nobody knows and that is near to none: `SkyRL 0.3.0 does not know it.` */
  readonly about?: string;
}

/** What a list of overrides gives in a typed tree. */
export interface TreeReading {
  /** The settings in force, by name: options, and free keys below open ones. */
  readonly settings: ReadonlyMap<string, Setting>;
  readonly problems: readonly BindingProblem[];
  /** Names of options whose number is written as a float (`64.0`, `1e3`). */
  readonly floats: readonly string[];
  /** Names that nothing certain can be said of, with everything below them: a block that is given by an unknown value. */
  readonly opaque: readonly string[];
}

/** Reads overrides against the options of one root. */
export function readTree(
  overrides: readonly Override[],
  options: ReadonlyMap<string, OptionFact>,
  policy: TreePolicy,
): TreeReading {
  const reader = new TreeReader(options, policy, new Set(overrides.map(({ key }) => key)));
  const { root, superseded, clashes } = mergeOverrides(overrides);
  reader.group('', root);
  for (const clash of clashes) reader.clash(clash);
  for (const { name, earlier, later } of superseded) reader.duplicate(name, earlier, later);
  return reader;
}

class TreeReader implements TreeReading {
  readonly settings = new Map<string, Setting>();
  readonly problems: BindingProblem[] = [];
  readonly floats: string[] = [];
  readonly opaque: string[] = [];
  readonly #options: ReadonlyMap<string, OptionFact>;
  readonly #policy: TreePolicy;
  readonly #given: ReadonlySet<string>;
  readonly #reportedUnadded = new Set<Override>();

  constructor(
    options: ReadonlyMap<string, OptionFact>,
    policy: TreePolicy,
    /** The keys that are written. */
    given: ReadonlySet<string>,
  ) {
    this.#options = options;
    this.#policy = policy;
    this.#given = given;
  }

  group(prefix: string, branch: Branch): void {
    for (const [key, child] of branch.children) {
      const name = `${prefix}${key}`;
      const option = this.#options.get(name);
      if (option === undefined) this.#unknown(name, child);
      else if (option.renamedTo !== undefined || option.removed !== undefined) this.#gone(option, child);
      else if (option.type === 'group') this.#groupValue(option, child);
      else if (option.open === true) this.#open(option, child);
      else this.#leaf(option, child);
    }
  }

  duplicate(name: string, earlier: Leaf, later: Leaf): void {
    const place = keyPlaceOf(earlier);
    if (earlier.override === later.override || !besideEachOther(earlier, later)) return;
    this.problems.push({
      rule: 'duplicate-option',
      place,
      values: { name: earlier.override.key, value: shown(later) },
      setting: settingOf(earlier.override, name),
      replacement: undefined,
      removal: settingOf(earlier.override, name),
      severity: 'warning',
      related: [{ place: keyPlaceOf(later), message: 'this one applies' }],
    });
  }

  /** An override that the library refuses to merge. */
  clash({ name, reason, override }: Clash): void {
    this.problems.push(
      invalidOverride({
        key: name,
        reason,
        place: override.keyPlace,
        severity: this.#policy.unknown === 'refused' ? 'error' : 'warning',
        setting: settingOf(override, name),
      }),
    );
  }

  #groupValue(option: OptionFact, child: Leaf | Branch): void {
    if (child.kind === 'branch') {
      if (child.isPartial) this.opaque.push(option.name);
      this.#giveBranch(option.name, child);
      this.group(`${option.name}.`, child);
      return;
    }
    this.#give(option.name, child);
    if (child.value.kind === 'unknown') {
      this.opaque.push(option.name);
      return;
    }
    if (child.type === 'dict') return;
    if (child.type === 'null' && option.nullable === true) return;
    this.opaque.push(option.name);
    this.#wrongType(option, child, this.#policy.wrongType(option, child), 'keys below it');
  }

  #open(option: OptionFact, child: Leaf | Branch): void {
    if (child.kind === 'leaf') {
      this.#leaf(option, child);
      return;
    }
    if (child.isPartial) this.opaque.push(option.name);
    this.#giveBranch(option.name, child);
    // If the default is null, a map given as a whole replaces it; single keys have nothing to be added to.
    const isReplaced = (option.default ?? null) === null && this.#given.has(option.name);
    const isClosed = this.#policy.closedMaps === true && option.defaultUnknown !== true && !isReplaced;
    this.#free(`${option.name}.`, child, isClosed ? (option.default ?? {}) : undefined);
  }

  /** @param closed the map that has all accepted keys; undefined if any key is accepted */
  #free(prefix: string, branch: Branch, closed: Data | undefined): void {
    for (const [key, child] of branch.children) {
      const name = `${prefix}${key}`;
      const option = this.#options.get(name);
      const own = closed === undefined || !isMap(closed) ? undefined : closed[key];
      if (closed !== undefined && own === undefined && option === undefined) this.#unadded(child);
      if (option?.renamedTo !== undefined || option?.removed !== undefined) this.#gone(option, child);
      else if (child.kind === 'leaf') this.#give(name, child);
      else {
        this.#giveBranch(name, child);
        this.#free(`${name}.`, child, own);
      }
    }
  }

  /** A key that a map lacks and that is not added explicitly; the fix is a plus sign, if the key may be added. */
  #unadded(child: Leaf | Branch, mayBeAdded = true): void {
    for (const { override } of leavesOf(child)) {
      const { key } = override;
      if (this.#reportedUnadded.has(override)) continue;
      this.#reportedUnadded.add(override);
      this.problems.push({
        rule: 'unknown-option',
        place: override.keyPlace,
        values: { name: key, hint: unknownHint(undefined, this.#policy.about) },
        setting: undefined,
        replacement: mayBeAdded ? keyReplacement(override, `+${key}`) : undefined,
        severity: 'error',
        related: [],
      });
    }
  }

  #leaf(option: OptionFact, child: Leaf | Branch): void {
    if (child.kind === 'branch') {
      for (const leaf of child.isPartial ? [] : leavesOf(child).slice(0, 1))
        this.#wrongType(option, leaf, this.#policy.wrongType(option, leaf), expectation(option), '{…}');
      this.#giveBranch(option.name, child);
      // A single value has no keys below it, unless a map replaces it.
      if (this.#policy.closedMaps === true && !this.#given.has(option.name)) this.#unadded(child, false);
      return;
    }
    this.#give(option.name, child);
    if (child.value.kind === 'unknown') {
      if (option.open === true) this.opaque.push(option.name);
      return;
    }
    if (child.type === 'float' && option.type !== 'float') this.floats.push(option.name);
    const isSuited = suits(option, child.value.data, child.type);
    const severity = isSuited ? undefined : this.#policy.wrongType(option, child);
    if (severity !== undefined) this.#wrongType(option, child, severity, expectation(option));
    // A value of another type is not one of the choices either; null is accepted if it suits.
    else if (child.value.data !== null || !isSuited) this.#choice(option, child, child.value.data);
  }

  #choice(option: OptionFact, leaf: Leaf, data: Data): void {
    const severity = this.#policy.wrongChoice(option);
    if (option.choices === undefined || severity === undefined) return;
    if (option.choices.some((choice) => choice === data)) return;
    const near = nearestChoice(String(data), option.choices.map(String));
    this.problems.push({
      rule: 'invalid-choice',
      place: leaf.override.valuePlace ?? keyPlaceOf(leaf),
      values: { name: option.name, value: shown(leaf), choices: option.choices.join(', ') },
      setting: settingOf(leaf.override, option.name),
      replacement: leaf.override.origin?.verbatim === true && leaf.whole ? near : undefined,
      instead: this.#instead(option, leaf),
      severity,
      related: [],
    });
  }

  #wrongType(
    option: OptionFact,
    leaf: Leaf,
    severity: Severity | undefined,
    expected: string,
    value = shown(leaf),
  ): void {
    if (severity === undefined) return;
    const setting = settingOf(leaf.override, option.name);
    const isNumber = option.type === 'int' || option.type === 'float';
    const calculation = isNumber && leaf.whole ? calculationOf(setting) : undefined;
    const replacement = plainlyMeant(option, leaf);
    this.problems.push({
      rule: 'invalid-value',
      place: leaf.override.valuePlace ?? keyPlaceOf(leaf),
      values: { name: option.name, value, expected, hint: calculationHint(calculation?.text ?? '') },
      setting,
      calculation: replacement === undefined ? calculation?.place : undefined,
      replacement,
      instead: this.#instead(option, leaf),
      severity,
      related: [],
    });
  }

  /** What may replace a rejected value; unknown for a fork's defaults and for a text within `a={b: 1}`. */
  #instead(option: OptionFact, leaf: Leaf): Instead | undefined {
    const isItself = leaf.whole || leaf.override.key === option.name;
    if (!isItself || this.#policy.unknown === 'fork') return undefined;
    return insteadOf(option, settingOf(leaf.override, option.name));
  }

  /** A key from older versions. */
  #gone(option: OptionFact, child: Leaf | Branch): void {
    for (const leaf of leavesOf(child)) {
      // A key within `a={b: 1}` has no text of its own to edit.
      const { whole } = leaf;
      const isItself = whole || leaf.override.key === option.name;
      const key = whole ? leaf.override.key : option.name;
      const renamed = option.renamedTo === undefined ? undefined : key.replace(option.name, option.renamedTo);
      this.problems.push({
        rule: renamed === undefined ? 'removed-option' : 'renamed-option',
        place: keyPlaceOf(leaf),
        values: {
          name: key,
          renamed: renamed ?? '',
          hint: option.removed === undefined ? '' : `: ${option.removed}`,
        },
        setting: settingOf(leaf.override, option.name),
        replacement: renamed === undefined || !whole ? undefined : keyReplacement(leaf.override, renamed),
        removal: renamed === undefined && isItself ? settingOf(leaf.override, option.name) : undefined,
        severity: this.#severityOfGone(option, renamed !== undefined),
        related: [],
      });
    }
    if (option.deprecated !== true) {
      // An old name, whether rejected or (in a fork) still translated, shows that the default is not wanted.
      const meant = option.renamedTo;
      if (meant !== undefined && this.#options.has(meant)) this.opaque.push(meant);
      return;
    }
    if (child.kind === 'leaf') this.#give(option.name, child);
    else this.#giveBranch(option.name, child);
  }

  /** The severity of a key from older versions: one that is still accepted and has no new name does no harm. */
  #severityOfGone({ deprecated }: OptionFact, isRenamed: boolean): Severity {
    if (deprecated === true) return isRenamed ? 'warning' : 'info';
    return this.#policy.unknown === 'refused' ? 'error' : 'warning';
  }

  #unknown(name: string, child: Leaf | Branch): void {
    for (const leaf of leavesOf(child)) {
      const key = leaf.whole ? leaf.override.key : name;
      if (this.#policy.extra.some((extra) => key === extra || key.startsWith(`${extra}.`))) continue;
      const isDeletion = key.startsWith('~');
      const near = isDeletion ? undefined : nearKey(name, key, this.#options);
      // A key that is already given was not the one meant, unless only the dashes are wrong: a later word may well set it again.
      const isMeant =
        near === key.replace(/^\++/, '').replaceAll('-', '_') ||
        (near !== undefined && !this.#given.has(near));
      const suggestion = isMeant ? near : undefined;
      const fork = this.#policy.unknown === 'fork';
      if (fork && suggestion === undefined && this.#policy.isReported?.(key) !== true) continue;
      this.problems.push({
        rule: 'unknown-option',
        place: keyPlaceOf(leaf),
        values: { name: key, hint: isDeletion ? noDeletion : unknownHint(suggestion, this.#policy.about) },
        setting: undefined,
        removal: leaf.whole && suggestion === undefined && !fork ? settingOf(leaf.override, key) : undefined,
        // A key within `a={b: 1}` has no text of its own to edit.
        replacement:
          suggestion === undefined || !leaf.whole ? undefined : keyReplacement(leaf.override, suggestion),
        severity: this.#policy.unknown === 'refused' ? 'error' : 'warning',
        related: [],
      });
    }
  }

  /** A mapping as a setting of its own; it is placed at its first key, and no edit can replace it as a whole. */
  #giveBranch(name: string, branch: Branch): void {
    const [first] = leavesOf(branch);
    if (first === undefined) return;
    const data = dataOfNode(branch);
    this.settings.set(name, {
      ...settingOf(first.override, name),
      value: data === undefined ? unknown('too-complex', name) : known(data),
      valuePlace: undefined,
      origin: undefined,
    });
  }

  #give(name: string, leaf: Leaf): void {
    const setting = settingOf(leaf.override, name);
    this.settings.set(
      name,
      leaf.whole ? setting : { ...setting, value: leaf.value, valuePlace: undefined, origin: undefined },
    );
  }
}
