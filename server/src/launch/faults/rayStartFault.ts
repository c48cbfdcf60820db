import { closest } from '../../text/spelling.ts';
import { textOf, type Word } from '../../value/word.ts';
import type { Command } from '../command.ts';
import { programName } from '../wrappers/called.ts';
import { chainOf } from '../wrappers/chain.ts';
import {
  isListed,
  isOpaque,
  looksLikeOption,
  type OptionUse,
  optionOf,
  optionsIn,
} from '../wrappers/options.ts';
import { rayStart } from '../wrappers/wrappers.ts';
import {
  type ExclusiveOption,
  type NeededOption,
  type RefusedValue,
  refusedValues,
  type UnknownOption,
  writtenName,
} from './ownOptions.ts';

type RayStartFault = UnknownOption | RefusedValue | ExclusiveOption | NeededOption;

/** What `ray start` refuses about how it is called, if that is what a command runs. */
export function rayStartFaults({ words }: Command): readonly RayStartFault[] {
  const { end } = chainOf(words);
  if (end.kind !== 'program' || programName(end.word) !== 'ray') return [];
  const at = words.findIndex((word, index) => index > end.index && textOf(word) === 'start');
  const start = words[at];
  if (start === undefined || !words.slice(end.index + 1, at).every(looksLikeOption)) return [];
  const given = words.slice(at + 1);
  const options = optionsIn(given, rayStart);
  return [
    ...options.flatMap(unknownOption),
    ...refusedValues(options, rayStart.forms),
    ...(given.some(isOpaque) ? [] : ofPlace(start, options)),
  ];
}

/** A misspelt option: Click, which parses them, takes hyphens only. What looks unknown may exist in a newer release. */
function unknownOption({ word, name }: OptionUse): readonly UnknownOption[] {
  if (!name.startsWith('--') || isListed(word, rayStart) || writtenName(word) !== name) return [];
  const hyphens = name.replaceAll('_', '-');
  const all = [...(rayStart.values ?? []), ...(rayStart.switches ?? [])];
  const near = closest(hyphens, all, 1);
  // `--num-tpus` may be an option next to `--num-gpus`.
  const meant = near === hyphens || near?.length !== hyphens.length ? near : undefined;
  return meant === undefined ? [] : [{ kind: 'unknown-option', launcher: 'ray start', word, name, meant }];
}

/** A `ray start` that neither begins a cluster nor joins one, or joins one with options for the first node. */
function ofPlace(start: Word, options: readonly OptionUse[]): readonly RayStartFault[] {
  if (optionOf({ options }, '--head', '--help') !== undefined) return [];
  const other = optionOf({ options }, '--address');
  if (other === undefined)
    return [{ kind: 'needed-option', word: start, names: '--head or --address', alone: '--head' }];
  return rayStart.ofHead.flatMap((name): readonly ExclusiveOption[] => {
    const use = optionOf({ options }, name);
    return use === undefined
      ? []
      : [{ kind: 'exclusive-option', option: use, name, other, since: undefined }];
  });
}
