import type { Place } from '../../text/span.ts';
import { type Data, known, unknown, type Value } from '../../value/value.ts';
import {
  display,
  holeOf,
  knownPrefix,
  literalWord,
  type Origin,
  sliceWord,
  textOf,
  type Word,
} from '../../value/word.ts';
import { interpolationFault } from '../../yaml/interpolationSyntax.ts';
import type { Setting } from '../framework.ts';
import { beginsVerbatim, originOf, placeWithin } from '../places.ts';
import { parseHydraValue } from './hydraValue.ts';
import type { ParsedType } from './scalar.ts';
import { isRefused, parseYamlValue } from './yamlValue.ts';

/** How the words after an entry point are parsed: with OmegaConf's `from_dotlist`, or Hydra's override grammar. */
export type OverrideGrammar = 'dotlist' | 'hydra';

/** One parsed override word. */
export interface Override {
  readonly kind: 'override';
  /** `set` for `a=1`, `add` for `+a=1`, `force-add` for `++a=1`, `delete` for `~a`. A dotlist knows `set` only. */
  readonly operation: 'set' | 'add' | 'force-add' | 'delete';
  /** The dotted key without the operation's sign: `trainer.placement.colocate_all`. */
  readonly key: string;
  /** The key's parts; `a[0].b` and `a.0.b` are the same. */
  readonly path: readonly string[];
  readonly value: Value;
  /** The Python type of a known value. */
  readonly type: ParsedType | undefined;
  /** A value unknown only because of its references, with these as text. Only for Hydra's grammar. */
  readonly referring?: Data;
  /** False for a word without `=`, whose value is then null. */
  readonly hasValue: boolean;
  readonly word: Word;
  /** The text before the value: `+a.b=`. */
  readonly prefix: string;
  readonly keyPlace: Place;
  /** Whether the key is written verbatim at its place. */
  readonly keyVerbatim: boolean;
  readonly valuePlace: Place | undefined;
  /** Where the value's text was first written. */
  readonly origin: Origin | undefined;
}

/** A word that is not an override. */
export interface OverrideProblem {
  readonly kind: 'problem';
  /** `open-key`: the key itself is unknown. `bad-value`: the parser rejects the value. `sweep`: several values (Hydra's multirun). */
  readonly reason: 'open-key' | 'bad-key' | 'no-value' | 'bad-value' | 'sweep';
  /** The known part of the key. */
  readonly key: string;
  /** What is wrong, in a few words. */
  readonly detail: string;
  readonly place: Place;
  readonly word: Word;
  /** The intended override with an unknown value, if only the value is wrong. */
  readonly override?: Override;
}

/**
 * `~key`, which Bash leaves unchanged unless a user has that name. Expanded to a user's home directory, the word would be rejected by Hydra.
 */
function withTilde(word: Word): Word {
  const [piece] = word.pieces;
  return word.pieces.length === 1 && piece?.kind === 'hole' && /^~[A-Za-z_]\w*$/.test(piece.label)
    ? literalWord(piece.label, word.place, piece.origin)
    : word;
}

/**
 * Parses one word as `key=value`. A value with a hole is unknown; so is one with an interpolation (`${…}`). `dotlist` follows
 * OmegaConf.from_cli (the value is YAML 1.1, every sign belongs to the key); `hydra` follows the override grammar of Hydra 1.1 and later.
 */
export function parseOverride(given: Word, grammar: OverrideGrammar): Override | OverrideProblem {
  const word = grammar === 'hydra' ? withTilde(given) : given;
  const prefix = knownPrefix(word);
  const equals = prefix.indexOf('=');
  const hole = holeOf(word);
  if (equals < 0 && hole !== undefined)
    return problem(
      word,
      'open-key',
      prefix,
      `the key depends on ${hole.label}`,
      placeWithin(word, 0, prefix.length),
    );
  const hasValue = equals >= 0;
  const head = hasValue ? prefix.slice(0, equals) : prefix;
  const { operation, sign } =
    grammar === 'hydra' ? operationOf(head) : { operation: 'set' as const, sign: 0 };
  const key = head.slice(sign);
  const keyPlace = placeWithin(word, sign, head.length);
  if (grammar === 'hydra') {
    if (!hydraKey.test(key)) return problem(word, 'bad-key', key, badKeyDetail(key), keyPlace);
    if (!hasValue && operation !== 'delete') return problem(word, 'no-value', key, 'no “=”', keyPlace);
  }
  const value = hasValue ? readValue(word, equals + 1, grammar) : noValue;
  const override: Override = {
    kind: 'override',
    operation,
    key,
    path: splitKey(key),
    value: value.value,
    type: value.type,
    ...(value.referring === undefined ? {} : { referring: value.referring }),
    hasValue,
    word,
    prefix: hasValue ? prefix.slice(0, equals + 1) : prefix,
    keyPlace,
    keyVerbatim: beginsVerbatim(word, head.length),
    valuePlace: hasValue ? placeWithin(word, equals + 1, undefined) : undefined,
    origin: hasValue ? originOf([sliceWord(word, equals + 1)]) : undefined,
  };
  if (value.refused === undefined) return override;
  const reason = value.refused === 'sweep' ? 'sweep' : 'bad-value';
  return {
    ...problem(word, reason, key, value.refused, placeWithin(word, equals + 1, undefined)),
    override: { ...override, value: unknown('outside', writtenValue(override) ?? key), type: undefined },
  };
}

