import type { BashOptions } from '../bash/options.ts';
import type { MachineProfile } from '../value/machine.ts';
import type { Embedded, EmbeddedScript } from '../yaml/embedded.ts';
import { anyItems } from '../yaml/templateLines.ts';
import { type Assumption, type Command, plainCommand } from './command.ts';

/** The machine as stated by the YAML around a command; what the user declares takes precedence. */
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

/** A command that YAML holds as a list of words. If a template adds some conditionally, the conditions are assumed to hold. */
export function commandOf({ words, env, unseen, place }: Extract<Embedded, { kind: 'command' }>): Command {
  const isConditional = words.some(({ pieces }) =>
    pieces.some((piece) => piece.kind === 'hole' && piece.label === anyItems),
  );
  const assumptions: Assumption[] = isConditional
    ? [{ place, kind: 'file', text: 'the conditions of the template hold' }]
    : [];
  return plainCommand({ words, env, place, doubtful: unseen, assumptions });
}

/** What a script within YAML gets from its surroundings. */
export function givenWithin({
  toPlace,
  env,
  unseen,
}: EmbeddedScript): Pick<BashOptions, 'locate' | 'environment' | 'unseen'> {
  return { locate: toPlace, environment: env, unseen };
}
