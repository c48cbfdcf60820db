import type { Coproc } from 'unbash';
import { Elements } from '../state/elements.ts';
import { hole } from '../state/pieces.ts';
import { type Flow, type Shell, success } from '../state/shell.ts';
import { blankVariable } from '../state/store.ts';
import { noOutputs } from '../state/streams.ts';
import type { Source } from '../text/source.ts';
import { setScalar } from './assign.ts';
import { executeNode, executeStatements } from './execute.ts';

/**
 * Runs `coproc NAME COMMAND` in parallel to the script, which gets two descriptors and the process ID; what passes through the descriptors is
 * unknown.
 */
export function executeCoprocess(shell: Shell, source: Source, node: Coproc): Flow {
  const copy = shell.fork();
  copy.outputs = noOutputs;
  copy.stdin = undefined;
  if (node.body.type === 'CompoundList') executeStatements(copy, source, node.body.commands);
  else executeNode(copy, source, node.body);
  const place = source.place(node.pos, node.end);
  const name = node.name?.value ?? 'COPROC';
  const number = (label: string) =>
    [hole('random', label, place, { shape: 'integer', nonEmpty: true })] as const;
  const elements = Elements.list([number(`\${${name}[0]}`), number(`\${${name}[1]}`)]);
  shell.assign(name, { ...blankVariable, kind: 'indexed', elements, places: [place] });
  setScalar(shell, `${name}_PID`, number(`$${name}_PID`), [place]);
  const [lastJob] = number('$!');
  shell.store.keep({ lastJob });
  shell.status = success;
  return undefined;
}
