import type { BashOptions } from '../bash/options.ts';
import type { MachineProfile } from '../value/machine.ts';
import type { Embedded, EmbeddedScript } from '../yaml/embedded.ts';
import { anyItems } from '../yaml/templateLines.ts';
import { type Assumption, type Command, plainCommand } from './command.ts';

/** The machine as the YAML around a command states it; what the user declares comes first. */
export function statedMachine(declared: MachineProfile, { resources }: Embedded): MachineProfile {
  const gpusPerNode = declared.gpusPerNode ?? resources.gpusPerNode?.value;
  const nodes = declared.nodes ?? resources.nodes?.value;
  const slots = resources.slots?.value;
  return {
    ...declared,
    ...(slots === undefined ? {} : { slots }),
    ...(gpusPerNode === undefined ? {} : { gpusPerNode }),
    ...(nodes === undefined ? {} : { nodes }),
  };
}

/** A command that YAML holds as a list of words. Where a template adds some on conditions, these are taken to hold. */
export function commandOf({ words, env, unseen, place }: Extract<Embedded, { kind: 'command' }>): Command {
  const isConditional = words.some(({ pieces }) =>
    pieces.some((piece) => piece.kind === 'hole' && piece.label === anyItems),
  );
  const assumptions: Assumption[] = isConditional
    ? [{ place, kind: 'file', text: 'the conditions of the template hold' }]
    : [];
  return plainCommand({ words, env, place, doubtful: unseen, assumptions });
}

/** What a script within YAML is given by what stands around it. */
export function givenWithin({
  toPlace,
  env,
  unseen,
}: EmbeddedScript): Pick<BashOptions, 'locate' | 'environment' | 'unseen'> {
  return { locate: toPlace, environment: env, unseen };
}
