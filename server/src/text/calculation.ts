import { productIn } from './product.ts';

/** A plain number; with a leading zero it would be octal in Bash. */
const plainNumber = /^[ \t]*(?:0|[1-9]\d*)[ \t]*$/;

/** A sum or product of numbers and plain variables, or a single one of these, as Bash scripts write it. */
const asWritten =
  /^[ \t]*(?:\$\w+|\$\{\w+\}|\d+)(?:[ \t]*(?:\*{1,2}|\+)[ \t]*(?:\$\w+|\$\{\w+\}|\d+))*[ \t]*$/;

/**
 * The result of a text that is a sum or product of numbers (`2*8`), which Bash leaves as it is outside `$(( ))`.
 * @returns undefined for other texts, and if the result is not exact
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

/** The hint for a value that is such a text; empty for others. */
export function calculationHint(text: string): string {
  const result = resultOf(text);
  return result === undefined ? '' : notComputed(text.trim(), result);
}

/** A sentence for a hint: outside `$(( ))` a calculation stays a text. */
export function notComputed(text: string, result: number | undefined): string {
  return ` Bash computes within $(( )) only: ${text}${result === undefined ? '' : ` is ${result}`}.`;
}

/**
 * The expansion that computes an expression written as text: `$(($TP*8))` for `$TP*8`. Variables keep their dollar signs, since without them a
 * variable that contains a sum (`1+2`) would be computed before the rest.
 * @returns undefined if it contains anything but numbers and variables
 */
export function computed(written: string): string | undefined {
  return asWritten.test(written) && written.includes('$') ? `$((${written.trim()}))` : undefined;
}
