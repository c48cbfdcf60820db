import type { Pieces } from '../state/pieces.ts';
import type { Status } from '../state/shell.ts';
import { negated } from './verdict.ts';

/** The question that a value stands for if it is an open status: `$?` after a program that is not run. */
function questionOf(value: Pieces): Status | undefined {
  const [only] = value;
  if (value.length !== 1 || only?.kind !== 'hole' || only.question === undefined) return undefined;
  const { question } = only;
  return {
    code: question.first ? 0 : (question.fork.code ?? 1),
    fork: question,
    needs: [],
    presumed: false,
  };
}

/** Whether an open status is 0, asked as the question about its program; undefined if it is compared with anything else. */
export function openStatusIs(value: Pieces, text: string | undefined): Status | undefined {
  return text === '0' ? questionOf(value) : undefined;
}

/** `[ $? -ne 0 ]`, `[ $? -gt 0 ]`: a program that fails returns more than 0. */
export function openStatusCompared(
  value: Pieces,
  operator: string,
  text: string | undefined,
): Status | undefined {
  const succeeds = openStatusIs(value, text);
  if (succeeds === undefined) return undefined;
  if (operator === '-eq' || operator === '-le') return succeeds;
  return operator === '-ne' || operator === '-gt' ? negated(succeeds) : undefined;
}
