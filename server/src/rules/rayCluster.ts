import type { Run } from '../frameworks/framework.ts';
import type { Span } from '../text/span.ts';
import { commonFinding } from './commonFinding.ts';
import type { Finding } from './finding.ts';
import type { CommonRules } from './rule.ts';

/** What may bring further nodes to a cluster of Ray, or start it elsewhere. */
const bringsNodes =
  /(?<![\w-])(?:srun|sbatch|ssh|pdsh|pssh|clush|mpirun|mpiexec|parallel|kubectl|scontrol|ray (?:up|start[^\n]*--address))(?![\w-])/;

/** GPUs of a node, as nearly all have at most: whoever asks for more has several, and may start Ray on the others by hand. */
const ofOneNode = 8;

const start = /(?<=^[ \t]*(?:\w+=\S*[ \t]+)*)ray[ \t]+start\b(?:[^\n\\]|\\\r?\n|\\.)*/gm;

/**
 * Runs that ask a cluster of Ray for more GPUs than the script in which they stand starts it with, on this one node: Ray waits for them
 * without an end and without an error.
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
  const code = text.replace(/(?<=^|[ \t])#.*$/gm, (comment) => ' '.repeat(comment.length));
  const [head, ...others] = code.matchAll(start);
  if (head === undefined || others.length > 0 || bringsNodes.test(code)) return [];
  const offered = /--head\b/.test(head[0]) ? /--num-gpus[ =](\d+)(?=\s|$)/d.exec(head[0]) : null;
  const demanded = scopes.find(({ set }) => set === framework)?.lookup('job_gpus')?.value;
  const at = offered?.indices?.[0];
  if (at === undefined || demanded?.kind !== 'known' || typeof demanded.data !== 'number') return [];
  const gpus = Number(offered?.[1]);
  if (demanded.data <= gpus || demanded.data > ofOneNode) return [];
  const span: Span = { start: head.index + at[0], end: head.index + at[1] };
  const values = { demanded: String(demanded.data), offered: String(gpus) };
  return commonFinding(common, 'job-exceeds-ray-cluster', { path, span }, values, {
    certainty: 'likely',
    framework,
    settings: ['--num-gpus'],
  });
}