/** The setting that an override makes of the option `name`. */
export function settingOf(override: Override, name: string): Setting {
  return {
    name,
    written: override.key,
    value: override.value,
    keyPlace: override.keyPlace,
    valuePlace: override.valuePlace,
    origin: override.origin,
    syntax: { kind: 'override', word: override.word, prefix: override.prefix },
  };
}

/** The text after `=`, if known. */
export function writtenValue(override: Override): string | undefined {
  return override.hasValue ? textOf(sliceWord(override.word, override.prefix.length)) : undefined;
}

/** How many parts a key has at most: no configuration is that deep, and each level costs one level of recursion. */
const mostParts = 100;

/** The parts of a dotted key: `a.b[0].c` is a, b, 0, c. Parts beyond the limit stay together as one. */
export function splitKey(key: string): readonly string[] {
  const parts = key.includes('[')
    ? [...key.matchAll(/[^.[\]]+|(?<=\.)(?=\.|$)/g)].map(([part]) => part)
    : key.split('.');
  if (parts.length <= mostParts) return parts;
  return [...parts.slice(0, mostParts - 1), parts.slice(mostParts - 1).join('.')];
}

/** The replacement for an override's key; undefined if the key is not written verbatim there. */
export function keyReplacement({ keyVerbatim }: Override, replacement: string): string | undefined {
  return keyVerbatim ? replacement : undefined;
}

/** A key in Hydra's grammar (hydra/grammar/OverrideLexer.g4): an index is a separate part, without sign or leading zeros. */
const hydraKey = /^[A-Za-z_$][\w$/-]*(?:\.(?:[A-Za-z_$][\w$-]*|0|[1-9](?:_?\d)*))*(?:@[\w$:.-]*)?$/;

/** The key meant by one that Hydra rejects because its index is in brackets, or because of a colon before the equals sign (`a.b:=1`). */
export function meantKey(key: string): string | undefined {
  const meant = key.replace(/\[(\d+)\]/g, '.$1').replace(/:$/, '');
  return meant !== key && hydraKey.test(meant) ? meant : undefined;
}

function badKeyDetail(key: string): string {
  if (meantKey(key) === undefined) return 'not a key';
  return key.endsWith(':')
    ? 'Hydra takes “=” alone, and no “:=”'
    : `Hydra takes an index after a dot, as in ${meantKey(key)}`;
}

interface ReadValue {
  readonly value: Value;
  readonly type: ParsedType | undefined;
  readonly refused: string | undefined;
  readonly referring?: Data;
}

const noValue: ReadValue = { value: known(null), type: 'null', refused: undefined };

function readValue(word: Word, start: number, grammar: OverrideGrammar): ReadValue {
  const rest = sliceWord(word, start);
  const hole = holeOf(rest);
  if (hole !== undefined)
    return {
      value: unknown(hole.reason, rest.pieces.length === 1 ? hole.label : display(rest)),
      type: undefined,
      refused: undefined,
    };
  const text = textOf(rest) ?? '';
  const open = (label: string): ReadValue => ({
    value: unknown('interpolation', label),
    type: undefined,
    refused: undefined,
  });
  if (grammar === 'dotlist') {
    const parsed = parseYamlValue(text);
    if (isRefused(parsed)) return { value: known(null), type: undefined, refused: parsed.refused };
    const fault = parsed.type === 'str' ? interpolationFault(text) : undefined;
    if (fault !== undefined) return { value: known(null), type: undefined, refused: fault };
    if (text.includes('${')) return open(text);
    return { value: known(parsed.data), type: parsed.type, refused: undefined };
  }
  const parsed = parseHydraValue(text);
  switch (parsed.kind) {
    case 'value':
      return { value: known(parsed.value.data), type: parsed.value.type, refused: undefined };
    case 'open':
      return parsed.referring === undefined
        ? open(parsed.label)
        : { ...open(parsed.label), referring: parsed.referring };
    case 'sweep':
      return { value: known(null), type: undefined, refused: 'sweep' };
    case 'refused':
      return { value: known(null), type: undefined, refused: parsed.refused };
  }
}

function operationOf(head: string): { operation: Override['operation']; sign: number } {
  if (head.startsWith('++')) return { operation: 'force-add', sign: 2 };
  if (head.startsWith('+')) return { operation: 'add', sign: 1 };
  if (head.startsWith('~')) return { operation: 'delete', sign: 1 };
  return { operation: 'set', sign: 0 };
}

function problem(
  word: Word,
  reason: OverrideProblem['reason'],
  key: string,
  detail: string,
  place: Place,
): OverrideProblem {
  return { kind: 'problem', reason, key, detail, place, word };
}
