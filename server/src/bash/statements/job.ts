import type { Statement } from 'unbash';
import type { Place } from '../../text/span.ts';
import { loseInputs } from '../files/descriptors.ts';
import { hole } from '../state/pieces.ts';
import { type Shell, type Status, success } from '../state/shell.ts';
import { noOutputs, type Sink } from '../state/streams.ts';
import type { Source } from '../text/source.ts';
import { executeNode } from './execute.ts';
import { passAnswers } from './subshell.ts';
import { runExitTrap } from './traps.ts';

/** Runs `COMMAND &` in a copy of the shell, which nothing awaits yet. */
export function startJob(shell: Shell, source: Source, { command, pos, end }: Statement): void {
  const copy = shell.fork();
  const sink: Sink | undefined = shell.outputs.size > 0 ? { pieces: [], size: 0 } : undefined;
  copy.outputs =
    sink === undefined ? noOutputs : new Map([...shell.outputs.keys()].map((each) => [each, sink]));
  copy.isJob = command.type === 'Command';
  const flow = executeNode(copy, source, command);
  runExitTrap(copy, flow);
  loseInputs(shell, copy);
  passAnswers(shell, copy, false);
  const place = source.place(pos, end);
  if (sink !== undefined && sink.pieces.length > 0) mixOutput(shell, place);
  rememberJob(shell, copy.status, place);
  shell.status = success;
  shell.pipeline = [success];
}

/** A background command writes concurrently: from here on the collected output is unknown. */
function mixOutput(shell: Shell, place: Place): void {
  for (const sink of new Set(shell.outputs.values())) {
    shell.writeTo(sink, [{ ...hole('command-output', 'output', place), splits: true }]);
    sink.isMixed = true;
  }
}

/** Remembers the status of a background command, for a later `wait`. */
function rememberJob(shell: Shell, status: Status, place: Place): void {
  if (status.fork !== undefined || status.code !== 0) shell.hasFailedJob = true;
  const lastJob = hole('random', '$!', place, {
    shape: 'integer',
    nonEmpty: true,
    job: { end: status, nesting: shell.nesting, waits: shell.store.facts.waits.most },
  });
  shell.store.keep({ lastJob });
}
