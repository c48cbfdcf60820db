import type { Launch } from '../../launch/launch.ts';
import { unknown } from '../../value/value.ts';
import { holeOf, type Word } from '../../value/word.ts';
import type { Effective } from '../framework.ts';

/**
 * Whether the job gets variables that the text does not show: the runtime environment of `ray job submit` is a file, or a text
 * that is computed when the script runs.
 */
export function hasHiddenEnvironment(launch: Launch): boolean {
  const { words } = launch.command;
  return words.some((word, index) => {
    const text = wordStart(word);
    if (text.startsWith('--runtime-env=') || text === '--runtime-env') return true;
    if (text.startsWith('--runtime-env-json=')) return isComputed(word);
    const next = words[index + 1];
    return text === '--runtime-env-json' && next !== undefined && isComputed(next);
  });
}

function wordStart(word: Word): string {
  const [first] = word.pieces;
  return first?.kind === 'text' ? first.text : '';
}

/** The JSON text has a hole that may hold variables: one that stands within no quotes, or beside no `env_vars` at all. */
function isComputed(word: Word): boolean {
  if (holeOf(word) === undefined) return false;
  let before = '';
  for (const piece of word.pieces) {
    if (piece.kind === 'text') before += piece.text;
    else if (!isWithinQuotes(before)) return true;
  }
  return !before.includes('env_vars');
}

/** Whether a JSON text ends within a quoted one. */
function isWithinQuotes(text: string): boolean {
  return (text.match(/(?:[^"\\]|\\.)"|^"/gs)?.length ?? 0) % 2 === 1;
}

/** Facts of a launch whose environment is partly hidden: a variable that the text does not set is unknown, not absent. */
export function withHiddenEnvironment(
  facts: (name: string) => Effective | undefined,
): (name: string) => Effective | undefined {
  return (name) => {
    const fact = facts(name);
    if (fact === undefined || !/^(env|alloc_conf)\./.test(name)) return fact;
    return fact.value.kind === 'known' && fact.value.data === null
      ? { ...fact, value: unknown('command-output', 'the runtime environment of the job') }
      : fact;
  };
}
