import type { CompiledConstraint } from '../expression/compiled.ts';
import { type RepeatedConstraint, unfolded } from '../expression/repeated.ts';
import type { Knowledge, OptionFact } from './knowledge.ts';

/** An option as its file has it: most flags are the name with dashes, which need not be written out, and its source is in `sources`. */
export interface StoredOption extends Omit<OptionFact, 'flags' | 'source'> {
  flags?: OptionFact['flags'] | 'usual';
  source?: string | undefined;
}

/** Knowledge as its file has it: constraints that are alike stand in it once. */
export interface StoredKnowledge extends Omit<Knowledge, 'options' | 'constraints'> {
  readonly options: readonly StoredOption[];
  /** Where upstream has each option. Options that are alike but for that are a tenth smaller without it. */
  readonly sources: readonly string[];
  readonly constraints: readonly (CompiledConstraint | RepeatedConstraint)[];
}

/** The flag that argparse makes of a name, or people make of it. */
export function usualFlag(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

function isWrittenOut(option: StoredOption): option is OptionFact {
  return option.flags !== 'usual' && option.source !== undefined;
}

/** The knowledge that a file of the build holds. The build has checked it, so it is taken as it is. */
export function knowledgeIn(text: string): Knowledge {
  const { sources, ...stored }: StoredKnowledge = JSON.parse(text);
  // In place, since nobody else has them: copying a thousand options takes longer than reading them.
  for (const [index, option] of stored.options.entries()) {
    if (option.flags === 'usual') option.flags = [usualFlag(option.name)];
    option.source = sources[index];
  }
  return {
    ...stored,
    options: stored.options.filter(isWrittenOut),
    constraints: stored.constraints.flatMap(unfolded),
  };
}
