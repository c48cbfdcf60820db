/** A sum or product of plain numbers, none with a leading zero, which is to the base 8 in Bash. */
const ofNumbers = /^[ \t]*(?:0|[1-9]\d*)(?:[ \t]*[*+][ \t]*(?:0|[1-9]\d*))+[ \t]*$/;

/** The same, or a variable that holds it, as Bash scripts write it: of numbers and plain variables. */
const asWritten = /^[ \t]*(?:\$\w+|\$\{\w+\}|\d+)(?:[ \t]*[*+][ \t]*(?:\$\w+|\$\{\w+\}|\d+))*[ \t]*$/;

/**
 * What a text comes to that is a sum or product of numbers (`2*8`), as Bash leaves it outside of `$(( ))`.
 * @returns undefined for other texts, and above what is exact
 */
export function resultOf(text: string): number | undefined {
  if (!ofNumbers.test(text)) return undefined;
  const product = (term: string): number =>
    term.split('*').reduce((result, factor) => result * Number(factor), 1);
  const sum = text.split('+').reduce((result, term) => result + product(term), 0);
  return Number.isSafeInteger(sum) ? sum : undefined;
}

/** What is said of a value that is such a text; nothing for others. */
export function calculationHint(text: string): string {
  const result = resultOf(text);
  return result === undefined ? '' : ` Bash computes within $(( )) only: ${text.trim()} is ${result}.`;
}

/**
 * The expansion that computes what a script has as a text: `$((TP*8))` for `$TP*8`.
 * @returns undefined for what is not made of numbers and variables alone
 */
export function computed(written: string): string | undefined {
  if (!asWritten.test(written) || !written.includes('$')) return undefined;
  return `$((${written.trim().replace(/\$\{?([A-Za-z_]\w*)\}?/g, '$1')}))`;
}
