import type { Place } from '../text/span.ts';
import type { Piece, Word } from '../value/word.ts';
import { literalWord } from '../value/word.ts';
import type { YamlDocument, YamlEntry, YamlNode } from './document.ts';
import { piecesBetween } from './pieces.ts';
import { environmentWord, hole, joined } from './words.ts';

/** The command line that Megatron-LM's functional-test runner builds from a `model_config.yaml`. */
export interface ModelConfig {
  /** The words after the training script. */
  readonly words: readonly Word[];
  readonly env: ReadonlyMap<string, Word>;
  /** The map with the arguments. */
  readonly place: Place;
  /** `MODE`: `inference`, `rl`; undefined means pretraining. */
  readonly mode: string | undefined;
}

/**
 * Reads a functional test's configuration. `true` is a bare flag, a text in brackets loses them and splits into words, a text with blanks, bars
 * or parentheses is one word, `$NAME` and `${NAME}` are filled in from outside.
 * @param key which arguments: `MODEL_ARGS`, or `MODEL_ARGS_2` … for the later runs of a test
 * @param splits the runner before 0.13, which does not quote values: blanks split them into words
 * @returns undefined if the document has no such map
 */
export function modelConfig(
  document: YamlDocument,
  key = 'MODEL_ARGS',
  splits = false,
): ModelConfig | undefined {
  const args = document.at([key]);
  if (args?.kind !== 'map') return undefined;
  const env = new Map<string, Word>();
  for (const entry of document.at(['ENV_VARS'])?.entries ?? []) {
    const word = environmentWord(entry.node);
    env.set(entry.key, { place: word.place, pieces: filled(word.pieces) });
  }
  const mode = document.at(['MODE'])?.value;
  return {
    words: args.entries.flatMap((entry) => wordsOf(entry, splits)),
    env,
    place: args.place,
    mode: mode?.kind === 'known' && typeof mode.data === 'string' ? mode.data : undefined,
  };
}

function wordsOf(entry: YamlEntry, splits: boolean): readonly Word[] {
  const key = literalWord(entry.key, entry.keyPlace);
  const { node } = entry;
  const text = trimmed(node);
  if (text === undefined) return [key, { pieces: [hole(node.place, entry.key, true)], place: node.place }];
  const plain = joined(text);
  if (plain === 'true') return [key];
  if (plain === '') return [];
  if (/^\[[^\]]+\]$/.test(plain))
    return [key, ...split(piecesBetween(text, 1, plain.length - 1), node.place)];
  if (splits && plain.includes(' ')) return [key, ...split(text, node.place)];
  const value = filled(text);
  const quoted = /[ |()]/.test(plain);
  const sound = quoted
    ? !/["`\\!]/.test(plain)
    : !/[;&<>`\\{}~#]/.test(joined(value.filter((p) => p.kind === 'text')));
  return [
    key,
    sound ? { pieces: value, place: node.place } : { pieces: [hole(node.place, plain)], place: node.place },
  ];
}

/** The value as the runner's `xargs` leaves it, or undefined if that does more than trim blanks. */
function trimmed(node: YamlNode): readonly Piece[] | undefined {
  if (node.kind !== 'scalar' || node.value.kind === 'unknown' || node.value.data === null) return undefined;
  const text = joined(node.pieces);
  if (/["'\\\n]| {2}/.test(text.trim()) || /^(?:True|TRUE)$/.test(text)) return undefined;
  const start = text.length - text.trimStart().length;
  return piecesBetween(node.pieces, start, start + text.trim().length);
}

function split(pieces: readonly Piece[], place: Place): readonly Word[] {
  const text = joined(pieces);
  return [...text.matchAll(/\S+/g)].map((match) => {
    const own = filled(piecesBetween(pieces, match.index, match.index + match[0].length));
    const sound = !/[;&<>`|()~#]/.test(match[0]);
    return { pieces: sound ? own : [hole(place, match[0])], place: own[0]?.origin.place ?? place };
  });
}

/** `$NAME` and `${NAME}` as holes: the runner fills them from its environment. */
function filled(pieces: readonly Piece[]): readonly Piece[] {
  const text = joined(pieces);
  if (!text.includes('$')) return pieces;
  const out: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(/\$(?:\{[^}]*\}|[A-Za-z_]\w*|\([^)]*\))/g)) {
    const end = match.index + match[0].length;
    const [own] = piecesBetween(pieces, match.index, end);
    out.push(...piecesBetween(pieces, at, match.index));
    if (own !== undefined)
      out.push({
        kind: 'hole',
        reason: 'environment',
        label: match[0],
        shape: 'any',
        splits: true,
        origin: own.origin,
      });
    at = end;
  }
  out.push(...piecesBetween(pieces, at, text.length));
  return out;
}
