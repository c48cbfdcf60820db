import { checkedExpression } from '../expression/check.ts';
import type {
  CompiledConstraint,
  CompiledDerivation,
  CompiledFix,
  CompiledFloor,
  Expression,
} from '../expression/compiled.ts';
import { placeholdersOf } from '../expression/message.ts';
import { boundBy } from '../expression/tree.ts';
import { itemKeyOf } from '../frameworks/itemKey.ts';
import type { ConstraintEntry, DerivationEntry, FloorEntry } from './constraintFile.ts';

/** What is wrong with an entry, and where: keys and indices from the top of the entry. */
export interface EntryProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The name of the option that the framework does not have, if that is what is wrong. */
  readonly unknownName?: string | undefined;
}

/** Knows the names of a framework. */
export interface Names {
  has(name: string): boolean;
}

/** Only raised inside this file, and turned into a problem at its boundary. */
class EntryError extends Error {
  readonly problem: EntryProblem;
  constructor(path: EntryProblem['path'], message: string, unknownName?: string) {
    super(message);
    this.problem = { path, message, unknownName };
  }
}

function noOption(path: EntryProblem['path'], name: string): EntryError {
  return new EntryError(path, `no option is called ${name}`, name);
}

/** The most constraints that one entry with `each` may stand for. */
const mostRoles = 1000;

/** The assignments of `each`, one map per combination; one empty map without `each`. */
export function combinations(
  each: { readonly [variable: string]: readonly string[] } | undefined,
): Map<string, string>[] {
  let out: Map<string, string>[] = [new Map()];
  for (const [variable, values] of Object.entries(each ?? {}))
    out = out.flatMap((so) => values.map((value) => new Map([...so, [variable, value]])));
  return out;
}

function substitute(text: string, assignment: ReadonlyMap<string, string>): string {
  let out = text;
  for (const [variable, value] of assignment) out = out.replaceAll(`$${variable}`, value);
  return out;
}

/** Substitutes the values of `each` in every text of some data. */
export function substituteData(value: unknown, assignment: ReadonlyMap<string, string>): unknown {
  if (assignment.size === 0) return value;
  if (typeof value === 'string') return substitute(value, assignment);
  if (Array.isArray(value)) return value.map((item) => substituteData(item, assignment));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        substitute(key, assignment),
        substituteData(item, assignment),
      ]),
    );
  return value;
}

function expression(
  text: string | number | boolean,
  names: Names,
  path: readonly (string | number)[],
): Expression {
  const checked = checkedExpression(String(text), (name) => names.has(name));
  if ('problem' in checked)
    throw new EntryError(
      path,
      `${checked.problem.message} (character ${checked.problem.offset + 1} of "${String(text)}")`,
      checked.problem.unknownName,
    );
  return checked.expression;
}

/** Data as an expression: texts that begin with `=` are expressions, everything else is literal. */
function dataExpression(value: unknown, names: Names, path: readonly (string | number)[]): Expression {
  if (typeof value === 'string')
    return value.startsWith('=') ? expression(value.slice(1), names, path) : value;
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return ['l', ...value.map((item) => dataExpression(item, names, path))];
  throw new EntryError(path, 'a map cannot be set');
}

/** Refuses a text with a placeholder that is not an expression over names of the framework. */
function checkPlaceholders(text: string, names: Names, path: readonly (string | number)[]): void {
  for (const placeholder of placeholdersOf(text)) expression(placeholder.text, names, path);
}

function compileFix(fix: ConstraintEntry['fixes'][number], names: Names, at: number): CompiledFix {
  const set: { [name: string]: Expression } = {};
  for (const [name, value] of Object.entries(fix.set)) {
    if (!names.has(name)) throw noOption(['fixes', at, 'set', name], name);
    set[name] = dataExpression(value, names, ['fixes', at, 'set', name]);
  }
  fix.unset.forEach((name, index) => {
    if (!names.has(name)) throw noOption(['fixes', at, 'unset', index], name);
  });
  const env: { [name: string]: Expression } = {};
  for (const [name, value] of Object.entries(fix.env))
    env[name] = dataExpression(value, names, ['fixes', at, 'env', name]);
  return { title: fix.title, set, unset: fix.unset, env, cost: fix.cost, safety: fix.safety };
}

/**
 * Turns an entry into what the program loads: one constraint for each value of `each`.
 * @returns the constraints, or the first problem of the entry
 */
export function compileConstraint(
  entry: ConstraintEntry,
  names: Names,
): { constraints: CompiledConstraint[] } | { problem: EntryProblem } {
  try {
    const count = Object.values(entry.each ?? {}).reduce((product, values) => product * values.length, 1);
    if (count > mostRoles)
      throw new EntryError(['each'], `stands for ${count} constraints; at most ${mostRoles}`);
    return {
      constraints: combinations(entry.each).map((assignment) => compileOne(entry, names, assignment)),
    };
  } catch (error) {
    if (error instanceof EntryError) return { problem: error.problem };
    throw error;
  }
}

