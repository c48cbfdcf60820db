import type { BashOptions } from '../bash/options.ts';
import type { MachineProfile } from '../value/machine.ts';
import type { Embedded, EmbeddedScript } from '../yaml/embedded.ts';
import { type Command, plainCommand } from './command.ts';

/** The machine as the YAML around a command states it; what the user declares comes first. */
export function statedMachine(declared: MachineProfile, { resources }: Embedded): MachineProfile {
  const gpusPerNode = declared.gpusPerNode ?? resources.gpusPerNode?.value;
  const nodes = declared.nodes ?? resources.nodes?.value;
  return {
    ...declared,
    ...(gpusPerNode === undefined ? {} : { gpusPerNode }),
    ...(nodes === undefined ? {} : { nodes }),
  };
}

/** A command that YAML holds as a list of words. */
export function commandOf({ words, env, unseen, place }: Extract<Embedded, { kind: 'command' }>): Command {
  return plainCommand({ words, env, place, doubtful: unseen });
}

/** What a script within YAML is given by what stands around it. */
export function givenWithin({
  toPlace,
  env,
  unseen,
}: EmbeddedScript): Pick<BashOptions, 'locate' | 'environment' | 'unseen'> {
  return { locate: toPlace, environment: env, unseen };
}
