import { isMap, isScalar, parseDocument } from 'yaml';
import { type Data, known } from '../../value/value.ts';
import { literalWord, textOf, type Word, writtenAt } from '../../value/word.ts';
import type { BoundArguments } from '../argparse/parser.ts';
import { lastOf } from '../argparse/settings.ts';
import type { BindingProblem } from '../framework.ts';
import { invalidOverride } from '../omegaconf/invalidOverride.ts';
import type { Root } from './roots.ts';

/** The overrides that a tinker server's `--backend-config` holds. */
export interface TinkerWords {
  readonly overrides: readonly Word[];
  readonly problems: readonly BindingProblem[];
  readonly open: boolean;
  /** The class that the overrides fill; undefined where the backend is not known. */
  readonly root: Root | undefined;
  /** `fsdp` or `megatron`; undefined for the JAX backend, and where it is not known. */
  readonly strategy: string | undefined;
  /** What `--base-model` says; undefined where it is not known. */
  readonly baseModel: string | undefined;
}

/** Keys of `--backend-config` that configure the server itself. */
const ownKeys = new Set(['strategy', 'keep_runtime_warm_on_last_unload']);

/** Why a text is no JSON, in a reader's words; undefined where it is. */
function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Reads the flags of `skyrl.tinker.api`: the JSON object of `--backend-config`, its keys being dotted overrides when
 * `--backend` is one of SkyRL's trainers, and options of its own when it is JAX.
 *
 * @param usual the backend of a server that is told none
 */
export function tinkerWords(flags: BoundArguments, usual: Data): TinkerWords {
  const { problems, open } = flags;
  const given = lastOf(flags.settings);
  const backend = given.get('tinker.backend')?.value ?? (open ? undefined : known(usual));
  const name = backend?.kind === 'known' ? backend.data : undefined;
  const trainer = name === 'fsdp' || name === 'megatron' ? name : undefined;
  const root: Root | undefined =
    trainer !== undefined ? 'SkyRLTrainConfig' : name === 'jax' ? 'JaxBackendConfig' : undefined;
  const model = given.get('tinker.base_model')?.value;
  const baseModel = model?.kind === 'known' && typeof model.data === 'string' ? model.data : undefined;
  const nothing = { overrides: [], problems, strategy: trainer, root, baseModel };
  const config = given.get('tinker.backend_config');
  if (root === undefined) return { ...nothing, open: true };
  if (config === undefined) return { ...nothing, open };
  const word = config.syntax.kind === 'flag' ? config.syntax.valueWords[0] : undefined;
  const text = word === undefined ? undefined : textOf(word);
  if (word === undefined || text === undefined) return { ...nothing, open: true };
  const refused = (reason: string): TinkerWords => ({
    ...nothing,
    problems: [
      ...problems,
      invalidOverride({
        key: '--backend-config',
        part: 'value',
        reason,
        place: writtenAt(word),
        severity: 'error',
      }),
    ],
    open,
  });
  // Python's reader takes them, and no other.
  if (/\b(?:NaN|Infinity)\b/.test(text)) return { ...nothing, open: true };
  const fault = jsonFault(text);
  if (fault !== undefined) return refused(`not JSON: ${fault}`);
  const document = parseDocument(text, { schema: 'json', uniqueKeys: false });
  if (!isMap(document.contents)) return refused('not a JSON object');
  const own = trainer === undefined ? undefined : document.get('strategy');
  const strategy = own === undefined ? trainer : typeof own === 'string' ? own : undefined;
  const piece = word.pieces.length === 1 ? word.pieces[0] : undefined;
  const overrides = document.contents.items.flatMap((pair) => {
    if (!isScalar(pair.key) || typeof pair.key.value !== 'string') return [];
    if (trainer !== undefined && ownKeys.has(pair.key.value)) return [];
    const range = pair.key.range;
    const place = piece?.origin.place ?? word.place;
    const inside =
      piece?.origin.verbatim === true && range !== undefined && range !== null
        ? { path: place.path, span: { start: place.span.start + range[0], end: place.span.start + range[1] } }
        : place;
    const value = isScalar(pair.value) ? pair.value.value : document.getIn([pair.key.value]);
    const json = JSON.stringify(value ?? null);
    return [literalWord(`${pair.key.value}=${json}`, inside, { place: inside, via: [], verbatim: false })];
  });
  return { overrides, problems, open, strategy, root, baseModel };
}
