/** The beginning of a text, of so many UTF-16 units at most; a character of two units is not cut in two. */
export function beginning(text: string, units: number): string {
  const last = text.charCodeAt(units - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? units - 1 : units);
}
