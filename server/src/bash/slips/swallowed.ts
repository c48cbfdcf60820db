import { knownText } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';

/**
 * Reports a flag whose value is an unquoted expansion that vanishes when nothing is set, so that the flag takes the following flag as its
 * value.
 */
export function noteSwallowedFlags(shell: Shell, words: readonly ShellWord[]): void {
  for (let index = 1; index + 1 < words.length; index += 1) {
    const word = words[index];
    const [only] = word?.pieces ?? [];
    if (word === undefined || word.pieces.length !== 1 || only?.kind !== 'hole' || only.assumed !== '')
      continue;
    if (!only.splits && only.reason !== 'positional') continue;
    // A command's output for arguments that are not given is not such an empty value.
    if (only.label.startsWith('$(')) continue;
    const before = knownText(words[index - 1]?.pieces ?? []);
    const after = knownText(words[index + 1]?.pieces ?? []);
    if (before === undefined || after === undefined || !/^--?[A-Za-z]/.test(before) || before.includes('='))
      continue;
    if (!/^--?[A-Za-z]/.test(after)) continue;
    shell.run.report({
      kind: 'swallowed-flag',
      message: `Without ${only.label} nothing follows ${before}, so it takes ${after} as its value.`,
      place: only.origin.place,
    });
  }
}
