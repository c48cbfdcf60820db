import { isMap, isScalar, parseDocument } from 'yaml';
import { holeOf, literalWord, textOf, type Word } from '../../value/word.ts';
import type { BindingProblem } from '../framework.ts';

/** The overrides that a tinker server's `--backend-config` holds. */
export interface TinkerWords {
  readonly overrides: readonly Word[];
  readonly problems: readonly BindingProblem[];
  readonly open: boolean;
}

/** Keys of `--backend-config` that configure the server itself. */
const ownKeys = new Set(['strategy', 'keep_runtime_warm_on_last_unload']);

/** Reads the words behind `skyrl.tinker.api`: the JSON object of `--backend-config`, its keys being dotted overrides. */
export function tinkerWords(args: readonly Word[]): TinkerWords {
  const at = args.findIndex((word) => /^--backend-config(?:=|$)/.test(textOf(word) ?? ''));
  const flag = at < 0 ? undefined : args[at];
  const joined = flag === undefined ? undefined : textOf(flag)?.split(/=(.*)/s)[1];
  const word = joined === undefined ? (at < 0 ? undefined : args[at + 1]) : flag;
  if (word === undefined) return { overrides: [], problems: [], open: false };
  if (holeOf(word) !== undefined) return { overrides: [], problems: [], open: true };
  const text = joined ?? textOf(word) ?? '';
  const refused = (reason: string): TinkerWords => ({
    overrides: [],
    problems: [
      {
        rule: 'invalid-override',
        place: word.pieces[0]?.origin.place ?? word.place,
        values: { name: '--backend-config', value: 'the value of --backend-config', reason },
        setting: undefined,
        replacement: undefined,
        severity: 'error',
        related: [],
      },
    ],
    open: false,
  });
  const document = parseDocument(text, { schema: 'json', uniqueKeys: false });
  const error = document.errors[0];
  if (error !== undefined) return refused(`not JSON: ${error.message.split('\n', 1)[0] ?? ''}`);
  if (!isMap(document.contents)) return refused('not a JSON object');
  const piece = word.pieces.length === 1 ? word.pieces[0] : undefined;
  const overrides = document.contents.items.flatMap((pair) => {
    if (!isScalar(pair.key) || typeof pair.key.value !== 'string' || ownKeys.has(pair.key.value)) return [];
    const range = pair.key.range;
    const place = piece?.origin.place ?? word.place;
    const inside =
      piece?.origin.verbatim === true && range !== undefined && range !== null && joined === undefined
        ? { path: place.path, span: { start: place.span.start + range[0], end: place.span.start + range[1] } }
        : place;
    const value = isScalar(pair.value) ? pair.value.value : document.getIn([pair.key.value]);
    const json = JSON.stringify(value ?? null);
    return [literalWord(`${pair.key.value}=${json}`, inside, { place: inside, via: [], verbatim: false })];
  });
  return { overrides, problems: [], open: false };
}
