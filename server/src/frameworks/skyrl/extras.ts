import type { Launch } from '../../launch/launch.ts';
import type { Place } from '../../text/span.ts';
import { sliceWord, textOf, type Word } from '../../value/word.ts';
import type { BindingProblem } from '../framework.ts';

/** Options of `uv run` with which something else than the project's extras may be installed, or nothing is. */
const otherSources = /^-w$|^--(?:all-extras|with|no-sync|no-project|active|project|directory|package)/;

/**
 * That `uv run` installs the extra `fsdp` for a launch that trains with Megatron. The two extras exclude each other, and
 * Megatron-core is in one of them only.
 */
export function missingExtra(launch: Launch): BindingProblem[] {
  const options = uvOptions(launch);
  if (options.some(mayInstallOthers)) return [];
  const extras = extrasOf(options);
  const wrong = extras.find((word) => textOf(word) === 'fsdp');
  if (wrong === undefined || extras.some((word) => textOf(word) === 'megatron')) return [];
  const [piece] = wrong.pieces;
  return [
    {
      rule: 'missing-extra',
      place: placeOf(wrong),
      values: { name: 'fsdp', needed: 'Megatron-core', meant: 'megatron' },
      setting: undefined,
      replacement: piece?.origin.verbatim === true && wrong.pieces.length === 1 ? 'megatron' : undefined,
      severity: 'warning',
      related: [],
    },
  ];
}

function mayInstallOthers(word: Word): boolean {
  const text = textOf(word);
  return text === undefined || otherSources.test(text);
}

function placeOf(word: Word): Place {
  return word.pieces[0]?.origin.place ?? word.place;
}

/** The words between `uv run` and what it runs. */
function uvOptions({ command: { words }, entry }: Launch): readonly Word[] {
  const end = words.indexOf(entry.word);
  const run = words.findIndex((word, at) => {
    const before = words[at - 1];
    return textOf(word) === 'run' && before !== undefined && /(?:^|\/)uv$/.test(textOf(before) ?? '');
  });
  return run === -1 || end === -1 ? [] : words.slice(run + 1, end);
}

/** The names behind `--extra`, in one word or two. */
function extrasOf(options: readonly Word[]): readonly Word[] {
  return options.flatMap((word, at) => {
    const text = textOf(word) ?? '';
    if (text.startsWith('--extra=')) return [sliceWord(word, '--extra='.length)];
    const next = options[at + 1];
    return text === '--extra' && next !== undefined ? [next] : [];
  });
}
