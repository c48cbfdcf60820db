import type { CompiledConstraint } from '../expression/compiled.ts';
import { type RepeatedConstraint, unfolded } from '../expression/repeated.ts';
import type { Knowledge } from './knowledge.ts';

/** Knowledge as its file has it: constraints that are alike stand in it once. */
export interface StoredKnowledge extends Omit<Knowledge, 'constraints'> {
  readonly constraints: readonly (CompiledConstraint | RepeatedConstraint)[];
}

/** The knowledge that a file of the build holds. The build has checked it, so it is taken as it is. */
export function knowledgeIn(text: string): Knowledge {
  const stored: StoredKnowledge = JSON.parse(text);
  return { ...stored, constraints: stored.constraints.flatMap(unfolded) };
}
