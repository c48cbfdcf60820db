import { textOf } from '../../value/word.ts';
import type { Command } from '../command.ts';
import type { Chain } from '../wrappers/chain.ts';
import { type OptionUse, optionOf } from '../wrappers/options.ts';
import { torchrunOf, torchrunOptions } from '../wrappers/torchrun.ts';
import { mayGetMoreOptions } from './meetingPoint.ts';
import { type RefusedValue, writtenName } from './ownOptions.ts';

/** Whether a text is a port, as torchrun reads it from the end of an address. */
const isPort = (text: string): boolean => /^\d+$/.test(text) && Number(text) < 2 ** 16;

/**
 * A rendezvous address that torchrun cannot parse: its port is not one, its host has a scheme before it, or ranks are given but no port
 * (torch/distributed/elastic/rendezvous/utils.py, parse_rendezvous_endpoint; torch/distributed/launcher/api.py, _get_addr_and_port). The port
 * of `--master-port` is read if there is no other address and no other way to meet.
 */
export function endpointFaults(command: Command, chain: Chain): readonly RefusedValue[] {
  const step = torchrunOf(chain);
  if (step === undefined || mayGetMoreOptions(step, command, chain)) return [];
  // The configuration may name a file to meet in, and `--standalone` replaces all of them with its own address.
  const isOther = [torchrunOptions.configuration, torchrunOptions.alone].some(
    (name) => optionOf(step, name) !== undefined,
  );
  const backend = optionOf(step, torchrunOptions.backend)?.value;
  const meets = backend === undefined ? 'static' : textOf(backend);
  if (isOther || (meets !== 'static' && meets !== 'c10d')) return [];
  const endpoint = optionOf(step, torchrunOptions.endpoint);
  if (endpoint === undefined)
    return meets === 'static'
      ? refused(optionOf(step, torchrunOptions.port), isNoPort, 'a port up to 65535')
      : [];
  const isWrong = (text: string): boolean => isNoAddress(text, meets === 'static');
  return refused(endpoint, isWrong, 'a host and a port up to 65535, as in node0:29500');
}

function isNoPort(text: string): boolean {
  return /^[+-]?\d+$/.test(text) && !isPort(text);
}

function isNoAddress(text: string, needsPort: boolean): boolean {
  // An address with several colons is IPv6.
  const [, host, end] = /^([^:[\]]*):([^:]*)$/.exec(text) ?? [];
  if (/^\w+:\/\//.test(text)) return true;
  return end === undefined ? needsPort && /^[\w.-]+$/.test(text) : host === '' || !isPort(end);
}

function refused(
  use: OptionUse | undefined,
  isWrong: (text: string) => boolean,
  expected: string,
): readonly RefusedValue[] {
  const text = use?.value === undefined ? undefined : textOf(use.value)?.trim();
  if (use?.value === undefined || !text || !isWrong(text)) return [];
  return [{ kind: 'invalid-value', name: writtenName(use.word), word: use.value, expected }];
}
