import { isMap, isScalar, parseDocument } from 'yaml';
import data from '../../../../schemas/skyrl/tinker.json';
import { jsonFault } from '../../launch/faults/jsonFault.ts';
import { type Data, known, type Value } from '../../value/value.ts';
import { literalWord, textOf, type Word, writtenAt } from '../../value/word.ts';
import { readTokens } from '../../yaml/tokens.ts';
import type { BoundArguments } from '../argparse/parser.ts';
import { lastOf } from '../argparse/settings.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import { invalidOverride } from '../omegaconf/invalidOverride.ts';
import type { Root } from './roots.ts';

/** The overrides in a tinker server's `--backend-config`. */
export interface TinkerWords {
  readonly overrides: readonly Word[];
  readonly problems: readonly BindingProblem[];
  readonly open: boolean;
  /** The class that the overrides populate; undefined if the backend is unknown. */
  readonly root: Root | undefined;
  /** `fsdp` or `megatron`; undefined for the JAX backend, or if unknown. */
  readonly strategy: string | undefined;
  /** The value of `--base-model`; undefined if unknown. */
  readonly baseModel: string | undefined;
}

/**
 * Reads the flags of `skyrl.tinker.api`: the JSON object of `--backend-config`, whose keys are dotted overrides if `--backend` is one of
 * SkyRL's trainers, and separate options if it is JAX.
 *
 * @param usual the backend of a server that is given none
 */
export function tinkerWords(flags: BoundArguments, usual: Data): TinkerWords {
  const { problems, open } = flags;
  const given = lastOf(flags.settings);
  const backend = textOfValue(given.get('tinker.backend')?.value ?? (open ? undefined : known(usual)));
  const strategy = data.strategies.find((one) => one === backend);
  const root =
    strategy !== undefined ? 'SkyRLTrainConfig' : backend === 'jax' ? 'JaxBackendConfig' : undefined;
  const baseModel = textOfValue(given.get('tinker.base_model')?.value);
  const server: TinkerWords = { overrides: [], problems, open, root, strategy, baseModel };
  if (root === undefined) return { ...server, open: true };
  const config = given.get('tinker.backend_config');
  return config === undefined ? server : withConfig(config, server);
}

function textOfValue(value: Value | undefined): string | undefined {
  return value?.kind === 'known' && typeof value.data === 'string' ? value.data : undefined;
}

/** A server with the content of its `--backend-config`. */
function withConfig({ syntax }: Setting, server: TinkerWords): TinkerWords {
  const word = syntax.kind === 'flag' ? syntax.valueWords[0] : undefined;
  const text = word === undefined ? undefined : textOf(word);
  // Python's JSON parser accepts NaN and Infinity; others do not.
  if (word === undefined || text === undefined || /\b(?:NaN|Infinity)\b/.test(text))
    return { ...server, open: true };
  const fault = jsonFault(word);
  if (fault !== undefined) return refusing(`not JSON: ${fault.reason}`, word, server);
  if (readTokens(text).deep !== undefined) return { ...server, open: true };
  const object = parseDocument(text, { schema: 'json', uniqueKeys: false }).contents;
  if (!isMap(object)) return refusing('not a JSON object', word, server);
  const isTrainer = server.root === 'SkyRLTrainConfig';
  const own = isTrainer ? object.get('strategy') : undefined;
  return {
    ...server,
    strategy: own === undefined ? server.strategy : typeof own === 'string' ? own : undefined,
    overrides: object.items.flatMap(({ key, value }) => {
      if (!isScalar(key) || typeof key.value !== 'string') return [];
      if (isTrainer && data.serverKeys.includes(key.value)) return [];
      const shown = isScalar(value) ? value.value : object.get(key.value);
      return [overrideOf(key.value, shown, key.range ?? undefined, word)];
    }),
  };
}

function refusing(reason: string, word: Word, server: TinkerWords): TinkerWords {
  const problem = invalidOverride({
    key: '--backend-config',
    part: 'value',
    reason,
    place: writtenAt(word),
    severity: 'error',
  });
  return { ...server, problems: [...server.problems, problem] };
}

/**
 * The override that corresponds to a key of the object.
 * @param range the position of the key in the object
 * @param word the word that contains the object
 */
function overrideOf(
  key: string,
  value: unknown,
  range: readonly [start: number, end: number, ...others: unknown[]] | undefined,
  word: Word,
): Word {
  const piece = word.pieces.length === 1 ? word.pieces[0] : undefined;
  const { path, span } = piece?.origin.place ?? word.place;
  const place =
    piece?.origin.verbatim === true && range !== undefined
      ? { path, span: { start: span.start + range[0], end: span.start + range[1] } }
      : { path, span };
  return literalWord(`${key}=${JSON.stringify(value ?? null)}`, place, { place, via: [], verbatim: false });
}
