import data from '../../../../schemas/common/programs.json';
import type { Command } from '../../launch/command.ts';
import type { Launch } from '../../launch/launch.ts';
import { programName } from '../../launch/wrappers/called.ts';
import { chainOf } from '../../launch/wrappers/chain.ts';
import { isOpaque, looksLikeOption, optionOf, optionsIn } from '../../launch/wrappers/options.ts';
import { submitter } from '../../launch/wrappers/rayJob.ts';
import { rayStart } from '../../launch/wrappers/wrappers.ts';
import { textOf, type Word } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import type { Finding } from '../finding.ts';
import type { CommonRules } from '../rule.ts';

/** An address on this machine with a port. */
export const localAddress = /^(?:https?:\/\/)?(?:127\.0\.0\.1|localhost):(\d+)\/?$/;

/**
 * Jobs that are submitted to this machine at a port other than that of the cluster which the script starts.
 *
 * @param commands all that the script runs, including those that start Ray
 */
export function dashboardPortFindings(
  commands: readonly Command[],
  launches: readonly Launch[],
  common: CommonRules,
): Finding[] {
  const submissions = launches.flatMap(({ command }) => addressesOf(command));
  if (submissions.length === 0) return [];
  const ports = new Set(commands.flatMap(({ words }) => portOfHead(words) ?? []));
  const [port, ...others] = ports;
  if (port === undefined || others.length > 0 || port === 'unknown') return [];
  const seen = new Set<string>();
  return submissions.flatMap((address) => {
    const text = textOf(address) ?? '';
    const given = localAddress.exec(text)?.[1];
    const { path, span } = address.place;
    const key = `${path} ${span.start}`;
    if (given === undefined || given === port || seen.has(key)) return [];
    seen.add(key);
    return commonFinding(
      common,
      'address-of-no-dashboard',
      address.place,
      { address: text, port },
      { certainty: 'likely' },
    );
  });
}

/** The addresses to which a command submits a Ray job. */
export function addressesOf(command: Command): readonly Word[] {
  return [command, ...command.via].flatMap(({ words }) =>
    chainOf(words).steps.flatMap((step) => {
      const value = step.name === submitter ? optionOf(step, '--address')?.value : undefined;
      return value === undefined ? [] : [value];
    }),
  );
}

/** The dashboard port of a cluster that a command starts, or `unknown`; undefined for other commands. */
function portOfHead(words: readonly Word[]): string | undefined {
  const { end } = chainOf(words);
  if (end.kind !== 'program' || programName(end.word) !== 'ray') return undefined;
  const at = words.findIndex((word, index) => index > end.index && textOf(word) === 'start');
  if (at < 0 || !words.slice(end.index + 1, at).every(looksLikeOption)) return undefined;
  const given = words.slice(at + 1);
  const options = optionsIn(given, rayStart);
  if (optionOf({ options }, '--head') === undefined)
    return given.some(isOpaque) && optionOf({ options }, '--address') === undefined ? 'unknown' : undefined;
  const port = optionOf({ options }, '--dashboard-port');
  if (port === undefined) return given.some(isOpaque) ? 'unknown' : data.rayDashboard.port;
  const text = port.value === undefined ? undefined : textOf(port.value);
  return text !== undefined && /^[1-9]\d*$/.test(text) ? text : 'unknown';
}
