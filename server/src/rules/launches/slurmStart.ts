import data from '../../../../schemas/common/programs.json';
import { type SlurmFault, slurmFaults, writtenOption } from '../../launch/faults/slurmStart.ts';
import type { Launch } from '../../launch/launch.ts';
import type { Step } from '../../launch/wrappers/chain.ts';
import { torchrunOptions } from '../../launch/wrappers/torchrun.ts';
import { shownCall } from '../../launch/wrappers/wrapper.ts';
import { display, textOf, type Word, writtenAt } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';

type Read = (path: string) => string | undefined;
type FaultOf<Kind extends SlurmFault['kind']> = Extract<SlurmFault, { kind: Kind }>;

/** What starts commands on the nodes of a job. */
const onNodes = new RegExp(`(?<![\\w#-])(?:${data.onNodes.join('|')}|ray)(?![\\w-])`);

/** Findings on how Slurm jobs start the launchers of a script on their nodes. */
export function slurmStartFindings(
  launches: readonly Launch[],
  text: string,
  read: Read,
  common: CommonRules,
): Finding[] {
  const code = text.replace(/^[ \t]*#.*$/gm, '');
  return launches.flatMap(({ command }) =>
    slurmFaults(command, onNodes.test(code)).flatMap((fault) => findingsOf(fault, read, common)),
  );
}

function findingsOf(fault: SlurmFault, read: Read, common: CommonRules): Finding[] {
  const launcher = shownCall(fault.launcher.name);
  const certainty = 'likely';
  switch (fault.kind) {
    case 'same-rank':
      return sameRank(fault, launcher, read, common);
    case 'in-every-task': {
      const { tasks, processes, word } = fault;
      const values = { launcher, tasks: String(tasks), processes: String(processes) };
      const fixes = replaced(word, String(tasks), '1', 'Ask for one task a node', read);
      return commonFinding(common, 'launcher-in-every-task', writtenAt(word), values, { certainty, fixes });
    }
    case 'nodes-disagree': {
      const { stated, nodes, word } = fault;
      const values = { launcher, stated: display(stated), nodes: String(nodes) };
      const related =
        word === undefined ? [] : [{ place: writtenAt(word), message: `${nodes} nodes are asked for here` }];
      const fixes = replaced(stated, display(stated), String(nodes), `Wait for ${nodes} nodes`, read);
      return commonFinding(common, 'nodes-disagree', writtenAt(stated), values, {
        certainty,
        related,
        fixes,
      });
    }
    case 'first-node-only': {
      const { word, nodes } = fault;
      const values = { nodes: String(nodes), launcher };
      const fixes = startedBySrun(word, fault.launcher, read);
      return commonFinding(common, 'nodes-without-srun', word.place, values, { certainty, fixes });
    }
  }
}

function sameRank(
  { rank, nodes, launcher: step }: FaultOf<'same-rank'>,
  launcher: string,
  read: Read,
  common: CommonRules,
): Finding[] {
  const value = rank?.value;
  const reason =
    rank === undefined || value === undefined
      ? `${launcher} is given no rank, which is 0 then`
      : `${writtenOption(rank)} ${display(value)} is read once, before srun starts ${launcher} on the nodes`;
  const place = value === undefined ? step.word.place : writtenAt(value);
  const values = { reason, nodes: String(nodes) };
  return commonFinding(common, 'rank-of-first-node', place, values, {
    certainty: 'likely',
    fixes: withoutRank(step, read),
  });
}

/** A fix that puts `srun` before a launcher that is verbatim in the text, and removes ranks, which would be the same everywhere. */
function startedBySrun(word: Word, launcher: Step, read: Read): readonly Fix[] {
  const { path, span } = word.place;
  if (read(path)?.slice(span.start, span.end) !== textOf(word)) return [];
  const ranks = withoutRank(launcher, read)[0]?.edits ?? [];
  const srun = { path, span: { start: span.start, end: span.start }, newText: 'srun ' };
  const title = `Start it by srun${ranks.length > 0 ? ', and meet by c10d' : ''}`;
  return [suggestedFix(title, [srun, ...ranks])];
}

/** A fix that replaces a number at the end of a word, if it is verbatim there. */
function replaced(word: Word, before: string, after: string, title: string, read: Read): readonly Fix[] {
  const { path, span } = writtenAt(word);
  const start = span.end - before.length;
  if (read(path)?.slice(start, span.end) !== before) return [];
  return [suggestedFix(title, [{ path, span: { start, end: span.end }, newText: after }])];
}

/** Replaces the options for rank and address with those of a meeting point that needs no ranks, if all are verbatim in the launch. */
function withoutRank({ options, word: launcher }: Step, read: Read): readonly Fix[] {
  const use = (name: string) => options.findLast((option) => option.name === name);
  const [rank, address, port] = [
    use(torchrunOptions.rank),
    use(torchrunOptions.address),
    use(torchrunOptions.port),
  ];
  const text = read(launcher.place.path) ?? '';
  if (address?.value === undefined || port?.value === undefined) return [];
  const all = [rank, address, port].filter((one) => one !== undefined);
  const spans = all.map(({ word, value }) => ({
    start: word.place.span.start,
    end: value?.place.span.end ?? word.place.span.end,
  }));
  const isHere = all.every(
    ({ word, value }) =>
      word.place.path === launcher.place.path &&
      text.slice(word.place.span.start, word.place.span.end).startsWith('--') &&
      value?.place.path === launcher.place.path,
  );
  if (!isHere) return [];
  const written = ({ word, value }: (typeof all)[number]): string => {
    const { start, end } =
      value === undefined || value.place.span.start === word.place.span.start
        ? word.place.span
        : value.place.span;
    return text.slice(start, end).replace(/^--[\w-]+=/, '');
  };
  const meeting = `--rdzv_id $SLURM_JOB_ID --rdzv_backend c10d --rdzv_endpoint ${written(address)}:${written(port)}`;
  const edits = spans.map(({ start, end }, at) => {
    const blanks = at === 0 ? 0 : (/(?<![ \t])[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0);
    return {
      path: launcher.place.path,
      span: { start: start - blanks, end },
      newText: at === 0 ? meeting : '',
    };
  });
  return [suggestedFix('Meet by c10d', edits)];
}
