import { productIn } from './product.ts';

/** A plain number; one with a leading zero is to the base 8 in Bash. */
const plainNumber = /^[ \t]*(?:0|[1-9]\d*)[ \t]*$/;

/** A sum or product of numbers, or a variable that holds it, as Bash scripts write it: of numbers and plain variables. */
const asWritten =
  /^[ \t]*(?:\$\w+|\$\{\w+\}|\d+)(?:[ \t]*(?:\*{1,2}|\+)[ \t]*(?:\$\w+|\$\{\w+\}|\d+))*[ \t]*$/;

/**
 * What a text comes to that is a sum or product of numbers (`2*8`), as Bash leaves it outside of `$(( ))`.
 * @returns undefined for other texts, and above what is exact
 */
export function resultOf(text: string): number | undefined {
  if (!/[*+]/.test(text)) return undefined;
  let sum = 0;
  for (const term of text.split('+')) {
    const value = plainNumber.test(term) ? Number(term) : productIn(term);
    if (value === undefined) return undefined;
    sum += value;
  }
  return Number.isSafeInteger(sum) ? sum : undefined;
}

/** What is said of a value that is such a text; nothing for others. */
export function calculationHint(text: string): string {
  const result = resultOf(text);
  return result === undefined ? '' : notComputed(text.trim(), result);
}

/** A sentence for a hint: a text stays one, whatever it comes to. */
export function notComputed(text: string, result: number | undefined): string {
  return ` Bash computes within $(( )) only: ${text}${result === undefined ? '' : ` is ${result}`}.`;
}

/**
 * The expansion that computes what a script has as a text: `$(($TP*8))` for `$TP*8`. Variables keep their dollars, as those that hold a sum
 * (`1+2`) would be computed before the rest without.
 * @returns undefined for what is not made of numbers and variables alone
 */
export function computed(written: string): string | undefined {
  return asWritten.test(written) && written.includes('$') ? `$((${written.trim()}))` : undefined;
}
