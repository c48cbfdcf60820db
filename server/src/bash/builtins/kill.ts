import { hole, knownText } from '../state/pieces.ts';
import { presumedSuccess, type Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { signalNamed } from '../statements/traps.ts';
import { type Builtin, textAt } from './builtin.ts';

/** `kill [-SIGNAL] PROCESS…`: what the script sends itself (`kill -USR1 $$`) comes behind this command; `kill -l` tells of signals. */
export const kill: Builtin = (shell, words, { place }) => {
  shell.status = presumedSuccess;
  const first = textAt(words, 0) ?? '';
  if (/^-[lL]/.test(first)) {
    shell.write([{ ...hole('command-output', '$(kill -l)', place), splits: true }]);
    return undefined;
  }
  const isApart = first === '-s' || first === '-n';
  const written = isApart ? textAt(words, 1) : /^-\w/.test(first) ? first.slice(1) : 'TERM';
  if (written === undefined) return undefined;
  // Whether a copy of the shell really sends it may rest on what the user gives.
  if (shell.kind !== 'own' && shell.run.regions.length > shell.outerRegions) return undefined;
  const signal = signalNamed(written);
  for (const word of words.slice(isApart ? 2 : 0))
    if (isOwnProcess(shell, word)) shell.sent = [...(shell.sent ?? []), signal];
  return undefined;
};

/**
 * Whether a word is the number of the script's process: `$$`, or a variable that was given it, which elsewhere may be that of another script;
 * or `0`, which means all that was started together.
 */
function isOwnProcess({ via }: Shell, { pieces }: ShellWord): boolean {
  if (knownText(pieces) === '0') return via.length === 0;
  const [only, ...more] = pieces;
  if (only?.kind !== 'hole' || more.length > 0) return false;
  return only.label === '$$' && only.reason === 'random' && (via.length === 0 || only.origin.via.length <= 1);
}
