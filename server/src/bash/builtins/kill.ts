import { ask } from '../conditions/verdict.ts';
import { hasNoJob } from '../state/doubt.ts';
import { hole, knownText, type ShellHole } from '../state/pieces.ts';
import { type Flow, failure, presumedSuccess, type Shell, type Status, success } from '../state/shell.ts';
import { atSignal } from '../state/shellFacts.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { endsProcess, signalNamed, statusOfSignal } from '../statements/traps.ts';
import { type Builtin, leadingOptions, textAt } from './builtin.ts';
import { valuedLetters } from './optionLetters.ts';

const valued = valuedLetters('wait');

/** `kill [-SIGNAL] PROCESS…`: a signal that the script sends itself (`kill -USR1 $$`) arrives after this command; `kill -l` lists signals. */
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
  const signal = signalNamed(written);
  const processes = words.slice(isApart ? 2 : 0);
  if (shell.kind !== 'own' && processes.some(isRunningShell)) return endCopy(shell, signal);
  // Whether a subshell really sends it may depend on what the user gives.
  if (shell.kind !== 'own' && shell.run.regions.length > shell.outerRegions) return undefined;
  for (const word of processes) {
    if (isOwnProcess(shell, word)) shell.pendingSignals = [...(shell.pendingSignals ?? []), signal];
    const job = jobOf(word);
    if (job !== undefined && endsProcess(signal)) {
      const { endedJobs } = shell.store.facts;
      shell.store.keep({ endedJobs: [...endedJobs, job.origin.place] });
    }
  }
  return undefined;
};

/** What a subshell does with a signal that it sends itself: if the signal ends it, the effect is that of `exit`. */
function endCopy(shell: Shell, signal: string): Flow {
  // A trap is either the subshell's own, or inherited from the script and not run.
  const isTrapped = signal !== 'KILL' && shell.store.trap(atSignal(signal)) !== undefined;
  // `INT` would end the script itself, too.
  if (isTrapped || !endsProcess(signal) || signal === 'INT') return undefined;
  shell.status = { code: statusOfSignal(signal), needs: [], presumed: false };
  return shell.exit(shell.status.code);
}

/** The number of a background job of the script, if a word is one. */
function jobOf({ pieces: [only, ...others] }: ShellWord): ShellHole | undefined {
  return only?.kind === 'hole' && others.length === 0 && only.job !== undefined ? only : undefined;
}

/** The status of `wait` for a job of another shell. */
const noChild: Status = { code: 127, needs: [], presumed: false };

/** Whether there is certainly no such job: literal numbers are those of other processes. */
function isOfNoJob(shell: Shell, word: ShellWord | undefined): boolean {
  const text = word === undefined ? '' : knownText(word.pieces);
  if (text === undefined || /^\d+$/.test(text)) return text !== undefined;
  return (text === '' || text.startsWith('%')) && hasNoJob(shell);
}

/** `wait [JOB…]`: its status is that of the job. If it is unknown which job is meant, one that may have failed leaves the status open. */
export const wait: Builtin = (shell, words, { place }) => {
  const { letters, rest } = leadingOptions(words, valued);
  const last = rest.at(-1);
  const job = last === undefined ? undefined : jobOf(last);
  const end = job?.job?.end;
  const key = `wait ${place.path} ${place.span.start}`;
  if (job?.job !== undefined && job.job.nesting !== shell.nesting) {
    const isKnown = shell.knownJobs !== undefined && job.job.nesting >= shell.knownJobs;
    const [yes, no] = ['a command in the background has ended well before', 'it has not'];
    shell.status = isKnown ? ask({ key, yes, no, first: false, code: 255 }, place) : noChild;
  } else if (job?.job !== undefined && job.job.waits < shell.store.facts.waits.most) {
    const isForgotten = job.job.waits < shell.store.facts.waits.least;
    const [yes, no] = ['the status of a command in the background is still known', 'it is no longer known'];
    shell.status = isForgotten ? noChild : ask({ key, yes, no, first: true, code: 127 }, place);
  } else if (job !== undefined && isEnded(shell, job)) {
    const command = 'a command in the background that the script ends';
    const [yes, no] = [`${command} succeeds all the same`, `${command} fails`];
    shell.status = ask({ key, yes, no, first: true, code: 143 }, place);
  } else if (end !== undefined) {
    // Under `set -e` the script continues only if it succeeds.
    const isPresumed = end.fork !== undefined && shell.switches.errexit && shell.conditionDepth === 0;
    shell.status = isPresumed ? presumedSuccess : end;
  } else if (rest.length === 0 && !letters.has('n')) {
    const { most } = shell.store.facts.waits;
    shell.store.keep({ waits: { least: most + 1, most: most + 1 } });
    shell.status = success;
  } else if (isOfNoJob(shell, last)) shell.status = noChild;
  else if (last !== undefined && /^[A-Za-z_/.]/.test(knownText(last.pieces) ?? '')) shell.status = failure;
  else if (shell.hasFailedJob) {
    const [yes, no] = ['the commands in the background succeed', 'one of them fails'];
    shell.status = ask({ key, yes, no, first: true }, place);
  } else shell.status = presumedSuccess;
  return undefined;
};

/** Whether the script has itself killed a job (`kill $PID; wait $PID`). */
function isEnded({ store }: Shell, { origin: { place } }: ShellHole): boolean {
  return store.facts.endedJobs.some(
    ({ path, span }) => path === place.path && span.start === place.span.start,
  );
}

/** Whether a word is `$BASHPID`, the process ID of the shell or subshell that runs it. */
function isRunningShell({ pieces: [only, ...others] }: ShellWord): boolean {
  return (
    only?.kind === 'hole' && others.length === 0 && only.label === '$BASHPID' && only.reason === 'random'
  );
}

/**
 * Whether a word is the script's process ID: `$$`, or a variable holding it (in a script started by another one, that may be the other
 * script's); or `0`, which means the whole process group.
 */
function isOwnProcess({ via, kind }: Shell, word: ShellWord): boolean {
  const { pieces } = word;
  if (knownText(pieces) === '0') return via.length === 0;
  if (kind === 'own' && isRunningShell(word)) return via.length === 0;
  const [only, ...more] = pieces;
  if (only?.kind !== 'hole' || more.length > 0) return false;
  return only.label === '$$' && only.reason === 'random' && (via.length === 0 || only.origin.via.length <= 1);
}
