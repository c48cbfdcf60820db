/** The beginning of a text, of so many UTF-16 units at most; a character of two units is not cut in two. */
export function beginning(text: string, units: number): string {
  const last = text.charCodeAt(units - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? units - 1 : units);
}

/** The rest of a text from an offset on, or from the one behind it where that is in the midst of a character of two units. */
export function restFrom(text: string, from: number): string {
  const first = text.charCodeAt(from);
  return text.slice(first >= 0xdc00 && first < 0xe000 ? from + 1 : from);
}
