/**
 * The value of a product of plain numbers (`512 * 1024`, `2**20`), which programs take for a text: Bash only computes within `$(( ))`, YAML
 * nowhere.
 * @returns undefined for other texts, including numbers with a leading zero (octal in Bash), and if the result is not exact
 */
export function productIn(text: string): number | undefined {
  if (!/^\s*\d+(?:\s*\*{1,2}\s*\d+)+\s*$/.test(text) || /\b0\d/.test(text)) return undefined;
  const product = text
    .split(/(?<!\*)\*(?!\*)/)
    .map(power)
    .reduce((result, factor) => result * factor, 1);
  return Number.isSafeInteger(product) ? product : undefined;
}

/** `2**3**2` is 2 to the 9th. */
function power(text: string): number {
  return text
    .split('**')
    .map(Number)
    .reduceRight((exponent, base) => base ** exponent);
}
