import data from '../../../../schemas/common/programs.json';
import type { FrameworkId, Run } from '../../frameworks/framework.ts';
import { withoutComments } from '../../text/comments.ts';
import type { Span } from '../../text/span.ts';
import { commonFinding } from '../commonFinding.ts';
import type { Finding } from '../finding.ts';
import type { CommonRules } from '../rule.ts';

/** What may add nodes to a Ray cluster, or start it elsewhere. */
const bringsNodes = new RegExp(
  `(?<![\\w-])(?:${[...data.onNodes, ...data.bringNodes].join('|')}|ray (?:up|start[^\\n]*--address))(?![\\w-])`,
);

/** The most GPUs that nearly all nodes have: whoever asks for more has several nodes, and may start Ray on the others by hand. */
const ofOneNode = 8;

const start = /ray[ \t]+start\b(?<=^[ \t]*(?:\w+=\S*[ \t]+)*ray[ \t]+start)(?:[^\n\\]|\\\r?\n|\\.)*/gm;

/**
 * Runs that ask a Ray cluster for more GPUs than the script that contains them starts it with, on this one node: Ray waits for them forever
 * without an error.
 *
 * @param read text of a file
 */
export function rayClusterFindings(
  { launch, framework, scopes }: Run,
  common: CommonRules,
  read: (path: string) => string | undefined,
): Finding[] {
  if (launch === undefined) return [];
  const { path } = launch.place;
  const text = read(path);
  if (text?.includes('ray start') !== true) return [];
  const code = withoutComments(text);
  const demanded = scopes.find(({ set }) => set === framework)?.lookup('job_gpus')?.value;
  const gpus = demanded?.kind === 'known' && typeof demanded.data === 'number' ? demanded.data : undefined;
  return [
    ...beyondVisible(code, path, common, framework),
    ...(gpus === undefined ? [] : beyondCluster(gpus, code, path, common, framework)),
  ];
}

/** A job that takes more GPUs than the single Ray node that its script starts has. */
function beyondCluster(
  demanded: number,
  code: string,
  path: string,
  common: CommonRules,
  framework: FrameworkId,
): Finding[] {
  const [head, ...others] = code.matchAll(start);
  if (head === undefined || others.length > 0 || bringsNodes.test(code)) return [];
  const offered = /--head\b/.test(head[0]) ? /--num-gpus[ =](\d+)(?=\s|$)/d.exec(head[0]) : null;
  const at = offered?.indices?.[0];
  const gpus = Number(offered?.[1]);
  if (at === undefined || demanded <= gpus || demanded > ofOneNode) return [];
  const span: Span = { start: head.index + at[0], end: head.index + at[1] };
  const values = { demanded: String(demanded), offered: String(gpus) };
  return commonFinding(common, 'job-exceeds-ray-cluster', { path, span }, values, {
    certainty: 'likely',
    framework,
    settings: ['--num-gpus'],
  });
}

/**
 * Starts of Ray with more GPUs than CUDA_VISIBLE_DEVICES lists: Ray counts the list and refuses (`Attempting to start raylet with …`). Only
 * reported if the script exports the variable once, for everything that follows; whether both lines are reached is not checked.
 */
function beyondVisible(code: string, path: string, common: CommonRules, framework: FrameworkId): Finding[] {
  const [only, ...others] = code.matchAll(/(?:CUDA|HIP|ROCR)_VISIBLE_DEVICES\b/g);
  const exported = /^export[ \t]+CUDA_VISIBLE_DEVICES=(["']?)(\d+(?:,\d+)*)\1[ \t\r;]*$/dm.exec(code);
  const listed = exported?.indices?.[2];
  if (only === undefined || others.length > 0 || exported === null || listed === undefined) return [];
  const devices = exported[2] ?? '';
  const visible = devices.split(',').length;
  return [...code.matchAll(start)].flatMap((command) => {
    const offered = /--num-gpus[ =](\d+)(?=\s|$)/d.exec(command[0]);
    const at = offered?.indices?.[0];
    if (command.index < exported.index || at === undefined || Number(offered?.[1]) <= visible) return [];
    const span: Span = { start: command.index + at[0], end: command.index + at[1] };
    const place = { path, span: { start: listed[0], end: listed[1] } };
    const values = { offered: offered?.[1] ?? '', devices, visible: String(visible) };
    return commonFinding(common, 'ray-starts-beyond-visible-devices', { path, span }, values, {
      certainty: 'likely',
      framework,
      settings: ['--num-gpus'],
      related: [{ place, message: `CUDA_VISIBLE_DEVICES=${devices}` }],
    });
  });
}