/** Names with their values, with the substitution applied to both. */
function putInto<Value>(
  values: { readonly [name: string]: Value | string },
  put: (text: string) => string,
): { [name: string]: Value | string } {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      put(name),
      typeof value === 'string' ? put(value) : value,
    ]),
  );
}

/** The names of a framework, and those that a condition gives to elements of lists (`group`), including their contents (`group.overrides`). */
function withBound(names: Names, when: Expression): Names {
  const bound = boundBy(when);
  return { has: (name) => names.has(name) || bound.has(name.split('.')[0] ?? '') };
}

function compileOne(
  entry: ConstraintEntry,
  free: Names,
  assignment: ReadonlyMap<string, string>,
): CompiledConstraint {
  const put = (text: string): string => substitute(text, assignment);
  const when = expression(typeof entry.when === 'string' ? put(entry.when) : entry.when, free, ['when']);
  const names = withBound(free, when);
  const fixes = entry.fixes.map((fix) => ({
    ...fix,
    title: put(fix.title),
    set: putInto(fix.set, put),
    unset: fix.unset.map(put),
    env: putInto(fix.env, put),
  }));
  const message = put(entry.message);
  const why = put(entry.why);
  checkPlaceholders(message, names, ['message']);
  checkPlaceholders(why, names, ['why']);
  fixes.forEach((fix, index) => {
    checkPlaceholders(fix.title, names, ['fixes', index, 'title']);
  });
  const at = entry.at.map(put);
  at.forEach((name, index) => {
    const option = itemKeyOf(name)?.list ?? name;
    if (!names.has(option) && !/^(env|alloc_conf)\./.test(name) && name !== 'world_size')
      throw noOption(['at', index], name);
  });
  return {
    id: entry.id,
    severity: entry.severity,
    ...(entry.declared === undefined ? {} : { declared: entry.declared }),
    phase: entry.phase,
    when,
    message,
    why,
    at,
    fixes: fixes.map((fix, index) => compileFix(fix, names, index)),
    upstream: entry.upstream,
    ...(entry.since === undefined ? {} : { since: entry.since }),
    ...(entry.until === undefined ? {} : { until: entry.until }),
    ...(entry.upstream_has === undefined ? {} : { upstreamHas: entry.upstream_has }),
    ...(entry.upstream_lacks === undefined ? {} : { upstreamLacks: entry.upstream_lacks }),
    ...(entry.earlier === undefined ? {} : { earlier: entry.earlier }),
    narrower: entry.narrower,
    role: assignment.get('role'),
    tags: entry.tags,
  };
}

/** Turns a step of derive.yaml into what the program loads, one for each value of `each`. If `to` is a text, it is an expression. */
export function compileDerivation(
  entry: DerivationEntry,
  names: Names,
): { derivations: CompiledDerivation[] } | { problem: EntryProblem } {
  try {
    return {
      derivations: combinations(entry.each).map((assignment) => {
        const put = (text: string): string => substitute(text, assignment);
        const to = entry.to;
        const when = entry.when ?? true;
        return {
          set: put(entry.set),
          to:
            typeof to === 'string'
              ? expression(put(to), names, ['to'])
              : dataExpression(substituteData(to, assignment), names, ['to']),
          when:
            typeof when === 'string'
              ? expression(put(when), names, ['when'])
              : expression(when, names, ['when']),
          because: entry.because === undefined ? undefined : put(entry.because),
          ...(entry.source?.startsWith('megatron/core/') === true ? { core: true } : {}),
          ...(entry.until === undefined ? {} : { until: entry.until }),
        };
      }),
    };
  } catch (error) {
    if (error instanceof EntryError) return { problem: error.problem };
    throw error;
  }
}

/** Turns an entry of memory.yaml into what the program loads, one for each value of `each`. */
export function compileFloor(
  entry: FloorEntry,
  names: Names,
): { floors: CompiledFloor[] } | { problem: EntryProblem } {
  try {
    return {
      floors: combinations(entry.each).map((assignment) => {
        const put = (text: string): string => substitute(text, assignment);
        return {
          gpu: put(entry.gpu),
          ...(entry.rule === undefined ? {} : { rule: put(entry.rule) }),
          when: expression(put(String(entry.when)), names, ['when']),
          ...(entry.likely === undefined ? {} : { likely: entry.likely }),
          parts: Object.entries(entry.parts).map(([name, bytes]) => ({
            name,
            bytes: expression(put(bytes), names, ['parts', name]),
          })),
          without: entry.without,
        };
      }),
    };
  } catch (error) {
    if (error instanceof EntryError) return { problem: error.problem };
    throw error;
  }
}
