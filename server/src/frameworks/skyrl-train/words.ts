import { knownPrefix, type Word } from '../../value/word.ts';
import type { BindingProblem } from '../framework.ts';
import { rejoin } from '../omegaconf/apart.ts';
import { refusedOfHydra } from '../omegaconf/hydraOwn.ts';
import { invalidOverride } from '../omegaconf/invalidOverride.ts';
import { type Override, type OverrideProblem, parseOverride } from '../omegaconf/overrides.ts';
import { beginsVerbatim, placeWithin } from '../places.ts';

/** The words after a program, parsed as Hydra overrides. */
export interface Words {
  readonly overrides: readonly Override[];
  readonly problems: readonly BindingProblem[];
  /** A word may stand for more settings than are visible. */
  readonly isOpen: boolean;
  /** The launch names a configuration other than upstream's, or changes what it is composed of. */
  readonly isOther: boolean;
  /** The keys that are deleted from the configuration, if it is upstream's. */
  readonly deletions: readonly Override[];
}

/** Hydra flags that name another configuration, or where to find one. */
const otherConfiguration = /^(?:--config-(?:name|path|dir)|-c[npd])\b/;

/** Hydra flags that take a value. */
const flagWithValue = /^(?:--config-(?:name|path|dir)|-c[npd]|--package|-p|--cfg|-c|--experimental-rerun)$/;

/** Parses the words after a program with Hydra's grammar. */
export function readWords(args: readonly Word[]): Words {
  const overrides: Override[] = [];
  const read: Override[] = [];
  const deletions: Override[] = [];
  const problems: BindingProblem[] = [];
  let isOpen = false;
  let isOther = false;
  const rejoined = rejoin(args, (text) => /^\+*[A-Za-z_][\w.]*$/.test(text), 'error');
  problems.push(...rejoined.problems);
  let isValueOfFlag = false;
  const isSweep = rejoined.words.some((word) => /^(?:--multirun|-m)$/.test(knownPrefix(word)));
  for (const word of rejoined.words) {
    const begin = knownPrefix(word);
    const isFlag = begin.startsWith('-');
    isOther ||= isFlag && otherConfiguration.test(begin);
    if (isFlag && !isValueOfFlag && /^--[A-Za-z_]\w*\./.test(begin)) problems.push(dashedKey(word, begin));
    const isSkipped = isFlag || isValueOfFlag;
    isValueOfFlag = isFlag && flagWithValue.test(begin);
    if (isSkipped) continue;
    const parsed = parseOverride(word, 'hydra');
    if (parsed.kind === 'override') read.push(parsed);
    if (parsed.kind === 'problem') {
      if (parsed.reason === 'open-key') isOpen = true;
      else if (parsed.reason !== 'sweep' || !isSweep) problems.push(refusedWord(parsed));
      if (parsed.override !== undefined) overrides.push(parsed.override);
    } else if (parsed.operation === 'delete' && !/[@/]/.test(parsed.key)) deletions.push(parsed);
    else if (changesComposition(parsed)) isOther = true;
    else if (!parsed.key.startsWith('hydra/')) overrides.push(parsed);
  }
  return {
    overrides,
    problems: [...problems, ...refusedOfHydra(read)],
    isOpen,
    isOther,
    deletions: isOther ? [] : deletions.filter(({ path }) => path[0] !== 'hydra'),
  };
}

/**
 * Whether an override makes the configuration differ from what its files say: it includes a file of a config group (a new dotless name may be
 * one) or from elsewhere, or deletes something.
 */
function changesComposition({ key, operation, path }: Override): boolean {
  const isNew = operation === 'add' || operation === 'force-add';
  return (
    (/[@/]/.test(key) && !key.startsWith('hydra/')) ||
    key === 'hydra.searchpath' ||
    operation === 'delete' ||
    (isNew && path.length === 1)
  );
}

/** A key with dashes, which argparse takes for a flag that Hydra does not have. */
function dashedKey(word: Word, begin: string): BindingProblem {
  const key = begin.replace(/=.*/s, '');
  return invalidOverride({
    key,
    reason: 'Hydra has no such flag, and keys have no dashes before them',
    place: placeWithin(word, 0, key.length),
    severity: 'error',
    replacement: beginsVerbatim(word, key.length) ? key.slice(2) : undefined,
  });
}

function refusedWord({ key, detail, place, reason }: OverrideProblem): BindingProblem {
  return invalidOverride({
    key,
    ...(reason === 'bad-value' || reason === 'sweep' ? { part: 'value' } : {}),
    reason: reason === 'sweep' ? 'it names several, which only --multirun takes' : detail,
    place,
    severity: 'error',
  });
}
