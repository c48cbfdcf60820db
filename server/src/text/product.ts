/**
 * The number that a product of plain numbers stands for (`512 * 1024`, `2**20`), which programs take for a text: Bash computes within `$(( ))` only, YAML nowhere.
 * @returns undefined for other texts, numbers with a leading zero (in Bash to the base 8) among them, and above what is exact
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
