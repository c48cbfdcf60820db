import type { ArithmeticCommand } from 'unbash';
import type { Place } from '../../text/span.ts';
import { identified } from '../state/pieces.ts';
import { failure, type Shell, type Status } from '../state/shell.ts';
import type { Source } from '../text/source.ts';
import type { Amount } from '../words/arithmetic.ts';
import { evaluateExpression } from '../words/arithmeticText.ts';
import { targetName } from '../words/read.ts';
import { arithmeticComparison } from './numberComparison.ts';
import { ask, outcome } from './verdict.ts';

/** The status of `(( … ))`. */
export function arithmeticStatus(shell: Shell, source: Source, node: ArithmeticCommand): Status {
  if (node.expression === undefined) return failure;
  const amount = evaluateExpression(shell, source, node.expression);
  const place = source.place(node.pos, node.end);
  if (amount === undefined) return failure;
  const compared =
    amount.value === undefined ? arithmeticComparison(shell, node.expression, place) : undefined;
  return compared ?? amountStatus(shell, amount, node.body.trim(), place);
}

/** Whether a number is not zero. */
export function amountStatus(shell: Shell, amount: Amount, text: string, place: Place): Status {
  if (amount.value !== undefined) return outcome(amount.value !== 0n, amount.needs);
  // With other values it is a different question.
  const values = (text.match(/[A-Za-z_]\w*/g) ?? []).map((name) =>
    identified(shell.store.get(targetName(shell, name))?.value ?? []),
  );
  return ask(
    {
      key: `((${text})) ${values.join(' ')}`,
      yes: `(( ${text} )) holds`,
      no: `(( ${text} )) does not hold`,
      first: false,
    },
    place,
  );
}
